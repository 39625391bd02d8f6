"""Runs the binary: its progress, its warnings, its errors, and what it prints."""

from __future__ import annotations

import contextlib
import json
import logging
import subprocess
import sys
import threading
import warnings
from collections import deque
from collections.abc import Callable
from typing import IO, Any

from ._binary import binary, environment
from ._errors import BY_STATUS, BinaryMissingError, LinchpinError, LinchpinWarning
from ._progress import Progress, Reporter

log = logging.getLogger("linchpin")

# How long the binary may take to end after an interrupt. It records that, and gives up its lock.
PATIENCE_SECONDS = 15.0

# How often the binary reports progress.
PROGRESS_INTERVAL = "300ms"


class _Log:
    """What the binary writes to standard error: a JSON object per line."""

    def __init__(self, reporter: Reporter, stop: Callable[[], object]) -> None:
        self._reporter = reporter
        self._stop = stop
        # What a function that is called with progress raised. It ends the run.
        self.raised: BaseException | None = None
        self.errors: list[tuple[str, str]] = []
        self.warnings: list[str] = []
        self.other: deque[str] = deque(maxlen=20)

    def read(self, stream: IO[str]) -> None:
        for line in stream:
            try:
                entry = json.loads(line)
            except ValueError:
                entry = None
            if isinstance(entry, dict) and "msg" in entry:
                self._take(entry)
            elif line.strip():
                self.other.append(line.rstrip())

    def _take(self, entry: dict[str, Any]) -> None:
        message, level = str(entry["msg"]), entry.get("level")
        if level == "ERROR":
            self.errors.append((message, str(entry.get("hint", ""))))
        elif level == "WARN":
            self.warnings.append(message)
        elif message == "progress":
            self._progress(entry)
        else:
            log.debug("%s: %s", message, entry.get("result", ""))

    def _progress(self, entry: dict[str, Any]) -> None:
        if not self._reporter.on or self.raised is not None:
            return
        try:
            self._reporter.report(str(entry.get("step", "")), int(entry["done"]), int(entry["of"]), str(entry.get("unit", "")))
        except BaseException as error:
            self.raised = error
            self._stop()

    def error(self, status: int) -> LinchpinError:
        """Return the exception for an exit status, with what the binary said."""
        kind = BY_STATUS.get(status, LinchpinError)
        if self.errors:
            hints = "; ".join(dict.fromkeys(hint for _, hint in self.errors if hint))
            return kind("; ".join(message for message, _ in self.errors), hints)
        text = "\n".join(self.other) or "it printed no reason"
        return kind(f"linchpin ended with status {status}: {text}")


def call(arguments: list[str], progress: Progress = None) -> Any:
    """Run the binary and return the JSON value that it prints.

    An interrupt, or any other exception, ends the binary before it leaves this function.
    """
    reporter = Reporter(progress)
    child = _start([*arguments, "--json", "--log-format", "json"])
    messages = _Log(reporter, lambda: _interrupt(child))
    printed: list[str] = []
    assert child.stdout is not None and child.stderr is not None
    out, err = child.stdout, child.stderr
    readers = [
        threading.Thread(target=messages.read, args=(err,), daemon=True),
        threading.Thread(target=lambda: printed.append(out.read()), daemon=True),
    ]
    for reader in readers:
        reader.start()
    try:
        status = _wait(child)
    except BaseException:
        try:
            reporter.on = False
            _end(child)
        finally:
            child.kill()  # after a second interrupt; one that has ended gets no signal
        raise
    finally:
        for reader in readers:
            reader.join()
        out.close()
        err.close()
        reporter.close()
    if messages.raised is not None:
        raise messages.raised
    for text in messages.warnings:
        warnings.warn(text, LinchpinWarning, stacklevel=4)
    if status != 0:
        raise messages.error(status)
    return json.loads(printed[0]) if printed and printed[0].strip() else None


def _start(arguments: list[str]) -> subprocess.Popen[str]:
    path = binary()
    try:
        return subprocess.Popen(
            [path, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**environment(), "LINCHPIN_PROGRESS": PROGRESS_INTERVAL},
            # Ctrl-C in a terminal is for this process alone: a second signal would end a job before it gives up its lock.
            start_new_session=True,
            encoding="utf-8",
            errors="replace",
        )
    except OSError as error:
        raise BinaryMissingError(f"{path} cannot be started: {error.strerror or error}") from error


def _wait(child: subprocess.Popen[str]) -> int:
    """Wait for the child. Windows looks for an interrupt only between waits."""
    if sys.platform != "win32":
        return child.wait()
    while True:
        try:
            return child.wait(0.1)
        except subprocess.TimeoutExpired:
            continue


def _interrupt(child: subprocess.Popen[str]) -> None:
    """Ask the child to end, by a signal that nothing can have it ignore. One that has ended already gets none."""
    child.terminate()


def _end(child: subprocess.Popen[str]) -> None:
    """End the child: ask first, since a job gives up its lock then."""
    _interrupt(child)
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(PATIENCE_SECONDS)
