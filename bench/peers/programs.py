"""The programs of a row: linchpin, and its peers in processes of their own. Each loads a graph, and computes it once per run."""
import json
import os
import pathlib
import select
import signal
import subprocess
import sys
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).parent
LOADING = 3600  # seconds that a peer may take to load a graph


class Unsupported(Exception):
    """The program cannot compute this row."""


class TooLong(Exception):
    """The program took longer than the limit, and was ended."""


class Linchpin:
    """Runs `linchpin compute`. Its seconds are those of the plan, the preparation and the computation; files are read and written
    outside of the others' times, too. reduce is auto or off.

    A peer's process has computed the graph up to ten times before. So where a run is short, each process of linchpin computes the graph
    some times, and the last one counts."""
    parallel = True
    SHORT, MOST = 0.1, 8  # seconds, and times; what a new process takes for itself is a few milliseconds

    def __init__(self, program, reduce):
        self.program, self.reduce, self.how = program, reduce, ""
        self.name = "linchpin" if reduce == "auto" else "linchpin --reduce off"
        said = subprocess.run([program, "version", "--json"], capture_output=True, text=True, check=True).stdout
        self.version = json.loads(said)["version"]

    def load(self, graph, row, sources, limit):
        del limit
        self.graph, self.row, self.sources, self.took = graph, row, sources, 2 * self.SHORT

    def run(self, threads, folder, limit):
        """Returns seconds and scores."""
        graphs = self.graphs(folder)
        command = [self.program, "compute", *graphs, *self.options(), "--threads", str(threads),
                   "--edges-out" if self.row.measure.startswith("edge_") else "--nodes-out", folder / "*.npy"]
        if self.sources is not None:
            (folder / "sources").write_text("".join(f"{s}\n" for s in self.sources))
            command += ["--sources", f"@{folder / 'sources'}"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=limit * len(graphs))
        except subprocess.TimeoutExpired as e:
            raise TooLong from e
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(map(str, command))}: {done.stderr.strip()}")
        last = ("\n" + done.stdout).rsplit("\n{", 1)[1]  # an object for each graph
        said = json.loads("{" + last)
        self.how = said.get("reduction", {}).get("reason", "")
        self.took = sum(said["seconds"][step] for step in ("plan", "preprocess", "compute"))
        return self.took, np.load(graphs[-1].with_suffix(".npy"))

    def graphs(self, folder):
        """The file of the graph, by several names if a run is short."""
        files = [folder / f"graph{i}.npz" for i in range(min(self.MOST, 1 + int(self.SHORT / self.took)))]
        for file in files:
            file.unlink(missing_ok=True)
            file.symlink_to(self.graph.absolute())
        return files

    def options(self):
        options = ["--measure", self.row.measure.removeprefix("edge_"), "--device", "cpu", "--quiet", "--json"]
        if self.row.measure == "pagerank":
            options += ["--variant", "probability"]
        if self.row.weights:
            options += ["--weighted"]
        return options + (["--reduce", "off"] if self.reduce == "off" else [])

    def close(self):
        pass


class Peer:
    """A peer in its own process: peer.py in the Python that has its package."""

    def __init__(self, name, python, environment):
        self.name, self.python, self.how, self.process = name, python, "", None
        self.environment = os.environ | environment

    def start(self):
        """Raises OSError or RuntimeError if the package is not here."""
        self.complaints = tempfile.TemporaryFile()
        self.process = subprocess.Popen([*self.python, HERE / "peer.py", self.name], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=self.complaints, env=self.environment,
                                        start_new_session=True)
        self.parallel = self.read(300)["parallel"]

    def load(self, graph, row, sources, limit):
        """Raises Unsupported for what the peer cannot compute; limit is how long it may take, by what is known of its rate."""
        self.loaded = {"graph": str(graph), "measure": row.measure, "sources": sources, "limit": limit}
        if self.process is None:
            self.start()
        said = self.ask(self.loaded, LOADING)
        if reason := said["unsupported"]:
            raise Unsupported(reason)
        self.version = said["version"]

    def run(self, threads, folder, limit):
        """Returns seconds and scores. A process that was ended begins again."""
        if self.process is None:
            self.start()
            self.ask(self.loaded, LOADING)
        scores = folder / "peer.npy"
        return self.ask({"threads": threads, "scores": str(scores)}, limit)["seconds"], np.load(scores)

    def ask(self, question, limit):
        self.process.stdin.write(json.dumps(question).encode() + b"\n")
        self.process.stdin.flush()
        return self.read(limit)

    def read(self, limit):
        ready, _, _ = select.select([self.process.stdout], [], [], limit)
        if not ready:
            self.close()
            raise TooLong
        line = self.process.stdout.readline()
        if not line:
            self.close()
            self.complaints.seek(0)
            complaint = self.complaints.read().decode(errors="replace").strip() or "it ended"
            raise RuntimeError(complaint.splitlines()[-1])
        return json.loads(line)

    def close(self):
        """Ends the process and those that it started, such as the workers of nx-parallel."""
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process.stdin.close()
            self.process.stdout.close()
            self.process = None


def peers(cache, threads, server, folder):
    """The peers. graph-tool and nx-parallel have Pythons of their own below the cache, and GDS takes part if the command of neo4jserver
    is there; its data are in the folder."""
    own = {"graph-tool": [f"{cache}/graph-tool/python"], "nx-parallel": [f"{cache}/nx-parallel/bin/python"]}
    environment = {"RAYON_NUM_THREADS": str(threads), "NEO4J_SERVER": server, "NEO4J_FOLDER": folder}
    names = ["igraph", "NetworKit", "graph-tool", "rustworkx", "NetworkX", "nx-parallel"] + (["GDS"] if server else [])
    return [Peer(name, own.get(name, [sys.executable]), environment) for name in names]
