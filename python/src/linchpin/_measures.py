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
    "pagerank",
    "articleRank",
    "eigenvector",
    "katz",
    "hits",
    "labelPropagation",
    "louvain",
    "leiden",
    "currentFlowBetweenness",
    "currentFlowCloseness",
    "effectiveResistance",
    "spanningCentrality",
    "backbone",
    "components",
    "strongComponents",
    "edgeComponents",
    "articulation",
    "bridges",
    "biconnectedComponents",
    "core",
    "truss",
    "triangles",
    "clustering",
    "similarity",
    "curvature",
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
    top: int | None = None,
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
        top: Give only this many nodes with the highest scores a score, and all that tie with the last of them. Scores
            are exact; by hops only nodes that may be among them are searched from.
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
        top=top,
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
    top: int | None = None,
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
        top: Give only this many nodes with the highest scores a score, and all that tie with the last of them. Scores
            are exact; by hops only nodes that may be among them are searched from.
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
        top=top,
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
    batch: float | None = None,
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
        batch: Cut this share of the edges of a component, such as 0.01, before scores are computed again; 0 cuts one
            edge at a time.
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
        batch=batch,
        tolerance=tolerance,
    )


def pagerank(
    graph: Any,
    *,
    weight: Any = None,
    directed: bool | None = None,
    parallel: str | None = None,
    sources: Iterable[Any] | None = None,
    device: str = "auto",
    threads: int = 0,
    progress: Progress = None,
    columns: tuple[str, str] | None = None,
    nodes: int | None = None,
    damping: float | None = None,
    variant: str | None = None,
    iterations: int | None = None,
    residual: float | None = None,
    tolerance: float | None = None,
) -> Any:
    """Return pagerank: how likely a walk along arcs is to be here.

    Score of a node: (1 - damping) plus damping times the shares that the nodes before it send: each its score, in
    equal parts, or by weights, over its arcs; probability: divided by the sum of all scores.

    Args:
        graph: A graph of NetworkX or igraph, a sparse matrix of SciPy, a data frame with an edge per row,
            an array of NumPy with an edge per row, or the path of a file.
        weight: Edges have this length. The name of an edge attribute (NetworkX, igraph) or of a column (data frames),
            True for a sparse matrix or a file, or an array with a value per edge. Without it edges have the length 1.
        directed: Follow edges from source to target only. None takes it from the graph, and is False for edge lists.
        parallel: What several edges between two nodes become: keep, min, max, sum or count. None is what the graph's
            library does.
        sources: Search from these nodes alone. Scores are not scaled.
        device: auto, cpu, gpu, or GPUs, such as gpu:0 or gpu:0,2.
        threads: Threads of the CPU; 0 for all. Scores do not depend on it.
        progress: True or False for a bar, None for one where somebody can see it, or a function of done and total.
        columns: The columns of a data frame that hold source and target.
        nodes: The number of nodes, for an array of edges.
        damping: Share of a score that goes on along arcs, the rest starting again; without it 0.85.
        variant: One of gds, probability.
        iterations: Most iterations. Of ranks without it 1000, after which it is an error that scores have not
            converged; of groups without it 10, on each level.
        residual: Iterate until no score changes by more than this, relative to the score; without it 1e-10.
        tolerance: Relative difference under which two path lengths count as equal when exact arithmetic cannot tell;
            0 for 1e-10.
    """
    return compute(
        "pagerank",
        graph,
        weight=weight,
        directed=directed,
        parallel=parallel,
        sources=sources,
        device=device,
        threads=threads,
        progress=progress,
        columns=columns,
        nodes=nodes,
        damping=damping,
        variant=variant,
        iterations=iterations,
        residual=residual,
        tolerance=tolerance,
    )


