"""One program that linchpin is compared with, as a process: `python peer.py igraph`.

It answers JSON lines with JSON lines. The first one it writes has its version. {"graph": FILE.npz, "measure", "sources",
"limit"} loads a graph, or answers why the program cannot compute that: {"unsupported": REASON}. {"threads", "scores": FILE}
computes once: the answer has the seconds of the call alone, and the file its scores, in linchpin's conventions.

It imports numpy and the program alone, because graph-tool has a Python of its own. For GDS it imports pyarrow as well.
"""
import json
import os
import shlex
import subprocess
import sys
import time
import warnings

import numpy as np

warnings.filterwarnings("ignore")
RESIDUAL = 1e-10  # of PageRank, for all who take one


class Peer:
    """What a program can do. A measure is a method: it returns the call that is timed, and what makes scores of its
    result. Scores are by node or, of edge_betweenness, by edge in the order of the file."""
    parallel = True
    weighted, sampled = set(), set()  # measures that take weights, and a set of sources
    most_edges = 10**9
    seconds_per_arc = 0  # at least so many per source and arc, where that rules out large graphs

    def refuse(self, measure, sources, limit):
        """Says why it cannot compute a measure of the graph that was read; "" if it can."""
        if not hasattr(self, measure):
            return f"no {measure}"
        if len(self.edges) > self.most_edges:
            return f"more than {self.most_edges:,} edges"
        if self.weights is not None and measure not in self.weighted:
            return f"no weights in {measure}"
        if sources is not None and measure not in self.sampled:
            return f"no choice of sources in {measure}"
        count = self.n if sources is None else len(sources)
        if measure in ("betweenness", "edge_betweenness", "closeness", "harmonic"):
            least = self.seconds_per_arc * count * 2 * len(self.edges)
            if least > limit:
                return f"by its rate on small graphs it takes more than {limit:g} s"
        return ""

    def read(self, path):
        with np.load(path) as file:
            self.n = int(file["shape"][0])
            self.edges = np.column_stack((file["row"], file["col"]))
            self.weights = file["data"] if "data" in file else None

    def set_threads(self, count):
        pass

    def seconds(self, found, elapsed):
        """The seconds of a call that took so many, and what it found."""
        del found
        return elapsed


class Igraph(Peer):
    parallel = False
    weighted = {"betweenness", "edge_betweenness", "closeness", "harmonic"}
    sampled = {"betweenness", "edge_betweenness"}

    def __init__(self):
        import igraph
        self.igraph, self.version = igraph, igraph.__version__

    def build(self):
        self.g = self.igraph.Graph(self.n, self.edges)
        self.lengths = None if self.weights is None else self.weights.tolist()

    def betweenness(self, sources):
        return lambda: self.g.betweenness(directed=False, weights=self.lengths, sources=sources), np.array

    def edge_betweenness(self, sources):
        return lambda: self.g.edge_betweenness(directed=False, weights=self.lengths, sources=sources), np.array

    def closeness(self, _):
        return lambda: self.g.closeness(weights=self.lengths, normalized=True), np.array

    def harmonic(self, _):
        return lambda: self.g.harmonic_centrality(weights=self.lengths, normalized=True), np.array

    def pagerank(self, _):
        return lambda: self.g.pagerank(directed=False), np.array

    def components(self, _):
        return lambda: self.g.connected_components().membership, np.array

    def core(self, _):
        return self.g.coreness, np.array

    def clustering(self, _):
        return lambda: self.g.transitivity_local_undirected(mode="zero"), np.array

    def louvain(self, _):
        return lambda: self.g.community_multilevel().membership, np.array


