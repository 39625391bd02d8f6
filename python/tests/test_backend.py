"""The backend of NetworkX: NetworkX's own tests through it, and when it leaves a call to NetworkX."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from conftest import WEIGHT, near
from nx_linchpin import backend
from nx_linchpin.info import FUNCTIONS

MODULES = [
    "networkx.algorithms.centrality.tests.test_betweenness_centrality",
    "networkx.algorithms.centrality.tests.test_closeness_centrality",
    "networkx.algorithms.centrality.tests.test_harmonic_centrality",
    "networkx.algorithms.tests.test_distance_measures",
]

# By version of NetworkX: tests that pass, tests that are known to fail, and calls that linchpin computes for them. A test with
# 500 sets of parameters is left out: it passes, and takes five minutes of starting processes.
LEAST = {"3.4": (154, 1, 146), "3.7": (224, 1, 186)}
LEFT_OUT = "test_use_bounds_on_off_consistency"


def test_networkx_own_tests(capsys: pytest.CaptureFixture[str]) -> None:
    environment = {
        **os.environ,
        "NETWORKX_TEST_BACKEND": "linchpin",
        "NETWORKX_FALLBACK_TO_NX": "1",
        "PYTHONPATH": str(Path(__file__).parent),
    }
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "counting",
        "-q",
        "-p",
        "no:cacheprovider",
        "-k",
        f"not {LEFT_OUT}",
        "--pyargs",
    ]
    done = subprocess.run([*command, *MODULES], env=environment, capture_output=True, text=True, check=False, cwd="/")
    assert done.returncode == 0, done.stdout + done.stderr
    counts = {word: int(number) for number, word in re.findall(r"(\d+) (passed|xfailed|failed|calls)", done.stdout)}
    passed, failing, calls = LEAST[".".join(nx.__version__.split(".")[:2])]
    with capsys.disabled():
        print(f"\nNetworkX {nx.__version__}, own tests through linchpin: {counts}")
    assert counts["passed"] >= passed
    assert counts["calls"] >= calls
    assert counts.get("xfailed", 0) <= failing == len(backend.EXCEPTIONS)


def test_it_is_found() -> None:
    assert "linchpin" in nx.utils.backends.backends
    assert set(FUNCTIONS) == set(backend._PLACES)
    for name in FUNCTIONS:
        assert "linchpin" in getattr(nx, name).backends


def test_scores(graph: Any) -> None:
    same = {
        "betweenness_centrality": {"weight": WEIGHT},
        "edge_betweenness_centrality": {"weight": WEIGHT},
        "closeness_centrality": {"distance": WEIGHT},
        "harmonic_centrality": {"distance": WEIGHT},
    }
    for name, options in same.items():
        function = getattr(nx, name)
        near(function(graph, **options, backend="linchpin"), function(graph, **options, backend="networkx"))


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
@pytest.mark.parametrize("normalized", [False, True])
@pytest.mark.parametrize("endpoints", [False, True])
def test_samples_are_those_of_networkx(kind: Any, normalized: bool, endpoints: bool) -> None:
    graph = nx.gnp_random_graph(30, 0.1, seed=5, directed=kind is nx.DiGraph)
    options: dict[str, Any] = {"k": 7, "seed": 3, "normalized": normalized}
    wanted = nx.edge_betweenness_centrality(graph, **options, backend="networkx")
    near(nx.edge_betweenness_centrality(graph, **options, backend="linchpin"), wanted)
    options["endpoints"] = endpoints
    near(
        nx.betweenness_centrality(graph, **options, backend="linchpin"),
        nx.betweenness_centrality(graph, **options, backend="networkx"),
    )
    with pytest.raises(ValueError, match="larger than population"):
        nx.betweenness_centrality(graph, k=31, backend="linchpin")


def test_eccentricity_is_that_of_outgoing_paths() -> None:
    graph = nx.DiGraph([(0, 1), (1, 2), (2, 0), (2, 3), (3, 0)])
    assert nx.eccentricity(graph, backend="linchpin") == nx.eccentricity(graph, backend="networkx")
    assert nx.eccentricity(graph, v=3, backend="linchpin") == 3
    graph.remove_edge(3, 0)
    with pytest.raises(nx.NetworkXError, match="not strongly connected"):
        nx.eccentricity(graph, backend="linchpin")


def test_parts() -> None:
    graph = nx.karate_club_graph()
    for name, options in (
        ("harmonic_centrality", {"nbunch": [0, 5], "sources": [3, 9, 99]}),
        ("harmonic_centrality", {"sources": []}),
    ):
        function = getattr(nx, name)
        near(function(graph, **options, backend="linchpin"), function(graph, **options, backend="networkx"))
    assert nx.closeness_centrality(graph, u=3, backend="linchpin") == pytest.approx(nx.closeness_centrality(graph, u=3))


def test_what_is_left_to_networkx() -> None:
    graph = nx.path_graph(4)
    nx.set_edge_attributes(graph, {(0, 1): 0, (1, 2): 1, (2, 3): 1}, WEIGHT)
    with pytest.raises(NotImplementedError) as refused:
        nx.betweenness_centrality(graph, weight=WEIGHT, backend="linchpin")
    assert "the weight of the edge (0, 1) is 0.0" in str(refused.value.__cause__)
    assert "a function" in str(backend.can_run("betweenness_centrality", (graph,), {"weight": lambda u, v, d: 1}))
    assert "sp" in str(backend.can_run("closeness_centrality", (graph,), {"sp": {}}))
    assert "sp" in str(backend.can_run("eccentricity", (graph, None, {}), {}))
    assert "smaller" in str(backend.should_run("betweenness_centrality", (graph,), {}))
    assert "those that were asked for" in str(backend.should_run("closeness_centrality", (graph, 1), {}))
    own = nx.betweenness_centrality(graph, weight=WEIGHT, backend="networkx")
    with nx.config(backend_priority=["linchpin"]):
        assert nx.betweenness_centrality(graph, weight=WEIGHT) == own


def test_no_stale_graph() -> None:
    """A weight that is changed in place counts, although NetworkX does not notice it."""
    graph = nx.cycle_graph(4)
    nx.set_edge_attributes(graph, 1, WEIGHT)
    for heavy in (1, 9):
        graph[0][1][WEIGHT] = heavy
        wanted = nx.betweenness_centrality(graph, weight=WEIGHT, backend="networkx")
        assert nx.betweenness_centrality(graph, weight=WEIGHT, backend="linchpin") == pytest.approx(wanted)