def articleRank(
    graph: Any,
    *,
    weight: Any = None,
    directed: bool | None = None,
    parallel: str | None = None,
    sources: Iterable[Any] | None = None,
    device: str = "auto",
    threads: int = 0,
    progress: Progress = None,
    columns: tuple[str, str] | None = None,
    nodes: int | None = None,
    damping: float | None = None,
    iterations: int | None = None,
    residual: float | None = None,
    tolerance: float | None = None,
) -> Any:
    """Return articleRank: PageRank in which nodes of few arcs give less.

    Score of a node: as PageRank, with shares of the score by the number of arcs plus the mean number of all nodes.

    Args:
        graph: A graph of NetworkX or igraph, a sparse matrix of SciPy, a data frame with an edge per row,
            an array of NumPy with an edge per row, or the path of a file.
        weight: Edges have this length. The name of an edge attribute (NetworkX, igraph) or of a column (data frames),
            True for a sparse matrix or a file, or an array with a value per edge. Without it edges have the length 1.
        directed: Follow edges from source to target only. None takes it from the graph, and is False for edge lists.
        parallel: What several edges between two nodes become: keep, min, max, sum or count. None is what the graph's
            library does.
        sources: Search from these nodes alone. Scores are not scaled.
        device: auto, cpu, gpu, or GPUs, such as gpu:0 or gpu:0,2.
        threads: Threads of the CPU; 0 for all. Scores do not depend on it.
        progress: True or False for a bar, None for one where somebody can see it, or a function of done and total.
        columns: The columns of a data frame that hold source and target.
        nodes: The number of nodes, for an array of edges.
        damping: Share of a score that goes on along arcs, the rest starting again; without it 0.85.
        iterations: Most iterations. Of ranks without it 1000, after which it is an error that scores have not
            converged; of groups without it 10, on each level.
        residual: Iterate until no score changes by more than this, relative to the score; without it 1e-10.
        tolerance: Relative difference under which two path lengths count as equal when exact arithmetic cannot tell;
            0 for 1e-10.
    """
    return compute(
        "articleRank",
        graph,
        weight=weight,
        directed=directed,
        parallel=parallel,
        sources=sources,
        device=device,
        threads=threads,
        progress=progress,
        columns=columns,
        nodes=nodes,
        damping=damping,
        iterations=iterations,
        residual=residual,
        tolerance=tolerance,
    )


def eigenvector(
    graph: Any,
    *,
    weight: Any = None,
    directed: bool | None = None,
    parallel: str | None = None,
    device: str = "auto",
    threads: int = 0,
    progress: Progress = None,
    columns: tuple[str, str] | None = None,
    nodes: int | None = None,
    iterations: int | None = None,
    residual: float | None = None,
    tolerance: float | None = None,
) -> Any:
    """Return eigenvector: how central its neighbours are.

    Score of a node: the node's part of the vector of length 1 that arcs only stretch: in proportion to the sum over
    the nodes before it.

    Args:
        graph: A graph of NetworkX or igraph, a sparse matrix of SciPy, a data frame with an edge per row,
            an array of NumPy with an edge per row, or the path of a file.
        weight: Edges have this length. The name of an edge attribute (NetworkX, igraph) or of a column (data frames),
            True for a sparse matrix or a file, or an array with a value per edge. Without it edges have the length 1.
        directed: Follow edges from source to target only. None takes it from the graph, and is False for edge lists.
        parallel: What several edges between two nodes become: keep, min, max, sum or count. None is what the graph's
            library does.
        device: auto, cpu, gpu, or GPUs, such as gpu:0 or gpu:0,2.
        threads: Threads of the CPU; 0 for all. Scores do not depend on it.
        progress: True or False for a bar, None for one where somebody can see it, or a function of done and total.
        columns: The columns of a data frame that hold source and target.
        nodes: The number of nodes, for an array of edges.
        iterations: Most iterations. Of ranks without it 1000, after which it is an error that scores have not
            converged; of groups without it 10, on each level.
        residual: Iterate until no score changes by more than this, relative to the score; without it 1e-10.
        tolerance: Relative difference under which two path lengths count as equal when exact arithmetic cannot tell;
            0 for 1e-10.
    """
    return compute(
        "eigenvector",
        graph,
        weight=weight,
        directed=directed,
        parallel=parallel,
        device=device,
        threads=threads,
        progress=progress,
        columns=columns,
        nodes=nodes,
        iterations=iterations,
        residual=residual,
        tolerance=tolerance,
    )


