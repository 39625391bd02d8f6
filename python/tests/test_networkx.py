"""Scores of graphs of NetworkX are those of NetworkX."""

from __future__ import annotations

from typing import Any

import networkx as nx
import pytest
from conftest import WEIGHT, near

import linchpin


def test_betweenness(graph: Any) -> None:
    near(linchpin.betweenness(graph, weight=WEIGHT), nx.betweenness_centrality(graph, weight=WEIGHT))
    near(linchpin.betweenness(graph, weight=WEIGHT, edges=True), nx.edge_betweenness_centrality(graph, weight=WEIGHT))


def test_hops(graph: Any) -> None:
    near(linchpin.betweenness(graph, normalized=False), nx.betweenness_centrality(graph, normalized=False))
    wanted = nx.edge_betweenness_centrality(graph, normalized=False)
    near(linchpin.edge_betweenness(graph, normalized=False), wanted)


def test_distances(graph: Any) -> None:
    near(linchpin.closeness(graph, weight=WEIGHT), nx.closeness_centrality(graph, distance=WEIGHT))
    near(linchpin.harmonic(graph, weight=WEIGHT), nx.harmonic_centrality(graph, distance=WEIGHT))


def test_endpoints_and_sources() -> None:
    graph = nx.karate_club_graph()
    near(linchpin.betweenness(graph, endpoints=True), nx.betweenness_centrality(graph, endpoints=True))
    all_sources = linchpin.betweenness(graph, sources=list(graph), normalized=False)
    near(all_sources, nx.betweenness_centrality(graph, normalized=False))
    some = linchpin.harmonic(graph, sources=[0, 33])
    near(some, nx.harmonic_centrality(graph, sources=[0, 33]))


def test_samples_are_drawn_by_seed() -> None:
    graph = nx.karate_club_graph()
    one, again, other = (linchpin.betweenness(graph, samples=8, seed=seed) for seed in (1, 1, 2))
    assert one == again != other


def test_other_measures() -> None:
    graph = nx.path_graph(["a", "b", "c", "d"])
    nx.set_edge_attributes(graph, 2, WEIGHT)
    assert linchpin.degree(graph) == {"a": 1, "b": 2, "c": 2, "d": 1}
    assert linchpin.strength(graph, weight=WEIGHT) == {"a": 2, "b": 4, "c": 4, "d": 2}
    assert linchpin.eccentricity(graph, weight=WEIGHT) == {"a": 6, "b": 4, "c": 4, "d": 6}
    assert linchpin.graph(graph) == pytest.approx({"a": 1 / 3, "b": 1 / 2, "c": 1 / 2, "d": 1 / 3})
    assert linchpin.stress(graph) == {"a": 0, "b": 2, "c": 2, "d": 0}
    assert linchpin.volume(graph, radius=1) == {"a": 3, "b": 5, "c": 5, "d": 3}
    assert linchpin.degree(nx.MultiGraph([("a", "b"), ("a", "b")])) == {"a": 2, "b": 2}


def test_ties_are_those_of_decimals() -> None:
    """In float64 0.1 + 0.2 is longer than 0.3, so NetworkX takes one path where linchpin takes both."""
    graph = nx.Graph()
    graph.add_weighted_edges_from([("a", "b", 0.1), ("b", "c", 0.2), ("a", "c", 0.3)], weight=WEIGHT)
    assert linchpin.betweenness(graph, weight=WEIGHT, normalized=False) == {"a": 0, "b": 0.5, "c": 0}
    assert nx.betweenness_centrality(graph, weight=WEIGHT, normalized=False)["b"] == 0


def test_parallel_edges_can_count_each() -> None:
    graph = nx.MultiGraph([("a", "b"), ("a", "b"), ("b", "c"), ("a", "d"), ("d", "c")])
    assert linchpin.betweenness(graph, normalized=False)["b"] == 0.5
    assert linchpin.betweenness(graph, normalized=False, parallel="keep")["b"] == pytest.approx(2 / 3)


def test_directions_can_be_left_out() -> None:
    graph = nx.DiGraph([("a", "b"), ("b", "a"), ("c", "b")])
    near(linchpin.betweenness(graph, directed=False), nx.betweenness_centrality(graph.to_undirected()))
    with pytest.raises(ValueError, match="the graph is undirected; pass graph.to_directed"):
        linchpin.betweenness(graph.to_undirected(), directed=True)


def test_views_and_subclasses() -> None:
    class Roads(nx.Graph):  # type: ignore[type-arg]
        pass

    graph = Roads(nx.karate_club_graph())
    near(linchpin.betweenness(graph.subgraph(range(20))), nx.betweenness_centrality(graph.subgraph(range(20))))


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (float("nan"), r"the weight of the edge \('a', 'b'\) is nan; weights are finite and greater than 0"),
        (float("inf"), "is inf; weights are finite"),
        (-1, "is -1.0; weights are finite and greater than 0"),
        (0, "is 0.0; weights are finite and greater than 0. Leave edges of weight 0 out"),
        (2**53 + 1, "the weight 9007199254740993 of the edge .* is too large"),
        (2**70 + 1, "is too large: float64 cannot hold it exactly"),
    ],
)
def test_bad_weights(weight: Any, message: str) -> None:
    graph = nx.Graph()
    graph.add_edge("a", "b", w=weight)
    with pytest.raises(ValueError, match=message):
        linchpin.betweenness(graph, weight=WEIGHT)


@pytest.mark.parametrize("weight", ["heavy", None, [1], b"1"])
def test_weights_that_are_no_numbers(weight: Any) -> None:
    graph = nx.Graph()
    graph.add_edge("c", "d", w=1)
    graph.add_edge("a", "b", w=weight)
    with pytest.raises(TypeError, match=r"the weight of the edge \('a', 'b'\) is not a number"):
        linchpin.betweenness(graph, weight=WEIGHT)


def test_bad_arguments() -> None:
    graph = nx.path_graph(3)
    with pytest.raises(TypeError, match="weight is the name of an edge attribute"):
        linchpin.betweenness(graph, weight=lambda u, v, d: 1)
    with pytest.raises(ValueError, match="the source 9 is not a node of the graph"):
        linchpin.betweenness(graph, sources=[9])
    with pytest.raises(TypeError, match="sources are several nodes"):
        linchpin.betweenness(graph, sources="a")
    with pytest.raises(ValueError, match="pass either sources or samples"):
        linchpin.betweenness(graph, sources=[0], samples=1)
    with pytest.raises(ValueError, match="seed draws samples"):
        linchpin.betweenness(graph, seed=1)
    for seed in (None, 7):  # of groups a seed chooses without samples
        assert set(linchpin.leiden(graph, seed=seed).values()) <= set(range(len(graph)))
    with pytest.raises(ValueError, match="columns are those of a data frame"):
        linchpin.betweenness(graph, columns=("a", "b"))
    with pytest.raises(TypeError, match=r"builtins.dict is no graph that linchpin reads: pass a graph of NetworkX"):
        linchpin.betweenness({"a": ["b"]})
