"""Scores of NetworkX and igraph for choices of pairs: reads cases as JSON, writes scores as JSON. For peers_test.go."""

import json
import sys

import igraph
import networkx as nx


def scores(case):
    n, edges, weights = case["n"], case["edges"], case["weights"]
    directed, sources, targets = case["directed"], case["sources"], case["targets"]
    g = nx.DiGraph() if directed else nx.Graph()
    g.add_nodes_from(range(n))
    for (u, v), w in zip(edges, weights):
        g.add_edge(u, v, weight=w)
    out = {}
    weight = "weight" if case["weighted"] else None
    out["nodes"] = list(nx.betweenness_centrality_subset(g, sources, targets, weight=weight).values())
    out["normalized"] = list(nx.betweenness_centrality_subset(g, sources, targets, normalized=True, weight=weight).values())
    # Where a node is not a target, NetworkX 3.6 shares its dependency out evenly, whatever the path counts: all are targets here.
    by_edge = nx.edge_betweenness_centrality_subset(g, sources, list(range(n)), weight=weight)
    out["edges"] = [by_edge[(u, v)] if (u, v) in by_edge else by_edge[(v, u)] for u, v in edges]
    out["harmonic"] = [nx.harmonic_centrality(g, nbunch=[v], distance=weight, sources=sources)[v] for v in range(n)]
    states = {v: s for v, s in enumerate(case["demand"])}
    percolation = nx.percolation_centrality(g, states=states, weight=weight)
    out["percolation"] = [percolation[v] for v in range(n)]

    i = igraph.Graph(n=n, edges=edges, directed=directed)
    w = weights if case["weighted"] else None
    out["igraph"] = i.betweenness(directed=directed, weights=w, sources=sources, targets=targets)
    out["igraphEdges"] = i.edge_betweenness(directed=directed, weights=w, sources=sources, targets=targets)
    out["cutoff"] = i.betweenness(directed=directed, weights=w, cutoff=case["within"])
    out["edgeCutoff"] = i.edge_betweenness(directed=directed, weights=w, cutoff=case["within"])
    out["closenessCutoff"] = [
        0 if x != x else x for x in i.closeness(mode="in", weights=w, cutoff=case["within"], normalized=True)
    ]
    out["harmonicCutoff"] = i.harmonic_centrality(mode="in", weights=w, cutoff=case["within"], normalized=False)
    return out


json.dump([scores(case) for case in json.load(sys.stdin)], sys.stdout)
