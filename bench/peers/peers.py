"""Scores of one graph a line, by NetworkX, igraph and NetworKit.

Reads a graph a line: {"n", "directed", "weighted", "simple", "edges": [[from, to, weight], ...]}.
Writes, for each, {"peer measure": {"nodes": [...], "edges": [...]}}: node scores by node, edge scores in the order of the
edges, in linchpin's conventions: undirected sums over unordered pairs, closeness over incoming distances.
"""
import json
import math
import sys
import warnings

import igraph
import networkit
import networkx

warnings.filterwarnings("ignore")  # igraph warns of nodes that nothing reaches; see its closeness below


def by_networkx(graph):
    # NetworkX merges parallel edges in its node scores: simple graphs only.
    g = networkx.DiGraph() if graph["directed"] else networkx.Graph()
    g.add_nodes_from(range(graph["n"]))
    g.add_weighted_edges_from(graph["edges"])
    weight = "weight" if graph["weighted"] else None
    nodes = range(graph["n"])
    # Halves undirected sums, as we do.
    bc = networkx.betweenness_centrality(g, normalized=False, weight=weight)
    ends = networkx.betweenness_centrality(g, normalized=False, weight=weight, endpoints=True)
    normalized = networkx.betweenness_centrality(g, normalized=True, weight=weight)
    ebc = networkx.edge_betweenness_centrality(g, normalized=False, weight=weight)
    pairs = [(u, v) if (u, v) in ebc else (v, u) for u, v, _ in graph["edges"]]
    # Its closeness takes incoming distances too; wf_improved is Wasserman and Faust's variant.
    closeness = networkx.closeness_centrality(g, distance=weight, wf_improved=False)
    faust = networkx.closeness_centrality(g, distance=weight, wf_improved=True)
    harmonic = networkx.harmonic_centrality(g, distance=weight)  # not divided by n-1
    return {
        "betweenness": {"nodes": [bc[v] for v in nodes], "edges": [ebc[p] for p in pairs]},
        "betweenness normalized": {"nodes": [normalized[v] for v in nodes]},
        "betweenness endpoints": {"nodes": [ends[v] for v in nodes]},
        "closeness": {"nodes": [closeness[v] for v in nodes]},
        "closeness wassermanFaust": {"nodes": [faust[v] for v in nodes]},
        "harmonic sum": {"nodes": [harmonic[v] for v in nodes]},
    }


def by_igraph(graph):
    # igraph counts each of several parallel edges as a path of its own, and leaves self-loops out, as we do.
    g = igraph.Graph(n=graph["n"], edges=[e[:2] for e in graph["edges"]], directed=graph["directed"])
    weights = [e[2] for e in graph["edges"]] if graph["weighted"] else None
    # Closeness of a node that nothing reaches is NaN there, 0 here. Normalised, it is the component's.
    closeness = g.closeness(mode="in", weights=weights, normalized=True)
    scores = {
        "betweenness": {
            "nodes": g.betweenness(directed=graph["directed"], weights=weights),
            "edges": g.edge_betweenness(directed=graph["directed"], weights=weights),
        },
        "closeness": {"nodes": [0 if math.isnan(x) else x for x in closeness]},
        # Divided by n-1, as ours.
        "harmonic": {"nodes": g.harmonic_centrality(mode="in", weights=weights, normalized=True)},
        "degree": {"nodes": g.degree(mode="out", loops=True)},
        "strength": {"nodes": g.strength(mode="out", loops=True, weights=[e[2] for e in graph["edges"]])},
    }
    if not graph["weighted"]:
        scores["eccentricity"] = {"nodes": g.eccentricity(mode="in")}
    return scores


def by_networkit(graph):
    # NetworKit leaves parallel edges undefined: simple graphs only.
    g = networkit.Graph(graph["n"], weighted=graph["weighted"], directed=graph["directed"])
    for u, v, w in graph["edges"]:
        g.addEdge(u, v, w)
    g.indexEdges()
    bc = networkit.centrality.Betweenness(g, normalized=False, computeEdgeCentrality=True)
    bc.run()
    # It does not halve undirected sums.
    half = 1 if graph["directed"] else 0.5
    edges = bc.edgeScores()
    scores = {
        "betweenness": {
            "nodes": [x * half for x in bc.scores()],
            "edges": [edges[g.edgeId(u, v)] * half for u, v, _ in graph["edges"]],
        }
    }
    if not graph["directed"]:  # its harmonic closeness takes outgoing distances
        harmonic = networkit.centrality.HarmonicCloseness(g, normalized=False)
        harmonic.run()
        scores["harmonic sum"] = {"nodes": harmonic.scores()}
    return scores


def main():
    print(json.dumps({p.__name__: p.__version__ for p in (networkx, igraph, networkit)}), flush=True)
    for line in sys.stdin:
        graph = json.loads(line)
        peers = {"igraph": by_igraph}
        if graph["simple"]:
            peers.update(networkx=by_networkx, networkit=by_networkit)
        found = {f"{name} {k}": v for name, peer in peers.items() for k, v in peer(graph).items()}
        print(json.dumps(found), flush=True)


main()