def katz(
    graph: Any,
    *,
    weight: Any = None,
    directed: bool | None = None,
    parallel: str | None = None,
    device: str = "auto",
    threads: int = 0,
    progress: Progress = None,
    columns: tuple[str, str] | None = None,
    nodes: int | None = None,
    alpha: float | None = None,
    iterations: int | None = None,
    residual: float | None = None,
    tolerance: float | None = None,
) -> Any:
    """Return katz: how many walks end here, longer ones for less.

    Score of a node: 1 plus alpha times the scores of the nodes before it, times the weights of the arcs.

    Args:
        graph: A graph of NetworkX or igraph, a sparse matrix of SciPy, a data frame with an edge per row,
            an array of NumPy with an edge per row, or the path of a file.
        weight: Edges have this length. The name of an edge attribute (NetworkX, igraph) or of a column (data frames),
            True for a sparse matrix or a file, or an array with a value per edge. Without it edges have the length 1.
        directed: Follow edges from source to target only. None takes it from the graph, and is False for edge lists.
        parallel: What several edges between two nodes become: keep, min, max, sum or count. None is what the graph's
            library does.
        device: auto, cpu, gpu, or GPUs, such as gpu:0 or gpu:0,2.
        threads: Threads of the CPU; 0 for all. Scores do not depend on it.
        progress: True or False for a bar, None for one where somebody can see it, or a function of done and total.
        columns: The columns of a data frame that hold source and target.
        nodes: The number of nodes, for an array of edges.
        alpha: Factor for each arc of a walk, under 1 / the largest eigenvalue; without it 0.85 / the largest sum of
            weights that enter a node.
        iterations: Most iterations. Of ranks without it 1000, after which it is an error that scores have not
            converged; of groups without it 10, on each level.
        residual: Iterate until no score changes by more than this, relative to the score; without it 1e-10.
        tolerance: Relative difference under which two path lengths count as equal when exact arithmetic cannot tell;
            0 for 1e-10.
    """
    return compute(
        "katz",
        graph,
        weight=weight,
        directed=directed,
        parallel=parallel,
        device=device,
        threads=threads,
        progress=progress,
        columns=columns,
        nodes=nodes,
        alpha=alpha,
        iterations=iterations,
        residual=residual,
        tolerance=tolerance,
    )


def hits(
    graph: Any,
    *,
    weight: Any = None,
    directed: bool | None = None,
    parallel: str | None = None,
    device: str = "auto",
    threads: int = 0,
    progress: Progress = None,
    columns: tuple[str, str] | None = None,
    nodes: int | None = None,
    variant: str | None = None,
    iterations: int | None = None,
    residual: float | None = None,
    tolerance: float | None = None,
) -> Any:
    """Return hits: how well good hubs lead to it, or it to good authorities.

    Score of a node: authorities: in proportion to the sum of the hub scores of the nodes before it; hubs: of the
    authority scores of those after it; both vectors of length 1.

    Args:
        graph: A graph of NetworkX or igraph, a sparse matrix of SciPy, a data frame with an edge per row,
            an array of NumPy with an edge per row, or the path of a file.
        weight: Edges have this length. The name of an edge attribute (NetworkX, igraph) or of a column (data frames),
            True for a sparse matrix or a file, or an array with a value per edge. Without it edges have the length 1.
        directed: Follow edges from source to target only. None takes it from the graph, and is False for edge lists.
        parallel: What several edges between two nodes become: keep, min, max, sum or count. None is what the graph's
            library does.
        device: auto, cpu, gpu, or GPUs, such as gpu:0 or gpu:0,2.
        threads: Threads of the CPU; 0 for all. Scores do not depend on it.
        progress: True or False for a bar, None for one where somebody can see it, or a function of done and total.
        columns: The columns of a data frame that hold source and target.
        nodes: The number of nodes, for an array of edges.
        variant: One of authorities, hubs.
        iterations: Most iterations. Of ranks without it 1000, after which it is an error that scores have not
            converged; of groups without it 10, on each level.
        residual: Iterate until no score changes by more than this, relative to the score; without it 1e-10.
        tolerance: Relative difference under which two path lengths count as equal when exact arithmetic cannot tell;
            0 for 1e-10.
    """
    return compute(
        "hits",
        graph,
        weight=weight,
        directed=directed,
        parallel=parallel,
        device=device,
        threads=threads,
        progress=progress,
        columns=columns,
        nodes=nodes,
        variant=variant,
        iterations=iterations,
        residual=residual,
        tolerance=tolerance,
    )


