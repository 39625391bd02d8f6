"""Times the whole dendrogram of edge betweenness of a graph: igraph's community_edge_betweenness next to `linchpin compute`, on one thread.

    python bench/peers/dendrogram.py shared/data/ca-GrQc-lcc/edges.csv.gz --linchpin ./linchpin

Linchpin runs first and last, igraph once between the two; all inherit one core where the system can pin a process (--core). The seconds are
user time: those of linchpin with reading the file, those of igraph without. It prints one line of JSON per run as it ends, and then the
number of groups that merges make in both. They may differ by ties: igraph compares sums in float64.
"""
import argparse
import csv
import gzip
import json
import os
import pathlib
import resource
import subprocess
import tempfile

import igraph


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    options.add_argument("graph", help="an edge list: two columns of numbers, .csv or .csv.gz")
    options.add_argument("--linchpin", default="linchpin", help="the program")
    options.add_argument("--core", type=int, help="the core that all run on")
    args = options.parse_args()
    if args.core is not None:
        os.sched_setaffinity(0, {args.core})
    edges = read(args.graph)
    first = linchpin(args, "first")
    theirs = peer(edges)
    linchpin(args, "second")
    nodes = 1 + max(max(edge) for edge in edges)
    print(json.dumps({"merges": len(theirs), "groups in both": same(first, theirs, nodes)}), flush=True)


def read(path):
    """Returns the edges but self-loops, which no cut concerns."""
    opened = gzip.open(path, "rt") if path.endswith(".gz") else open(path)
    with opened as file:
        rows = [row[:2] for row in csv.reader(file)]
    if not rows[0][0].isdigit():
        del rows[0]
    return [(int(a), int(b)) for a, b in rows if a != b]


def used(who):
    return resource.getrusage(who).ru_utime


def report(program, seconds, **more):
    print(json.dumps({"program": program, "user_seconds": round(seconds, 2), "load": os.getloadavg()[0], **more}), flush=True)


def linchpin(args, which):
    """Runs linchpin, and returns its dendrogram."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "dendrogram.json"
        before = used(resource.RUSAGE_CHILDREN)
        subprocess.run([args.linchpin, "compute", args.graph, "--measure", "communities", "--threads", "1", "--device", "cpu", "--quiet",
                        "--dendrogram-out", out], check=True)
        report(f"linchpin, {which}", used(resource.RUSAGE_CHILDREN) - before)
        return json.loads(out.read_text())


def peer(edges):
    graph = igraph.Graph(edges)
    before = used(resource.RUSAGE_SELF)
    dendrogram = graph.community_edge_betweenness(directed=False)
    report("igraph " + igraph.__version__, used(resource.RUSAGE_SELF) - before, nodes=graph.vcount(), edges=graph.ecount())
    return dendrogram.merges


def same(ours, theirs, nodes):
    """Counts the merges that make the same group of nodes in both, in any order."""
    a = made([[int(v) for v in leaf] for leaf in ours["leaves"]], [(m["a"], m["b"]) for m in ours["merges"]])
    b = made([[v] for v in range(nodes)], theirs)
    return len(set(a) & set(b))


def made(leaves, merges):
    """Returns the group that each merge makes."""
    groups = [frozenset(leaf) for leaf in leaves]
    for a, b in merges:
        groups.append(groups[a] | groups[b])
    return groups[len(leaves):]


if __name__ == "__main__":
    main()
