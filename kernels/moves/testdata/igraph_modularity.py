"""Reads graphs as JSON lines {"n": ..., "edges": [[u, v], ...]} and prints the median modularity of nine seeds of Louvain and Leiden."""

import json
import random
import statistics
import sys

import igraph

for line in sys.stdin:
    of = json.loads(line)
    g = igraph.Graph(n=of["n"], edges=of["edges"])
    found = {"louvain": [], "leiden": []}
    for seed in range(9):
        random.seed(seed)
        igraph.set_random_number_generator(random)
        found["louvain"].append(g.modularity(g.community_multilevel()))
        found["leiden"].append(g.modularity(g.community_leiden(objective_function="modularity")))
    print(json.dumps({name: statistics.median(of) for name, of in found.items()}))
