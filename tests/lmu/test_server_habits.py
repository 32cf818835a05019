"""Servers of other groups: our client finishes its games there, whatever their habits and whatever its opponents."""

import asyncio
import re
from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement
from typing import Any

import pytest

from catan_p2p.lmu import client
from catan_p2p.lmu import messages as m
from catan_p2p.lmu.client import ClientGame, ClientSettings
from catan_p2p.lmu.client_lobby import COLOUR_ROUNDS
from catan_p2p.lmu.client_player import ClientPlayer
from catan_p2p.lmu.words import COLOUR_WORDS
from tests.lmu.habits import HABITS, Foreigner
from tests.lmu.scenes import GENEROUS, server_of
from tests.lmu.server_habits import SERVER_HABITS, ForeignWire

pytestmark = [pytest.mark.long, pytest.mark.sampled(9)]

REACH = client._connected
ANSWER_S = 20.0
"""As long as a game may not hang; no habit makes the client wait for it."""
AGAIN_S = 0.05
"""So long a server of these tests is not busy."""


async def played_there(url: str, colour: str, habits: Iterable[str], seed: int) -> tuple[ClientGame, ForeignWire]:
    """Our client at our server, which it takes for one with these habits."""
    wires: list[ForeignWire] = []

    async def connected(url: str) -> Any:
        wires.append(ForeignWire(await REACH(url), habits))
        return wires[-1]

    settings = ClientSettings(
        url, f"Ours {seed}", colour, seed=seed, answer_s=ANSWER_S, quiet_s=0.05, again_s=AGAIN_S, pause_s=0.01
    )
    return await client.play(settings, connected=connected), wires[-1]


def game(ours: Sequence[set[str]], seed: int, foreign: set[str] | None = None, patience_s: float = 60.0) -> None:
    """A game of four: of ours, each at a server of its own habits as it seems, and one who has ``foreign`` ones."""

    async def body() -> None:
        async with server_of(GENEROUS, players=4, patience_s=patience_s, seed=seed) as (server, port, tcp, games):
            url, line = f"ws://127.0.0.1:{port}/catan", f"tcp://127.0.0.1:{tcp}"
            plays: list[Any] = [
                played_there(line if i % 2 else url, colour, habits, seed + i)
                for i, (colour, habits) in enumerate(zip(COLOUR_WORDS, ours, strict=False))
            ]
            if len(plays) < 4:
                plays.append(Foreigner("Foreign", "White", foreign or set(), seed).play(port, tcp))
            results = await asyncio.wait_for(asyncio.gather(*plays), 300)
            assert games[0].state.is_over
            for played, wire in results[: len(ours)]:
                assert played.client_player.is_over, (wire.habits, played.client_player.failure)
                assert (played.winner is None) == ("names no winner" in wire.habits), played.client_player.failure
                assert played.unreadable == 0
                assert not wire.refused or "writes no umlauts" not in wire.habits
            assert server.troubles == []

    asyncio.run(body())


PAIRS = [*combinations_with_replacement(SERVER_HABITS, 2)]


@pytest.mark.parametrize("habit", SERVER_HABITS, ids=lambda habit: re.sub(r"\W+", "_", habit))
def test_a_server_that(habit: str) -> None:
    game([{habit}, set(), {habit}], seed=11)


def test_four_clients_finish_where_messages_are_lost_refused_and_told_in_another_order() -> None:
    loses, refuses = {"loses messages"}, {"refuses every fifth message", "refuses all but the roll"}
    reorders = {"tells things the other way round", "acknowledges first"}
    game([loses | refuses, refuses | reorders, loses | reorders, loses | refuses | reorders], seed=7)


@pytest.mark.parametrize(("mine", "other"), PAIRS[5::12], ids=[" + ".join(pair) for pair in PAIRS[5::12]])
def test_servers_with_two_habits(mine: str, other: str) -> None:
    game([{mine, other}, set(), {mine, other}], seed=5)


@pytest.mark.soak
@pytest.mark.parametrize(("mine", "other"), PAIRS, ids=[" + ".join(pair) for pair in PAIRS])
def test_every_habit_of_servers_with_every_other(mine: str, other: str) -> None:
    game([{mine}, {other}, {mine, other}], seed=3)


@pytest.mark.soak
@pytest.mark.parametrize("mine", SERVER_HABITS)
@pytest.mark.parametrize("theirs", HABITS)
def test_every_habit_of_servers_with_every_habit_of_clients(mine: str, theirs: str) -> None:
    game([{mine}, set(), {mine}], seed=8, foreign={theirs}, patience_s=5.0)


@pytest.mark.parametrize("kind", [m.ServerFailure, m.RequestReply])
@pytest.mark.parametrize(
    ("why", "asked"),
    [
        *(("Das Spiel läuft bereits", 1), ("Das Spiel hat schon begonnen.", 1), ("Das Spiel wurde gestartet", 1)),
        *(("Alle Plätze sind besetzt", 1), ("Der Tisch ist voll", 1), ("Der letzte freie Tisch ist fuer andere", 6)),
        *(("Diese Farbe ist besetzt", 18), ("Nein", 6)),
    ],
)
def test_a_server_without_a_seat_is_asked_once_and_its_reason_is_told(
    kind: type[m.ServerFailure | m.RequestReply], why: str, asked: int
) -> None:
    client_player = ClientPlayer("test", "Ann", "Blue", "builder", 0)
    sent, tried = client_player.hear(m.PlayerWelcome(1)), 0
    while sent:
        tried += sum(isinstance(message, m.ChooseName) for message in sent)
        sent = client_player.hear(kind(why))
    assert tried == asked
    assert client_player.is_over
    assert client_player.failure == (f"the server has no seat: {why}" if asked == 1 else f"no colour is free: {why}")


def test_a_colour_that_was_refused_is_tried_again_once_all_were() -> None:
    client_player = ClientPlayer("test", "Ann", "Blue", "builder", 0)
    sent = client_player.hear(m.PlayerWelcome(1))
    tried = []
    while sent:
        tried += [message.colour for message in sent if isinstance(message, m.ChooseName)]
        sent = client_player.hear(m.ServerFailure("Farbe bereits vergeben"))
    assert tried[:6] == ["Blue", "Red", "Orange", "White", "Green", "Brown"]
    assert tried == COLOUR_ROUNDS * tried[:6]
    assert client_player.is_over
    assert client_player.failure == "no colour is free: Farbe bereits vergeben"
