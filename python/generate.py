"""Writes src/linchpin/_measures.py: a function for each measure of the binary. `python generate.py BINARY` prints it."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap

TYPES = {"bool": "bool | None", "integer": "int | None", "number": "float | None", "text": "str | None"}

HEAD = '''\
"""A function for each measure. generate.py writes this file from what `linchpin measures --json` prints."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ._compute import compute
from ._progress import Progress
'''

COMMON = {
    "weight": (
        "Any",
        "None",
        "Edges have this length. The name of an edge attribute (NetworkX, igraph) or of a column (data frames), True for a "
        "sparse matrix or a file, or an array with a value per edge. Without it edges have the length 1.",
    ),
    "edges": ("bool", "False", "Return the scores of edges instead of nodes."),
    "directed": (
        "bool | None",
        "None",
        "Follow edges from source to target only. None takes it from the graph, and is False for edge lists.",
    ),
    "parallel": (
        "str | None",
        "None",
        "What several edges between two nodes become: keep, min, max, sum or count. None is what the graph's library does.",
    ),
    "sources": ("Iterable[Any] | None", "None", "Search from these nodes alone. Scores are not scaled."),
    "samples": ("int | None", "None", "Search from so many nodes, drawn at random. Scores are scaled up."),
    "seed": ("int | None", "None", "Draw by this seed."),
    "device": ("str", '"auto"', "auto, cpu, gpu, or GPUs, such as gpu:0 or gpu:0,2."),
    "threads": ("int", "0", "Threads of the CPU; 0 for all. Scores do not depend on it."),
    "progress": (
        "Progress",
        "None",
        "True or False for a bar, None for one where somebody can see it, or a function of done and total.",
    ),
    "columns": ("tuple[str, str] | None", "None", "The columns of a data frame that hold source and target."),
    "nodes": ("int | None", "None", "The number of nodes, for an array of edges."),
}


def parameters(measure: dict, options: dict) -> dict:
    """Return the parameters of a measure: type, default and description by name."""
    out = dict(COMMON)
    if measure["weights"] == "no":
        del out["weight"]
    if not measure.get("edge"):
        del out["edges"]
    if not measure["sources"]:
        del out["sources"]
    if not measure["samples"]:
        del out["samples"], out["seed"]
    if measure["seeded"]:
        out["seed"] = ("int | None", "None", "Choose among results by this seed; None is 1.")
    for name in measure["options"]:
        text = options[name]["help"]
        if name == "variant":
            text = f"One of {', '.join(measure['variants'])}."
        out[name] = (TYPES[options[name]["type"]], "None", text)
    if measure["weights"] == "optional" and measure["seeded"]:
        out["weight"] = (*out["weight"][:2], out["weight"][2].replace("length", "strength"))
    elif measure["weights"] == "optional":
        out["tolerance"] = (TYPES["number"], "None", options["tolerance"]["help"])
    if measure["weights"] == "required":
        out["weight"] = (
            "Any",
            None,
            out["weight"][2].replace(" Without it edges have the length 1.", "").replace("length", "weight"),
        )
    return out


def function(measure: dict, options: dict) -> str:
    given = parameters(measure, options)
    names = sorted(given, key=lambda name: given[name][1] is not None)
    lines = [f"def {measure['name']}(", "    graph: Any,", "    *,"]
    for name in names:
        kind, default, _ = given[name]
        lines.append(f"    {name}: {kind}," if default is None else f"    {name}: {kind} = {default},")
    lines += [") -> Any:", f'    """Return {measure["name"]}: {measure["summary"]}.', ""]
    lines += wrap(f"Score of a node: {measure['node']}.", 4)
    if measure.get("edge"):
        lines += wrap(f"Score of an edge: {measure['edge']}.", 4)
    if measure.get("bias"):
        lines += wrap(f"Note that {measure['bias']}.", 4)
    lines += [
        "",
        "    Args:",
        "        graph: A graph of NetworkX or igraph, a sparse matrix of SciPy, a data frame with an edge per row,",
    ]
    lines.append("            an array of NumPy with an edge per row, or the path of a file.")
    for name in names:
        lines += wrap(f"{name}: {given[name][2]}", 8, 12)
    lines += ['    """', "    return compute(", f'        "{measure["name"]}",', "        graph,"]
    return "\n".join([*lines, *(f"        {name}={name}," for name in names), "    )"])


def wrap(text: str, indent: int, rest: int | None = None) -> list[str]:
    rest = indent if rest is None else rest
    return textwrap.wrap(text, 118, initial_indent=" " * indent, subsequent_indent=" " * rest, break_long_words=False)


def module(described: dict) -> str:
    options = {option["name"]: option for option in described["options"]}
    functions = [function(measure, options) for measure in described["measures"]]
    names = [measure["name"] for measure in described["measures"]]
    every = "MEASURES = (\n" + "".join(f'    "{name}",\n' for name in names) + ")"
    return "\n\n\n".join([HEAD + "\n" + every, *functions]) + "\n"


if __name__ == "__main__":
    printed = subprocess.run([sys.argv[1], "measures", "--json"], check=True, capture_output=True, text=True).stdout
    sys.stdout.write(module(json.loads(printed)))
