"""Edge lists in data frames of pandas and polars. Scores are data frames of the same library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._edges import Edges, Floats, weights
from ._networkx import lookup

# The names of columns that are taken without being told, in this order.
KNOWN = (("source", "target"), ("src", "dst"), ("from", "to"))


class _FrameInput:
    """What both libraries share."""

    edges: Edges
    parallel: str | None = None

    def __init__(self, frame: Any, weight: Any, directed: bool | None, columns: tuple[str, str] | None) -> None:
        self._frame = frame
        names = list(frame.columns)
        self._columns = _columns(names, columns)
        if weight is True:
            weight = "weight"
        if weight is not None and not isinstance(weight, str):
            raise TypeError("weight is the name of a column of a data frame")
        if weight is not None and weight not in names:
            raise ValueError(f"the data frame has no column {weight!r}; it has {names}")
        self._ids, ends = self._number()
        source, target = np.ascontiguousarray(ends.reshape(2, -1).astype(np.int32))
        values = None
        if weight is not None:
            ids = self._names()
            values = weights(self._values(weight), lambda i: f"row {i}, ({ids[source[i]]!r}, {ids[target[i]]!r})")
        self.edges = Edges(len(self._ids), source, target, values, bool(directed))

    def _number(self) -> tuple[Any, Any]:
        """Return the ids of nodes, and the numbers of all sources and then all targets."""
        raise NotImplementedError

    def _values(self, column: str) -> Any:
        raise NotImplementedError

    def _names(self) -> list[Any]:
        names: list[Any] = self._ids.tolist()
        return names

    def defaults(self, measure: str) -> dict[str, Any]:
        return {}

    def places(self, sources: Any) -> Sequence[int]:
        return lookup({node: i for i, node in enumerate(self._names())}, sources)


class PandasInput(_FrameInput):
    """A DataFrame of pandas."""

    def _number(self) -> tuple[Any, Any]:
        import pandas

        both = pandas.concat([self._frame[name] for name in self._columns], ignore_index=True)
        try:
            numbers, ids = pandas.factorize(both)
        except TypeError as error:
            raise TypeError(f"the ids of nodes cannot be compared: {error}") from error
        _no_gaps(numbers, self._columns)
        return ids, numbers

    def _values(self, column: str) -> Any:
        values = self._frame[column]
        return (
            values.to_numpy(dtype=np.float64, na_value=np.nan)
            if values.dtype.kind in "iuf" and values.hasnans
            else values.to_numpy()
        )

    def node_scores(self, measure: str, scores: Floats) -> Any:
        import pandas

        return pandas.DataFrame({"node": self._ids, measure: scores})

    def edge_scores(self, measure: str, scores: Floats, merged: bool) -> Any:
        return self._frame.assign(**{measure: scores})


class PolarsInput(_FrameInput):
    """A DataFrame of polars."""

    def _number(self) -> tuple[Any, Any]:
        import polars

        both = polars.concat([self._frame.get_column(name).alias("node") for name in self._columns])
        if both.null_count():
            _no_gaps(np.array([-1]), self._columns)
        ids = both.unique(maintain_order=True)
        if both.is_empty():
            return ids, np.array([], dtype=np.int64)
        return ids, both.replace_strict(ids, polars.Series(range(len(ids)), dtype=polars.Int64)).to_numpy()

    def _names(self) -> list[Any]:
        names: list[Any] = self._ids.to_list()
        return names

    def _values(self, column: str) -> Any:
        return self._frame.get_column(column).to_numpy()

    def node_scores(self, measure: str, scores: Floats) -> Any:
        import polars

        return polars.DataFrame([self._ids.alias("node"), polars.Series(measure, scores)])

    def edge_scores(self, measure: str, scores: Floats, merged: bool) -> Any:
        import polars

        return self._frame.with_columns(polars.Series(measure, scores))


def _columns(names: list[Any], columns: tuple[str, str] | None) -> tuple[str, str]:
    """Return the columns that hold the ends of edges."""
    if columns is not None:
        missing = [name for name in columns if name not in names]
        if len(columns) != 2 or missing:
            raise ValueError(f"columns={columns!r} are not two columns of the data frame, which has {names}")
        return columns
    for pair in KNOWN:
        if pair[0] in names and pair[1] in names:
            return pair
    known = ", ".join(f"{a} and {b}" for a, b in KNOWN)
    raise ValueError(f"the data frame has no columns {known}; name its columns, such as columns=({names[:2]!r})")


def _no_gaps(numbers: Any, columns: tuple[str, str]) -> None:
    """Refuse ids that are missing."""
    if (numbers < 0).any():
        row = int(np.argmax(numbers < 0))
        raise ValueError(f"the columns {columns[0]!r} and {columns[1]!r} have a missing id (entry {row})")