def labelPropagation(
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
    seed: int | None = None,
    iterations: int | None = None,
) -> Any:
    """Return labelPropagation: which group of nodes it belongs to, by the label that most neighbours have.

    Score of a node: number of its group, from 0: nodes take the label of the greatest weight among their neighbours,
    until none changes (Raghavan, Albert and Kumara).
    Score of an edge: 1 between two groups, 0 within one.

    Args:
        graph: A graph of NetworkX or igraph, a sparse matrix of SciPy, a data frame with an edge per row,
            an array of NumPy with an edge per row, or the path of a file.
        weight: Edges have this strength. The name of an edge attribute (NetworkX, igraph) or of a column (data
            frames), True for a sparse matrix or a file, or an array with a value per edge. Without it edges have the
            strength 1.
        edges: Return the scores of edges instead of nodes.
        directed: Follow edges from source to target only. None takes it from the graph, and is False for edge lists.
        parallel: What several edges between two nodes become: keep, min, max, sum or count. None is what the graph's
            library does.
        device: auto, cpu, gpu, or GPUs, such as gpu:0 or gpu:0,2.
        threads: Threads of the CPU; 0 for all. Scores do not depend on it.
        progress: True or False for a bar, None for one where somebody can see it, or a function of done and total.
        columns: The columns of a data frame that hold source and target.
        nodes: The number of nodes, for an array of edges.
        seed: Choose among results by this seed; None is 1.
        iterations: Most iterations. Of ranks without it 1000, after which it is an error that scores have not
            converged; of groups without it 10, on each level.
    """
    return compute(
        "labelPropagation",
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
        seed=seed,
        iterations=iterations,
    )


def louvain(
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
    seed: int | None = None,
    levels: int | None = None,
    iterations: int | None = None,
    gamma: float | None = None,
) -> Any:
    """Return louvain: which group of nodes it belongs to, by modularity.

    Score of a node: number of its group, from 0: nodes move to the group of a neighbour while modularity grows, then
    groups become nodes (Blondel et al.).
    Score of an edge: 1 between two groups, 0 within one.

    Args:
        graph: A graph of NetworkX or igraph, a sparse matrix of SciPy, a data frame with an edge per row,
            an array of NumPy with an edge per row, or the path of a file.
        weight: Edges have this strength. The name of an edge attribute (NetworkX, igraph) or of a column (data
            frames), True for a sparse matrix or a file, or an array with a value per edge. Without it edges have the
            strength 1.
        edges: Return the scores of edges instead of nodes.
        directed: Follow edges from source to target only. None takes it from the graph, and is False for edge lists.
        parallel: What several edges between two nodes become: keep, min, max, sum or count. None is what the graph's
            library does.
        device: auto, cpu, gpu, or GPUs, such as gpu:0 or gpu:0,2.
        threads: Threads of the CPU; 0 for all. Scores do not depend on it.
        progress: True or False for a bar, None for one where somebody can see it, or a function of done and total.
        columns: The columns of a data frame that hold source and target.
        nodes: The number of nodes, for an array of edges.
        seed: Choose among results by this seed; None is 1.
        levels: Most levels, on each of which groups become nodes; without it 10. 1 is the finest.
        iterations: Most iterations. Of ranks without it 1000, after which it is an error that scores have not
            converged; of groups without it 10, on each level.
        gamma: Resolution of the modularity: more than 1 gives more and smaller groups; 0 for 1.
    """
    return compute(
        "louvain",
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
        seed=seed,
        levels=levels,
        iterations=iterations,
        gamma=gamma,
    )


