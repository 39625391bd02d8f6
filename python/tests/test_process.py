"""The binary as a process: interrupts, progress, warnings and errors."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import linchpin
from linchpin import _errors, _files, _process

# So many edges that the scores of all nodes take minutes.
LONG = np.random.default_rng(1).integers(0, 60_000, (300_000, 2))


def test_interrupt_ends_the_binary(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []
    start = _process._start

    def remembered(arguments: list[str]) -> subprocess.Popen[str]:
        started.append(start(arguments))
        return started[0]

    monkeypatch.setattr(_process, "_start", remembered)

    # A shell without job control has programs in the background ignore it.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    interrupts = []

    def interrupt(done: int, total: int) -> None:
        if not interrupts:
            interrupts.append(done)
            os.kill(os.getpid(), signal.SIGINT)  # as Ctrl-C does

    try:
        with pytest.raises(KeyboardInterrupt):
            linchpin.betweenness(LONG, progress=interrupt)
    finally:
        signal.signal(signal.SIGINT, before)
    assert started[0].returncode == 130


def test_progress_is_reported() -> None:
    class EnoughError(Exception):
        pass

    seen: list[tuple[int, int]] = []

    def note(done: int, total: int) -> None:
        seen.append((done, total))
        if done > 0 and total > 50_000:  # the sources: reductions may leave out some of the 60,000 nodes
            raise EnoughError

    with pytest.raises(EnoughError):
        linchpin.betweenness(LONG, progress=note, nodes=60_000)
    assert all(0 <= done <= total for done, total in seen)


def test_bar(capsys: pytest.CaptureFixture[str]) -> None:
    reporter = _process.Reporter(True)
    assert reporter.on
    for done in (1, 5):
        reporter.report("compute", done, 10, "sources")
    reporter.close()
    assert "linchpin: compute" in capsys.readouterr().err
    assert not _process.Reporter(None).on  # nobody sees it here


def test_errors_carry_message_and_hint() -> None:
    graph = nx.path_graph(3)
    with pytest.raises(linchpin.NoGPUError) as no_gpu:
        linchpin.betweenness(graph, device="gpu:99")
    assert no_gpu.value.status == 6
    assert no_gpu.value.hint
    with pytest.raises(ValueError, match=r"--device tpu is not known \(hint: auto, cpu, gpu"):
        linchpin.betweenness(graph, device="tpu")
    with pytest.raises(linchpin.UsageError, match="--variant"):
        linchpin.closeness(graph, variant="harmonic")


def test_statuses_are_those_of_the_binary() -> None:
    text = subprocess.run([linchpin.binary(), "run", "--help"], capture_output=True, text=True, check=True).stdout
    listed = {
        int(line.split()[0])
        for line in text.partition("EXIT STATUS\n")[2].splitlines()
        if line.startswith("  ") and line.split()[0].isdigit()
    }
    assert listed == {0, *_errors.BY_STATUS}


def test_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINCHPIN_MEMORY_LIMIT", "1MiB")
    with pytest.raises(MemoryError, match="are free"):
        linchpin.betweenness(np.array([[i, i + 1] for i in range(100_000)]))


def test_missing_binary(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LINCHPIN_BINARY", str(tmp_path / "none"))
    with pytest.raises(linchpin.BinaryMissingError, match="none cannot be started: No such file"):
        linchpin.degree(nx.path_graph(2))
    false = tmp_path / "false"
    false.write_text("#!/bin/sh\necho 'out of order' >&2\nexit 9\n")
    false.chmod(0o755)
    monkeypatch.setenv("LINCHPIN_BINARY", str(false))
    with pytest.raises(linchpin.LinchpinError, match="ended with status 9: out of order"):
        linchpin.degree(nx.path_graph(2))


def test_jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a job does in a database, a test of cmd/linchpin sees."""
    with pytest.raises(linchpin.UsageError, match=r"nowhere.yml: there is no such file \(hint: linchpin init"):
        linchpin.run("hubs", config=tmp_path / "nowhere.yml")
    config = tmp_path / "linchpin.yml"
    subprocess.run([linchpin.binary(), "init", str(config)], check=True, capture_output=True)
    with pytest.raises(linchpin.UsageError, match='no job "hub" in the config'):
        linchpin.run("hub", config=config)
    monkeypatch.setenv("LINCHPIN_NEO4J_URI", "bolt://127.0.0.1:1")
    monkeypatch.setenv("LINCHPIN_NEO4J_PASSWORD", "secret")
    jobs = subprocess.run([linchpin.binary(), "jobs", "--config", str(config)], capture_output=True, text=True, check=False)
    name = next(line.split(":")[1].strip() for line in config.read_text().splitlines() if line.strip().startswith("- name:"))
    with pytest.raises(ConnectionError):
        linchpin.run(name, config=config)
    assert jobs.returncode in (0, 5)
    with pytest.raises(linchpin.UsageError, match="is not the name of a job"):
        linchpin.run("--help")
    with pytest.raises(ConnectionError):
        linchpin.run(name, config=config, scores=["code"], write=False)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_scores_of_jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    """Codes such as NA are texts, and fields without a value are missing."""
    monkeypatch.setattr(_files, "frame_library", lambda: library)
    file = tmp_path / "nodes.csv"
    file.write_text("id,labels,code,size,bc\n4,A,NA,,0.1\n5,A;B,null,3,1e-300\n")
    frame = _files.read_output(file)
    assert list(frame.columns) == ["id", "labels", "code", "size", "bc"]
    assert list(frame["code"]) == ["NA", "null"]
    assert list(frame["bc"]) == [0.1, 1e-300]
    assert [int(x) for x in frame["size"].tail(1)] == [3]
    assert int(frame["size"].is_null().sum() if library == "polars" else frame["size"].isna().sum()) == 1
    assert _files.read_output(tmp_path / "none.csv") is None


def test_command() -> None:
    """The wheel has a command, too."""
    script = Path(sys.executable).parent / "linchpin"
    for command in ([str(script)], [sys.executable, "-m", "linchpin"]):
        done = subprocess.run([*command, "version"], capture_output=True, text=True, check=True)
        assert done.stdout.startswith("linchpin ")
