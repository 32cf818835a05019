"""Positions from which the tests of hostile players begin, played once and copied for each."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from catan_p2p.game.actions.discard import owed
from catan_p2p.game.actions.replies import owes_reply
from catan_p2p.replication.replica import Replica
from catan_p2p.tables import waiting_room
from tests.reading_here import reading_here
from tests.reading_here import reads_here as reads_here
from tests.replication.tables import copied_table, make_seats, opened, play_rounds
from tests.shared import made_once

Deal = Callable[[str], Path]

POLICY_OF = {"thesis": "builder", "brief": "random"}
"""Random players offer soon."""


def _is_reds_roll(replica: Replica) -> bool:
    state = replica.graph.state
    return state.tp == "DiceRoll" and state.ap == 1 and len(replica.graph) > 20


def _is_blues_discard(replica: Replica) -> bool:
    state = replica.graph.state
    return state.tp == "Discarding" and state.ap != 2 and bool(owed(state, 2)) and replica.player != 2


def _is_reds_offer_to_both(replica: Replica) -> bool:
    state = replica.graph.state
    return state.tp == "Offering" and state.ap == 1 and owes_reply(state, 2) and owes_reply(state, 3)


@pytest.fixture(autouse=True)
def waiting_rooms_look_often() -> Iterator[None]:
    """Both players of a table are here, so that what the one waits for is there as soon as the other has looked."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(waiting_room, "_FOLDER_S", 0.05)
        patch.setattr(waiting_room, "_SERVER_S", 0.5)
        yield


@pytest.fixture(scope="session")
def positions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Folders with the seats of Red, Blue and Green, by position; -signed for games with keys."""
    base = made_once(tmp_path_factory, "positions", _play_positions)
    return {folder.name: folder for folder in base.iterdir()}


def _play_positions(base: Path) -> None:
    for name, seed, rules, until in (
        ("roll", 5, "thesis", _is_reds_roll),
        ("discard", 1, "thesis", _is_blues_discard),
        ("offer", 1, "brief", _is_reds_offer_to_both),
    ):
        for signed in (False, True):
            folder = base / (name + "-signed" * signed)
            folder.mkdir()
            with (
                reading_here(),
                opened(make_seats(folder, 3, seed, signed=signed, rules=rules, policy=POLICY_OF[rules])) as replicas,
            ):
                play_rounds(replicas, until)
                if name == "roll":
                    for replica in replicas:
                        replica.synchronize()


@pytest.fixture
def deal(positions: dict[str, Path], tmp_path: Path) -> Deal:
    """Gives a copy of a position."""

    return lambda name: copied_table(positions[name], tmp_path / name)