def leiden(
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
    seed: int | None = None,
    levels: int | None = None,
    iterations: int | None = None,
    gamma: float | None = None,
    theta: float | None = None,
) -> Any:
    """Return leiden: which group of nodes it belongs to, by modularity, each group connected.

    Score of a node: number of its group, from 0: as louvain, with groups that are put together again from well-
    connected parts (Traag, Waltman and van Eck).
    Score of an edge: 1 between two groups, 0 within one.

    Args:
        graph: A graph of NetworkX or igraph, a sparse matrix of SciPy, a data frame with an edge per row,
            an array of NumPy with an edge per row, or the path of a file.
        weight: Edges have this strength. The name of an edge attribute (NetworkX, igraph) or of a column (data
            frames), True for a sparse matrix or a file, or an array with a value per edge. Without it edges have the
            strength 1.
        edges: Return the scores of edges instead of nodes.
        directed: Follow edges from source to target only. None takes it from the graph, and is False for edge lists.
        parallel: What several edges between two nodes become: keep, min, max, sum or count. None is what the graph's
            library does.
        device: auto, cpu, gpu, or GPUs, such as gpu:0 or gpu:0,2.
        threads: Threads of the CPU; 0 for all. Scores do not depend on it.
        progress: True or False for a bar, None for one where somebody can see it, or a function of done and total.
        columns: The columns of a data frame that hold source and target.
        nodes: The number of nodes, for an array of edges.
        seed: Choose among results by this seed; None is 1.
        levels: Most levels, on each of which groups become nodes; without it 10. 1 is the finest.
        iterations: Most iterations. Of ranks without it 1000, after which it is an error that scores have not
            converged; of groups without it 10, on each level.
        gamma: Resolution of the modularity: more than 1 gives more and smaller groups; 0 for 1.
        theta: How much chance there is when parts of a group join, in units of the mean weight; 0 for 0.01.
    """
    return compute(
        "leiden",
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
        seed=seed,
        levels=levels,
        iterations=iterations,
        gamma=gamma,
        theta=theta,
    )


def currentFlowBetweenness(
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
    normalized: bool | None = None,
    error: float | None = None,
    tolerance: float | None = None,
) -> Any:
    """Return currentFlowBetweenness: how much of the traffic passes through that takes every path, as electrical current does.

    Score of a node: sum over pairs {s, t} of the current through the node when one unit of it enters at s and leaves
    at t; weights are conductances.
    Score of an edge: the same with the current through the edge.

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
        normalized: Divide scores by the number of pairs; without it the measure's own default.
        error: Draw a sample where that saves work, with this error at most: of betweenness and of currents as a share
            of all pairs, of resistances relative. With 0 currents and resistances are drawn only in blocks of over
            10,000 nodes, with 0.05 and 0.1.
        tolerance: Relative difference under which two path lengths count as equal when exact arithmetic cannot tell;
            0 for 1e-10.
    """
    return compute(
        "currentFlowBetweenness",
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
        normalized=normalized,
        error=error,
        tolerance=tolerance,
    )


def currentFlowCloseness(
    graph: Any,
    *,
    weight: Any = None,
    directed: bool | None = None,
    parallel: str | None = None,
    device: str = "auto",
    threads: int = 0,
    progress: Progress = None,
    columns: tuple[str, str] | None = None,
    nodes: int | None = None,
    normalized: bool | None = None,
    error: float | None = None,
    tolerance: float | None = None,
) -> Any:
    """Return currentFlowCloseness: how near all nodes are along all paths, as electrical resistance measures it.

    Score of a node: 1 / mean effective resistance to the other nodes of its component; 1 / their sum with normalized:
    false.

    Args:
        graph: A graph of NetworkX or igraph, a sparse matrix of SciPy, a data frame with an edge per row,
            an array of NumPy with an edge per row, or the path of a file.
        weight: Edges have this length. The name of an edge attribute (NetworkX, igraph) or of a column (data frames),
            True for a sparse matrix or a file, or an array with a value per edge. Without it edges have the length 1.
        directed: Follow edges from source to target only. None takes it from the graph, and is False for edge lists.
        parallel: What several edges between two nodes become: keep, min, max, sum or count. None is what the graph's
            library does.
        device: auto, cpu, gpu, or GPUs, such as gpu:0 or gpu:0,2.
        threads: Threads of the CPU; 0 for all. Scores do not depend on it.
        progress: True or False for a bar, None for one where somebody can see it, or a function of done and total.
        columns: The columns of a data frame that hold source and target.
        nodes: The number of nodes, for an array of edges.
        normalized: Divide scores by the number of pairs; without it the measure's own default.
        error: Draw a sample where that saves work, with this error at most: of betweenness and of currents as a share
            of all pairs, of resistances relative. With 0 currents and resistances are drawn only in blocks of over
            10,000 nodes, with 0.05 and 0.1.
        tolerance: Relative difference under which two path lengths count as equal when exact arithmetic cannot tell;
            0 for 1e-10.
    """
    return compute(
        "currentFlowCloseness",
        graph,
        weight=weight,
        directed=directed,
        parallel=parallel,
        device=device,
        threads=threads,
        progress=progress,
        columns=columns,
        nodes=nodes,
        normalized=normalized,
        error=error,
        tolerance=tolerance,
    )


