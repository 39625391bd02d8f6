"""Seconds of processor time of linchpin on the CPU beside igraph and NetworKit, all nodes, one thread each.

    python speed.py bin/linchpin [graph ...]

Graphs are drawn with fixed seeds, numbered in random order, and kept in a temporary folder. Each program computes the
same scores of the same graph in the same run, one after the other; "differs" is the largest relative difference of ours from igraph's.
linchpin's time is that of the whole process, with reading the file and writing the scores; the others' is of the call alone.
"""
import csv
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import warnings

import igraph
import networkit
import numpy

warnings.filterwarnings("ignore")
networkit.setNumberOfThreads(1)


def lattice(side):
    return side * side, igraph.Graph.Lattice([side, side], circular=False).get_edgelist()


def cliques(count, size):
    """A ring of cliques."""
    edges = []
    for c in range(count):
        edges += [(c * size + i, c * size + j) for i in range(size) for j in range(i)]
        edges.append((c * size, (c + 1) % count * size + 1))
    return count * size, edges


GRAPHS = {
    "random-10000-5": lambda: (10000, igraph.Graph.Erdos_Renyi(10000, m=50000).get_edgelist()),
    "ba-5000-8": lambda: (5000, igraph.Graph.Barabasi(5000, 8).get_edgelist()),
    "smallworld-10000-8": lambda: (10000, igraph.Graph.Watts_Strogatz(1, 10000, 4, 0.05).get_edgelist()),
    "geometric-8000": lambda: (8000, igraph.Graph.GRG(8000, 0.022).get_edgelist()),
    "grid-100": lambda: lattice(100),
    "cliques-200-25": lambda: cliques(200, 25),
}


def cases():
    for directed in (False, True):
        for weights in ("hops", "1..10", "reals"):
            for measure in ("betweenness", "closeness"):
                if not directed or weights == "1..10":
                    yield directed, weights, measure


def seconds(who, call):
    before = resource.getrusage(who)
    out = call()
    after = resource.getrusage(who)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, out


def by_linchpin(program, folder, directed, weights, measure):
    scores = folder / "scores.csv"
    command = [program, "compute", folder / "graph.csv", "--measure", measure, "--device", "cpu", "--threads", "1", "--nodes-out", scores, "--quiet"]
    if measure == "closeness":
        command += ["--variant", "component"]
    command += ["--directed"] * directed + ["--weighted"] * (weights != "hops")
    took, _ = seconds(resource.RUSAGE_CHILDREN, lambda: subprocess.run(command, check=True))
    with open(scores) as lines:
        return took, {int(line["id"]): float(line["score"]) for line in csv.DictReader(lines)}


def by_igraph(n, edges, lengths, directed, measure):
    g = igraph.Graph(n=n, edges=edges, directed=directed)
    if measure == "betweenness":
        return seconds(resource.RUSAGE_SELF, lambda: g.betweenness(directed=directed, weights=lengths))
    return seconds(resource.RUSAGE_SELF, lambda: g.closeness(mode="in", weights=lengths))


def by_networkit(n, edges, lengths, directed, measure):
    g = networkit.Graph(n, weighted=lengths is not None, directed=directed)
    for i, (u, v) in enumerate(edges):
        g.addEdge(u, v, lengths[i] if lengths else 1.0)
    if measure == "betweenness":
        run = networkit.centrality.Betweenness(g)
    else:
        run = networkit.centrality.Closeness(g, False, networkit.centrality.ClosenessVariant.GENERALIZED)
    return seconds(resource.RUSAGE_SELF, lambda: run.run())[0]


def main():
    program, names = sys.argv[1], sys.argv[2:] or list(GRAPHS)
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            print(line.split(":")[1].strip(), "load", os.getloadavg()[0])
            break
    print(f"{'graph':20} {'n':>6} {'m':>7} {'':10} {'weights':7} {'measure':11} {'linchpin':>9} {'igraph':>8} {'NetworKit':>9}  over igraph, NetworKit  differs", flush=True)
    for name in names:
        random.seed(1)
        chance = numpy.random.default_rng(1)
        n, edges = GRAPHS[name]()
        order = chance.permutation(n)
        edges = sorted({(int(order[u]), int(order[v])) for u, v in edges if u != v})
        for directed, weights, measure in cases():
            lengths = None
            if weights != "hops":
                lengths = [float(x) for x in (chance.integers(1, 11, len(edges)) if weights == "1..10" else 1 - chance.random(len(edges)))]
            with tempfile.TemporaryDirectory() as folder:
                folder = pathlib.Path(folder)
                with open(folder / "graph.csv", "w") as f:
                    f.write("src,dst,weight\n" if lengths else "src,dst\n")
                    f.writelines(f"{u},{v},{lengths[i]!r}\n" if lengths else f"{u},{v}\n" for i, (u, v) in enumerate(edges))
                ours, scores = by_linchpin(program, folder, directed, weights, measure)
            theirs, want = by_igraph(n, edges, lengths, directed, measure)
            kit = by_networkit(n, edges, lengths, directed, measure)
            worst = max((abs(x - want[v]) / max(abs(want[v]), 1e-9) for v, x in scores.items() if want[v] == want[v]), default=0)
            print(f"{name:20} {n:6} {len(edges):7} {'directed' if directed else 'undirected':10} {weights:7} {measure:11} {ours:9.2f} {theirs:8.2f} {kit:9.2f}  "
                  f"{theirs / ours:11.1f} {kit / ours:10.1f}  {worst:7.0e}", flush=True)


main()
