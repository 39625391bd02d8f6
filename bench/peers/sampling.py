"""Compares linchpin's samples of betweenness with NetworKit's at the same measured error.

    python sampling.py --data FOLDER --out FILE.jsonl [GRAPH ...]

FOLDER has GRAPH/edges.csv.gz, with the columns src and dst. Each graph is its largest component, undirected, without loops and
parallel edges. The error of a sample is the largest error of any node, as a share of all pairs of nodes, against exact scores.
A setting of NetworKit has its mean error and processor time over some seeds. Linchpin is run with `--error E` for smaller and
smaller E, until its mean error is no larger. Processor time is user and system time: of NetworKit that of run() alone, of linchpin
that of the process less that of `--measure degree` on the same file. Each comparison appends a JSON line to --out.
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import tempfile
import time

import networkit
import numpy as np
import pyarrow.csv

import graphs

GRAPHS = ("facebook_combined", "wiki-Vote", "ca-GrQc-lcc", "email-Enron-lcc", "as-caida20071105", "cit-HepTh", "breast_coexpress",
          "power", "higgs-mention", "luxembourg_osm")
# Settings of NetworKit. KADABRA's is its error, with a confidence of 0.9; EstimateBetweenness' is its number of sources.
SETTINGS = [("KadabraBetweenness", 0.01), ("KadabraBetweenness", 0.005), ("EstimateBetweenness", 64), ("EstimateBetweenness", 256)]
SMALLER = 0.85  # each error of linchpin over the one before
LARGEST, SMALLEST = 0.2, 1e-5


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("graphs", nargs="*", metavar="GRAPH", default=GRAPHS)
    p.add_argument("--data", required=True, help="folder of the graphs")
    p.add_argument("--out", default="build/sampling.jsonl", help="results file")
    p.add_argument("--program", default="bin/linchpin")
    p.add_argument("--threads", type=int, default=os.cpu_count())
    p.add_argument("--seeds", type=int, default=3)
    return p.parse_args()


def read(path):
    """Returns n and the distinct edges of the largest component of a file."""
    table = pyarrow.csv.read_csv(path)
    names, ends = np.unique(np.concatenate([table["src"].to_numpy(), table["dst"].to_numpy()]), return_inverse=True)
    ends = np.sort(ends.reshape(2, -1).T.astype(np.int32), axis=1)
    ends = np.unique(ends[ends[:, 0] != ends[:, 1]], axis=0)
    n, ends, _ = graphs.largest(len(names), ends, None)
    return n, ends


class Linchpin:
    """Runs linchpin on one file."""

    def __init__(self, options, folder, n, ends):
        self.options, self.folder, self.pairs = options, folder, n * (n - 1) / 2
        graphs.save(folder / "graph.npz", n, ends, None)
        self.start = min(self.run("--measure", "degree")[1] for _ in range(3))

    def run(self, *flags):
        """Returns scores and processor seconds."""
        out = self.folder / "scores.npy"
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([self.options.program, "compute", self.folder / "graph.npz", "--nodes-out", out, "--quiet", "--device", "cpu",
                        "--threads", str(self.options.threads), *flags], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return np.load(out), after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime

    def exact(self):
        """Returns exact scores as shares of all pairs, and processor seconds."""
        scores, seconds = self.run("--measure", "betweenness")
        return scores / self.pairs, max(0, seconds - self.start)

    def sample(self, error, seed):
        scores, seconds = self.run("--measure", "betweenness", "--error", str(error), "--seed", str(seed))
        return scores / self.pairs, max(0, seconds - self.start)


def networkit_sample(graph, algorithm, setting, seed):
    """Returns scores as shares of all pairs, and processor seconds."""
    networkit.setSeed(seed, True)
    n = graph.numberOfNodes()
    # Of undirected graphs, NetworKit 11.2.2 counts each pair of nodes twice, also KADABRA in what it calls shares.
    if algorithm == "KadabraBetweenness":
        sampled, pairs = networkit.centrality.KadabraBetweenness(graph, err=setting, delta=0.1), 2
    else:
        sampled, pairs = networkit.centrality.EstimateBetweenness(graph, setting), n * (n - 1)
    start = time.process_time()
    sampled.run()
    seconds = time.process_time() - start
    return np.array(sampled.scores()) / pairs, seconds


def mean(exact, sample, seeds):
    """Returns the mean error and processor seconds of a sample over seeds."""
    errors, seconds = zip(*((float(np.max(np.abs(s - exact))), t) for s, t in (sample(seed) for seed in range(1, seeds + 1))))
    return sum(errors) / seeds, sum(seconds) / seeds


def compare(name, options):
    """Yields the records of a graph."""
    n, ends = read(pathlib.Path(options.data) / name / "edges.csv.gz")
    graph = networkit.GraphFromCoo((np.ones(len(ends)), tuple(np.ascontiguousarray(ends.T, dtype=np.uint64))), n=n)
    with tempfile.TemporaryDirectory() as folder:
        own = Linchpin(options, pathlib.Path(folder), n, ends)
        exact, seconds = own.exact()
        theirs = [(a, s, *mean(exact, lambda seed, a=a, s=s: networkit_sample(graph, a, s, seed), options.seeds)) for a, s in SETTINGS]
        ours, error = [], LARGEST
        while error > SMALLEST and not (ours and ours[-1][1] <= min(x[2] for x in theirs)):
            ours.append((error, *mean(exact, lambda seed, e=error: own.sample(e, seed), options.seeds)))
            error *= SMALLER
        for algorithm, setting, their_error, their_seconds in theirs:
            enough = [x for x in ours if x[1] <= their_error]
            yield {"graph": name, "n": n, "m": len(ends), "exact": seconds, "peer": algorithm, "setting": setting, "peer_error": their_error,
                   "peer_seconds": their_seconds, "flag": enough[0][0] if enough else None, "error": enough[0][1] if enough else None,
                   "seconds": enough[0][2] if enough else None, "threads": options.threads, "seeds": options.seeds,
                   "load": round(os.getloadavg()[0], 1)}


def main():
    options = arguments()
    networkit.setNumberOfThreads(options.threads)
    pathlib.Path(options.out).parent.mkdir(parents=True, exist_ok=True)
    for name in options.graphs:
        for record in compare(name, options):
            print(json.dumps(record), flush=True)
            with open(options.out, "a", encoding="utf-8") as out:
                out.write(json.dumps(record) + "\n")


if __name__ == "__main__":
    main()