def effectiveResistance(
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
    error: float | None = None,
    tolerance: float | None = None,
) -> Any:
    """Return effectiveResistance: how little joins it to the others: electrical resistance along all paths.

    Score of a node: mean effective resistance to the other nodes of its component.
    Score of an edge: effective resistance between its ends.

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
        error: Draw a sample where that saves work, with this error at most: of betweenness and of currents as a share
            of all pairs, of resistances relative. With 0 currents and resistances are drawn only in blocks of over
            10,000 nodes, with 0.05 and 0.1.
        tolerance: Relative difference under which two path lengths count as equal when exact arithmetic cannot tell;
            0 for 1e-10.
    """
    return compute(
        "effectiveResistance",
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
        error=error,
        tolerance=tolerance,
    )


def spanningCentrality(
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
    error: float | None = None,
    tolerance: float | None = None,
) -> Any:
    """Return spanningCentrality: how many edges a random spanning tree has there.

    Score of a node: sum of the scores of its edges: its mean degree in a random spanning tree.
    Score of an edge: share of the spanning trees that have the edge, each weighing the product of its weights: 1 for
    a bridge.

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
        error: Draw a sample where that saves work, with this error at most: of betweenness and of currents as a share
            of all pairs, of resistances relative. With 0 currents and resistances are drawn only in blocks of over
            10,000 nodes, with 0.05 and 0.1.
        tolerance: Relative difference under which two path lengths count as equal when exact arithmetic cannot tell;
            0 for 1e-10.
    """
    return compute(
        "spanningCentrality",
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
        error=error,
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


def components(
    graph: Any,
    *,
    directed: bool | None = None,
    parallel: str | None = None,
    device: str = "auto",
    threads: int = 0,
    progress: Progress = None,
    columns: tuple[str, str] | None = None,
    nodes: int | None = None,
    variant: str | None = None,
) -> Any:
    """Return components: which part of the graph it lies in.

    Score of a node: number of its weakly connected component, from 0; size: the number of nodes in it.

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
        variant: One of id, size.
    """
    return compute(
        "components",
        graph,
        directed=directed,
        parallel=parallel,
        device=device,
        threads=threads,
        progress=progress,
        columns=columns,
        nodes=nodes,
        variant=variant,
    )


def strongComponents(
    graph: Any,
    *,
    directed: bool | None = None,
    parallel: str | None = None,
    device: str = "auto",
    threads: int = 0,
    progress: Progress = None,
    columns: tuple[str, str] | None = None,
    nodes: int | None = None,
    variant: str | None = None,
) -> Any:
    """Return strongComponents: which nodes it can reach that lead back to it.

    Score of a node: number of its strongly connected component, from 0; size: the number of nodes in it.

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
        variant: One of id, size.
    """
    return compute(
        "strongComponents",
        graph,
        directed=directed,
        parallel=parallel,
        device=device,
        threads=threads,
        progress=progress,
        columns=columns,
        nodes=nodes,
        variant=variant,
    )


def edgeComponents(
    graph: Any,
    *,
    directed: bool | None = None,
    parallel: str | None = None,
    device: str = "auto",
    threads: int = 0,
    progress: Progress = None,
    columns: tuple[str, str] | None = None,
    nodes: int | None = None,
    variant: str | None = None,
) -> Any:
    """Return edgeComponents: which nodes no single edge parts from it.

    Score of a node: number of its 2-edge-connected component, from 0: what is connected without bridges; size: the
    number of nodes in it.

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
        variant: One of id, size.
    """
    return compute(
        "edgeComponents",
        graph,
        directed=directed,
        parallel=parallel,
        device=device,
        threads=threads,
        progress=progress,
        columns=columns,
        nodes=nodes,
        variant=variant,
    )


def articulation(
    graph: Any,
    *,
    directed: bool | None = None,
    parallel: str | None = None,
    device: str = "auto",
    threads: int = 0,
    progress: Progress = None,
    columns: tuple[str, str] | None = None,
    nodes: int | None = None,
    variant: str | None = None,
) -> Any:
    """Return articulation: into how many parts its component falls without it.

    Score of a node: number of parts that are left of its component without it, over 1 for articulation points;
    largest: the nodes of the largest part.

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
        variant: One of parts, largest.
    """
    return compute(
        "articulation",
        graph,
        directed=directed,
        parallel=parallel,
        device=device,
        threads=threads,
        progress=progress,
        columns=columns,
        nodes=nodes,
        variant=variant,
    )


def bridges(
    graph: Any,
    *,
    edges: bool = False,
    directed: bool | None = None,
    parallel: str | None = None,
    device: str = "auto",
    threads: int = 0,
    progress: Progress = None,
    columns: tuple[str, str] | None = None,
    nodes: int | None = None,
    variant: str | None = None,
) -> Any:
    """Return bridges: which edges hold two sides together.

    Score of a node: number of bridges at the node.
    Score of an edge: number of nodes on the smaller side of a bridge, or with larger on the larger side; 0 for other
    edges.

    Args:
        graph: A graph of NetworkX or igraph, a sparse matrix of SciPy, a data frame with an edge per row,
            an array of NumPy with an edge per row, or the path of a file.
        edges: Return the scores of edges instead of nodes.
        directed: Follow edges from source to target only. None takes it from the graph, and is False for edge lists.
        parallel: What several edges between two nodes become: keep, min, max, sum or count. None is what the graph's
            library does.
        device: auto, cpu, gpu, or GPUs, such as gpu:0 or gpu:0,2.
        threads: Threads of the CPU; 0 for all. Scores do not depend on it.
        progress: True or False for a bar, None for one where somebody can see it, or a function of done and total.
        columns: The columns of a data frame that hold source and target.
        nodes: The number of nodes, for an array of edges.
        variant: One of smaller, larger.
    """
    return compute(
        "bridges",
        graph,
        edges=edges,
        directed=directed,
        parallel=parallel,
        device=device,
        threads=threads,
        progress=progress,
        columns=columns,
        nodes=nodes,
        variant=variant,
    )


def biconnectedComponents(
    graph: Any,
    *,
    edges: bool = False,
    directed: bool | None = None,
    parallel: str | None = None,
    device: str = "auto",
    threads: int = 0,
    progress: Progress = None,
    columns: tuple[str, str] | None = None,
    nodes: int | None = None,
) -> Any:
    """Return biconnectedComponents: what holds without any one node.

    Score of a node: number of blocks of two nodes and more that it lies in.
    Score of an edge: number of its block (biconnected component), from 0.

    Args:
        graph: A graph of NetworkX or igraph, a sparse matrix of SciPy, a data frame with an edge per row,
            an array of NumPy with an edge per row, or the path of a file.
        edges: Return the scores of edges instead of nodes.
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
        "biconnectedComponents",
        graph,
        edges=edges,
        directed=directed,
        parallel=parallel,
        device=device,
        threads=threads,
        progress=progress,
        columns=columns,
        nodes=nodes,
    )


def core(
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
    """Return core: how deep in the dense middle it lies.

    Score of a node: the greatest k for which it lies in a k-core: nodes that all have k neighbours among them.

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
        "core",
        graph,
        directed=directed,
        parallel=parallel,
        device=device,
        threads=threads,
        progress=progress,
        columns=columns,
        nodes=nodes,
    )


