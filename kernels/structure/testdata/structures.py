"""Reads graphs as JSON lines {"n", "directed", "edges"} and prints the scores of each by NetworkX, igraph and plain counting.

A score is {"nodes": [...], "edges": [...]} under "measure" or "measure variant". Numbers of groups are in the order of their
first members.
"""

import json
import math
import sys

import igraph
import networkx as nx


def numbered(groups, count):
    """Numbers groups of 0 to count-1 by their first members."""
    of = [None] * count
    for i, group in enumerate(sorted(groups, key=min)):
        for x in group:
            of[x] = i
    return of


def sizes(groups, count):
    of = [None] * count
    for group in groups:
        for x in group:
            of[x] = len(group)
    return of


def mean(values):
    return sum(values) / len(values) if values else 0


def grouped(name, groups, n):
    groups = [set(g) for g in groups]
    return {name: {"nodes": numbered(groups, n)}, name + " size": {"nodes": sizes(groups, n)}}


def cuts(n, edges, multi):
    """Takes each node and each edge out of a multigraph, and looks at what is left."""
    whole = {v: c for c in nx.connected_components(multi) for v in c}
    parts, largest, smaller, larger, at = [], [], [], [], [0] * n
    for v in range(n):
        left = [len(c) for c in nx.connected_components(nx.subgraph(multi, whole[v] - {v}))]
        parts.append(len(left))
        largest.append(max(left, default=0))
    for e, (a, b) in enumerate(edges):
        left = multi.copy()
        left.remove_edge(a, b, key=e)
        sides = len(nx.node_connected_component(left, a)), len(nx.node_connected_component(left, b))
        bridge = not nx.has_path(left, a, b)
        smaller.append(min(sides) if bridge else 0)
        larger.append(max(sides) if bridge else 0)
        if bridge:
            at[a] += 1
            at[b] += 1
    rest = nx.MultiGraph()
    rest.add_nodes_from(range(n))
    rest.add_edges_from(edge for edge, side in zip(edges, smaller) if side == 0)
    return {
        "articulation": {"nodes": parts},
        "articulation largest": {"nodes": largest},
        "bridges": {"nodes": at, "edges": smaller},
        "bridges larger": {"nodes": at, "edges": larger},
    } | grouped("edgeComponents", nx.connected_components(rest), n)


def blocks(n, edges, simple):
    of, inside, groups = {}, [0] * n, []
    for block in nx.biconnected_component_edges(simple):
        for a, b in block:
            of[frozenset((a, b))] = len(groups)
        for v in {x for edge in block for x in edge}:
            inside[v] += 1
        groups.append([])
    for e, (a, b) in enumerate(edges):
        if a == b:
            groups.append([e])
        else:
            groups[of[frozenset((a, b))]].append(e)
    return {"biconnectedComponents": {"nodes": inside, "edges": numbered(groups, len(edges))}}


def trusses(n, edges, simple):
    of, k = {}, 2
    while True:
        left = nx.k_truss(simple, k)
        if left.number_of_edges() == 0:
            break
        for a, b in left.edges:
            of[frozenset((a, b))] = k
        k += 1
    at = [max((of[frozenset((v, w))] for w in simple[v]), default=0) for v in range(n)]
    return {"truss": {"nodes": at, "edges": [of.get(frozenset(edge), 0) if edge[0] != edge[1] else 0 for edge in edges]}}


def of_edges(n, edges, simple, score):
    def of(a, b):
        return 0 if a == b else score(a, b)

    return {"nodes": [mean([of(v, w) for w in simple[v]]) for v in range(n)], "edges": [of(a, b) for a, b in edges]}


def triangles(n, edges, simple):
    common = lambda a, b: len(list(nx.common_neighbors(simple, a, b)))
    degree = dict(simple.degree)
    first = lambda function: lambda a, b: next(iter(function(simple, [(a, b)])))[2]
    with_triangles = of_edges(n, edges, simple, common)
    counts = nx.triangles(simple)
    clustering = nx.clustering(simple)
    return {
        "triangles": {"nodes": [counts[v] for v in range(n)], "edges": with_triangles["edges"]},
        "clustering": {"nodes": [clustering[v] for v in range(n)]},
        "similarity": of_edges(n, edges, simple, first(nx.jaccard_coefficient)),
        "similarity overlap": of_edges(n, edges, simple, lambda a, b: common(a, b) / min(degree[a], degree[b])),
        "similarity adamicAdar": of_edges(n, edges, simple, first(nx.adamic_adar_index)),
        "curvature": of_edges(n, edges, simple, lambda a, b: 4 - degree[a] - degree[b]),
        "curvature augmented": of_edges(n, edges, simple, lambda a, b: 4 - degree[a] - degree[b] + 3 * common(a, b)),
    }


def with_igraph(n, edges, found):
    """igraph finds the same cut nodes, bridges, cores and triangles."""
    g = igraph.Graph(n=n, edges=edges)
    cut = sorted(v for v, parts in enumerate(found["articulation"]["nodes"]) if parts > 1)
    assert sorted(g.articulation_points()) == cut, (edges, cut)
    assert sorted(g.bridges()) == [e for e, side in enumerate(found["bridges"]["edges"]) if side], edges
    simple = g.copy().simplify()
    assert simple.coreness() == found["core"]["nodes"], edges
    ratios = simple.transitivity_local_undirected(mode="zero")
    assert all(math.isclose(a, b, abs_tol=1e-12) for a, b in zip(ratios, found["clustering"]["nodes"])), edges


def scores(n, directed, edges):
    if directed:
        g = nx.MultiDiGraph()
        g.add_nodes_from(range(n))
        g.add_edges_from(edges)
        return grouped("components", nx.weakly_connected_components(g), n) | grouped(
            "strongComponents", nx.strongly_connected_components(g), n
        )
    multi = nx.MultiGraph()
    multi.add_nodes_from(range(n))
    for e, (a, b) in enumerate(edges):
        multi.add_edge(a, b, key=e)
    simple = nx.Graph(multi)
    simple.remove_edges_from(list(nx.selfloop_edges(simple)))
    core = nx.core_number(simple)
    found = grouped("components", nx.connected_components(multi), n) | cuts(n, edges, multi)
    found |= grouped("strongComponents", nx.connected_components(multi), n) | blocks(n, edges, simple)
    found |= trusses(n, edges, simple) | triangles(n, edges, simple)
    found["core"] = {"nodes": [core[v] for v in range(n)]}
    with_igraph(n, edges, found)
    return found


for line in sys.stdin:
    graph = json.loads(line)
    print(json.dumps(scores(graph["n"], graph["directed"], graph["edges"])))
