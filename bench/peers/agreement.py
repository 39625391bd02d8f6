"""Whether two programs found the same."""
import numpy as np

# Largest relative differences. PageRank is iterated, by each program to its own kind of residual.
ALLOWED = {"pagerank": 1e-6, "components": 0, "core": 0, "louvain": 0.01}
EXACT = 1e-9


class Graph:
    def __init__(self, n, sources, targets):
        self.n, self.m, self.sources, self.targets = n, len(sources), sources, targets

    def modularity(self, group):
        """The modularity of numbered groups of nodes."""
        if self.m == 0:
            return 0.0
        group = np.unique(group, return_inverse=True)[1]
        within = np.mean(group[self.sources] == group[self.targets])
        ends = np.bincount(group[self.sources], minlength=group.max() + 1) + np.bincount(
            group[self.targets], minlength=group.max() + 1)
        return float(within - np.sum((ends / (2 * self.m)) ** 2))


def difference(measure, graph, want, found):
    """How far `found` is from `want`: as a share of the larger score, in the worst place; of components, 1 if they are
    others; of groups, how much less modularity `want` has."""
    if want.shape != found.shape or not np.all(np.isfinite(found)):
        return 1.0
    if measure == "components":
        return float(np.any(by_first(want) != by_first(found)))
    if measure == "louvain":
        return max(0.0, graph.modularity(found) - graph.modularity(want))
    # Sums of floats leave traces where the score is 0.
    larger = np.maximum(np.maximum(np.abs(want), np.abs(found)), 1e-4 * np.max(np.abs(want), initial=0))
    return float(np.max(np.abs(want - found) / np.where(larger > 0, larger, 1), initial=0))


def by_first(labels):
    """Numbers groups by their first nodes."""
    _, first, number = np.unique(labels, return_index=True, return_inverse=True)
    return first[number]


def allowed(measure):
    return ALLOWED.get(measure, EXACT)
