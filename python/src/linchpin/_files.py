"""Graphs in files. The binary reads them itself; scores are data frames, of pandas if it is installed, or else of polars."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from ._errors import UsageError


def frame_library() -> str:
    """Return the library for data frames that are made here."""
    for name in ("pandas", "polars"):
        if importlib.util.find_spec(name) is not None:
            return name
    raise UsageError("scores would be a data frame, and neither pandas nor polars is installed", "pip install pandas")


def read_scores(path: Path, names: dict[str, str]) -> Any:
    """Read a table of scores. Ids are texts, as in the file. names has new names of columns."""
    texts = ["id", "src", "dst"]
    # Scores without a fraction are floats, too.
    if frame_library() == "pandas":
        import pandas

        kinds: dict[str, Any] = {**dict.fromkeys(texts, str), "score": float}
        table = pandas.read_csv(
            path, dtype=kinds, keep_default_na=False, na_values={"score": ["NaN"]}, float_precision="round_trip"
        )
        return table.rename(columns=names)
    import polars

    types: dict[str, Any] = {**dict.fromkeys(texts, polars.String), "score": polars.Float64}
    frame = polars.read_csv(path, schema_overrides=types, missing_utf8_is_empty_string=True)
    return frame.rename({old: new for old, new in names.items() if old in frame.columns})


def read_output(path: Path) -> Any:
    """Read a file of scores that a job wrote, or return None if there is none. An empty field is a missing value."""
    if not path.exists():
        return None
    if frame_library() == "pandas":
        import pandas

        return pandas.read_csv(path, keep_default_na=False, na_values=[""], float_precision="round_trip")
    import polars

    return polars.read_csv(path, infer_schema_length=None)
