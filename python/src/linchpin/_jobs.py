"""Runs jobs of a config file."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ._errors import UsageError
from ._process import call
from ._progress import Progress


@dataclass(frozen=True)
class Result:
    """What became of the run of a job."""

    job: str
    # record is the record of the run, as linchpin history --json shows it.
    record: dict[str, Any]
    # unchanged says that there was nothing to do: neither graph nor settings changed since the last run.
    unchanged: bool
    dry_run: bool
    # printed is the whole value that linchpin run --json printed.
    printed: dict[str, Any] = field(repr=False)

    @property
    def seconds(self) -> dict[str, float]:
        """The time of each step."""
        return dict(self.record.get("seconds") or {})


def run(
    job: str,
    *,
    config: str | os.PathLike[str] | None = None,
    device: str | None = None,
    sample: int | None = None,
    recompute: bool = False,
    dry_run: bool = False,
    ignore_limits: bool = False,
    force: bool = False,
    fail_if_skipped: bool = False,
    from_step: str | None = None,
    wait: str | None = None,
    progress: Progress = None,
) -> Result:
    """Run a job now: export, compute, check, and write the scores back.

    The arguments are the flags of ``linchpin run``. ``config`` is linchpin.yml in the current folder, or the file that
    LINCHPIN_CONFIG names, unless it is given.

    An exception of this package says how a failed run ended; ``LinchpinError.status`` is the exit status.
    """
    if not job or job.startswith("-"):
        raise UsageError(f"{job!r} is not the name of a job")
    command = ["run", job]
    for flag, value in {"config": config, "device": device, "sample": sample, "from": from_step, "wait": wait}.items():
        if value is not None:
            command.append(f"--{flag}={os.fspath(value) if isinstance(value, Path) else value}")
    for flag, wanted in {
        "recompute": recompute,
        "dry-run": dry_run,
        "ignore-limits": ignore_limits,
        "force": force,
        "fail-if-skipped": fail_if_skipped,
    }.items():
        if wanted:
            command.append(f"--{flag}")
    printed = call(command, progress)[0]
    return Result(job, printed["run"], printed["unchanged"], printed["dryRun"], printed)
