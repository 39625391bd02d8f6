"""Builds the wheels: `python wheels.py` for this platform, `python wheels.py --all` for all six. It needs hatchling and Go."""

from __future__ import annotations

import argparse
import os
import platform
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent.resolve()
ROOT = HERE.parent


@dataclass(frozen=True)
class Target:
    """A platform: its names for Go, and the tags of its wheels."""

    system: str
    machine: str
    tags: str

    @property
    def program(self) -> str:
        return "linchpin.exe" if self.system == "windows" else "linchpin"


# linchpin is static, so that one wheel serves all C libraries. Go 1.26 needs macOS 12.
TARGETS = (
    Target("linux", "amd64", "manylinux2014_x86_64.manylinux_2_17_x86_64.musllinux_1_1_x86_64"),
    Target("linux", "arm64", "manylinux2014_aarch64.manylinux_2_17_aarch64.musllinux_1_1_aarch64"),
    Target("darwin", "amd64", "macosx_12_0_x86_64"),
    Target("darwin", "arm64", "macosx_12_0_arm64"),
    Target("windows", "amd64", "win_amd64"),
    Target("windows", "arm64", "win_arm64"),
)

MACHINES = {"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}


def python_version(described: str) -> str:
    """Return the version that Python has for one of git describe: v1.2.3-4-gabc-dirty is 1.2.3.post4+gabc.dirty."""
    text, dirty = described.removesuffix("-dirty"), described.endswith("-dirty")
    match = re.fullmatch(r"v?(\d+(?:\.\d+)*)(?:-(rc|alpha|beta)\.?(\d+))?(?:-(\d+)-g([0-9a-f]+))?", text)
    if match is None or "." not in match[1]:
        local = re.sub(r"[^a-zA-Z0-9]+", ".", text).strip(".") or "unknown"
        return f"0.0.0+{'g' if re.fullmatch('[0-9a-f]+', local) else ''}{local}{'.dirty' if dirty else ''}".lower()
    version = match[1] + ({"rc": "rc", "alpha": "a", "beta": "b"}[match[2]] + match[3] if match[2] else "")
    local = [part for part in (f"g{match[5]}" if match[5] else "", "dirty" if dirty else "") if part]
    return version + (f".post{match[4]}" if match[4] else "") + (f"+{'.'.join(local)}" if local else "")


def here() -> Target:
    """Return the platform of this machine."""
    system, machine = platform.system().lower(), MACHINES.get(platform.machine().lower(), "")
    for target in TARGETS:
        if (target.system, target.machine) == (system, machine):
            return target
    sys.exit(f"wheels.py: no wheel for {platform.system()} on {platform.machine()}")


def compile_program(target: Target, version: str, out: Path) -> Path:
    """Compile linchpin for a platform."""
    program = out / f"linchpin-{target.system}-{target.machine}"
    env = {**os.environ, "GOOS": target.system, "GOARCH": target.machine, "CGO_ENABLED": "0"}
    flags = ["-trimpath", "-ldflags", f"-s -w -X main.version={version}"]
    subprocess.run(["go", "build", *flags, "-o", str(program), "./cmd/linchpin"], cwd=ROOT, env=env, check=True)
    return program


def wheel(folder: Path, out: Path, version: str, **settings: str) -> None:
    """Build the wheel of a package."""
    env = {**os.environ, "LINCHPIN_WHEEL_VERSION": python_version(version)}
    env.update({f"LINCHPIN_WHEEL_{name.upper()}": value for name, value in settings.items()})
    # A wheel is a zip archive, which has times: those of the commit, so that equal builds are equal.
    time = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    env.setdefault("SOURCE_DATE_EPOCH", time.strip() or "315532800")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)], cwd=folder, env=env, check=True)


def worker_tag(worker: Path) -> str:
    """Return the tag of the GPU worker, which needs the C library that it was linked with, or a later one."""
    needs = {tuple(map(int, found)) for found in re.findall(rb"GLIBC_(\d+)\.(\d+)", worker.read_bytes())}
    major, minor = max(needs, default=(2, 17))
    return f"manylinux_{major}_{minor}_{'x86_64' if here().machine == 'amd64' else 'aarch64'}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="all six platforms instead of this one")
    parser.add_argument("--version", required=True, help="the version of the binary, as git describe has it")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "wheels")
    given = parser.parse_args()
    out = given.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    for old in out.glob("*.whl"):
        old.unlink()
    for target in TARGETS if given.all else (here(),):
        program = compile_program(target, given.version, out)
        wheel(
            HERE, out, given.version, program=str(program), name=target.program, tag=f"py3-none-{target.tags}", package="linchpin"
        )
    wheel(HERE / "nx-linchpin", out, given.version)
    worker = ROOT / "bin" / "linchpin-worker"
    if worker.is_file() and platform.system() == "Linux":
        tag = f"py3-none-{worker_tag(worker)}"
        wheel(
            HERE / "linchpin-gpu",
            out,
            given.version,
            program=str(worker),
            name="linchpin-worker",
            tag=tag,
            package="linchpin_gpu",
        )


if __name__ == "__main__":
    main()
