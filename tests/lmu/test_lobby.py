"""Before a game begins: nobody holds a seat, or the beginning, who does nothing for it."""

from typing import Any

import pytest

from catan_p2p.lmu import messages as m
from catan_p2p.lmu.seats import TableMember
from catan_p2p.lmu.table import IDLE, LmuTable
from catan_p2p.lmu.words import COLOUR_TAKEN, COLOUR_WORDS
from tests.lmu.memory_game import Clock, lobby_of
from tests.lmu.scenes import RawClient, server_of

PATIENCE_S = 60.0


def introduced(table: LmuTable, name: str = "Blau", colour: str = "Blue") -> TableMember:
    member = table.join("test")
    table.receive(member, m.ChooseName(name, colour))
    return member


def ready(table: LmuTable, name: str = "Rot", colour: str = "Red") -> TableMember:
    member = introduced(table, name, colour)
    table.receive(member, m.ReadyToStart())
    return member


def pass_time(table: LmuTable, clock: Clock, until_s: float) -> None:
    """Do what is due until then, each when the table says that it is."""
    while table.play is None and (when := table.wakes_at()) is not None and when <= until_s:
        clock.now = max(clock.now, when)
        assert table.step(), "it wakes for nothing"
        while table.play is None and table.step():
            pass
    clock.now = until_s


def put_out(table: LmuTable) -> list[tuple[TableMember, str]]:
    return [(to, message.text) for to, message in table.take_outbox() if isinstance(message, m.ServerFailure)]


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
        table.receive(member, m.ChooseName(f"Blau {now}", "Blue"))
        assert table.members == [member]
    pass_time(table, clock, 110.0)
    assert table.members == []
    assert put_out(table) == [(member, IDLE)]


def test_who_is_stuck_on_a_colour_that_is_taken_is_put_out_after_the_patience() -> None:
    table, _, clock = lobby_of(3, patience_s=PATIENCE_S)
    ready(table, colour="Red")
    stuck = introduced(table, colour="Red")
    for now in (10.0, 20.0, 30.0):
        pass_time(table, clock, now)
        table.receive(stuck, m.ReadyToStart())
    assert [text for to, text in put_out(table) if to is stuck] == [COLOUR_TAKEN] * 3
    pass_time(table, clock, PATIENCE_S)
    assert stuck not in table.members
    assert put_out(table) == [(stuck, IDLE)]


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


def test_three_who_are_connected_and_ready_begin_where_four_may_play() -> None:
    table, games, clock = lobby_of(4, patience_s=PATIENCE_S, least=3, fill_after_s=5.0)
    colours: list[Any] = [*COLOUR_WORDS]
    for i in range(2):
        ready(table, f"Player {i}", colours[i])
    pass_time(table, clock, 100.0)
    assert not games
    ready(table, "Third", colours[2])
    pass_time(table, clock, 104.0)
    idle = introduced(table, "Idle", colours[3])
    pass_time(table, clock, 110.0)
    assert not games
    table.leave(idle)
    pass_time(table, clock, 115.0)
    assert [len(game.state.h) for game in games] == [3]
    assert [member.name for member in table.members if member.is_computer] == []


def test_one_who_is_never_ready_does_not_keep_three_others_waiting() -> None:
    table, games, clock = lobby_of(4, patience_s=PATIENCE_S, least=3, fill_after_s=5.0)
    colours: list[Any] = [*COLOUR_WORDS]
    for i in range(3):
        ready(table, f"Player {i}", colours[i])
    introduced(table, "Red too", colours[0])
    pass_time(table, clock, PATIENCE_S + 5.0)
    assert len(games) == 1


def test_no_two_names_are_alike() -> None:
    table, _, _ = lobby_of(4, patience_s=PATIENCE_S)
    first, second = introduced(table, "KI", "Red"), introduced(table, "ki", "Blue")
    third = introduced(table, "\uff2bI", "White")
    fourth = introduced(table, "x" * 60, "Orange")
    assert [first.name, second.name, third.name] == ["KI", "ki 2", "\uff2bI 3"]
    table.receive(second, m.ChooseName("X" * 60, "Blue"))
    assert second.name == "X" * 58 + " 2"
    table.receive(fourth, m.ChooseName("x" * 60, "Orange"))
    assert fourth.name == "x" * 60


@pytest.mark.parametrize("name", ["Ann\u202e", "\u200bAnn", "A\u2066nn", "\u3164Ann\u2800"])
def test_names_have_no_marks_that_cannot_be_seen(name: str) -> None:
    message: Any = m.read_message({"Spieler": {"Name": name, "Farbe": "Rot"}}, "client")
    assert message.name == "Ann"


async def test_nobody_is_told_that_a_game_runs_where_none_does() -> None:
    async with server_of(players=3) as (_, port, _tcp, _games):
        clients = [await RawClient.at(port) for _ in range(4)]
        for i, client in enumerate(clients[:3]):
            await client.greet(f"Player {i}", [*COLOUR_WORDS.values()][i])
        await clients[3].next()
        await clients[3].send({"Hallo": {"Version": "late"}})
        assert await clients[3].next() == {"Fehler": {"Meldung": "Alle Plätze sind besetzt"}}
