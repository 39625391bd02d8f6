"""Computes a measure of a graph of any kind."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from ._arrays import EdgesInput, IGraphInput, SciPyInput
from ._edges import Input
from ._files import frame_library, read_scores
from ._frames import PandasInput, PolarsInput
from ._networkx import NetworkXInput
from ._process import call
from ._progress import Progress

# Measures that count paths, so that parallel edges matter.
COUNT_PATHS = ("betweenness", "stress")
# Measures of which a seed chooses among results.
SEEDED = ("labelPropagation", "louvain", "leiden")


def _libraries(graph: Any) -> list[str]:
    """Return the libraries that the types of an object come from. None of them is imported for it."""
    return [kind.__module__.partition(".")[0] for kind in type(graph).__mro__]


def read(
    graph: Any,
    weight: Any = None,
    directed: bool | None = None,
    columns: tuple[str, str] | None = None,
    nodes: int | None = None,
) -> Input:
    """Return a graph in memory, ready for the binary."""
    libraries = _libraries(graph)
    frame = "pandas" in libraries or "polars" in libraries
    if columns is not None and not frame:
        raise ValueError("columns are those of a data frame")
    if nodes is not None and not isinstance(graph, np.ndarray):
        raise ValueError("nodes is the number of nodes of an array of edges")
    if "networkx" in libraries:
        return NetworkXInput(graph, weight, directed)
    if "igraph" in libraries:
        return IGraphInput(graph, weight, directed)
    if "scipy" in libraries:
        return SciPyInput(graph, weight, directed)
    if "pandas" in libraries:
        return PandasInput(graph, weight, directed, columns)
    if "polars" in libraries:
        return PolarsInput(graph, weight, directed, columns)
    if isinstance(graph, np.ndarray):
        return EdgesInput(graph, weight, directed, nodes)
    raise TypeError(
        f"{type(graph).__module__}.{type(graph).__qualname__} is no graph that linchpin reads: pass a graph of NetworkX or "
        "igraph, a sparse matrix of SciPy, a data frame of pandas or polars, a NumPy array of edges, or the path of a file"
    )


def compute(
    measure: str,
    graph: Any,
    *,
    weight: Any = None,
    edges: bool = False,
    directed: bool | None = None,
    parallel: str | None = None,
    sources: Iterable[Any] | None = None,
    samples: int | None = None,
    seed: int | None = None,
    device: str = "auto",
    threads: int = 0,
    progress: Progress = None,
    columns: tuple[str, str] | None = None,
    nodes: int | None = None,
    **options: Any,
) -> Any:
    """Compute any measure by its name. The functions of the measures describe the arguments."""
    flags = _sampling(measure, sources, samples, seed)
    if device != "auto":
        flags += ["--device", device]
    if threads:
        flags += ["--threads", str(threads)]
    with tempfile.TemporaryDirectory(prefix="linchpin-") as folder:
        if isinstance(graph, (str, os.PathLike)):
            if columns is not None or nodes is not None:
                raise ValueError("columns and nodes do not apply to files")
            flags += _flags(options) + _named(sources, Path(folder))
            return _of_file(measure, graph, weight, edges, directed, parallel, flags, Path(folder), progress)
        given = read(graph, weight, directed, columns, nodes)
        flags += _flags({**given.defaults(measure), **_without_none(options)} if not edges or _has_default(measure) else options)
        if sources is not None:
            flags += _named([str(i) for i in given.places(sources)], Path(folder))
        if parallel is None and given.parallel is not None and measure in COUNT_PATHS:
            parallel, merged = given.parallel, True
        else:
            merged = False
        return _of_memory(measure, given, edges, parallel, merged, flags, Path(folder), progress)


def _has_default(measure: str) -> bool:
    """Report whether the defaults of a library hold for scores of edges, too."""
    return measure == "betweenness"


def _without_none(options: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _flags(options: dict[str, Any]) -> list[str]:
    """Return the options of a measure as flags. A value that is None, or False where that is the default, is left out."""
    out = []
    for name, value in options.items():
        if value is None or (value is False and name != "normalized"):
            continue
        text = str(value).lower() if isinstance(value, (bool, np.bool_)) else str(value)
        out.append(f"--{name}={text}")
    return out


def _sampling(measure: str, sources: Any, samples: int | None, seed: int | None) -> list[str]:
    if measure in SEEDED:
        return [] if seed is None else ["--seed", str(int(seed))]
    if samples is None:
        if seed is not None:
            raise ValueError("seed draws samples: pass samples=N with it")
        return []
    if sources is not None:
        raise ValueError("pass either sources or samples")
    flags = ["--sources", str(int(samples))]
    return flags if seed is None else [*flags, "--seed", str(int(seed))]


def _named(sources: Iterable[Any] | None, folder: Path) -> list[str]:
    """Return the flag for sources, which stand in a file."""
    if sources is None:
        return []
    if isinstance(sources, (str, bytes)):
        raise TypeError(f"sources are several nodes, such as [{sources!r}]")
    path = folder / "sources.txt"
    path.write_text("".join(f"{source}\n" for source in sources), encoding="utf-8")
    return ["--sources", f"@{path}"]


def _of_memory(
    measure: str,
    given: Input,
    edges: bool,
    parallel: str | None,
    merged: bool,
    flags: list[str],
    folder: Path,
    progress: Progress,
) -> Any:
    graph, out = folder / "graph.npz", folder / "scores.npy"
    given.edges.save(graph)
    command = ["compute", str(graph), "--measure", measure, "--edges-out" if edges else "--nodes-out", str(out), *flags]
    # A measure that always reads weights has no flag for them.
    if given.edges.weight is not None and measure != "strength":
        command.append("--weighted")
    if given.edges.directed:
        command.append("--directed")
    if parallel is not None:
        command += ["--parallel", parallel]
    call(command, progress)
    scores = np.load(out)
    return given.edge_scores(measure, scores, merged) if edges else given.node_scores(measure, scores)


def _of_file(
    measure: str,
    path: str | os.PathLike[str],
    weight: Any,
    edges: bool,
    directed: bool | None,
    parallel: str | None,
    flags: list[str],
    folder: Path,
    progress: Progress,
) -> Any:
    if weight not in (None, True, False, "weight"):
        raise ValueError(f"weights of a file stand in its column weight: pass weight=True, not {weight!r}")
    frame_library()
    out = folder / "scores.csv"
    command = ["compute", os.fspath(path), "--measure", measure, "--edges-out" if edges else "--nodes-out", str(out), *flags]
    if weight and measure != "strength":
        command.append("--weighted")
    if directed:
        command.append("--directed")
    if parallel is not None:
        command += ["--parallel", parallel]
    call(command, progress)
    return read_scores(out, {"id": "node", "src": "source", "dst": "target", "score": measure})
