"""A plugin of pytest that counts what linchpin computes while NetworkX's own tests run: NetworkX falls back silently."""

from __future__ import annotations

from typing import Any

from nx_linchpin import backend

computed = 0


def pytest_configure() -> None:
    scores = backend._scores

    def counted(*args: Any, **kwargs: Any) -> Any:
        global computed
        result = scores(*args, **kwargs)
        computed += 1
        return result

    backend._scores = counted


def pytest_terminal_summary(terminalreporter: Any) -> None:
    terminalreporter.write_line(f"{computed} calls computed by linchpin")
