"""Times linchpin on the CPU next to igraph, NetworKit, graph-tool, rustworkx, NetworkX and GDS: `make bench-peers`.

    python compare.py --out FILE.jsonl [ROW ...]

A ROW is a group, a graph or GROUP/GRAPH of rows.py; without any, all but the group `tiny` are measured. In a row all
programs have the same graph, sources and cores. Each is tried with 1, 2, 4, ... threads and keeps the number with which it
was fastest; where a run with all cores takes long, fewer threads are not tried. Then they take turns. Scores are compared with
linchpin's. A peer that differs where two others have the same scores is recorded as wrong; otherwise a row in which scores
differ is an error, and not recorded.

Each program of a row appends a JSON line to --out, in place of those that the row had before. Seconds are those of the
computation alone, after the graph is in memory.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile

import graphs
import programs
from race import Race
from rows import ROWS

BUSY = 0.75  # load average per core, from which on records say that the machine was busy


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("rows", nargs="*", metavar="ROW")
    p.add_argument("--out", default="build/peers.jsonl", help="results file")
    p.add_argument("--data", default="", help="folder of the graphs that do not ship; without it their rows are left out")
    p.add_argument("--cache", default=".cache", help="folder of the peers' packages, and for graphs")
    p.add_argument("--program", default="bin/linchpin")
    p.add_argument("--bench", default="bin/linchpin-bench", help="linchpin-bench, which makes the graphs")
    p.add_argument("--neo4j", default="", help="command of neo4jserver, which runs GDS; without it GDS is left out")
    p.add_argument("--cores", default="", help="processors to run on, such as 0,1; all without it")
    p.add_argument("--limit", type=float, default=120, help="seconds after which a run is ended")
    p.add_argument("--list", action="store_true", help="list the rows")
    return p.parse_args()


def main():
    options = arguments()
    chosen = [r for r in ROWS if r.chosen(options.rows) and (options.rows or r.group != "tiny")]
    if options.list:
        print(*(f"{r.name}: {r.measure}" for r in chosen), sep="\n")
        return
    if not chosen:
        sys.exit("compare.py: no such row; --list shows them")
    load = os.getloadavg()[0]
    cores = pin(options.cores)
    facts = {"machine": processor(), "cores": cores, "load": round(load, 2), "busy": load > BUSY * cores, "commit": commit()}
    if facts["busy"]:
        warn(f"the machine is busy (load {load:.1f}): records say so, and are no results")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        here = [p for p in programs.peers(options.cache, cores, options.neo4j, folder) if available(p)]
        failed = [row.name for row in chosen if not measure(row, here, options, facts)]
    if failed:
        sys.exit(f"compare.py: scores differ, or a program failed: {' '.join(failed)}")


def pin(cores):
    """Keeps this process and those that it starts on some processors, and returns how many these are."""
    if not hasattr(os, "sched_setaffinity"):
        return os.cpu_count()
    if cores:
        os.sched_setaffinity(0, {int(c) for c in cores.split(",")})
    return len(os.sched_getaffinity(0))


def available(peer):
    try:
        peer.start()
        peer.close()
        return True
    except (OSError, RuntimeError) as e:
        warn(f"{peer.name} is left out: {e}")
        return False


def measure(row, peers, options, facts):
    """Measures and records a row. Reports whether all went well; a graph that cannot be had is no failure."""
    try:
        path = graphs.find(row.graph, options.bench, options.data, pathlib.Path(options.cache) / "bench-peers")
    except LookupError as e:
        warn(f"{row.name} is left out: {e}")
        return True
    print(f"{row.name}: {row.measure}", flush=True)
    race = Race(row, path, facts["cores"], options.limit)
    race.run([*ours(row, options.program), *peers])
    for e in race.entries:
        print(f"  {e.program.name:22} {min(e.seconds):10.4g} s, {e.threads} threads, differs {e.differs:.1g}", flush=True)
    if race.disagree():
        warn(f"{row.name}: scores differ from linchpin's: {', '.join(e.program.name for e in race.disagree())}")
        if not race.outvoted():
            return False
    record(options.out, row, race, facts)
    return not race.failed


def ours(row, program):
    """With reductions and without, where there are any: of shortest paths from all nodes."""
    reducible = row.measure.endswith("betweenness") and not row.sources
    return [programs.Linchpin(program, how)
            for how, wanted in (("auto", row.reduce), ("off", reducible or not row.reduce)) if wanted]


def record(out, row, race, facts):
    """Puts the lines of a row in place of those that the file has."""
    out = pathlib.Path(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    old = out.read_text().splitlines() if out.exists() else []
    kept = [line for line in old if json.loads(line)["row"] != row.name]
    new = [json.dumps(line) for line in lines(row, race, facts)]
    part = out.with_suffix(".part")
    part.write_text("".join(f"{line}\n" for line in kept + new))
    part.rename(out)


def lines(row, race, facts):
    about = {
        "row": row.name, "group": row.group, "graph": row.graph, "n": race.graph.n, "m": race.graph.m,
        "measure": row.measure, "weights": row.weights, "sources": len(race.sources or []) or race.graph.n,
        "date": datetime.date.today().isoformat(), "command": f"make bench-peers ROW={row.name}", **facts,
    }
    for e in race.entries:
        yield about | {"program": e.program.name, "version": e.program.version, "threads": e.threads,
                       "tried": e.tried, "seconds": e.seconds, "differs": e.differs, "how": e.program.how,
                       **({"wrong": True} if e in race.outvoted() else {}),
                       **({} if e.modularity is None else {"modularity": e.modularity})}
    for program in race.over:
        yield about | {"program": program.name, "version": program.version, "over": race.limit}


def processor():
    try:
        with open("/proc/cpuinfo") as lines:
            return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def commit():
    def git(*words):
        return subprocess.run(["git", *words], capture_output=True, text=True, cwd=programs.HERE).stdout.strip()
    return git("rev-parse", "--short", "HEAD") + ("-dirty" if git("status", "--porcelain", "-uno") else "")


def warn(text):
    print(f"compare.py: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