def truss(
    graph: Any,
    *,
    edges: bool = False,
    directed: bool | None = None,
    parallel: str | None = None,
    device: str = "auto",
    threads: int = 0,
    progress: Progress = None,
    columns: tuple[str, str] | None = None,
    nodes: int | None = None,
) -> Any:
    """Return truss: how deep among triangles it lies.

    Score of a node: the greatest truss of its edges.
    Score of an edge: the greatest k for which it lies in a k-truss: edges that all lie in k-2 triangles of them.

    Args:
        graph: A graph of NetworkX or igraph, a sparse matrix of SciPy, a data frame with an edge per row,
            an array of NumPy with an edge per row, or the path of a file.
        edges: Return the scores of edges instead of nodes.
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
        "truss",
        graph,
        edges=edges,
        directed=directed,
        parallel=parallel,
        device=device,
        threads=threads,
        progress=progress,
        columns=columns,
        nodes=nodes,
    )


def triangles(
    graph: Any,
    *,
    edges: bool = False,
    directed: bool | None = None,
    parallel: str | None = None,
    device: str = "auto",
    threads: int = 0,
    progress: Progress = None,
    columns: tuple[str, str] | None = None,
    nodes: int | None = None,
) -> Any:
    """Return triangles: how many triangles it lies in.

    Score of a node: number of triangles with the node.
    Score of an edge: number of triangles with the edge.

    Args:
        graph: A graph of NetworkX or igraph, a sparse matrix of SciPy, a data frame with an edge per row,
            an array of NumPy with an edge per row, or the path of a file.
        edges: Return the scores of edges instead of nodes.
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
        "triangles",
        graph,
        edges=edges,
        directed=directed,
        parallel=parallel,
        device=device,
        threads=threads,
        progress=progress,
        columns=columns,
        nodes=nodes,
    )


