"""Exceptions, one per exit status of the binary."""

from __future__ import annotations


class LinchpinError(Exception):
    """Something failed. The message is the binary's own."""

    status = 0

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(f"{message} (hint: {hint})" if hint else message)
        self.message = message
        self.hint = hint


class BinaryMissingError(LinchpinError):
    """There is no linchpin binary, or it cannot be started."""


class FailedError(LinchpinError):
    """The data are wrong (a bad weight, a broken file), or the run failed."""

    status = 1


class UsageError(LinchpinError, ValueError):
    """Arguments or config cannot be followed, or name something that does not exist."""

    status = 2


class UnfinishedError(LinchpinError):
    """The write was begun and not finished. The next run repairs it."""

    status = 3


class LockedError(LinchpinError):
    """Another process runs the job, or the job is unchanged and ``fail_if_skipped`` was given."""

    status = 4


class UnreachableError(LinchpinError, ConnectionError):
    """The server is unreachable, refused the connection, or was lost before the write."""

    status = 5


class NoGPUError(LinchpinError):
    """A GPU was demanded and there is none."""

    status = 6


class TooLargeError(LinchpinError, MemoryError):
    """The computation would not fit into memory."""

    status = 7


class InterruptedRunError(LinchpinError):
    """Something else than this program interrupted the binary."""

    status = 130


class LinchpinWarning(UserWarning):
    """A warning of the binary."""


BY_STATUS: dict[int, type[LinchpinError]] = {
    error.status: error
    for error in (
        FailedError,
        UsageError,
        UnfinishedError,
        LockedError,
        UnreachableError,
        NoGPUError,
        TooLargeError,
        InterruptedRunError,
    )
}
