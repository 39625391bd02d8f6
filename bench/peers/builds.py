"""Two builds of linchpin by turns on one machine, to see what a change costs or saves.

    python builds.py device OLD NEW GRAPHS...          betweenness of nodes and edges by auto, as linchpin-bench measures it: seconds
                                                       per source
    python builds.py start-to-end OLD NEW FILES...     linchpin compute on a GPU, from file to file: seconds of all of it
    python builds.py cpu OLD NEW FILES...              linchpin compute on one thread: its processor seconds

OLD and NEW are folders with linchpin, linchpin-bench and linchpin-worker. In a round each build has a turn; who is first changes from
round to round. A line has the least of each build, NEW over OLD, and the same of the middle ones. As long as a line of a graph is over
--slower, there is another round, up to --rounds.
"""
import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import time


class Measuring:
    """What is measured, with the options of the command line. Each of its functions returns seconds by line."""

    def __init__(self, options, cache):
        self.options, self.cache = options, options.cache or cache

    def device(self, build, graph):
        o, took = self.options, {}
        for case in (["--weighted"], ["--weighted", "--edges"]) if o.weighted else (["--suite", "goals"],):
            with tempfile.TemporaryDirectory() as folder:
                out = pathlib.Path(folder) / "records.jsonl"
                subprocess.run([build / "linchpin-bench", *case, "--graphs", graph, "--strategies", o.strategies, "--device", "gpu",
                                "--precision", o.precision, "--seconds-max", o.seconds, "--seconds-min", o.seconds,
                                "--data", o.data, "--cache", self.cache, "--out", out, "--quiet"], check=True)
                for record in map(json.loads, out.read_text().splitlines()):
                    line = [record["strategy"], "edges" if record["edge_scores"] else "nodes", record["precision"]]
                    seconds, sources = record["seconds"]["compute"], record["sources"]
                    took[tuple(line)] = seconds / sources  # builds may take samples of different sizes
        return took

    def start_to_end(self, build, file):
        return {("seconds",): self.compute(build, file, "--measure", "betweenness", "--device", "gpu", scores=["nodes", "edges"])[0]}

    def cpu(self, build, file):
        return {(measure[0],): self.compute(build, file, "--measure", *measure, "--device", "cpu", "--threads", "1")[1]
                for measure in (["betweenness"], ["closeness", "--variant", "component"])}

    def compute(self, build, file, *flags, scores=("nodes",)):
        """Returns the seconds of the process, and its processor seconds."""
        with tempfile.TemporaryDirectory() as folder:
            command = [build / "linchpin", "compute", file, *flags, "--quiet"]
            command += ["--weighted"] if self.options.weighted else []
            command += ["--directed"] if self.options.directed else []
            for of in scores:
                command += [f"--{of}-out", f"{folder}/{of}.csv"]
            begin, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            return time.monotonic() - begin, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def rounds(measure, graph, options):
    """Returns the seconds of all rounds, by line, of the old and of the new build."""
    builds = [pathlib.Path(options.old).absolute(), pathlib.Path(options.new).absolute()]
    took = [{}, {}]
    for turn in range(options.rounds):
        for which in (0, 1) if turn % 2 == 0 else (1, 0):
            for line, seconds in measure(builds[which], graph).items():
                took[which].setdefault(line, []).append(seconds)
        slower = any(min(took[1][line]) > options.slower * min(took[0][line]) for line in took[1])
        if turn + 1 >= options.least and not slower:
            break
    return took


def show(graph, took):
    for line in took[0]:
        old, new = (sorted(build[line]) for build in took)
        middle = new[len(new) // 2] / old[len(old) // 2]
        print(f"{graph:26} {' '.join(line):32} {old[0]:10.4g} {new[0]:10.4g} {new[0] / old[0]:6.3f}   middle {middle:6.3f}"
              f"   {len(new)} rounds", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["device", "start-to-end", "cpu"])
    parser.add_argument("old", help="folder of the build to compare with")
    parser.add_argument("new", help="folder of the build with the change")
    parser.add_argument("graphs", nargs="+", help="names as linchpin-bench --list has them; otherwise files")
    parser.add_argument("--rounds", type=int, default=3, help="most rounds (%(default)s)")
    parser.add_argument("--least", type=int, default=1, help="fewest rounds (%(default)s)")
    parser.add_argument("--slower", type=float, default=1.03, help="ratio over which there is another round (%(default)s)")
    parser.add_argument("--weighted", action="store_true", help="by weights, which the file or the name of the graph must have")
    parser.add_argument("--strategies", default="auto", help="device: as of linchpin-bench (%(default)s)")
    parser.add_argument("--precision", default="single,double", help="device: (%(default)s)")
    parser.add_argument("--seconds", default="5", help="device: what takes longer from all sources takes a sample (%(default)s)")
    parser.add_argument("--data", default="graphs", help="device: folder of packed graphs (%(default)s)")
    parser.add_argument("--cache", help="device: folder that keeps graphs for the next call")
    parser.add_argument("--directed", action="store_true", help="of a file: follow directions")
    options = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory() as cache:
        measure = getattr(Measuring(options, cache), options.what.replace("-", "_"))
        for graph in options.graphs:
            try:
                show(pathlib.Path(graph).name, rounds(measure, graph, options))
            except subprocess.CalledProcessError as e:
                failed = True
                print(f"{graph}: {e}", file=sys.stderr, flush=True)
    return 1 if failed else 0


sys.exit(main())