class NetworKit(Peer):
    weighted = {"betweenness", "edge_betweenness", "closeness", "harmonic"}

    def __init__(self):
        import networkit
        self.nk, self.version = networkit, networkit.__version__

    def build(self):
        ends = tuple(self.edges.T.astype(np.uint64, order="C"))
        data = ends if self.weights is None else (self.weights, ends)
        self.g = self.nk.GraphFromCoo(data, n=self.n, weighted=self.weights is not None, edgesIndexed=True)

    def set_threads(self, count):
        self.nk.setNumberOfThreads(count)
        self.threads = count

    def run(self, algorithm, scores):
        return algorithm.run, lambda a: np.array(scores(a))

    def betweenness(self, _):
        return self.run(self.nk.centrality.Betweenness(self.g), lambda a: np.array(a.scores()) / 2)  # of ordered pairs

    def edge_betweenness(self, _):
        def scores(a):
            found = np.array(a.edgeScores()) / 2
            return found[[self.g.edgeId(u, v) for u, v in self.edges.tolist()]]
        return self.run(self.nk.centrality.Betweenness(self.g, computeEdgeCentrality=True), scores)

    def closeness(self, _):
        c = self.nk.centrality
        return self.run(c.Closeness(self.g, False, c.ClosenessVariant.GENERALIZED),
                        lambda a: a.scores())

    def harmonic(self, _):
        return self.run(self.nk.centrality.HarmonicCloseness(self.g, normalized=False),
                        lambda a: np.array(a.scores()) / (self.n - 1))

    def pagerank(self, _):
        algorithm = self.nk.centrality.PageRank(self.g, tol=RESIDUAL)
        algorithm.norm = self.nk.centrality.Norm.L1_NORM
        # Nodes without edges send nothing; sharing their score out would change all scores by one factor.
        return self.run(algorithm, lambda a: np.array(a.scores()) / np.sum(a.scores()))

    def components(self, _):
        kind = self.nk.components.ParallelConnectedComponents if self.threads > 1 else self.nk.components.ConnectedComponents
        return self.run(kind(self.g), lambda a: a.getPartition().getVector())

    def core(self, _):
        return self.run(self.nk.centrality.CoreDecomposition(self.g), lambda a: a.scores())

    def clustering(self, _):
        return self.run(self.nk.centrality.LocalClusteringCoefficient(self.g, turbo=True), lambda a: a.scores())

    def louvain(self, _):
        return self.run(self.nk.community.PLM(self.g), lambda a: a.getPartition().getVector())


class GraphTool(Peer):
    weighted = {"betweenness", "edge_betweenness", "closeness", "harmonic"}
    sampled = {"betweenness", "edge_betweenness"}

    def __init__(self):
        import graph_tool
        import graph_tool.centrality
        import graph_tool.clustering
        import graph_tool.topology
        self.gt, self.version = graph_tool, graph_tool.__version__.split()[0]

    def build(self):
        self.g = self.gt.Graph(directed=False)
        self.g.add_vertex(self.n)
        self.g.add_edge_list(self.edges)
        self.lengths = None
        if self.weights is not None:
            self.lengths = self.g.new_edge_property("double", vals=self.weights)

    def set_threads(self, count):
        self.gt.openmp_set_num_threads(count)

    def both(self, sources):
        return lambda: self.gt.centrality.betweenness(self.g, pivots=sources, weight=self.lengths, norm=False)

    def betweenness(self, sources):
        return self.both(sources), lambda found: np.array(found[0].a)

    def edge_betweenness(self, sources):
        return self.both(sources), lambda found: np.array(found[1].a)

    def closeness(self, _):
        return lambda: self.gt.centrality.closeness(self.g, weight=self.lengths), self.values

    def harmonic(self, _):
        return lambda: self.gt.centrality.closeness(self.g, weight=self.lengths, harmonic=True), self.values

    def pagerank(self, _):
        return lambda: self.gt.centrality.pagerank(self.g, epsilon=RESIDUAL), self.values

    def components(self, _):
        return lambda: self.gt.topology.label_components(self.g)[0], self.values

    def core(self, _):
        return lambda: self.gt.topology.kcore_decomposition(self.g), self.values

    def clustering(self, _):
        return lambda: self.gt.clustering.local_clustering(self.g), self.values

    def values(self, found):
        return np.array(found.a)


