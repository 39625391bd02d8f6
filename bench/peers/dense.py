"""Dense graphs of up to 16,384 nodes, drawn anew, to see which engine auto takes from few sources of them.

    python dense.py draw FOLDER SEED [NAMES]    writes FOLDER/NAME.csv.gz for linchpin-bench, and lists the graphs
    python dense.py table RECORDS...            next to each record of auto the ways by hand, and the best of them over auto

Between the two, on the device:

    linchpin-bench --data FOLDER --device gpu --graphs data:NAME,... --measure betweenness --precision double --drawn 64 \\
        --strategies auto,work-efficient,work-efficient-warp-4,levels --out RECORDS

A name begins with the kind of graph. Then come thousands of nodes and arcs per node, as in er8-50, and what kinds have besides.
The same seed and numpy draw the same graph again.
"""
import gzip
import json
import pathlib
import sys
import zlib

import numpy as np


def simple(u, v):
    """Each edge once, without loops."""
    u, v = np.asarray(u, dtype=np.int64), np.asarray(v, dtype=np.int64)
    low, high = np.minimum(u, v), np.maximum(u, v)
    keys = np.unique((low << 32 | high)[low != high])
    return keys >> 32, keys & 0xFFFFFFFF


def compact(u, v):
    """Numbers from 0 on, without gaps, in the same order."""
    _, ends = np.unique(np.concatenate([u, v]), return_inverse=True)
    return ends[:len(u)], ends[len(u):]


def random(r, n, degree):
    m = int(n * degree / 2 * 1.05)
    return r.integers(0, n, m), r.integers(0, n, m)


def growing(r, n, each, triads=0.0):
    """Barabasi and Albert: a node joins others as often as these have edges. Holme and Kim's close triangles on the way."""
    ends, count, near, edges = np.empty(2 * n * each + 2, dtype=np.int64), each, [[] for _ in range(n)], []
    ends[:each] = np.arange(each)
    for v in range(each, n):
        chosen, last = set(), -1
        while len(chosen) < each:
            if triads and last >= 0 and r.random() < triads and near[last]:
                w = near[last][r.integers(len(near[last]))]
            else:
                w = int(ends[r.integers(count)])
            if w != v and w not in chosen:
                chosen.add(w)
                last = w
            else:
                last = -1
        for w in chosen:
            edges.append((v, w))
            near[v].append(w)
            near[w].append(v)
            ends[count:count + 2] = w, v
            count += 2
    return np.array(edges).T