def clustering(
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
    """Return clustering: how many of its neighbours are neighbours.

    Score of a node: triangles with the node / pairs of its neighbours; 0 with fewer than two.

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
        "clustering",
        graph,
        directed=directed,
        parallel=parallel,
        device=device,
        threads=threads,
        progress=progress,
        columns=columns,
        nodes=nodes,
    )


def similarity(
    graph: Any,
    *,
    edges: bool = False,
    directed: bool | None = None,
    parallel: str | None = None,
    device: str = "auto",
    threads: int = 0,
    progress: Progress = None,
    columns: tuple[str, str] | None = None,
    nodes: int | None = None,
    variant: str | None = None,
) -> Any:
    """Return similarity: how alike the neighbours of two ends are.

    Score of a node: mean over its neighbours of the score of the edge.
    Score of an edge: common neighbours of its ends / all neighbours (jaccard), / those of the end with fewer
    (overlap); adamicAdar: sum of 1 / ln(degree) over common neighbours.

    Args:
        graph: A graph of NetworkX or igraph, a sparse matrix of SciPy, a data frame with an edge per row,
            an array of NumPy with an edge per row, or the path of a file.
        edges: Return the scores of edges instead of nodes.
        directed: Follow edges from source to target only. None takes it from the graph, and is False for edge lists.
        parallel: What several edges between two nodes become: keep, min, max, sum or count. None is what the graph's
            library does.
        device: auto, cpu, gpu, or GPUs, such as gpu:0 or gpu:0,2.
        threads: Threads of the CPU; 0 for all. Scores do not depend on it.
        progress: True or False for a bar, None for one where somebody can see it, or a function of done and total.
        columns: The columns of a data frame that hold source and target.
        nodes: The number of nodes, for an array of edges.
        variant: One of jaccard, overlap, adamicAdar.
    """
    return compute(
        "similarity",
        graph,
        edges=edges,
        directed=directed,
        parallel=parallel,
        device=device,
        threads=threads,
        progress=progress,
        columns=columns,
        nodes=nodes,
        variant=variant,
    )


def curvature(
    graph: Any,
    *,
    edges: bool = False,
    directed: bool | None = None,
    parallel: str | None = None,
    device: str = "auto",
    threads: int = 0,
    progress: Progress = None,
    columns: tuple[str, str] | None = None,
    nodes: int | None = None,
    variant: str | None = None,
) -> Any:
    """Return curvature: how much the graph branches around it.

    Score of a node: mean over its neighbours of the score of the edge.
    Score of an edge: Forman's curvature: 4 less the numbers of neighbours of both ends; augmented: and 3 for each
    triangle.

    Args:
        graph: A graph of NetworkX or igraph, a sparse matrix of SciPy, a data frame with an edge per row,
            an array of NumPy with an edge per row, or the path of a file.
        edges: Return the scores of edges instead of nodes.
        directed: Follow edges from source to target only. None takes it from the graph, and is False for edge lists.
        parallel: What several edges between two nodes become: keep, min, max, sum or count. None is what the graph's
            library does.
        device: auto, cpu, gpu, or GPUs, such as gpu:0 or gpu:0,2.
        threads: Threads of the CPU; 0 for all. Scores do not depend on it.
        progress: True or False for a bar, None for one where somebody can see it, or a function of done and total.
        columns: The columns of a data frame that hold source and target.
        nodes: The number of nodes, for an array of edges.
        variant: One of forman, augmented.
    """
    return compute(
        "curvature",
        graph,
        edges=edges,
        directed=directed,
        parallel=parallel,
        device=device,
        threads=threads,
        progress=progress,
        columns=columns,
        nodes=nodes,
        variant=variant,
    )
