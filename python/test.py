"""Tests the wheels on the oldest and the newest Python of this machine: `python3 test.py --cache DIR --version V`."""

from __future__ import annotations

import argparse
import glob
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent.resolve()
WHEELS = HERE.parent / "build" / "wheels"
OLDEST = (3, 10)


def interpreters() -> dict[tuple[int, int], str]:
    """Return the Pythons of this machine that the packages support, by version: on PATH, and those of pyenv."""
    found: dict[tuple[int, int], str] = {}
    names = ["python3", *(f"python3.{minor}" for minor in range(OLDEST[1], 20))]
    pyenv = os.environ.get("PYENV_ROOT", os.path.expanduser("~/.pyenv"))
    paths = [shutil.which(name) for name in names] + sorted(glob.glob(f"{pyenv}/versions/3.*/bin/python3"))
    for path in [sys.executable, *paths]:
        if path is None:
            continue
        code = "import sys; print(*sys.version_info[:2])"
        done = subprocess.run([path, "-c", code], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            major, minor = map(int, done.stdout.split())
            found.setdefault((major, minor), path)
    return {version: path for version, path in sorted(found.items()) if version >= OLDEST}


def run(*command: str | Path, cwd: Path = HERE) -> None:
    subprocess.run([str(word) for word in command], check=True, cwd=cwd)


def environment(python: str, version: tuple[int, int], cache: Path) -> Path:
    """Return the Python of an environment with what the tests need. It is kept until the requirements change."""
    requirements = HERE / "requirements.txt"
    digest = hashlib.sha256(requirements.read_bytes()).hexdigest()
    folder = cache / f"python-{version[0]}.{version[1]}"
    inside, mark = folder / "bin" / "python", folder / "requirements"
    if not mark.is_file() or mark.read_text() != digest:
        shutil.rmtree(folder, ignore_errors=True)
        run(python, "-m", "venv", folder)
        run(inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements)
        mark.write_text(digest)
    return inside


def install_fresh(python: Path) -> None:
    """Install the wheel as a user does, into an environment that has nothing."""
    with tempfile.TemporaryDirectory() as folder:
        run(python, "-m", "venv", folder)
        inside = Path(folder) / "bin" / "python"
        run(
            inside,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--find-links",
            WHEELS,
            *WHEELS.glob("linchpin_graph-*.whl"),
        )
        code = "import linchpin, numpy; assert linchpin.degree(numpy.array([[0, 1]])).tolist() == [1, 1]"
        run(inside, "-c", code, cwd=Path(folder))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--version", required=True, help="the version of the binary")
    given = parser.parse_args()
    found = interpreters()
    if not found:
        sys.exit(f"test.py: no Python {OLDEST[0]}.{OLDEST[1]} or later on this machine")
    tested = sorted({min(found), max(found)}, reverse=True)
    for number, version in enumerate(tested):
        python = environment(found[version], version, given.cache.resolve())
        if number == 0:
            run(python, "wheels.py", "--version", given.version)
            if version >= (3, 12):
                run(python, "-m", "ruff", "check", ".")
                run(python, "-m", "ruff", "format", "--check", ".")
                run(python, "-m", "mypy", "src", "nx-linchpin/src")
            install_fresh(python)
        wheels = [*WHEELS.glob("linchpin_graph-*.whl"), *WHEELS.glob("nx_linchpin-*.whl")]
        run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--force-reinstall", *wheels)
        run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests")
    print("tested on Python", " and ".join(".".join(map(str, version)) for version in tested))


if __name__ == "__main__":
    main()
