"""Reads graphs from standard input, as JSON, and prints what NetworkX computes of each component."""

import json
import sys

import networkx as nx


def scores(n, edges):
    whole = nx.Graph()
    whole.add_nodes_from(range(n))
    for u, v, weight in edges:
        if u != v:
            before = whole.get_edge_data(u, v, {"weight": 0})["weight"]
            whole.add_edge(u, v, weight=before + weight)
    out = {"betweenness": [0.0] * n, "closeness": [0.0] * n, "links": []}
    for nodes in nx.connected_components(whole):
        if len(nodes) > 1:
            component(whole.subgraph(nodes), out)
    return out


def component(g, out):
    between = nx.current_flow_betweenness_centrality(g, normalized=False, weight="weight", solver="full")
    close = nx.current_flow_closeness_centrality(g, weight="weight", solver="full")
    flows = nx.edge_current_flow_betweenness_centrality(g, normalized=False, weight="weight", solver="full")
    resistances = nx.resistance_distance(g, weight="weight", invert_weight=False)
    for v in g:
        out["betweenness"][v], out["closeness"][v] = between[v], close[v]
    for (u, v), flow in flows.items():
        out["links"].append([u, v, g[u][v]["weight"], flow, resistances[u][v]])


print(json.dumps([scores(graph["n"], graph["edges"]) for graph in json.load(sys.stdin)]))
