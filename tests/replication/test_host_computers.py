"""A host's computer player runs only where the host is: it never says that the host, or anybody at the end, is silent.

Red hosts Blue, a computer player; Green is a guest. Whoever is awaited is silent.
"""

from dataclasses import replace
from pathlib import Path

import pytest

from catan_p2p.game.actions import Claim, Excuse, Vote
from catan_p2p.game.constants import Player
from catan_p2p.game.new_game import new_constants
from catan_p2p.log.game import new_game
from catan_p2p.replication.core.replica_state import NOBODY_SPARED, Spared
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.voting import VotingDuty
from catan_p2p.tables.computers import spared_by
from catan_p2p.tables.seat import SeatSettings, read_settings, write_settings
from tests.replication.tables import make_seats, opened, play_rounds, settle

pytestmark = pytest.mark.long

RED, BLUE, GREEN = 1, 2, 3


def seats_with_computer(folder: Path, players: int) -> list[Path]:
    paths = make_seats(folder, players, 7, rules="thesis; Leaving = yes", signed=True)
    for path in paths:
        write_settings(path, replace(read_settings(path), computers={"Blue": "builder"}))
    return paths


def wait_for(replicas: list[Replica], player: Player) -> list[Replica]:
    """Play until a player has a choice to make; the others."""
    play_rounds(replicas, lambda one: one.player == player and one.has_choice and len(one.graph) > 20)
    settle(replicas)
    return [replica for replica in replicas if replica.player != player]


def steps_of(replicas: list[Replica]) -> list[object]:
    """What they do once they have waited for long enough."""
    done: list[object] = []
    for _ in range(5):
        for replica in replicas:
            replica.synchronize()
            done += [step.action for step in VotingDuty(replica).go_on(0.0)]
            replica.store.publish()
    return done


def test_a_computer_player_never_votes_on_its_host(tmp_path: Path) -> None:
    with opened(seats_with_computer(tmp_path, 3)) as replicas:
        blue, green = wait_for(replicas, RED)
        assert steps_of([blue, green]) == []  # Green would vote after Blue, who would excuse
        VotingDuty(green).vote(RED, "yes")
        assert steps_of([green, blue]) == []


def test_it_votes_on_a_guest_and_excuses_them(tmp_path: Path) -> None:
    with opened(seats_with_computer(tmp_path, 3)) as replicas:
        others = wait_for(replicas, GREEN)
        assert {*steps_of(others)} == {Vote(RED, GREEN, "yes"), Vote(BLUE, GREEN, "yes"), Excuse(RED, GREEN)}


def test_it_never_claims_the_game_from_a_person(tmp_path: Path) -> None:
    with opened(seats_with_computer(tmp_path, 2)) as replicas:
        assert steps_of(wait_for(replicas, RED)) == []


def test_a_person_claims_the_game_from_it(tmp_path: Path) -> None:
    with opened(seats_with_computer(tmp_path, 2)) as replicas:
        assert steps_of(wait_for(replicas, BLUE)) == [Claim(RED, BLUE)]


def test_only_computer_players_of_a_host_spare_anybody() -> None:
    colours = ("Red", "Blue", "Green", "Orange")
    game = new_game(0, new_constants("thesis", colours), colours)
    table = {"Green": "builder", "Orange": "builder"}
    assert spared_by(SeatSettings("Orange", 1, computers=table), game) == Spared(frozenset({1}), frozenset({1, 2}))
    assert spared_by(SeatSettings("Blue", 1, computers=table), game) == NOBODY_SPARED
    assert spared_by(SeatSettings("Blue", 1, policy="builder"), game) == NOBODY_SPARED
