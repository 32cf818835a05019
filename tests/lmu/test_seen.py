"""What a client keeps of a game: a public view that agrees with the game's own log, and that the verbs show."""

import asyncio
from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from catan_p2p.lmu import messages as m
from catan_p2p.lmu.person import PersonPlayer
from catan_p2p.lmu.public_record import NothingRecorded, seen_events, write_seen
from catan_p2p.notation import load_view
from catan_p2p.view import events as e
from tests.lmu.hosting import games_by_us
from tests.typed import Typed

pytestmark = [pytest.mark.long, pytest.mark.sampled(3)]


def shown(heard: list[m.ServerMessage], *, pauses: bool) -> list[tuple[e.Event, ...]]:
    """What a window tells at the end, of messages that come one by one or all at once."""
    person = PersonPlayer("catan_p2p", "Player", "Red", "builder", 0, lambda news: None)
    for message in heard:
        person.hear(message)
        if pauses:
            person.record.settle()
    person.record.settle()
    return [step.events for step in person.record.steps]


@pytest.mark.parametrize("players", [4, 6])
def test_what_was_heard_is_a_view_that_keeps_the_rules(players: int, tmp_path: Path, typed: Typed) -> None:
    [played] = asyncio.run(games_by_us(players, 1, tmp_path, seed=20 + players))
    for i, one in enumerate(played):
        path = tmp_path / f"view_{i}"
        write_seen(path, one.heard, "test")
        view = load_view(path)
        assert view.findings == ()
        winner = view.winner
        assert winner is not None
        assert view.start.players[winner - 1].name == one.winner
        assert view.steps[-1].after.points(winner) >= 10
        own = [step.event for step in view.steps if isinstance(step.event, e.DevCardBought)]
        assert [
            event.card for event in own if view.start.players[event.player - 1].name == one.client_player.name
        ].count(None) == 0
        trades = [step.event for step in view.steps if isinstance(step.event, e.BankTrade)]
        stranger = [message for message in one.heard if not isinstance(message, m.PlayerWelcome)]
        assert trades == [event for event in seen_events(stranger) if isinstance(event, e.BankTrade)] != []
        assert shown(one.heard, pauses=True) == shown(one.heard, pauses=False)
    assert main(["log", str(tmp_path / "view_0")]) == 0
    told = typed(0, "stats", tmp_path / "view_0").out
    assert "rolls" in told
    assert played[0].winner is not None


def test_nothing_is_kept_of_a_game_that_has_not_begun() -> None:
    with pytest.raises(NothingRecorded):
        list(seen_events([]))
