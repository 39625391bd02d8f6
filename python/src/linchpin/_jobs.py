"""Runs jobs of a config file."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ._errors import UsageError
from ._files import frame_library, read_output
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
    # nodes and relationships are data frames of the scores, if run was asked for them and the job has scores of that kind.
    nodes: Any = field(repr=False)
    relationships: Any = field(repr=False)
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
    scores: bool | Sequence[str] = False,
    write: bool = True,
    progress: Progress = None,
) -> Result:
    """Run a job now: export, compute, check, and write the scores back.

    The arguments are the flags of ``linchpin run``. ``config`` is linchpin.yml in the current folder, or the file that
    LINCHPIN_CONFIG names, unless it is given.

    With ``scores=True`` the result has the scores as data frames of pandas, or else of polars: ``nodes`` with columns id and
    labels, and ``relationships`` with source, target and type. ``scores=["name", "city"]`` adds these properties as columns.
    The job then runs even if nothing has changed. With ``write=False`` nothing is written to the database.

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
        "no-write": not write,
    }.items():
        if wanted:
            command.append(f"--{flag}")
    if not scores:
        return _result(job, call(command, progress)[0])
    frame_library()
    if not isinstance(scores, bool):
        command.append("--properties=" + ",".join([scores] if isinstance(scores, str) else scores))
    with tempfile.TemporaryDirectory(prefix="linchpin-") as folder:
        printed = call([*command, f"--output={folder}/{{of}}.csv"], progress)[0]
        return _result(job, printed, *(read_output(Path(folder, f"{of}.csv")) for of in ("nodes", "relationships")))


def _result(job: str, printed: dict[str, Any], nodes: Any = None, relationships: Any = None) -> Result:
    return Result(job, printed["run"], printed["unchanged"], printed["dryRun"], nodes, relationships, printed)
