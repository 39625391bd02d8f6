"""The graphs of the rows, as .npz files that linchpin and its peers read alike.

linchpin-bench makes them, or reads them from a folder. A file is a sparse matrix in SciPy's form coo with one entry per
edge, and without `data` if the graph has no weights.
"""
import pathlib
import subprocess
import tempfile

import numpy as np
import pyarrow.csv
import scipy.sparse


def find(name, bench, data, cache):
    """Returns the file of a graph, which it makes once. Raises LookupError with a reason if it cannot be had."""
    path = pathlib.Path(cache) / f"{name.replace(':', '-')}.npz"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        plain, _, part = name.partition(":")
        save(path, *largest(*pack(plain, bench, data)) if part == "lcc" else pack(plain, bench, data))
    return path


def pack(name, bench, data):
    """Returns n, the ends of edges and their weights, or None."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([bench, "--pack", folder, "--graphs", name] + (["--data", data] if data else []),
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise LookupError(done.stderr.strip().splitlines()[0].removeprefix("linchpin-bench: "))
        table = pyarrow.csv.read_csv(f"{folder}/{name}.csv.gz")
    ends = np.column_stack((table["src"].to_numpy(), table["dst"].to_numpy())).astype(np.int32)
    weights = table["weight"].to_numpy().astype(float) if "weight" in table.column_names else None
    proper = ends[:, 0] != ends[:, 1]  # a node without edges is packed as a self-loop
    return int(ends.max()) + 1, ends[proper], weights[proper] if weights is not None else None


def largest(n, ends, weights):
    """Returns the largest component, its nodes in the order that they had."""
    matrix = scipy.sparse.coo_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(n, n))
    _, component = scipy.sparse.csgraph.connected_components(matrix, directed=False)
    inside = component == np.bincount(component).argmax()
    number = np.cumsum(inside, dtype=np.int32) - 1
    kept = inside[ends[:, 0]]
    return int(inside.sum()), number[ends[kept]], weights[kept] if weights is not None else None


def save(path, n, ends, weights):
    arrays = {"format": np.array(b"coo"), "shape": np.array([n, n]), "row": ends[:, 0], "col": ends[:, 1]}
    if weights is not None:
        arrays["data"] = weights
    part = path.with_suffix(".part.npz")
    np.savez(part, **arrays)
    part.rename(path)
