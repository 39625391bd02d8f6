"""What tests share: graphs by NetworkX, and the comparison of scores."""

from __future__ import annotations

import math
import random
from typing import Any

import networkx as nx
import pytest

WEIGHT = "w"


def near(got: Any, want: Any) -> None:
    """Compare scores by key, to 1e-9."""
    assert set(got) == set(want)
    for key, score in want.items():
        assert math.isclose(got[key], score, rel_tol=1e-9, abs_tol=1e-9), f"{key!r}: {got[key]} instead of {score}"


def random_graph(seed: int) -> Any:
    """Return a small graph of any kind: directed or not, with parallel edges, self-loops, isolated nodes, and names as nodes."""
    draw = random.Random(seed)
    kind = (nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph)[seed % 4]
    graph = kind()
    names = [f"node {i}" if seed % 3 else (i, "x") for i in range(draw.randint(0, 24))]
    graph.add_nodes_from(names)
    # Sums of these weights are exact in float64, as NetworkX adds them.
    heavy = [1, 2, 3, 0.5, 7] if seed % 5 else [10**6, 2.0, 0.25]
    for _ in range(draw.randint(0, 60) if names else 0):
        graph.add_edge(draw.choice(names), draw.choice(names), w=draw.choice(heavy))
    for _, _, data in list(graph.edges(data=True))[:2]:
        del data["w"]  # weighs 1
    return graph


@pytest.fixture(params=range(50))
def graph(request: pytest.FixtureRequest) -> Any:
    """One of fifty random graphs."""
    return random_graph(request.param)