class GDS(Peer):
    """Neo4j's Graph Data Science library. NEO4J_SERVER is the command of neo4jserver, which starts for the first graph that the library
    can take, and NEO4J_FOLDER a folder for its data.

    The graph is read from a file, without a database. Seconds are the library's computeMillis."""
    MOST_THREADS = 4  # of the library without a licence

    def __init__(self):
        import neo4j
        self.database, self.server = neo4j.GraphDatabase, None

    def start(self):
        folder = os.environ["NEO4J_FOLDER"]
        self.imports = os.path.join(folder, "import")
        os.makedirs(self.imports, exist_ok=True)
        command = shlex.split(os.environ["NEO4J_SERVER"]) + ["-gds", "-home", os.path.join(folder, "home"), "-import", self.imports]
        self.server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.driver = self.database.driver(self.server.stdout.readline().strip())
        self.version = self.ask("RETURN gds.version() AS version")[0]["version"]

    def ask(self, cypher, **parameters):
        return self.driver.execute_query(cypher, parameters_=parameters).records

    def build(self):
        if self.server is None:
            self.start()
        file = os.path.join(self.imports, "neighbours.csv")
        self.write(file)
        self.ask("CALL gds.graph.drop('g', false) YIELD graphName RETURN graphName")
        self.ask("LOAD CSV FROM 'file:///neighbours.csv' AS row UNWIND coalesce(split(row[1], ';'), [null]) AS target "
                 "RETURN gds.graph.project('g', toInteger(row[0]), toInteger(target), {}, {undirectedRelationshipTypes: ['*']})")
        os.remove(file)

    def write(self, file):
        """Writes rows of a node and up to a thousand neighbours: LOAD CSV takes longer for a row than for a number in it."""
        import pyarrow
        import pyarrow.compute
        import pyarrow.csv
        edges = self.edges[np.argsort(self.edges[:, 0], kind="stable")]
        begins = np.union1d(np.flatnonzero(np.diff(edges[:, 0], prepend=-1)), np.arange(0, len(edges), 1000)).astype(np.int32)
        ends = np.append(begins, np.int32(len(edges)))
        lists = pyarrow.ListArray.from_arrays(ends, pyarrow.array(edges[:, 1]).cast(pyarrow.string()))
        alone = np.setdiff1d(np.arange(self.n), self.edges)  # nodes without edges have no neighbours
        nodes = pyarrow.array(np.concatenate((edges[begins, 0], alone)))
        neighbours = pyarrow.concat_arrays([pyarrow.compute.binary_join(lists, ";"), pyarrow.nulls(len(alone), pyarrow.string())])
        pyarrow.csv.write_csv(pyarrow.table([nodes, neighbours], ["node", "neighbours"]), file, pyarrow.csv.WriteOptions(include_header=False))

    def set_threads(self, count):
        self.threads = min(count, self.MOST_THREADS)

    def run(self, name, **options):
        """Returns the call of an algorithm, whose scores take the place of the last ones."""
        self.ask("CALL gds.graph.nodeProperties.drop('g', 'score', {failIfMissing: false}) YIELD graphName RETURN graphName")
        options |= {"mutateProperty": "score", "concurrency": self.threads}
        return lambda: self.ask(f"CALL gds.{name}.mutate('g', $options) YIELD computeMillis RETURN computeMillis AS ms", options=options)[0]["ms"]

    def pagerank(self, _):
        def shares(found):
            scores = self.scores(found)
            return scores / np.sum(scores)
        return self.run("pageRank", maxIterations=1000, tolerance=RESIDUAL), shares

    def components(self, _):
        return self.run("wcc"), self.scores

    def core(self, _):
        return self.run("kcore"), self.scores

    def clustering(self, _):
        return self.run("localClusteringCoefficient"), self.scores

    def louvain(self, _):
        return self.run("louvain"), self.scores

    def scores(self, _):
        # A record for many nodes: the driver takes longer for a record than for a number in it.
        rows = self.ask("CALL gds.graph.nodeProperty.stream('g', 'score') YIELD nodeId, propertyValue "
                        "RETURN nodeId / 10000 AS part, collect(nodeId) AS nodes, collect(propertyValue) AS scores")
        found = np.empty(self.n)
        for row in rows:
            found[row["nodes"]] = row["scores"]
        return found

    def seconds(self, found, elapsed):
        return found / 1000 or elapsed  # of less than a millisecond the library says nothing


class Rustworkx(Peer):
    most_edges = 5_000_000  # a Python object per edge
    EVERYTHING = 2**31  # no graph has so many nodes, so none is searched in parallel

    def __init__(self):
        import rustworkx
        self.rx, self.version = rustworkx, rustworkx.__version__

    def build(self):
        self.g = self.rx.PyGraph(multigraph=False)
        self.g.add_nodes_from(range(self.n))
        self.g.add_edges_from_no_data([tuple(e) for e in self.edges.tolist()])

    def set_threads(self, count):
        # Its number of threads is that of the environment; compare.py tries one and all.
        self.above = self.EVERYTHING if count == 1 else 0

    def values(self, found):
        return np.array(list(found.values()))

    def betweenness(self, _):
        return lambda: self.rx.graph_betweenness_centrality(
            self.g, normalized=False, parallel_threshold=self.above), self.values

    def edge_betweenness(self, _):
        return lambda: self.rx.graph_edge_betweenness_centrality(
            self.g, normalized=False, parallel_threshold=self.above), self.values

    def closeness(self, _):
        return lambda: self.rx.graph_closeness_centrality(
            self.g, wf_improved=False, parallel_threshold=self.above), self.values

    def components(self, _):
        return lambda: self.rx.connected_components(self.g), lambda found: labels(self.n, found)

    def core(self, _):
        return lambda: self.rx.graph_core_number(self.g), lambda found: np.array([found[v] for v in range(self.n)])


