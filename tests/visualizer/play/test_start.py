"""How a window at a table starts: with nothing loaded that it does without, its peers getting ready meanwhile."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from catan_p2p.sessions.messages import LeadPeers, PeersSeated
from catan_p2p.sessions.new_table import NewTable, lay
from catan_p2p.sessions.worker_client import WorkerLink
from catan_p2p.sessions.worker_process import dismiss, start_process

START = """
import os, sys
from visualizer.light_pygame import import_pygame
import_pygame()
import pygame
from catan_p2p.cli.main import main

def shown(parts):
    print(*sys.modules, flush=True)
    os._exit(0)

pygame.display.update = shown
main(["play"])
"""
NOT_YET = (
    "numpy",
    "pkg_resources",
    "git",
    "catan_p2p.notation",
    "catan_p2p.metrics",
    "catan_p2p.log.graph",
    "catan_p2p.log.storage.store",
    "visualizer.data",
    "visualizer.pictures.island",
    "visualizer.play.window",
)


def test_nothing_is_loaded_that_the_first_picture_does_without() -> None:
    done = subprocess.run([sys.executable, "-c", START], capture_output=True, text=True, check=True)
    modules = set(done.stdout.splitlines()[-1].split())
    assert "visualizer.play.front_window" in modules
    assert not set(NOT_YET) & modules


@pytest.mark.needs("env")
def test_what_was_kept_from_pygame_can_be_imported_afterwards() -> None:
    code = "from visualizer.light_pygame import import_pygame; import_pygame(); import numpy; print(numpy.array([1]))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.endswith(
        "[1]\n"
    )


def test_the_peers_process_is_started_before_the_actions_of_the_game_are_there() -> None:
    code = "import sys; import catan_p2p.cli.play; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = set(done.stdout.split())
    assert "catan_p2p.sessions.worker_process" in modules
    assert not {"git", "catan_p2p.game.actions", "catan_p2p.log.game", "catan_p2p.simulation"} & modules


def test_a_table_is_laid_without_any_process_but_gits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []
    start = subprocess.Popen.__init__

    def note(self: subprocess.Popen[bytes], args: list[str], *more: object, **kinds: object) -> None:
        started.append(Path(args[0]).stem)
        start(self, args, *more, **kinds)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess.Popen, "__init__", note)
    lay(tmp_path / "table", NewTable(("Red", "Blue", "Green"), frozenset({"Red"}), seed=1))
    assert set(started) == {"git"}


def test_a_process_that_waits_is_told_which_table(tmp_path: Path) -> None:
    process = start_process()
    link = WorkerLink(
        LeadPeers(tmp_path / "table", NewTable(("Red", "Blue"), frozenset({"Red"}), seed=1)), process=process
    )
    try:
        while not (news := link.take()):
            assert process.poll() is None
            time.sleep(0.01)
        assert isinstance(news[0], PeersSeated)
    finally:
        link.close()
    assert process.poll() == 0


def test_a_process_that_is_not_needed_ends() -> None:
    process = start_process()
    dismiss(process)
    assert process.poll() is not None
