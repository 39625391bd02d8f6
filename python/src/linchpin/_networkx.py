"""Graphs of NetworkX."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from ._edges import Edges, Floats, Ints, spread, weights


class NetworkXInput:
    """A Graph, DiGraph, MultiGraph or MultiDiGraph. Scores are dicts, as those of NetworkX."""

    def __init__(self, graph: Any, weight: Any, directed: bool | None) -> None:
        if weight is not None and (isinstance(weight, bool) or callable(weight)):
            raise TypeError("weight is the name of an edge attribute of a NetworkX graph")
        if directed and not graph.is_directed():
            raise ValueError("the graph is undirected; pass graph.to_directed() for directed scores")
        self._graph = graph
        self._list = list(graph)
        self._index = {node: i for i, node in enumerate(self._list)}
        self._multi: bool = graph.is_multigraph()
        source, target, self._data = self._arcs()
        if not graph.is_directed():
            # An undirected edge is listed from both of its ends, a self-loop once.
            once = source <= target
            source, target = source[once], target[once]
            self._data = [self._data[i] for i in np.flatnonzero(once)] if weight is not None else []
        values = None
        if weight is not None:
            values = weights([data.get(weight, 1) for data in self._data], lambda i: f"the edge {self._name(source, target, i)}")
        directed = graph.is_directed() if directed is None else directed
        self.edges = Edges(len(self._list), source, target, values, directed)
        self.parallel = "min" if self._multi or (graph.is_directed() and not directed) else None

    def _arcs(self) -> tuple[Ints, Ints, list[Any]]:
        """Return the ends of every arc, and its attributes."""
        # list(graph) and the adjacency have the same order, so that edges come in the order of graph.edges.
        rows = [neighbours for _, neighbours in self._graph.adjacency()]
        lengths = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
        source = np.repeat(np.arange(len(rows), dtype=np.int32), lengths)
        target = np.fromiter(map(self._index.__getitem__, chain.from_iterable(rows)), dtype=np.int32, count=int(lengths.sum()))
        data = list(chain.from_iterable(row.values() for row in rows))
        if self._multi:
            counts = np.fromiter(map(len, data), dtype=np.int64, count=len(data))
            source, target = np.repeat(source, counts), np.repeat(target, counts)
            data = list(chain.from_iterable(keys.values() for keys in data))
        return source, target, data

    def _name(self, source: Ints, target: Ints, i: int) -> str:
        return f"({self._list[source[i]]!r}, {self._list[target[i]]!r})"

    def defaults(self, measure: str) -> dict[str, Any]:
        return DEFAULTS.get(measure, {})

    def places(self, sources: Any) -> Sequence[int]:
        return lookup(self._index, sources)

    def node_scores(self, measure: str, scores: Floats) -> dict[Any, float]:
        return dict(zip(self._list, scores.tolist()))

    def edge_scores(self, measure: str, scores: Floats, merged: bool) -> dict[Any, float]:
        edges = self.edges
        if merged and measure == "betweenness":
            scores = spread(scores, edges.source, edges.target, edges.weight, edges.directed)
        keys = self._graph.edges(keys=True) if self._multi else self._graph.edges()
        return dict(zip(keys, scores.tolist()))


# NetworkX's defaults, where they differ from linchpin's.
DEFAULTS: dict[str, dict[str, Any]] = {
    "betweenness": {"normalized": True},
    "closeness": {"variant": "wassermanFaust"},
    "harmonic": {"normalized": False},
}


def lookup(index: dict[Any, int], sources: Any) -> list[int]:
    """Return the numbers of nodes that are given by their names."""
    if isinstance(sources, (str, bytes)):
        raise TypeError(f"sources are several nodes, such as [{sources!r}]")
    places = []
    for node in sources:
        try:
            places.append(index[node])
        except KeyError:
            raise ValueError(f"the source {node!r} is not a node of the graph") from None
    return places