class NetworkX(Peer):
    parallel = False
    weighted = {"betweenness", "edge_betweenness", "closeness", "harmonic"}
    sampled = {"betweenness"}
    most_edges = 5_000_000
    seconds_per_arc = 3e-7
    options = {}

    def __init__(self):
        import networkx
        self.nx, self.version = networkx, networkx.__version__

    def build(self):
        self.g = self.nx.Graph()
        self.g.add_nodes_from(range(self.n))
        if self.weights is None:
            self.g.add_edges_from(self.edges.tolist())
        else:
            self.g.add_weighted_edges_from((u, v, w) for (u, v), w in zip(self.edges.tolist(), self.weights.tolist()))
        self.length = None if self.weights is None else "weight"

    def values(self, found):
        return np.array([found[v] for v in range(self.n)])

    def betweenness(self, sources):
        if sources is None:
            return lambda: self.nx.betweenness_centrality(
                self.g, normalized=False, weight=self.length, **self.options), self.values
        return lambda: self.nx.betweenness_centrality_subset(
            self.g, sources, range(self.n), weight=self.length), self.values

    def edge_betweenness(self, _):
        def values(found):
            return np.array([found[e if e in found else e[::-1]] for e in map(tuple, self.edges.tolist())])
        return lambda: self.nx.edge_betweenness_centrality(
            self.g, normalized=False, weight=self.length, **self.options), values

    def closeness(self, _):
        return lambda: self.nx.closeness_centrality(
            self.g, distance=self.length, wf_improved=False, **self.options), self.values

    def harmonic(self, _):
        return lambda: self.nx.harmonic_centrality(self.g, distance=self.length, **self.options), self.means

    def means(self, found):
        return self.values(found) / (self.n - 1)

    def pagerank(self, _):
        return lambda: self.nx.pagerank(self.g, tol=RESIDUAL / self.n, max_iter=1000), self.values

    def components(self, _):
        return lambda: list(self.nx.connected_components(self.g)), lambda found: labels(self.n, found)

    def core(self, _):
        return lambda: self.nx.core_number(self.g), self.values

    def clustering(self, _):
        return lambda: self.nx.clustering(self.g), self.values

    def louvain(self, _):
        return lambda: self.nx.community.louvain_communities(self.g, seed=1), lambda found: labels(self.n, found)


class NxParallel(NetworkX):
    """NetworkX with the backend nx-parallel, which has two of the measures."""
    parallel = True
    sampled = set()
    seconds_per_arc = NetworkX.seconds_per_arc / (os.cpu_count() or 1)
    options = {"backend": "parallel"}

    def refuse(self, measure, sources, limit):
        if measure not in ("betweenness", "edge_betweenness"):
            return f"no {measure}"
        return super().refuse(measure, sources, limit)

    def __init__(self):
        super().__init__()
        from importlib.metadata import version
        self.version = f"{version('nx-parallel')}, NetworkX {self.version}"
        self.nx.config.backends.parallel.active = True

    def set_threads(self, count):
        self.nx.config.backends.parallel.n_jobs = count


def labels(n, groups):
    """Numbers groups of nodes: the label of each node."""
    found = np.empty(n, dtype=np.int64)
    for i, group in enumerate(groups):
        found[list(group)] = i
    return found


PEERS = {"igraph": Igraph, "NetworKit": NetworKit, "graph-tool": GraphTool, "rustworkx": Rustworkx,
         "NetworkX": NetworkX, "nx-parallel": NxParallel, "GDS": GDS}


def load(peer, graph, measure, sources, limit):
    peer.read(graph)
    if reason := peer.refuse(measure, sources, limit):
        return {"unsupported": reason}
    peer.build()
    peer.asked = getattr(peer, measure), sources
    return {"unsupported": "", "version": peer.version}


def compute(peer, threads, scores):
    peer.set_threads(threads)
    measure, sources = peer.asked
    call, scores_of = measure(sources)
    began = time.perf_counter()
    found = call()
    seconds = peer.seconds(found, time.perf_counter() - began)
    np.save(scores, scores_of(found))
    return {"seconds": seconds}


def main():
    # What programs print themselves must not get between the answers.
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    peer = PEERS[sys.argv[1]]()
    print(json.dumps({"parallel": peer.parallel}), file=out, flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps((load if "graph" in asked else compute)(peer, **asked)), file=out, flush=True)


if __name__ == "__main__":
    main()
