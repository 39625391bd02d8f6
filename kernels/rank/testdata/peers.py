"""Computes ranks with NetworkX and igraph: graphs as JSON on the input, scores by name on the output."""

import json
import sys

import igraph
import networkx as nx
import numpy as np


def unit(x):
    x = np.abs(np.asarray(x, dtype=float))
    return list(x / np.linalg.norm(x))


def of(g):
    n, weights = g["n"], (g["weights"] or []) if g["weighted"] else [1.0] * len(g["weights"] or [])
    arcs = list(zip(g["from"] or [], g["to"] or []))
    one = nx.DiGraph()
    one.add_nodes_from(range(n))
    a = np.zeros((n, n))
    for (u, v), w in zip(arcs, weights):
        a[u, v] += w
    for u, v in set(arcs):
        one.add_edge(u, v, weight=a[u, v])
    start = {v: 1.0 if v in g["sources"] else 0.0 for v in range(n)}
    many = igraph.Graph(n=n, edges=arcs, directed=True)

    def x(scores):
        return [scores[v] for v in range(n)]

    out = {
        "networkx pagerank": x(nx.pagerank(one, tol=1e-15, max_iter=10000)),
        "networkx personalized": x(nx.pagerank(one, personalization=start, tol=1e-15, max_iter=10000)),
        "igraph pagerank": many.pagerank(weights=weights),
        "igraph personalized": many.personalized_pagerank(reset=x(start), weights=weights),
        "networkx katz": x(nx.katz_centrality_numpy(one, alpha=g["alpha"], normalized=False, weight="weight")),
    }
    if n > 3 and nx.is_strongly_connected(one):
        out["networkx eigenvector"] = unit(x(nx.eigenvector_centrality_numpy(one, weight="weight")))
    values = np.linalg.svd(a, compute_uv=False)
    if n > 3 and arcs and values[1] < 0.99 * values[0]:  # else the vector is not known well
        hubs, authorities = nx.hits(one, tol=1e-15, max_iter=10000)
        out["networkx hubs"], out["networkx authorities"] = unit(x(hubs)), unit(x(authorities))
    return out


json.dump([of(g) for g in json.load(sys.stdin)], sys.stdout)
