"""One row: all programs that can compute it take turns."""
import pathlib
import sys
import tempfile

import agreement
import numpy as np
import programs

LARGE = 20_000_000  # edges
LONG = 5  # seconds of a run with all threads, from which on fewer are not tried


class Entry:
    """What one program takes: in the first runs by number of threads, then with the best number."""

    def __init__(self, program):
        self.program, self.tried, self.seconds = program, {}, []
        self.differs, self.modularity = 0.0, None

    @property
    def threads(self):
        return min(self.tried, key=self.tried.get)


class Race:
    """A row, its graph and its limit of time for one run. over are the programs that took longer, failed those that broke."""

    def __init__(self, row, path, cores, limit):
        self.row, self.path, self.cores, self.limit = row, path, cores, limit
        with np.load(path) as file:
            self.graph = agreement.Graph(int(file["shape"][0]), file["row"], file["col"])
        self.sources = None
        if row.sources:
            self.sources = [i * self.graph.n // row.sources for i in range(min(row.sources, self.graph.n))]
        self.want, self.entries, self.over, self.failed = None, [], [], []

    def run(self, everyone):
        with tempfile.TemporaryDirectory() as folder:
            self.folder = pathlib.Path(folder)
            try:
                for program in everyone:
                    entry = Entry(program)
                    if self.survives(entry, self.try_threads):
                        self.entries.append(entry)
                for _ in range(self.rounds()):
                    self.entries = [e for e in self.entries if self.survives(e, self.take_turn)]
            finally:
                for program in everyone:
                    program.close()

    def survives(self, entry, step):
        """Takes a step, and reports whether the program is still in the race."""
        program = entry.program
        try:
            step(entry)
            return True
        except programs.Unsupported as e:
            print(f"  {program.name} is left out: {e}", file=sys.stderr, flush=True)
        except RuntimeError as e:
            print(f"  {program.name} failed: {e}", file=sys.stderr, flush=True)
            self.failed.append(program)
        except programs.TooLong:
            self.over.append(program)
        program.close()
        return False

    def try_threads(self, entry):
        """Tries a program with every number of threads, the most first, and no fewer where a run takes long. linchpin comes first:
        its scores are those that the others are compared with."""
        entry.program.load(self.path, self.row, self.sources, self.limit)
        for threads in reversed(thread_counts(entry.program, self.cores)):
            try:
                entry.tried[threads], scores = entry.program.run(threads, self.folder, self.limit)
            except programs.TooLong:
                if not entry.tried:
                    raise
                return
            self.compare(entry, scores)
            if entry.tried[threads] > LONG:
                return

    def take_turn(self, entry):
        # One that came just under the limit may pass it now.
        entry.seconds.append(entry.program.run(entry.threads, self.folder, 2 * self.limit)[0])

    def compare(self, entry, scores):
        if self.want is None:
            self.want = scores
        measure = self.row.measure
        entry.differs = max(entry.differs, agreement.difference(measure, self.graph, self.want, scores))
        if measure == "louvain":
            entry.modularity = self.graph.modularity(scores)

    def disagree(self):
        """The entries whose scores differ from linchpin's by more than is allowed."""
        return [e for e in self.entries if not self.agrees(e)]

    def agrees(self, entry):
        return entry.differs <= agreement.allowed(self.row.measure)

    def outvoted(self):
        """Those that disagree, where two other peers at least have linchpin's scores: graph-tool counts paths in 64 bits, too
        few for a grid. [] where it is not known who is wrong."""
        peers = [e for e in self.entries if not isinstance(e.program, programs.Linchpin)]
        return self.disagree() if sum(map(self.agrees, peers)) >= 2 else []

    def rounds(self):
        """Three of runs over two seconds, and of graphs that linchpin reads for half a minute and more; nine of others."""
        return 3 if self.graph.m > LARGE or max((e.tried[e.threads] for e in self.entries), default=0) > 2 else 9


def thread_counts(program, cores):
    """Numbers of threads to try: powers of two, and all cores."""
    if not program.parallel:
        return [1]
    if program.name == "rustworkx":  # its pool of threads is that of the process
        return sorted({1, cores})
    return sorted({2**i for i in range(cores.bit_length()) if 2**i <= cores} | {cores})
