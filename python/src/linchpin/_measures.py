"""A function for each measure. generate.py writes this file from what `linchpin measures --json` prints."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ._compute import compute
from ._progress import Progress

MEASURES = (
    "betweenness",
    "stress",
    "closeness",
    "harmonic",
    "graph",
    "eccentricity",
    "volume",
    "degree",
    "strength",
    "communities",
    "backbone",
)


def betweenness(
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
    normalized: bool | None = None,
    endpoints: bool | None = None,
    tolerance: float | None = None,
) -> Any:
    """Return betweenness: how much of the traffic along shortest paths passes through.

    Score of a node: sum over pairs (s, t) of the share of shortest paths from s to t that pass through the node.
    Score of an edge: the same with the edge.

    Args:
        graph: A graph of NetworkX or igraph, a sparse matrix of SciPy, a data frame with an edge per row,
            an array of NumPy with an edge per row, or the path of a file.
        weight: Edges have this length. The name of an edge attribute (NetworkX, igraph) or of a column (data frames),
            True for a sparse matrix or a file, or an array with a value per edge. Without it edges have the length 1.
        edges: Return the scores of edges instead of nodes.
        directed: Follow edges from source to target only. None takes it from the graph, and is False for edge lists.
        parallel: What several edges between two nodes become: keep, min, max, sum or count. None is what the graph's
            library does.
        sources: Search from these nodes alone. Scores are not scaled.
        samples: Search from so many nodes, drawn at random. Scores are scaled up.
        seed: Draw by this seed.
        device: auto, cpu, gpu, or GPUs, such as gpu:0 or gpu:0,2.
        threads: Threads of the CPU; 0 for all. Scores do not depend on it.
        progress: True or False for a bar, None for one where somebody can see it, or a function of done and total.
        columns: The columns of a data frame that hold source and target.
        nodes: The number of nodes, for an array of edges.
        normalized: Divide scores by the number of pairs; without it the measure's own default.
        endpoints: Count the two ends of a path as lying on it.
        tolerance: Relative difference under which two path lengths count as equal when exact arithmetic cannot tell;
            0 for 1e-10.
    """
    return compute(
        "betweenness",
        graph,
        weight=weight,
        edges=edges,
        directed=directed,
        parallel=parallel,
        sources=sources,
        samples=samples,
        seed=seed,
        device=device,
        threads=threads,
        progress=progress,
        columns=columns,
        nodes=nodes,
        normalized=normalized,
        endpoints=endpoints,
        tolerance=tolerance,
    )


def stress(
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
    log: bool | None = None,
    tolerance: float | None = None,
) -> Any:
    """Return stress: how many shortest paths pass through.

    Score of a node: sum over pairs (s, t) of the number of shortest paths from s to t that pass through the node;
    with log, its binary logarithm, and null for 0.
    Score of an edge: the same with the edge.

    Args:
        graph: A graph of NetworkX or igraph, a sparse matrix of SciPy, a data frame with an edge per row,
            an array of NumPy with an edge per row, or the path of a file.
        weight: Edges have this length. The name of an edge attribute (NetworkX, igraph) or of a column (data frames),
            True for a sparse matrix or a file, or an array with a value per edge. Without it edges have the length 1.
        edges: Return the scores of edges instead of nodes.
        directed: Follow edges from source to target only. None takes it from the graph, and is False for edge lists.
        parallel: What several edges between two nodes become: keep, min, max, sum or count. None is what the graph's
            library does.
        sources: Search from these nodes alone. Scores are not scaled.
        samples: Search from so many nodes, drawn at random. Scores are scaled up.
        seed: Draw by this seed.
        device: auto, cpu, gpu, or GPUs, such as gpu:0 or gpu:0,2.
        threads: Threads of the CPU; 0 for all. Scores do not depend on it.
        progress: True or False for a bar, None for one where somebody can see it, or a function of done and total.
        columns: The columns of a data frame that hold source and target.
        nodes: The number of nodes, for an array of edges.
        log: Write the base-2 logarithm of the score.
        tolerance: Relative difference under which two path lengths count as equal when exact arithmetic cannot tell;
            0 for 1e-10.
    """
    return compute(
        "stress",
        graph,
        weight=weight,
        edges=edges,
        directed=directed,
        parallel=parallel,
        sources=sources,
        samples=samples,
        seed=seed,
        device=device,
        threads=threads,
        progress=progress,
        columns=columns,
        nodes=nodes,
        log=log,
        tolerance=tolerance,
    )


def closeness(
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
    variant: str | None = None,
    tolerance: float | None = None,
) -> Any:
    """Return closeness: how near the nodes are that can reach it.

    Score of a node: component: 1 / mean distance from the nodes that reach it; wassermanFaust: that times the share
    of all others that reach it; classic: 1 / sum of the distances.
    Score of an edge: the same with the distance to the nearer end, over nodes other than its ends.
    Note that sampled closeness is biased: it is a ratio of two estimates.

    Args:
        graph: A graph of NetworkX or igraph, a sparse matrix of SciPy, a data frame with an edge per row,
            an array of NumPy with an edge per row, or the path of a file.
        weight: Edges have this length. The name of an edge attribute (NetworkX, igraph) or of a column (data frames),
            True for a sparse matrix or a file, or an array with a value per edge. Without it edges have the length 1.
        edges: Return the scores of edges instead of nodes.
        directed: Follow edges from source to target only. None takes it from the graph, and is False for edge lists.
        parallel: What several edges between two nodes become: keep, min, max, sum or count. None is what the graph's
            library does.
        sources: Search from these nodes alone. Scores are not scaled.
        samples: Search from so many nodes, drawn at random. Scores are scaled up.
        seed: Draw by this seed.
        device: auto, cpu, gpu, or GPUs, such as gpu:0 or gpu:0,2.
        threads: Threads of the CPU; 0 for all. Scores do not depend on it.
        progress: True or False for a bar, None for one where somebody can see it, or a function of done and total.
        columns: The columns of a data frame that hold source and target.
        nodes: The number of nodes, for an array of edges.
        variant: One of component, wassermanFaust, classic.
        tolerance: Relative difference under which two path lengths count as equal when exact arithmetic cannot tell;
            0 for 1e-10.
    """
    return compute(
        "closeness",
        graph,
        weight=weight,
        edges=edges,
        directed=directed,
        parallel=parallel,
        sources=sources,
        samples=samples,
        seed=seed,
        device=device,
        threads=threads,
        progress=progress,
        columns=columns,
        nodes=nodes,
        variant=variant,
        tolerance=tolerance,
    )


def harmonic(
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
    normalized: bool | None = None,
    tolerance: float | None = None,
) -> Any:
    """Return harmonic: mean of 1 / distance from all other nodes.

    Score of a node: sum of 1 / distance from the nodes that reach it, divided by n-1 unless normalized: false.
    Score of an edge: the same with the distance to the nearer end, over nodes other than its ends, divided by n-2.

    Args:
        graph: A graph of NetworkX or igraph, a sparse matrix of SciPy, a data frame with an edge per row,
            an array of NumPy with an edge per row, or the path of a file.
        weight: Edges have this length. The name of an edge attribute (NetworkX, igraph) or of a column (data frames),
            True for a sparse matrix or a file, or an array with a value per edge. Without it edges have the length 1.
        edges: Return the scores of edges instead of nodes.
        directed: Follow edges from source to target only. None takes it from the graph, and is False for edge lists.
        parallel: What several edges between two nodes become: keep, min, max, sum or count. None is what the graph's
            library does.
        sources: Search from these nodes alone. Scores are not scaled.
        samples: Search from so many nodes, drawn at random. Scores are scaled up.
        seed: Draw by this seed.
        device: auto, cpu, gpu, or GPUs, such as gpu:0 or gpu:0,2.
        threads: Threads of the CPU; 0 for all. Scores do not depend on it.
        progress: True or False for a bar, None for one where somebody can see it, or a function of done and total.
        columns: The columns of a data frame that hold source and target.
        nodes: The number of nodes, for an array of edges.
        normalized: Divide scores by the number of pairs; without it the measure's own default.
        tolerance: Relative difference under which two path lengths count as equal when exact arithmetic cannot tell;
            0 for 1e-10.
    """
    return compute(
        "harmonic",
        graph,
        weight=weight,
        edges=edges,
        directed=directed,
        parallel=parallel,
        sources=sources,
        samples=samples,
        seed=seed,
        device=device,
        threads=threads,
        progress=progress,
        columns=columns,
        nodes=nodes,
        normalized=normalized,
        tolerance=tolerance,
    )


def graph(
    graph: Any,
    *,
    weight: Any = None,
    edges: bool = False,
    directed: bool | None = None,
    parallel: str | None = None,
    sources: Iterable[Any] | None = None,
    device: str = "auto",
    threads: int = 0,
    progress: Progress = None,
    columns: tuple[str, str] | None = None,
    nodes: int | None = None,
    tolerance: float | None = None,
) -> Any:
    """Return graph: 1 / eccentricity.

    Score of a node: 1 / the largest distance from a node that reaches it.
    Score of an edge: the same with the distance to the nearer end, over nodes other than its ends.

    Args:
        graph: A graph of NetworkX or igraph, a sparse matrix of SciPy, a data frame with an edge per row,
            an array of NumPy with an edge per row, or the path of a file.
        weight: Edges have this length. The name of an edge attribute (NetworkX, igraph) or of a column (data frames),
            True for a sparse matrix or a file, or an array with a value per edge. Without it edges have the length 1.
        edges: Return the scores of edges instead of nodes.
        directed: Follow edges from source to target only. None takes it from the graph, and is False for edge lists.
        parallel: What several edges between two nodes become: keep, min, max, sum or count. None is what the graph's
            library does.
        sources: Search from these nodes alone. Scores are not scaled.
        device: auto, cpu, gpu, or GPUs, such as gpu:0 or gpu:0,2.
        threads: Threads of the CPU; 0 for all. Scores do not depend on it.
        progress: True or False for a bar, None for one where somebody can see it, or a function of done and total.
        columns: The columns of a data frame that hold source and target.
        nodes: The number of nodes, for an array of edges.
        tolerance: Relative difference under which two path lengths count as equal when exact arithmetic cannot tell;
            0 for 1e-10.
    """
    return compute(
        "graph",
        graph,
        weight=weight,
        edges=edges,
        directed=directed,
        parallel=parallel,
        sources=sources,
        device=device,
        threads=threads,
        progress=progress,
        columns=columns,
        nodes=nodes,
        tolerance=tolerance,
    )


def eccentricity(
    graph: Any,
    *,
    weight: Any = None,
    edges: bool = False,
    directed: bool | None = None,
    parallel: str | None = None,
    sources: Iterable[Any] | None = None,
    device: str = "auto",
    threads: int = 0,
    progress: Progress = None,
    columns: tuple[str, str] | None = None,
    nodes: int | None = None,
    tolerance: float | None = None,
) -> Any:
    """Return eccentricity: how far the farthest node is that can reach it.

    Score of a node: the largest distance from a node that reaches it.
    Score of an edge: the same with the distance to the nearer end, over nodes other than its ends.

    Args:
        graph: A graph of NetworkX or igraph, a sparse matrix of SciPy, a data frame with an edge per row,
            an array of NumPy with an edge per row, or the path of a file.
        weight: Edges have this length. The name of an edge attribute (NetworkX, igraph) or of a column (data frames),
            True for a sparse matrix or a file, or an array with a value per edge. Without it edges have the length 1.
        edges: Return the scores of edges instead of nodes.
        directed: Follow edges from source to target only. None takes it from the graph, and is False for edge lists.
        parallel: What several edges between two nodes become: keep, min, max, sum or count. None is what the graph's
            library does.
        sources: Search from these nodes alone. Scores are not scaled.
        device: auto, cpu, gpu, or GPUs, such as gpu:0 or gpu:0,2.
        threads: Threads of the CPU; 0 for all. Scores do not depend on it.
        progress: True or False for a bar, None for one where somebody can see it, or a function of done and total.
        columns: The columns of a data frame that hold source and target.
        nodes: The number of nodes, for an array of edges.
        tolerance: Relative difference under which two path lengths count as equal when exact arithmetic cannot tell;
            0 for 1e-10.
    """
    return compute(
        "eccentricity",
        graph,
        weight=weight,
        edges=edges,
        directed=directed,
        parallel=parallel,
        sources=sources,
        device=device,
        threads=threads,
        progress=progress,
        columns=columns,
        nodes=nodes,
        tolerance=tolerance,
    )


def volume(
    graph: Any,
    *,
    directed: bool | None = None,
    parallel: str | None = None,
    device: str = "auto",
    threads: int = 0,
    progress: Progress = None,
    columns: tuple[str, str] | None = None,
    nodes: int | None = None,
    radius: int | None = None,
) -> Any:
    """Return volume: how many edges lie around it.

    Score of a node: sum of the degrees of the nodes within radius hops along arcs, the node itself included.

    Args:
        graph: A graph of NetworkX or igraph, a sparse matrix of SciPy, a data frame with an edge per row,
            an array of NumPy with an edge per row, or the path of a file.
        directed: Follow edges from source to target only. None takes it from the graph, and is False for edge lists.
        parallel: What several edges between two nodes become: keep, min, max, sum or count. None is what the graph's
            library does.
        device: auto, cpu, gpu, or GPUs, such as gpu:0 or gpu:0,2.
        threads: Threads of the CPU; 0 for all. Scores do not depend on it.
        progress: True or False for a bar, None for one where somebody can see it, or a function of done and total.
        columns: The columns of a data frame that hold source and target.
        nodes: The number of nodes, for an array of edges.
        radius: Radius of the ball that volume sums over, in hops; without it 2.
    """
    return compute(
        "volume",
        graph,
        directed=directed,
        parallel=parallel,
        device=device,
        threads=threads,
        progress=progress,
        columns=columns,
        nodes=nodes,
        radius=radius,
    )


def degree(
    graph: Any,
    *,
    directed: bool | None = None,
    parallel: str | None = None,
    device: str = "auto",
    threads: int = 0,
    progress: Progress = None,
    columns: tuple[str, str] | None = None,
    nodes: int | None = None,
) -> Any:
    """Return degree: how many edges leave it.

    Score of a node: number of arcs that leave the node, parallel ones counted; a self-loop counts 2 when undirected,
    1 when directed.

    Args:
        graph: A graph of NetworkX or igraph, a sparse matrix of SciPy, a data frame with an edge per row,
            an array of NumPy with an edge per row, or the path of a file.
        directed: Follow edges from source to target only. None takes it from the graph, and is False for edge lists.
        parallel: What several edges between two nodes become: keep, min, max, sum or count. None is what the graph's
            library does.
        device: auto, cpu, gpu, or GPUs, such as gpu:0 or gpu:0,2.
        threads: Threads of the CPU; 0 for all. Scores do not depend on it.
        progress: True or False for a bar, None for one where somebody can see it, or a function of done and total.
        columns: The columns of a data frame that hold source and target.
        nodes: The number of nodes, for an array of edges.
    """
    return compute(
        "degree",
        graph,
        directed=directed,
        parallel=parallel,
        device=device,
        threads=threads,
        progress=progress,
        columns=columns,
        nodes=nodes,
    )


def strength(
    graph: Any,
    *,
    weight: Any,
    directed: bool | None = None,
    parallel: str | None = None,
    device: str = "auto",
    threads: int = 0,
    progress: Progress = None,
    columns: tuple[str, str] | None = None,
    nodes: int | None = None,
) -> Any:
    """Return strength: how much weight leaves it.

    Score of a node: sum of the weights of the arcs that leave the node; a self-loop counts twice when undirected.

    Args:
        graph: A graph of NetworkX or igraph, a sparse matrix of SciPy, a data frame with an edge per row,
            an array of NumPy with an edge per row, or the path of a file.
        weight: Edges have this weight. The name of an edge attribute (NetworkX, igraph) or of a column (data frames),
            True for a sparse matrix or a file, or an array with a value per edge.
        directed: Follow edges from source to target only. None takes it from the graph, and is False for edge lists.
        parallel: What several edges between two nodes become: keep, min, max, sum or count. None is what the graph's
            library does.
        device: auto, cpu, gpu, or GPUs, such as gpu:0 or gpu:0,2.
        threads: Threads of the CPU; 0 for all. Scores do not depend on it.
        progress: True or False for a bar, None for one where somebody can see it, or a function of done and total.
        columns: The columns of a data frame that hold source and target.
        nodes: The number of nodes, for an array of edges.
    """
    return compute(
        "strength",
        graph,
        weight=weight,
        directed=directed,
        parallel=parallel,
        device=device,
        threads=threads,
        progress=progress,
        columns=columns,
        nodes=nodes,
    )


def communities(
    graph: Any,
    *,
    weight: Any = None,
    edges: bool = False,
    directed: bool | None = None,
    parallel: str | None = None,
    device: str = "auto",
    threads: int = 0,
    progress: Progress = None,
    columns: tuple[str, str] | None = None,
    nodes: int | None = None,
    groups: int | None = None,
    limit: float | None = None,
    tolerance: float | None = None,
) -> Any:
    """Return communities: which group of nodes it belongs to.

    Score of a node: number of its group, from 0: what cuts of the edges of the highest betweenness leave connected
    (Girvan and Newman).
    Score of an edge: 1 between two groups, 0 within one.

    Args:
        graph: A graph of NetworkX or igraph, a sparse matrix of SciPy, a data frame with an edge per row,
            an array of NumPy with an edge per row, or the path of a file.
        weight: Edges have this length. The name of an edge attribute (NetworkX, igraph) or of a column (data frames),
            True for a sparse matrix or a file, or an array with a value per edge. Without it edges have the length 1.
        edges: Return the scores of edges instead of nodes.
        directed: Follow edges from source to target only. None takes it from the graph, and is False for edge lists.
        parallel: What several edges between two nodes become: keep, min, max, sum or count. None is what the graph's
            library does.
        device: auto, cpu, gpu, or GPUs, such as gpu:0 or gpu:0,2.
        threads: Threads of the CPU; 0 for all. Scores do not depend on it.
        progress: True or False for a bar, None for one where somebody can see it, or a function of done and total.
        columns: The columns of a data frame that hold source and target.
        nodes: The number of nodes, for an array of edges.
        groups: Number of groups to find; without it those of the greatest modularity.
        limit: Stop after so many seconds, with the groups found by then; 0 for no limit.
        tolerance: Relative difference under which two path lengths count as equal when exact arithmetic cannot tell;
            0 for 1e-10.
    """
    return compute(
        "communities",
        graph,
        weight=weight,
        edges=edges,
        directed=directed,
        parallel=parallel,
        device=device,
        threads=threads,
        progress=progress,
        columns=columns,
        nodes=nodes,
        groups=groups,
        limit=limit,
        tolerance=tolerance,
    )


def backbone(
    graph: Any,
    *,
    weight: Any = None,
    edges: bool = False,
    directed: bool | None = None,
    parallel: str | None = None,
    device: str = "auto",
    threads: int = 0,
    progress: Progress = None,
    columns: tuple[str, str] | None = None,
    nodes: int | None = None,
    keep: float | None = None,
    threshold: float | None = None,
    connected: bool | None = None,
    variant: str | None = None,
    tolerance: float | None = None,
) -> Any:
    """Return backbone: whether it is in the part with the highest betweenness.

    Score of a node: edges: 1 if a kept edge ends in it, 0 otherwise; nodes: 1 if its betweenness is among the
    highest.
    Score of an edge: edges: 1 if its betweenness is among the highest, 0 otherwise; nodes: 1 if both of its ends are
    kept.

    Args:
        graph: A graph of NetworkX or igraph, a sparse matrix of SciPy, a data frame with an edge per row,
            an array of NumPy with an edge per row, or the path of a file.
        weight: Edges have this length. The name of an edge attribute (NetworkX, igraph) or of a column (data frames),
            True for a sparse matrix or a file, or an array with a value per edge. Without it edges have the length 1.
        edges: Return the scores of edges instead of nodes.
        directed: Follow edges from source to target only. None takes it from the graph, and is False for edge lists.
        parallel: What several edges between two nodes become: keep, min, max, sum or count. None is what the graph's
            library does.
        device: auto, cpu, gpu, or GPUs, such as gpu:0 or gpu:0,2.
        threads: Threads of the CPU; 0 for all. Scores do not depend on it.
        progress: True or False for a bar, None for one where somebody can see it, or a function of done and total.
        columns: The columns of a data frame that hold source and target.
        nodes: The number of nodes, for an array of edges.
        keep: Share of the edges, or nodes, that a backbone keeps; without keep and threshold 0.2.
        threshold: Keep what has at least this betweenness, in place of a share.
        connected: Keep a spanning forest of the highest edges too, so that no component falls apart.
        variant: One of edges, nodes.
        tolerance: Relative difference under which two path lengths count as equal when exact arithmetic cannot tell;
            0 for 1e-10.
    """
    return compute(
        "backbone",
        graph,
        weight=weight,
        edges=edges,
        directed=directed,
        parallel=parallel,
        device=device,
        threads=threads,
        progress=progress,
        columns=columns,
        nodes=nodes,
        keep=keep,
        threshold=threshold,
        connected=connected,
        variant=variant,
        tolerance=tolerance,
    )
