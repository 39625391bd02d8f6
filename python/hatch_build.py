"""Puts the program of one platform into a wheel, and tags the wheel with it. wheels.py sets the environment."""

from __future__ import annotations

import os
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface


class ProgramHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds LINCHPIN_WHEEL_PROGRAM as bin/NAME of the module LINCHPIN_WHEEL_PACKAGE, tagged LINCHPIN_WHEEL_TAG."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return  # LINCHPIN_BINARY names the program
        program = os.environ["LINCHPIN_WHEEL_PROGRAM"]
        package = os.environ["LINCHPIN_WHEEL_PACKAGE"]
        build_data["force_include"][program] = f"{package}/bin/{os.environ['LINCHPIN_WHEEL_NAME']}"
        build_data["pure_python"] = False
        build_data["tag"] = os.environ["LINCHPIN_WHEEL_TAG"]


class SameVersionHook(MetadataHookInterface):
    """Demands linchpin-graph of the same version: both are built from one commit."""

    def update(self, metadata: dict[str, Any]) -> None:
        same = f"linchpin-graph=={os.environ['LINCHPIN_WHEEL_VERSION']}"
        metadata["dependencies"] = [same, *self.config.get("dependencies", [])]
