"""Turns the messages that a client received into a public view of the game; hidden cards stay unknown in it."""

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from catan_p2p.lmu import messages as m
from catan_p2p.lmu.model import ClientModel
from catan_p2p.lmu.step_assembler import StepAssembler
from catan_p2p.log.refs import COLOURS
from catan_p2p.notation import import_game, write_view
from catan_p2p.view import events as e


class NothingRecorded(ValueError):
    """The messages contain no game; the exception says what is missing."""


def write_seen(path: Path, heard: Sequence[m.ServerMessage], nonce: str) -> None:
    """Write a public view of the messages to a new repository; ``NothingRecorded``, or ``StoreError`` if that fails."""
    imported = import_game([*seen_events(heard)], "lmu", "brief", [])
    write_view(path, imported.view, nonce)


def seen_events(heard: Sequence[m.ServerMessage]) -> Iterator[e.Event]:
    """The events of a server's messages, with players in the order of play."""
    # The view begins with players, map and order of play, which the messages reveal only bit by bit: hear them twice.
    last = ClientModel()
    for message in heard:
        last.hear(message)
    seats = last.seats()
    if last.board is None or not 2 <= len(seats) <= len(COLOURS):
        raise NothingRecorded("the game has not begun")
    players = enumerate(last.participants(), 1)
    yield e.GameStarted(
        tuple(e.Participant(at, name, colour.lower()) for at, (colour, name) in players), last.board.map
    )
    yield e.BanditStands(1, last.board.bandit_start)
    model = ClientModel()
    hearing = StepAssembler(model, seats)
    for message in heard:
        model.hear(message)
        hearing.hear(message)
    for event in chain.from_iterable(hearing.steps):
        if isinstance(event, e.GameWon):
            # A public view reaches the winner's points only if their victory point cards are shown.
            yield from [e.VictoryPointPlayed(event.player)] * last.victory_points(seats[event.player - 1])
        if _is_kept(event):
            yield event


def _is_kept(event: e.Event) -> bool:
    """Whether the public view has an event; offers and discards are left out, and trades of unknown cards."""
    if isinstance(event, e.PlayerTrade):
        return bool(event.give and event.receive)
    return isinstance(event, e.EVENTS) and not isinstance(event, e.TradeOffered | e.TradeAnswered | e.CardsDiscarded)
