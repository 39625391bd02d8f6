"""Centralities of big graphs, computed by linchpin on the CPU or a GPU.

The functions take graphs of NetworkX and igraph, sparse matrices of SciPy, edge lists of pandas, polars and NumPy, and paths of
files. ``run`` runs a job that a config file describes.
"""

from importlib.metadata import PackageNotFoundError, version
from typing import Any

from ._binary import binary
from ._errors import (
    BinaryMissingError,
    FailedError,
    InterruptedRunError,
    LinchpinError,
    LinchpinWarning,
    LockedError,
    NoGPUError,
    TooLargeError,
    UnfinishedError,
    UnreachableError,
    UsageError,
)
from ._jobs import Result, run
from ._measures import (
    MEASURES,
    articleRank,
    articulation,
    backbone,
    betweenness,
    biconnectedComponents,
    bridges,
    closeness,
    clustering,
    communities,
    components,
    core,
    currentFlowBetweenness,
    currentFlowCloseness,
    curvature,
    degree,
    eccentricity,
    edgeComponents,
    effectiveResistance,
    eigenvector,
    graph,
    harmonic,
    hits,
    katz,
    labelPropagation,
    leiden,
    louvain,
    pagerank,
    similarity,
    spanningCentrality,
    strength,
    stress,
    strongComponents,
    triangles,
    truss,
    volume,
)

try:
    __version__ = version("linchpin-graph")
except PackageNotFoundError:  # the source without an installation
    __version__ = "0"


def edge_betweenness(graph: Any, **options: Any) -> Any:
    """Return the betweenness of edges: ``betweenness(graph, edges=True)``, with the same arguments."""
    return betweenness(graph, edges=True, **options)


__all__ = [
    "MEASURES",
    "BinaryMissingError",
    "FailedError",
    "InterruptedRunError",
    "LinchpinError",
    "LinchpinWarning",
    "LockedError",
    "NoGPUError",
    "Result",
    "TooLargeError",
    "UnfinishedError",
    "UnreachableError",
    "UsageError",
    "__version__",
    "articleRank",
    "articulation",
    "backbone",
    "betweenness",
    "biconnectedComponents",
    "binary",
    "bridges",
    "closeness",
    "clustering",
    "communities",
    "components",
    "core",
    "currentFlowBetweenness",
    "currentFlowCloseness",
    "curvature",
    "degree",
    "eccentricity",
    "edgeComponents",
    "edge_betweenness",
    "effectiveResistance",
    "eigenvector",
    "graph",
    "harmonic",
    "hits",
    "katz",
    "labelPropagation",
    "leiden",
    "louvain",
    "pagerank",
    "run",
    "similarity",
    "spanningCentrality",
    "strength",
    "stress",
    "strongComponents",
    "triangles",
    "truss",
    "volume",
]
