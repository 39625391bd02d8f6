"""The rows of `make bench-peers`: which graph, which measure, from which sources, with reductions or without."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """A line of the table. All graphs are undirected and simple.

    graph is a name of `linchpin-bench --list`: +w10 are whole weights from 1 to 10, +real are real weights, +own are
    those of the file. ":lcc" is its largest component. sources 0 are all nodes, others are spread evenly. Without
    reduce, linchpin runs with --reduce off alone.
    """
    group: str
    graph: str
    measure: str
    sources: int = 0
    reduce: bool = True

    @property
    def name(self):
        return f"{self.group}/{self.graph}" + (f"/{self.sources}" if self.sources else "")

    @property
    def weights(self):
        _, _, weights = self.graph.removesuffix(":lcc").partition("+")
        return weights

    def chosen(self, words):
        """Reports whether the words, such as a group, a graph or a name, choose the row. None choose all rows."""
        return not words or bool({self.name, self.group, self.graph, f"{self.group}/{self.graph}"} & set(words))


GENERATED = ["er-10000-50000", "rmat13-16", "ba-10000-4", "smallworld-10000-10", "rgg13-12", "grid100x100", "road60x60"]
REAL = ["air-routes", "facebook_combined", "ca-GrQc-lcc", "wiki-Vote", "delaunay_n13"]
LARGE = ["rmat22-16", "er-4e6-64e6", "road925x925"]


def rows(group, measure, graphs, **how):
    return [Row(group, graph, measure, **how) for graph in graphs]


ROWS = [
    *rows("unreduced", "betweenness", REAL + GENERATED, reduce=False),
    *rows("reduced", "betweenness",
          ["air-routes", "as-caida20071105", "email-Enron-lcc", "power", "luxembourg_osm", "road-LosAngeles"]),
    *rows("reduced", "betweenness", ["luxembourg_osm"], sources=8192),
    *rows("edges", "edge_betweenness", REAL + GENERATED + ["as-caida20071105", "power"]),
    *rows("whole-weights", "betweenness", ["air-routes+own"] + [g + "+w10" for g in GENERATED]),
    *rows("real-weights", "betweenness", [g + "+real" for g in GENERATED]),
    *rows("real-weights", "betweenness", ["road-LosAngeles+own"], sources=2048),
    *rows("closeness", "closeness", [g + ":lcc" for g in REAL + GENERATED] + ["as-caida20071105", "email-Enron-lcc"]),
    *rows("harmonic", "harmonic", REAL + GENERATED + ["as-caida20071105", "email-Enron-lcc"]),
    # NetworkX takes part where there are few sources.
    *rows("few-sources", "betweenness", ["wiki-Vote", "er-10000-50000", "grid100x100"], sources=64, reduce=False),
    *rows("one-source", "betweenness", ["rmat20-16", "road463x463:lcc"], sources=1, reduce=False),
    *rows("out-of-cache", "betweenness", LARGE, sources=64, reduce=False),
    *rows("out-of-cache", "betweenness", LARGE, sources=512, reduce=False),
    *(Row(measure, graph, measure)
      for measure in ["pagerank", "components", "core", "clustering", "louvain"]
      for graph in ["as-caida20071105", "web-NotreDame", "cnr-2000", "rmat22-16"]),
    # Small enough for a test.
    *rows("tiny", "betweenness", ["er-60-150", "er-60-150+w10"]),
    *rows("tiny", "betweenness", ["er-60-150"], sources=16),
    *rows("tiny", "edge_betweenness", ["ba-80-2", "ba-80-2+real"]),
    *rows("tiny", "closeness", ["er-80-120:lcc"]),
    *rows("tiny", "harmonic", ["er-70-100"]),
    *(Row("tiny", f"rmat{scale}-4", measure)
      for scale, measure in enumerate(["pagerank", "components", "core", "clustering", "louvain"], 6)),
]
