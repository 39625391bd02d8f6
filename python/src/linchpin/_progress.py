"""Shows how far a run is, in terminals and notebooks."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Union

# None shows a bar if somebody can see it, True always, False never. A function is called with what is done, and of how much.
Progress = Union[bool, None, Callable[[int, int], object]]


def in_notebook() -> bool:
    """Report whether this is the kernel of a notebook."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return hasattr(shell, "kernel")


class Reporter:
    """Shows the progress of one call."""

    def __init__(self, progress: Progress) -> None:
        self._function: Callable[[int, int], object] | None = progress if callable(progress) else None
        wanted = progress if isinstance(progress, bool) else (sys.stderr is not None and sys.stderr.isatty()) or in_notebook()
        self.on = self._function is not None or bool(wanted)
        self._bar: Any = None
        self._step = ""

    def report(self, step: str, done: int, total: int, unit: str) -> None:
        """Show that so much of a step is done."""
        if self._function is not None:
            self._function(done, total)
            return
        if self._bar is None or self._step != step:
            self.close()
            self._step, self._bar = step, _bar(step, total, unit)
        if self._bar is not None:
            self._bar.total = total
            self._bar.update(done - self._bar.n)

    def close(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None


def _bar(step: str, total: int, unit: str) -> Any:
    """Return a bar of tqdm, or None without tqdm."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(total=total, desc=f"linchpin: {step}", unit=f" {unit}", leave=False)
