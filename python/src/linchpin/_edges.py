"""What every kind of graph becomes on its way to the binary, and weights."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]

# More nodes than an int32 can number.
MOST_NODES = 2**31 - 1


@dataclass
class Edges:
    """A graph as arrays: nodes 0 to nodes-1, and one entry per edge."""

    nodes: int
    source: Ints
    target: Ints
    weight: Floats | None
    directed: bool

    def save(self, path: Path) -> None:
        """Write the graph as a sparse matrix of SciPy, which linchpin compute reads. SciPy is not needed."""
        arrays: dict[str, Any] = {
            "row": self.source,
            "col": self.target,
            "shape": np.array([self.nodes, self.nodes], dtype=np.int64),
            "format": np.array(b"coo"),
        }
        if self.weight is not None:
            arrays["data"] = self.weight
        np.savez(path, **arrays)


class Input(Protocol):
    """A graph of some library, and the way back from scores to that library."""

    edges: Edges
    # What several edges between two nodes become for measures that count paths; None leaves them.
    parallel: str | None

    def defaults(self, measure: str) -> dict[str, Any]:
        """Return the options that the graph's own library has as defaults, where they differ from linchpin's."""

    def places(self, sources: Any) -> Sequence[int]:
        """Return the numbers of nodes."""

    def node_scores(self, measure: str, scores: Floats) -> Any:
        """Return the scores of nodes in the form of the library."""

    def edge_scores(self, measure: str, scores: Floats, merged: bool) -> Any:
        """Return the scores of edges. If merged, edges between the same nodes were one edge."""


def weights(values: Any, name: Callable[[int], str]) -> Floats:
    """Return weights as float64, after a check. name says which edge an index is, for errors."""
    values = values if isinstance(values, np.ndarray) else list(values)
    try:
        array = np.asarray(values)
    except ValueError:  # some are lists
        array = np.empty(0, dtype=object)
    if array.dtype.kind not in "biuf":
        array = _numbers(list(values), name)
    result = array.astype(np.float64)
    bad = ~(np.isfinite(result) & (result > 0))
    if bad.any():
        raise ValueError(_refused(int(np.argmax(bad)), result, name))
    if array.dtype.kind in "iu" and result.size and result.max() >= 2**53:
        inexact = np.array([int(x) != int(y) for x, y in zip(array.tolist(), result.tolist())])
        if inexact.any():
            first = int(np.argmax(inexact))
            raise ValueError(f"the weight {array[first]} of {name(first)} is too large: float64 cannot hold it exactly")
    return result


def _refused(first: int, values: Floats, name: Callable[[int], str]) -> str:
    text = f"the weight of {name(first)} is {values[first]}; weights are finite and greater than 0"
    return text + ("" if values[first] != 0 else ". Leave edges of weight 0 out, or give them a small weight")


def _numbers(values: list[Any], name: Callable[[int], str]) -> NDArray[Any]:
    """Return objects as numbers, such as fractions."""
    for i, value in enumerate(values):
        if (not isinstance(value, numbers.Real) and not hasattr(value, "__float__")) or isinstance(value, (str, bytes)):
            raise TypeError(f"the weight of {name(i)} is not a number: {value!r}")
        if isinstance(value, int) and abs(value) > 2**53 and int(float(value)) != value:
            raise ValueError(f"the weight {value} of {name(i)} is too large: float64 cannot hold it exactly")
    return np.array([float(value) for value in values], dtype=np.float64)


def node_numbers(values: Any, nodes: int) -> list[int]:
    """Return sources that are numbers of nodes already."""
    array = np.atleast_1d(np.asarray(values))
    if array.size and array.dtype.kind not in "iu":
        raise TypeError(f"sources are numbers of nodes, not {array.dtype}")
    for number in array.tolist():
        if not 0 <= number < nodes:
            raise ValueError(f"the source {number} is not a node: nodes are 0 to {nodes - 1}")
    return [int(number) for number in array.tolist()]


def spread(scores: Floats, source: Ints, target: Ints, weight: Floats | None, directed: bool) -> Floats:
    """Divide the score of a merged edge between the parallel edges of the least weight, as NetworkX does."""
    if not len(scores):
        return scores
    low, high = source.astype(np.int64), target.astype(np.int64)
    if not directed:
        low, high = np.minimum(low, high), np.maximum(low, high)
    _, group = np.unique(low * (int(high.max()) + 1) + high, return_inverse=True)
    if weight is None:
        least = np.ones(len(scores), dtype=bool)
    else:
        lowest = np.full(int(group.max()) + 1, np.inf)
        np.minimum.at(lowest, group, weight)
        least = weight == lowest[group]
    count = np.bincount(group, weights=least)
    return np.where(least, scores / np.maximum(count[group], 1), 0.0)
