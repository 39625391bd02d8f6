"""Reads graphs as JSON lines {"n": ..., "edges": [[u, v], ...]} and prints the merges that igraph finds for each."""

import json
import sys

import igraph

for line in sys.stdin:
    g = json.loads(line)
    merges, _ = igraph.GraphBase.community_edge_betweenness(
        igraph.Graph(n=g["n"], edges=g["edges"]), directed=False
    )
    print(json.dumps(merges))
