"""The power goes while ``turn`` or ``play`` tells something of hidden cards: at the player's, the relay's, or both's.

They go on, tell it once, and lose no card.
"""

import shutil
import sys
from collections.abc import Callable
from functools import cache, partial
from io import BytesIO
from itertools import product
from pathlib import Path
from queue import SimpleQueue
from random import Random
from tempfile import TemporaryDirectory
from threading import Condition
from typing import NamedTuple

import pytest

from catan_p2p.cli.main import main
from catan_p2p.game.state import State
from catan_p2p.log.transport import worker_remote
from catan_p2p.sessions import worker
from catan_p2p.sessions.messages import LeadPeers, LeaveTable, Order
from catan_p2p.tables.seat import read_settings, write_settings

if sys.platform == "win32":
    pytest.skip("processes are forked", allow_module_level=True)

from tests.cli.kills import (
    SHORT_HIDDEN_RULES,
    hidden_relay,
    hidden_until,
    is_robbed,
    is_to_open_cards,
    is_to_shuffle_rest,
    is_to_sign_end,
    red_ends_game,
    red_keeps_cards,
)
from tests.log.storage.power import Medium
from tests.reading_here import ReaderHere

MOST_TURNS = 1000


class Owed(NamedTuple):
    """Something that Red has to tell, in which game, and what holds once it is told."""

    is_so: Callable[[State], bool]
    prepare: Callable[[Path], None]
    check: Callable[[Path], None] = red_keeps_cards


def _at_end(is_so: Callable[[State], bool]) -> Owed:
    def prepare(folder: Path) -> None:
        # Whoever wins signs nothing.
        for seed in range(9, 19):
            try:
                return hidden_until(is_so, partial(hidden_relay, rules=SHORT_HIDDEN_RULES, seed=seed))(folder)
            except AssertionError:
                shutil.rmtree(folder)
                folder.mkdir()
        raise AssertionError("no game in which Red has to")

    return Owed(is_so, prepare, red_ends_game)


OWED = {
    "an answer to a robber": Owed(is_robbed, hidden_until(is_robbed, hidden_relay)),
    "a shuffle of the rest": Owed(is_to_shuffle_rest, hidden_until(is_to_shuffle_rest, hidden_relay, is_left=True)),
    "a signature of the end": _at_end(is_to_sign_end),
    "the key to all cards": _at_end(is_to_open_cards),
}
_FOLDER = TemporaryDirectory(prefix="catan-power-cut-")


@cache
def begun(owed: str) -> tuple[Path, Path]:
    """A table up to where Red owes something, and a copy of it; made once, and the seats know where the relay is."""
    table = Path(_FOLDER.name) / owed / "table"
    table.mkdir(parents=True)
    OWED[owed].prepare(table)
    settings = read_settings(table / "Red")
    settings.durable, settings.clock = True, "wall"  # whoever tells something again does so at another time
    write_settings(table / "Red", settings)
    return table, shutil.copytree(table, table.with_name("copy"))


def put_back(table: Path, *parts: Path) -> None:
    """Put repositories into the place of those that are at the table."""
    for path in parts:
        shutil.rmtree(table / path.name)
        shutil.copytree(path, table / path.name)


def turn(red: Path, owed: Owed) -> None:
    """What ``catan-p2p turn`` does."""
    assert main(["turn", str(red)]) in (0, 3, 4)


def play(red: Path, owed: Owed) -> None:
    """What ``catan-p2p play`` does beside its window, which is closed as soon as Red owes nothing and all is sent."""
    orders: SimpleQueue[Order] = SimpleQueue()
    turns, real = 0, worker.WorkerTable.turns

    def watched(played: worker.WorkerTable) -> bool:
        nonlocal turns
        turns += 1
        moved, replica = real(played), played.drivers["Red"].replica
        is_done = replica.catch_up.is_over and replica.has_pushed_all and not owed.is_so(replica.graph.state)
        if is_done or turns == MOST_TURNS:
            orders.put(LeaveTable())
        return moved

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker.WorkerTable, "turns", watched)
        patch.setattr(worker, "_FLUSH_S", 0.2)  # nobody comes who could open their cards at the end
        worker.lead(LeadPeers(red, None, has_chat=False), orders, BytesIO(), Condition())
    assert turns < MOST_TURNS


VERBS = {"turn": turn, "play": play}
LOST = {"Red": "Red", "relay": "relay", "both": "."}
"""Whose power goes, and the part of the table that it is."""


CASES = {f"{owed}, {verb}, {lost}": (owed, verb, lost) for owed, verb, lost in product(OWED, VERBS, LOST)}


@pytest.mark.long
@pytest.mark.sampled(12)
@pytest.mark.parametrize("case", CASES)
def test_what_is_told_of_hidden_cards_survives_a_loss_of_power(tmp_path: Path, case: str) -> None:
    """Cuts before every sync; with each comes what the other had then: what Red has pushed, or is about to push."""
    owed, verb, lost = CASES[case]
    table, before = begun(owed)
    put_back(table, *(path for path in before.iterdir() if path.is_dir()))
    red, cuts = table / "Red", list[Path]()
    medium, rng = Medium(table / LOST[lost]), Random(1)
    others = [path for path in (red, table / "relay") if lost not in (path.name, "both")]

    def cut(when: str) -> None:
        folder = tmp_path / f"cut {len(cuts)}"
        medium.cut(folder / LOST[lost], rng)
        for path in others:
            shutil.copytree(path, folder / path.name)
        cuts.append(folder)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker_remote, "_WorkerProcess", ReaderHere)
        try:
            with medium.followed(cut):
                VERBS[verb](red, OWED[owed])
            cut("at the end")
        finally:
            medium.close()
        OWED[owed].check(table)
        assert len(cuts) > 3
        for folder in cuts:
            put_back(table, before / "Blue", folder / "Red", folder / "relay")
            VERBS[verb](red, OWED[owed])
            OWED[owed].check(table)
