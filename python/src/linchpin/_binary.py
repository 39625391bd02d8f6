"""Finds the binary that the wheel carries, and the GPU worker of the package linchpin-gpu."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

from ._errors import BinaryMissingError


def binary() -> str:
    """Return the path of the linchpin binary.

    The environment variable LINCHPIN_BINARY comes before the binary that the wheel carries.
    """
    named = os.environ.get("LINCHPIN_BINARY")
    if named:
        return named
    packaged = Path(__file__).parent / "bin" / ("linchpin.exe" if sys.platform == "win32" else "linchpin")
    if packaged.is_file():
        return str(packaged)
    raise BinaryMissingError(
        "this installation of the package has no linchpin binary",
        "install a wheel for this platform, or let LINCHPIN_BINARY name the binary",
    )


def environment() -> dict[str, str]:
    """Return the environment of the binary. It names the GPU worker of the package linchpin-gpu, if that is installed."""
    env = dict(os.environ)
    spec = importlib.util.find_spec("linchpin_gpu")
    if spec is not None and spec.origin is not None and "LINCHPIN_WORKER" not in env:
        worker = Path(spec.origin).parent / "bin" / "linchpin-worker"
        if worker.is_file():
            env["LINCHPIN_WORKER"] = str(worker)
    return env
