"""Before a game begins: nobody holds a seat, or the beginning, who does nothing for it."""

from __future__ import annotations

from typing import Any

import pytest

from catan_p2p.lmu import messages as m
from catan_p2p.lmu.seats import Member
from catan_p2p.lmu.table import IDLE, Table
from catan_p2p.lmu.words import COLOUR_WORDS
from tests.lmu.memory_game import Clock, lobby_of

PATIENCE_S = 60.0


def introduced(table: Table, name: str = "Blau", colour: str = "Blue") -> Member:
    member = table.join("test")
    table.receive(member, m.Introduce(name, colour))
    return member


def ready(table: Table, name: str = "Rot", colour: str = "Red") -> Member:
    member = introduced(table, name, colour)
    table.receive(member, m.Start())
    return member


def pass_time(table: Table, clock: Clock, until_s: float) -> None:
    """Do what is due until then, each when the table says that it is."""
    while table.play is None and (when := table.wakes_at()) is not None and when <= until_s:
        clock.now = max(clock.now, when)
        assert table.step(), "it wakes for nothing"
        while table.play is None and table.step():
            pass
    clock.now = until_s


def put_out(table: Table) -> list[tuple[Member, str]]:
    return [(to, message.text) for to, message in table.take_outbox() if isinstance(message, m.Failure)]


def test_who_says_nothing_after_hallo_is_put_out_after_the_patience() -> None:
    table, _, clock = lobby_of(3, patience_s=PATIENCE_S)
    member = table.join("test")
    pass_time(table, clock, PATIENCE_S - 1)
    assert table.members == [member]
    pass_time(table, clock, PATIENCE_S)
    assert table.members == []
    assert put_out(table) == [(member, IDLE)]


def test_who_is_never_ready_is_put_out_however_much_is_said() -> None:
    table, _, clock = lobby_of(3, patience_s=PATIENCE_S)
    pass_time(table, clock, 50.0)
    member = introduced(table)
    for now in range(60, 110, 10):
        pass_time(table, clock, float(now))
        table.receive(member, m.SendChat("still here"))
        table.receive(member, m.Introduce(f"Blau {now}", "Blue"))
        assert table.members == [member]
    pass_time(table, clock, 110.0)
    assert table.members == []
    assert put_out(table) == [(member, IDLE)]


def test_who_is_ready_waits_for_as_long_as_it_takes() -> None:
    table, _, clock = lobby_of(3, patience_s=PATIENCE_S)
    member = ready(table)
    assert table.wakes_at() is None
    pass_time(table, clock, 1e6)
    assert table.members == [member]


def test_computer_players_come_although_somebody_came_and_went() -> None:
    table, games, clock = lobby_of(3, patience_s=PATIENCE_S, fill="builder", fill_after_s=5.0)
    ready(table)
    table.leave(introduced(table))
    pass_time(table, clock, 5.0)
    assert len(games) == 1


def test_who_comes_and_goes_without_end_keeps_no_table_with_computer_players_waiting() -> None:
    table, games, clock = lobby_of(3, patience_s=PATIENCE_S, fill="builder", fill_after_s=5.0)
    ready(table)
    idle = introduced(table)
    while not games and clock.now < 200:
        pass_time(table, clock, clock.now + 4.0)
        if not games and table.is_open:
            late = introduced(table)
            table.leave(idle)
            idle = late
    assert 120.0 < clock.now < 132.0


def test_an_empty_lobby_does_not_begin() -> None:
    table, games, clock = lobby_of(3, patience_s=PATIENCE_S, fill="builder", fill_after_s=5.0)
    table.leave(ready(table))
    pass_time(table, clock, 1e4)
    assert not games


@pytest.mark.parametrize("players", [3, 6])
def test_those_who_are_ready_play_with_whoever_comes_instead(players: int) -> None:
    table, games, clock = lobby_of(players, patience_s=PATIENCE_S)
    colours: list[Any] = [*COLOUR_WORDS]
    for i in range(players - 1):
        ready(table, f"Player {i}", colours[i])
    introduced(table, "Idle", colours[players - 1])
    assert not table.is_open
    pass_time(table, clock, PATIENCE_S)
    assert table.is_open
    ready(table, "Late", colours[players - 1])
    assert len(games) == 1