def ring(r, n, degree, percent):
    """Watts and Strogatz: neighbours on a ring, so many percent of them drawn anew."""
    u = np.repeat(np.arange(n), degree // 2)
    v = (u + np.tile(np.arange(1, degree // 2 + 1), n)) % n
    anew = r.random(len(u)) < percent / 100
    return u, np.where(anew, r.integers(0, n, len(u)), v)


def square(r, n, degree, by_place=False):
    """Points of a square that are close to one another; by_place, their numbers follow their places."""
    points, reach = r.random((n, 2)), (degree / (np.pi * n)) ** 0.5
    if by_place:
        strips = max(1, int(1 / reach))
        points = points[np.lexsort((points[:, 1], (points[:, 0] * strips).astype(int)))]
    found = []
    for first in range(0, n, 500):
        apart = ((points[first:first + 500, None] - points[None]) ** 2).sum(-1)
        u, v = np.nonzero(apart < reach * reach)
        found.append((u + first, v))
    return np.concatenate(found, axis=1)


def cube(r, side, reach, share):
    """Points of a cube, joined to a share of those within reach along every axis."""
    x, y, z = np.unravel_index(np.arange(side ** 3), (side, side, side))
    steps, found = range(-reach, reach + 1), []
    for step in ((a, b, c) for a in steps for b in steps for c in steps if (a, b, c) > (0, 0, 0)):
        there = [at + by for at, by in zip((x, y, z), step)]
        inside = np.all([(t >= 0) & (t < side) for t in there], axis=0)
        u, v = np.nonzero(inside)[0], np.ravel_multi_index([t[inside] for t in there], (side, side, side))
        kept = r.random(len(u)) < share
        found.append((u[kept], v[kept]))
    return np.concatenate(found, axis=1)


def groups(r, n, count, degree, mixed=0.03):
    size, m = n // count, int(n * degree / 2)
    group = r.integers(0, count, m)
    u = group * size + r.integers(0, size, m)
    return u, np.where(r.random(m) < mixed, r.integers(0, n, m), group * size + r.integers(0, size, m))


def cliques(_, count, size):
    """A ring of cliques, each joined to the next by one edge."""
    u, v = np.triu_indices(size, 1)
    first = np.arange(count)[:, None] * size
    next_ = (np.arange(count) + 1) % count * size + 1
    return np.append((u + first).ravel(), first), np.append((v + first).ravel(), next_)


def papers(r, n, degree):
    """Authors of papers, of 3 to 60 each: cliques of many sizes that share nodes."""
    found, edges = [], 0
    while edges < n * degree / 2:
        size = int(min(60, 3 + r.pareto(1.5) * 4))
        authors, (u, v) = r.integers(0, n, size), np.triu_indices(size, 1)
        found.append((authors[u], authors[v]))
        edges += len(u)
    return np.concatenate(found, axis=1)


def rmat(r, scale, m):
    u, v = np.zeros(m, dtype=np.int64), np.zeros(m, dtype=np.int64)
    for _ in range(scale):
        x = r.random(m)
        u, v = 2 * u + (x >= 0.76), 2 * v + (((x >= 0.57) & (x < 0.76)) | (x >= 0.95))
    return u, v


def parts(r, shape, count, scale, m):
    """R-MATs with 20 edges between those of each pair: of a chain, of a binary tree, or of any."""
    found, size = [], 1 << scale
    pairs = [tuple(pair) for pair in r.integers(0, count, (3 * count, 2))]
    if shape == "chain":
        pairs = [(i, i + 1) for i in range(count - 1)]
    elif shape == "tree":
        pairs = [(i, (i - 1) // 2) for i in range(1, count)]
    for part in range(count):
        u, v = rmat(r, scale, m)
        found.append((u + part * size, v + part * size))
    for a, b in pairs:
        found.append((a * size + r.integers(0, size, 20), b * size + r.integers(0, size, 20)))
    return np.concatenate(found, axis=1)


def hubs(r, n, degree, count):
    """A random graph in which some nodes have an eighth of all as neighbours besides."""
    u, v = random(r, n, degree)
    nodes = np.repeat(r.choice(n, count, replace=False), n // 8)
    return np.append(u, nodes), np.append(v, r.integers(0, n, len(nodes)))


def sides(r, left, right, m):
    return r.integers(0, left, m), left + r.integers(0, right, m)


def kinds():
    """The graphs by name, each a function that draws it."""
    out = {f"er{n}-{d}": lambda r, n=n, d=d: random(r, n * 1000, d)
           for n, d in ((4, 24), (4, 100), (6, 20), (8, 30), (8, 50), (10, 33), (16, 25), (16, 60))}
    out |= {f"ws{n}-{d}-{p}": lambda r, n=n, d=d, p=p: ring(r, n * 1000, d, p)
            for n, d, p in ((4, 24, 5), (4, 100, 1), (6, 40, 1), (6, 80, 3), (8, 30, 5), (8, 50, 1), (8, 50, 10), (8, 50, 30),
                            (8, 60, 0), (8, 100, 2), (10, 60, 1), (12, 30, 5), (14, 24, 2), (14, 50, 2), (16, 20, 5),
                            (16, 40, 1), (16, 60, 5))}
    out |= {f"rgg{n}-{d}": lambda r, n=n, d=d: square(r, n * 1000, d) for n, d in ((4, 24), (8, 30), (8, 50), (16, 24), (16, 60))}
    out |= {f"wsrgg{n}-{d}": lambda r, n=n, d=d: square(r, n * 1000, d, by_place=True) for n, d in ((8, 50), (16, 40))}
    out |= {f"ba{n}-{d}": lambda r, n=n, d=d: growing(r, n * 1000, d) for n, d in ((8, 20), (12, 30), (16, 12))}
    out |= {f"hk{n}-{d}": lambda r, n=n, d=d, t=t: growing(r, n * 1000, d, t) for n, d, t in ((8, 20, 0.8), (14, 16, 0.6))}
    out |= {f"sbm{n}-{g}": lambda r, n=n, g=g, d=d: groups(r, n * 1000, g, d)
            for n, g, d in ((4, 40, 24), (6, 200, 24), (8, 20, 48), (8, 100, 40), (12, 60, 36), (16, 400, 22))}
    return out | {
        "aff8": lambda r: papers(r, 6000, 56), "aff16": lambda r: papers(r, 12500, 40),
        "rmat13": lambda r: compact(*rmat(r, 13, 260000)), "rmat14": lambda r: compact(*rmat(r, 14, 300000)),
        "modchain": lambda r: parts(r, "chain", 16, 9, 20000), "modtree": lambda r: parts(r, "tree", 25, 9, 16000),
        "modrand": lambda r: parts(r, "any", 16, 9, 20000), "star10-30": lambda r: hubs(r, 10000, 30, 4),
        "bip": lambda r: sides(r, 6000, 4000, 200000), "wscliq8-40": lambda r: cliques(r, 200, 40),
        "cube22": lambda r: cube(r, 22, 1, 1), "cube20-2": lambda r: cube(r, 20, 2, 0.5),
    }


def draw(folder, seed, *names):
    folder, of = pathlib.Path(folder), kinds()
    folder.mkdir(parents=True, exist_ok=True)
    for name in names or of:
        r = np.random.default_rng([int(seed), zlib.crc32(name.encode())])
        u, v = simple(*of[name](r))
        if not name.startswith(("ws", "cube", "mod", "sbm")):  # numbers of these have a meaning
            anew = r.permutation(max(u.max(), v.max()) + 1)
            u, v = anew[u], anew[v]
        u, v = compact(u, v)
        n, m = max(u.max(), v.max()) + 1, len(u)
        with gzip.open(folder / f"{name}.csv.gz", "wt", compresslevel=1) as file:
            file.write("src,dst\n")
            file.writelines(f"{a},{b}\n" for a, b in zip(u.tolist(), v.tolist()))
        print(f"{name:12} {n:6} nodes, {2 * m / n:5.1f} arcs per node", flush=True)


def table(*files):
    for file in files:
        runs, close = {}, 0
        for record in map(json.loads, open(file)):
            if record["status"] == "ok":
                runs.setdefault((record["drawn"], record["graph"].removeprefix("data:")), {})[record["strategy"]] = record
        runs = {key: ways for key, ways in sorted(runs.items()) if "auto" in ways and len(ways) > 1}
        for (drawn, graph), ways in runs.items():
            auto = ways.pop("auto")
            took = {name: 1e3 * way["seconds"]["compute"] for name, way in ways.items()}
            mine = 1e3 * auto["seconds"]["compute"]
            close += min(took.values()) >= 0.9 * mine
            print(f"{drawn:6} {graph:24} {auto['n']:8} {2 * auto['m'] / auto['n']:5.1f} auto {mine:9.3f} {auto['taken']:22} "
                  f"{ {name: round(ms, 2) for name, ms in took.items()} } {min(took.values()) / mine:.3f}")
        print(f"# {close} of {len(runs)} within 10 %")


if __name__ == "__main__":
    if sys.argv[1:2] == ["draw"] and len(sys.argv) > 3:
        draw(*sys.argv[2:])
    elif sys.argv[1:2] == ["table"] and len(sys.argv) > 2:
        table(*sys.argv[2:])
    else:
        sys.exit(__doc__)
