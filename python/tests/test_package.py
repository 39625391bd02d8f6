"""The package: measures, versions, types, and the examples of the documentation."""

from __future__ import annotations

import doctest
import importlib.metadata
import importlib.util
import inspect
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import linchpin

HERE = Path(__file__).parent.parent


def load(name: str) -> Any:
    """Load a script of this folder as a module."""
    spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def printed(*arguments: str) -> Any:
    done = subprocess.run([linchpin.binary(), *arguments, "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def test_functions_are_those_of_the_binary() -> None:
    described = printed("measures")
    written = (HERE / "src" / "linchpin" / "_measures.py").read_text()
    assert load("generate").module(described) == written, "run: make python-measures"
    for measure in described["measures"]:
        assert measure["name"] in linchpin.__all__
        assert inspect.getdoc(getattr(linchpin, measure["name"]))


def test_version_is_that_of_the_binary() -> None:
    assert load("wheels").python_version(printed("version")["version"]) == linchpin.__version__
    for name in ("linchpin-graph", "nx-linchpin"):
        assert importlib.metadata.version(name) == linchpin.__version__


@pytest.mark.parametrize(
    ("described", "version"),
    [
        ("v1.2.3", "1.2.3"),
        ("v0.1.0-dirty", "0.1.0+dirty"),
        ("v0.1.0-4-gabc1234", "0.1.0.post4+gabc1234"),
        ("v0.1.0-4-gabc1234-dirty", "0.1.0.post4+gabc1234.dirty"),
        ("v1.0.0-rc.1", "1.0.0rc1"),
        ("abc1234", "0.0.0+gabc1234"),
        ("1234567-dirty", "0.0.0+g1234567.dirty"),
        ("devel", "0.0.0+devel"),
        ("unknown", "0.0.0+unknown"),
    ],
)
def test_versions(described: str, version: str) -> None:
    assert load("wheels").python_version(described) == version


def test_numpy_is_the_only_requirement() -> None:
    needs = [need for need in importlib.metadata.requires("linchpin-graph") or [] if "extra ==" not in need]
    assert [re.split("[<>=]", need)[0] for need in needs] == ["numpy"]
    code = "import sys, linchpin; print({'pandas', 'networkx', 'scipy', 'polars', 'igraph', 'tqdm'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_types_are_marked() -> None:
    for package in ("linchpin-graph", "nx-linchpin"):
        assert any(file.name == "py.typed" for file in importlib.metadata.files(package) or [])


@pytest.mark.parametrize("page", ["README.md", "../docs/python.md"])
def test_examples(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The examples of the documentation print what stands there."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "roads.csv").write_text(
        "src,dst,weight\nOslo,Bergen,463\nOslo,Trondheim,494\nTrondheim,Bodø,705\n", encoding="utf-8"
    )
    results = doctest.testfile(str((HERE / page).resolve()), module_relative=False, encoding="utf-8")
    assert results.failed == 0
    assert results.attempted > 10
