"""Scales sums over sampled sources as the installed NetworkX does: versions differ in it."""

from __future__ import annotations

import inspect
from typing import Any

from networkx.algorithms.centrality import betweenness


def _parameters(name: str) -> set[str]:
    function = getattr(betweenness, name, None)
    return set(inspect.signature(function).parameters) if function is not None else set()


def can_rescale() -> bool:
    """Report whether the installed NetworkX scales in a way that is known here: that of 3.4, or that of 3.6."""
    of_nodes = _parameters("_rescale")
    new = {"normalized", "directed", "endpoints", "sampled_nodes"} <= of_nodes
    old = {"normalized", "directed", "endpoints", "k"} <= of_nodes and {"normalized", "directed", "k"} <= _parameters(
        "_rescale_e"
    )
    return new or old


def rescale(
    sums: dict[Any, float], graph: Any, sources: list[Any] | None, normalized: bool, endpoints: bool, edges: bool
) -> dict[Any, float]:
    """Return scores from sums over ordered pairs."""
    functions: Any = betweenness  # these have no types
    options: dict[str, Any] = {"normalized": normalized, "directed": graph.is_directed()}
    if "sampled_nodes" in _parameters("_rescale"):
        options["sampled_nodes"] = sources
        if not edges:
            options["endpoints"] = endpoints
        return dict(functions._rescale(sums, len(graph), **options))
    if edges:  # which 3.4 does not scale by the number of sources
        return dict(functions._rescale_e(sums, len(graph), **options))
    options.update(k=len(sources or ()), endpoints=endpoints)
    return dict(functions._rescale(sums, len(graph), **options))
