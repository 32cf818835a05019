"""What a seat is told of a game, as the steps that a window shows: the events of each, and the state after it.

A step is under way until another one begins; ``settle`` shows what there is of it where nothing more has come.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from catan_p2p.game.scoring import player_points
from catan_p2p.game.state import State
from catan_p2p.lmu import messages as m
from catan_p2p.lmu.model import ClientModel
from catan_p2p.lmu.seat_state import SeatState
from catan_p2p.lmu.session import OpenOffer
from catan_p2p.lmu.step_assembler import StepAssembler
from catan_p2p.view import events as e
from catan_p2p.view.knowledge import PublicKnowledge
from catan_p2p.view.observe import bonuses_moved, came_of_roll

MAX_STEPS = 20_000
"""More than any game has; what a server tells beyond that is not kept."""


class SeatStep(NamedTuple):
    """A step: what was done and what came of it, nothing for the beginning, and what is known after it."""

    events: tuple[e.Event, ...]
    known: PublicKnowledge

    @property
    def state(self) -> State:
        """The state after it."""
        return self.known.state


class RecordChange(NamedTuple):
    """What is new: keep this many steps, then add these."""

    kept: int
    steps: tuple[SeatStep, ...]


class SeatRecord:
    """The steps of a game as its ``model`` hears of it; the model must have heard a message before ``take`` does."""

    def __init__(self, model: ClientModel) -> None:
        self._model = model
        self.steps: list[SeatStep] = []
        self._told = 0
        """How many steps ``change`` has given out and are as they were then."""
        self._whole = 0
        """How many steps are no longer under way."""
        self._hearing: StepAssembler | None = None
        """Once the game has begun."""
        self._own_seat = 0
        self._seat_state = SeatState(model)

    @property
    def has_begun(self) -> bool:
        """Whether there is a game to show."""
        return bool(self.steps)

    @property
    def seat(self) -> int:
        """The person's seat, once the game has begun."""
        return self._own_seat

    @property
    def order(self) -> tuple[int, ...]:
        """The numbers of the players by seat, once the game has begun."""
        return self._seat_state.order

    def expect_seats(self, order: Iterable[int]) -> None:
        """The order of play is known from before the program was closed; none, and it is not."""
        self._seat_state.expect_seats(order)

    @property
    def participants(self) -> tuple[tuple[str, str], ...]:
        """Colour and name by seat, once the game has begun."""
        return self._seat_state.participants

    def colour_of(self, id: int | None) -> str:
        """Under which colour a player is shown, empty for nobody who plays."""
        if self.participants:
            seat = self._seat(id)
            return self.participants[seat - 1][0] if seat else ""
        known = None if id is None else self._model.players.get(id)
        return "" if known is None else known.colour or ""

    @property
    def current_offer(self) -> OpenOffer | None:
        """The offer that the newest step shows; players are numbers in it."""
        return self._seat_state.current_offer()

    def expect(self, message: m.ServerMessage) -> None:
        """A message is about to be heard: if it begins a step, what is under way is done."""
        if self._hearing is not None and self._hearing.begins(message):
            del self._hearing.steps[: self._show()]
            self._whole = len(self.steps)

    def take(self, message: m.ServerMessage) -> None:
        """A message was heard."""
        if self._hearing is None:
            if not self._begin(message) and isinstance(message, m.DiceThrown):
                self._seat_state.note_roll(message.player)
            return
        if isinstance(message, m.CardsReceived | m.CardsPaid) and self._hearing.is_with_bank(message):
            self._seat_state.move_bank(message)
        self._hearing.hear(message)

    def settle(self) -> None:
        """Nothing more has come: let the newest step show all of it."""
        if not self._show() and self.steps and (known := self._seat_state.now()) is not None:
            self._put(len(self.steps) - 1, [self.steps[-1]._replace(known=known)])

    def change(self) -> RecordChange | None:
        """What is new since the last call, None if nothing is."""
        if self._told == len(self.steps):
            return None
        found = RecordChange(self._told, tuple(self.steps[self._told :]))
        self._told = len(self.steps)
        return found

    def _begin(self, message: m.ServerMessage) -> bool:
        """Begin once the map is there and somebody is asked for something: by then the players are known."""
        model = self._model
        is_asked = isinstance(message, m.StatusUpdate) and (
            message.player.status not in _BEFORE or self._seat_state.awaits_last(message.player.id)
        )
        if model.board is None or not is_asked or not self._seat_state.take_seats():
            return False
        known = self._seat_state.now()
        if known is not None:
            self._hearing, self._own_seat = StepAssembler(model, self.order), self._seat(model.me)
            self.steps.append(SeatStep((), known))
            self._whole = 1
        return known is not None

    def _show(self) -> int:
        """Show the steps under way as they are by now; how many there are."""
        heard = [] if self._hearing is None else self._hearing.steps
        heard = heard[:-1] if self._hearing is not None and self._hearing.awaits_road else heard
        known = self._seat_state.now() if heard else None
        if known is not None:
            before = self.steps[self._whole - 1].state
            steps = [SeatStep(tuple(_with_consequences(events, before, known.state)), known) for events in heard]
            self._put(self._whole, steps[: MAX_STEPS - self._whole])
        return len(heard)

    def _put(self, at: int, steps: list[SeatStep]) -> None:
        """Put steps in place of those from an index on."""
        if self.steps[at:] != steps:
            self.steps[at:] = steps
            self._told = min(self._told, at)

    def _seat(self, id: int | None) -> int:
        return self._seat_state.seat(id)


def _with_consequences(events: list[Any], before: State, after: State) -> Iterator[e.Event]:
    """The events of a step with what comes of them by the rules, and is not told in so many words."""
    match events[0]:
        case e.DiceRolled(dice=dice) as roll:
            gains = {event.player: event for event in events if isinstance(event, e.CardsGained)}
            yield roll
            yield from came_of_roll(dice, before, after, gains)
        case e.GameWon(player=player) as won:
            yield replace(won, points=player_points(after, player))
        case _:
            yield from events
    yield from bonuses_moved(before, after)


_BEFORE = ("Spiel starten", "Wartet auf Spielbeginn", "Warten", "Verbindung verloren")
