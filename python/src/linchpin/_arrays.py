"""Graphs of igraph and SciPy, and arrays of edges. Nodes are numbers, and scores arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._edges import MOST_NODES, Edges, Floats, node_numbers, weights


class _Numbered:
    """A graph whose nodes are the numbers from 0 on."""

    edges: Edges
    parallel: str | None = None

    def defaults(self, measure: str) -> dict[str, Any]:
        return {}

    def places(self, sources: Any) -> Sequence[int]:
        return node_numbers(sources, self.edges.nodes)

    def node_scores(self, measure: str, scores: Floats) -> Any:
        return scores

    def edge_scores(self, measure: str, scores: Floats, merged: bool) -> Any:
        return scores


class IGraphInput(_Numbered):
    """A Graph of igraph. Scores are in the order of its vertices and edges. Parallel edges each count as a path."""

    def __init__(self, graph: Any, weight: Any, directed: bool | None) -> None:
        pairs = np.array(graph.get_edgelist(), dtype=np.int32).reshape(-1, 2)
        values = None
        if isinstance(weight, str):
            if weight not in graph.es.attributes():
                raise ValueError(f"the edges have no attribute {weight!r}; they have {graph.es.attributes()}")
            values = graph.es[weight]
        elif weight is not None:
            values = _aligned(weight, len(pairs))
        self.edges = _edges(graph.vcount(), pairs, values, graph.is_directed() if directed is None else directed)


class EdgesInput(_Numbered):
    """An array with a row per edge: its ends, which are numbers of nodes."""

    def __init__(self, array: Any, weight: Any, directed: bool | None, nodes: int | None) -> None:
        if array.ndim != 2 or array.shape[1] != 2:
            raise ValueError(f"an array of edges has two columns, source and target; this one has the shape {array.shape}")
        if array.dtype.kind not in "iu" and array.size:
            raise TypeError(f"an array of edges holds numbers of nodes, not {array.dtype}; name nodes in a data frame instead")
        if array.size and (array.min() < 0 or array.max() >= MOST_NODES):
            raise ValueError(f"nodes are numbered from 0 on, but the array holds {array.min()} to {array.max()}")
        count = int(array.max(initial=-1)) + 1
        if nodes is not None and nodes < count:
            raise ValueError(f"nodes={nodes}, but the array holds the node {count - 1}")
        values = None if weight is None else _aligned(weight, len(array))
        self.edges = _edges(count if nodes is None else nodes, array, values, bool(directed))


class SciPyInput(_Numbered):
    """A sparse matrix of SciPy: entry (i, j) is the edge from i to j. A symmetric one is undirected, unless directed says more.

    Scores of edges are a matrix with the same entries, in CSR form.
    """

    def __init__(self, matrix: Any, weight: Any, directed: bool | None) -> None:
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
            raise ValueError(f"the matrix of a graph is square; this one has the shape {matrix.shape}")
        if weight is not None and not isinstance(weight, bool):
            raise TypeError("weight=True has the values of a sparse matrix as weights")
        self._csr = matrix.tocsr(copy=True)
        self._csr.sum_duplicates()
        n = self._csr.shape[0]
        row = np.repeat(np.arange(n, dtype=np.int64), np.diff(self._csr.indptr))
        column = self._csr.indices.astype(np.int64)
        values = None
        if weight:
            values = weights(self._csr.data, lambda i: f"the entry ({row[i]}, {column[i]})")
        if directed is None:
            directed = not _symmetric(row, column, values, n)
        self._edge: Any = slice(None)
        if not directed:
            keys = np.minimum(row, column) * n + np.maximum(row, column)
            unique, self._edge = np.unique(keys, return_inverse=True)
            row, column = unique // max(n, 1), unique % max(n, 1)
            if values is not None:  # as in scipy.sparse.csgraph
                least = np.full(len(unique), np.inf)
                np.minimum.at(least, self._edge, values)
                values = least
        self.edges = Edges(n, row.astype(np.int32), column.astype(np.int32), values, directed)

    def edge_scores(self, measure: str, scores: Floats, merged: bool) -> Any:
        entries = (scores[self._edge], self._csr.indices, self._csr.indptr)
        return type(self._csr)(entries, shape=self._csr.shape)


def _symmetric(row: Any, column: Any, values: Floats | None, n: int) -> bool:
    there, back = row * n + column, column * n + row
    order = np.argsort(back)
    if not np.array_equal(there, back[order]):
        return False
    return values is None or np.array_equal(values, values[order])


def _aligned(values: Any, count: int) -> Any:
    if isinstance(values, (str, bool)) or not hasattr(values, "__len__"):
        raise TypeError(f"weight is an array with a value per edge here, not {values!r}")
    if len(values) != count:
        raise ValueError(f"{len(values)} weights for {count} edges")
    return values


def _edges(nodes: int, pairs: Any, values: Any, directed: bool) -> Edges:
    checked = None
    if values is not None:
        checked = weights(values, lambda i: f"edge {i}, ({pairs[i][0]}, {pairs[i][1]})")
    source, target = np.ascontiguousarray(pairs.astype(np.int32).T)
    return Edges(nodes, source, target, checked, directed)
