"""Compares betweenness with NetworkX, on a random graph of 20,000 nodes and 100,000 edges: `python speed.py`.

NetworkX searches from SAMPLE sources, and its time is scaled to all of them: it does the same for each. linchpin computes all
sources, with the conversion of the graph, the start of the process, and the way back.
"""

from __future__ import annotations

import json
import os
import platform
import random
import resource
import subprocess
import time
from collections.abc import Callable
from typing import Any

import networkx as nx

import linchpin

NODES, EDGES, SAMPLE = 20_000, 100_000, 20


def graph() -> Any:
    """Return a random graph whose edges weigh 1 to 100."""
    draw = random.Random(1)
    made = nx.gnm_random_graph(NODES, EDGES, seed=1)
    nx.set_edge_attributes(made, {edge: draw.randint(1, 100) for edge in made.edges}, "w")
    return made


def measured(call: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds that a call takes, and those of processors in this process and in its children."""
    began, busy = time.perf_counter(), processor_seconds()
    call()
    return time.perf_counter() - began, processor_seconds() - busy


def processor_seconds() -> float:
    uses = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(use.ru_utime + use.ru_stime for use in uses)


def main() -> None:
    made = graph()
    printed = subprocess.run([linchpin.binary(), "version", "--json"], capture_output=True, check=True).stdout
    version = json.loads(printed)["version"]
    for weight in (None, "w"):
        wall, busy = measured(lambda: nx.betweenness_centrality(made, k=SAMPLE, weight=weight, seed=1))  # noqa: B023
        ours, ours_busy = measured(lambda: linchpin.betweenness(made, weight=weight))  # noqa: B023
        factor = NODES / SAMPLE
        record = {
            "n": NODES,
            "m": EDGES,
            "weighted": weight is not None,
            "processors": os.cpu_count(),
            "machine": platform.processor() or platform.machine(),
            "linchpin": version,
            "networkx": nx.__version__,
            "python": platform.python_version(),
            "networkx_seconds": round(wall * factor, 1),
            "networkx_sources": SAMPLE,
            "linchpin_seconds": round(ours, 2),
            "times_as_fast": round(wall * factor / ours, 1),
            "networkx_processor_seconds": round(busy * factor, 1),
            "linchpin_processor_seconds": round(ours_busy, 2),
        }
        print(json.dumps(record))


if __name__ == "__main__":
    main()
