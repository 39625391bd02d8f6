"""Graphs of igraph, SciPy, pandas, polars, NumPy, and files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

import linchpin

EDGES = [(0, 1), (1, 2), (2, 3), (3, 0), (3, 4), (4, 4), (5, 6)]
LENGTHS = [1.0, 2.0, 2.0, 1.0, 5.0, 1.0, 3.0]


def wanted(directed: bool = False, weighted: bool = True) -> tuple[list[float], list[float]]:
    """Return the betweenness of the nodes and edges above, by NetworkX."""
    graph: Any = nx.DiGraph() if directed else nx.Graph()
    graph.add_nodes_from(range(7))
    graph.add_weighted_edges_from((u, v, w) for (u, v), w in zip(EDGES, LENGTHS))
    weight = "weight" if weighted else None
    nodes = nx.betweenness_centrality(graph, weight=weight, normalized=False)
    edges = nx.edge_betweenness_centrality(graph, weight=weight, normalized=False)
    return [nodes[v] for v in range(7)], [edges[e] if e in edges else edges[e[::-1]] for e in EDGES]


@pytest.mark.parametrize("directed", [False, True])
def test_igraph(directed: bool) -> None:
    graph = igraph.Graph(n=7, edges=EDGES, directed=directed, edge_attrs={"km": LENGTHS})
    nodes, edges = wanted(directed)
    assert linchpin.betweenness(graph, weight="km") == pytest.approx(nodes)
    assert linchpin.betweenness(graph, weight=LENGTHS, edges=True) == pytest.approx(edges)
    assert linchpin.betweenness(graph) == pytest.approx(graph.betweenness())
    assert linchpin.betweenness(graph, sources=[0, 3], normalized=False).shape == (7,)
    assert linchpin.betweenness(igraph.Graph()).shape == (0,)
    with pytest.raises(ValueError, match="the edges have no attribute 'miles'"):
        linchpin.betweenness(graph, weight="miles")
    with pytest.raises(ValueError, match=r"the weight of edge 2, \(2, 3\) is -1.0"):
        linchpin.betweenness(graph, weight=[1, 1, -1, 1, 1, 1, 1])


def test_igraph_counts_parallel_edges() -> None:
    graph = igraph.Graph(edges=[(0, 1), (0, 1), (1, 2), (0, 3), (3, 2)])
    assert linchpin.betweenness(graph) == pytest.approx(graph.betweenness())
    assert linchpin.betweenness(graph, edges=True) == pytest.approx(graph.edge_betweenness())


@pytest.mark.parametrize("form", [sp.csr_array, sp.csc_matrix, sp.coo_array, sp.lil_matrix])
def test_scipy(form: Any) -> None:
    u, v = np.array(EDGES).T
    matrix = form(sp.coo_array((LENGTHS, (u, v)), shape=(7, 7)))
    nodes, edges = wanted(directed=True)
    assert linchpin.betweenness(matrix, weight=True) == pytest.approx(nodes)
    scores = linchpin.betweenness(matrix, weight=True, edges=True)
    assert [scores[e] for e in EDGES] == pytest.approx(edges)
    nodes, edges = wanted()
    both = form(matrix + sp.csr_array(matrix).T - sp.diags_array(matrix.diagonal()))
    for graph, options in ((both, {}), (matrix, {"directed": False})):
        assert linchpin.betweenness(graph, weight=True, **options) == pytest.approx(nodes)
        scores = linchpin.betweenness(graph, weight=True, edges=True, **options)
        assert scores.nnz == graph.nnz
        assert [scores[e] for e in EDGES] == pytest.approx(edges)
    assert linchpin.betweenness(form((3, 3))).tolist() == [0, 0, 0]
    assert linchpin.betweenness(form((0, 0))).shape == (0,)


def test_scipy_mistakes() -> None:
    with pytest.raises(ValueError, match="the matrix of a graph is square"):
        linchpin.betweenness(sp.csr_array((2, 3)))
    with pytest.raises(TypeError, match="weight=True has the values"):
        linchpin.betweenness(sp.csr_array((2, 2)), weight="w")
    with pytest.raises(ValueError, match=r"the weight of the entry \(0, 1\) is -2.0"):
        linchpin.betweenness(sp.csr_array([[0, -2], [0, 0]]), weight=True)


def test_numpy() -> None:
    nodes, edges = wanted()
    assert linchpin.betweenness(np.array(EDGES), weight=LENGTHS) == pytest.approx(nodes)
    assert linchpin.betweenness(np.array(EDGES), weight=LENGTHS, edges=True) == pytest.approx(edges)
    assert linchpin.betweenness(np.array(EDGES), directed=True) == pytest.approx(wanted(True, False)[0])
    assert linchpin.degree(np.array(EDGES), nodes=9).tolist() == [2, 2, 2, 3, 3, 1, 1, 0, 0]
    assert linchpin.degree(np.empty((0, 2), dtype=int)).shape == (0,)
    for array, error, message in (
        (np.array([1, 2]), ValueError, "two columns, source and target"),
        (np.array([[0.5, 1]]), TypeError, "holds numbers of nodes, not float64"),
        (np.array([["a", "b"]]), TypeError, "name nodes in a data frame instead"),
        (np.array([[0, -1]]), ValueError, "the array holds -1 to 0"),
    ):
        with pytest.raises(error, match=message):
            linchpin.degree(array)
    with pytest.raises(ValueError, match="nodes=3, but the array holds the node 6"):
        linchpin.degree(np.array(EDGES), nodes=3)
    with pytest.raises(ValueError, match="1 weights for 7 edges"):
        linchpin.betweenness(np.array(EDGES), weight=[1])


FRAMES = [pd.DataFrame, pl.DataFrame]


def columns(**named: list[Any]) -> dict[str, list[Any]]:
    names = [f"n{i}" for i in range(7)]
    return {"source": [names[u] for u, _ in EDGES], "target": [names[v] for _, v in EDGES], "km": LENGTHS, **named}


@pytest.mark.parametrize("frame", FRAMES)
def test_frames(frame: Any) -> None:
    table = frame(columns())
    nodes, edges = wanted()
    scores = linchpin.betweenness(table, weight="km")
    assert isinstance(scores, frame)
    got = dict(zip(list(scores["node"]), list(scores["betweenness"])))
    assert got == pytest.approx({f"n{i}": score for i, score in enumerate(nodes)})
    scores = linchpin.betweenness(table, weight="km", edges=True)
    assert list(scores.columns) == ["source", "target", "km", "betweenness"]
    assert list(scores["betweenness"]) == pytest.approx(edges)
    scores = linchpin.betweenness(table, columns=("target", "source"), directed=True, sources=["n0", "n4"])
    assert len(scores) == 7
    assert len(linchpin.betweenness(table[:0])) == 0


@pytest.mark.parametrize("frame", FRAMES)
def test_frames_with_other_names(frame: Any) -> None:
    table = frame({"from": [10, 20], "to": [20, 30], "weight": [1, 2]})
    assert list(linchpin.betweenness(table, weight=True)["node"]) == [10, 20, 30]
    table = frame({"a": [10, 20], "b": [20, 30]})
    assert list(linchpin.degree(table, columns=("a", "b"))["degree"]) == [1, 2, 1]
    with pytest.raises(ValueError, match="the data frame has no columns source and target, src and dst"):
        linchpin.degree(table)
    with pytest.raises(ValueError, match=r"are not two columns of the data frame, which has \['a', 'b'\]"):
        linchpin.degree(table, columns=("a", "c"))
    with pytest.raises(ValueError, match="the data frame has no column 'km'"):
        linchpin.betweenness(table, columns=("a", "b"), weight="km")


@pytest.mark.parametrize("frame", FRAMES)
def test_frames_with_gaps(frame: Any) -> None:
    with pytest.raises(ValueError, match="the columns 'src' and 'dst' have a missing id"):
        linchpin.degree(frame({"src": ["a", None], "dst": ["b", "c"]}))
    with pytest.raises(ValueError, match=r"the weight of row 1, \('b', 'c'\) is nan"):
        linchpin.betweenness(frame({"src": ["a", "b"], "dst": ["b", "c"], "km": [1.0, None]}), weight="km")
    with pytest.raises(TypeError, match=r"the weight of row 0, \('a', 'b'\) is not a number"):
        linchpin.betweenness(frame({"src": ["a", "b"], "dst": ["b", "c"], "km": ["far", "1"]}), weight="km")


def test_unhashable_ids() -> None:
    with pytest.raises(TypeError, match="the ids of nodes cannot be compared"):
        linchpin.degree(pd.DataFrame({"src": [["a"]], "dst": [["b"]]}))


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "roads.csv"
    path.write_text("src,dst,weight\n007,b,1\nb,NA,2\n")
    scores = linchpin.betweenness(path)
    assert scores.to_dict("list") == {"node": ["007", "b", "NA"], "betweenness": [0, 1, 0]}
    scores = linchpin.betweenness(str(path), weight=True, edges=True, directed=True)
    assert scores.to_dict("list") == {"source": ["007", "b"], "target": ["b", "NA"], "betweenness": [2, 2]}
    assert linchpin.harmonic(path, sources=["007"])["harmonic"].tolist() == [0, 0.5, 0.25]
    with pytest.raises(linchpin.FailedError, match=r"nowhere.csv: cannot be read"):
        linchpin.betweenness(tmp_path / "nowhere.csv")
    with pytest.raises(linchpin.UsageError, match=r"graph.xls: the extension names no format .*hint: use .csv"):
        linchpin.betweenness(tmp_path / "graph.xls")
    with pytest.raises(ValueError, match="pass weight=True, not 'km'"):
        linchpin.betweenness(path, weight="km")
