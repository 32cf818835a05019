"""A seat's view of a game as steps for a window: the events of each step and the state after it.

A step is open until the next one begins; ``settle`` shows an open step when the server pauses.
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
"""More steps than any game has; further ones are dropped."""


class SeatStep(NamedTuple):
    """A step: an action and its consequences as events, none for the first step, and what is known after it."""

    events: tuple[e.Event, ...]
    known: PublicKnowledge

    @property
    def state(self) -> State:
        """The state after it."""
        return self.known.state


class RecordChange(NamedTuple):
    """A change of the list of steps: keep the first ``kept``, then append ``steps``."""

    kept: int
    steps: tuple[SeatStep, ...]


class SeatRecord:
    """The steps of a game. The ``model`` must hear each message between ``expect`` and ``take``."""

    def __init__(self, model: ClientModel) -> None:
        self._model = model
        self.steps: list[SeatStep] = []
        self._told = 0
        """How many steps ``change`` has returned that have not changed since."""
        self._whole = 0
        """How many steps are complete."""
        self._hearing: StepAssembler | None = None
        """None until the game has begun."""
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
        """Expect these players in this order, as an earlier run of the program knew them; empty if unknown."""
        self._seat_state.expect_seats(order)

    @property
    def participants(self) -> tuple[tuple[str, str], ...]:
        """Colour and name by seat, once the game has begun."""
        return self._seat_state.participants

    def colour_of(self, id: int | None) -> str:
        """The colour under which a player is shown; empty if the number does not play."""
        if self.participants:
            seat = self._seat(id)
            return self.participants[seat - 1][0] if seat else ""
        known = None if id is None else self._model.players.get(id)
        return "" if known is None else known.colour or ""

    @property
    def current_offer(self) -> OpenOffer | None:
        """The offer that the newest step shows, with player numbers."""
        return self._seat_state.current_offer()

    def expect(self, message: m.ServerMessage) -> None:
        """Call before the model hears a message: if it begins a step, the open step is completed first."""
        if self._hearing is not None and self._hearing.begins(message):
            del self._hearing.steps[: self._show()]
            self._whole = len(self.steps)

    def take(self, message: m.ServerMessage) -> None:
        """Call after the model has heard a message."""
        if self._hearing is None:
            if not self._begin(message) and isinstance(message, m.DiceThrown):
                self._seat_state.note_roll(message.player)
            return
        if isinstance(message, m.CardsReceived | m.CardsPaid) and self._hearing.is_with_bank(message):
            self._seat_state.move_bank(message)
        self._hearing.hear(message)

    def settle(self) -> None:
        """Show the open step, or the newest one, with all messages received so far."""
        if not self._show() and self.steps and (known := self._seat_state.now()) is not None:
            self._put(len(self.steps) - 1, [self.steps[-1]._replace(known=known)])

    def change(self) -> RecordChange | None:
        """The change since the last call, None if there is none."""
        if self._told == len(self.steps):
            return None
        found = RecordChange(self._told, tuple(self.steps[self._told :]))
        self._told = len(self.steps)
        return found

    def _begin(self, message: m.ServerMessage) -> bool:
        """Begin once there is a map and a player is asked for something: by then all players are known."""
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
        """Show the open steps as they are now; returns how many there are."""
        heard = [] if self._hearing is None else self._hearing.steps
        # A set-up action is a village with its road, so the village alone is not shown as a step.
        heard = heard[:-1] if self._hearing is not None and self._hearing.awaits_road else heard
        known = self._seat_state.now() if heard else None
        if known is not None:
            before = self.steps[self._whole - 1].state
            steps = [SeatStep(tuple(_with_consequences(events, before, known.state)), known) for events in heard]
            self._put(self._whole, steps[: MAX_STEPS - self._whole])
        return len(heard)

    def _put(self, at: int, steps: list[SeatStep]) -> None:
        """Replace the steps from index ``at`` on."""
        if self.steps[at:] != steps:
            self.steps[at:] = steps
            self._told = min(self._told, at)

    def _seat(self, id: int | None) -> int:
        return self._seat_state.seat(id)


def _with_consequences(events: list[Any], before: State, after: State) -> Iterator[e.Event]:
    """The events of a step, with the consequences that follow from the rules and that no message reports."""
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
