"""A game of hidden hands as a public view: what all can know of it, with bounds on the rest.

A game is read like this if it is not over, a player has left, or a player's cards do not open. Cards that a key
published after the end opens are known from the beginning on, as in a game whose cards are all open.
"""

from __future__ import annotations

from collections.abc import Iterator

from catan_p2p.game.cards import ONE, RESOURCES, unpack
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State
from catan_p2p.log.history import GameHistory
from catan_p2p.log.open_course import CardFacts, HeardAction, SealedChange, changes, known_facts, moments
from catan_p2p.notation.repair import ViewStep
from catan_p2p.notation.repository.from_game import TimedAction, events_of, is_clocked, participants
from catan_p2p.notation.repository.view import FileView
from catan_p2p.notation.tables import begun, in_order_of_play, table_for
from catan_p2p.view.advance import advance
from catan_p2p.view.bounds import EMPTY, HandBounds, exactly, gain, pay, rob, within
from catan_p2p.view.events import PlayerEvent, renumbered

_NO_FLOOR = (0,) * len(RESOURCES)


def known_game(history: GameHistory, started_s: int, rules: str) -> FileView:
    """A game of hidden hands, as far as it is known, with players in the order of play.

    ``rules`` are those of the same game with open hands.
    """
    players, has_clock = participants(history), is_clocked(history, started_s)
    constants, facts = history.game.constants, known_facts(history)
    plain = (_played(moment, facts) for moment in moments(history))
    start, _ = begun(in_order_of_play(events_of(constants, players, plain, started_s)))
    viewed = _ViewedSteps(history, facts, FileView(start, "hidden", rules, (), ()), started_s)
    for event in events_of(constants, players, viewed.played(), started_s, has_clock=has_clock):
        if isinstance(event, PlayerEvent):
            viewed.add(event)
    return FileView(start, "hidden", rules, tuple(viewed.steps), ())


def _played(moment: HeardAction, facts: CardFacts) -> TimedAction:
    logged, _, after = moment
    return TimedAction(facts.action(logged), after, logged.time_s, logged.entry.shows)


class _ViewedSteps:
    """Collects the steps of a view while the actions of its game are iterated."""

    def __init__(self, history: GameHistory, facts: CardFacts, view: FileView, started_s: int) -> None:
        self.steps: list[ViewStep] = []
        self._history, self._facts = history, facts
        self._table = table_for(view.start, view.format)
        self._places = {participant.seat: place for place, participant in enumerate(view.start.players, 1)}
        self._position = view.first
        self._sealed = [EMPTY] * history.game.constants.player_count
        """The bounds on each seat's sealed cards."""
        self._started_s = started_s
        self._moment: HeardAction | None = None

    def played(self) -> Iterator[TimedAction]:
        """The actions. Add the events of one before taking the next, which first settles the position."""
        for moment in moments(self._history):
            self._moment = moment
            yield _played(moment, self._facts)
            for change in changes(moment, self._facts):
                self._change(change)
            self._settle(moment.after)

    def add(self, event: PlayerEvent) -> None:
        """Add an event of the current action."""
        told = renumbered(event, self._places)
        assert isinstance(told, PlayerEvent)
        before, moment = self._position, self._moment
        self._position = advance(self._table, before, told).known
        time_s, commit = (moment.logged.time_s, moment.logged.commit) if moment is not None else (self._started_s, "")
        self.steps.append(ViewStep(told, before, self._position, time_s, commit))

    def _change(self, change: SealedChange) -> None:
        hand = self._sealed[change.seat - 1]
        if not change.robber:
            hand = gain(pay(hand, change.goes), change.comes)
            if change.is_last and change.kind is not None:
                room = [
                    0 if kind == change.kind else number
                    for kind, number in zip(RESOURCES, unpack(hand.high), strict=True)
                ]
                hand = within(hand, _NO_FLOOR, room)
            self._sealed[change.seat - 1] = hand
            return
        thief = self._sealed[change.robber - 1]
        if change.kind is None:
            hand, thief = rob(hand, thief)
        else:
            hand, thief = pay(hand, ONE[change.kind]), gain(thief, ONE[change.kind])
        self._sealed[change.seat - 1], self._sealed[change.robber - 1] = hand, thief

    def _settle(self, state: State) -> None:
        """Put the log's facts about hands and bank into the position after the last event."""
        hands: dict[Player, HandBounds] = {}
        for seat, (hand, sealed) in enumerate(zip(state.h, self._sealed, strict=True), 1):
            hands[self._places[seat]] = gain(sealed, hand.rc)
        known = self._position._replace(
            hands=tuple(hands[place] for place in sorted(hands)), bank=exactly(state.bnk.rc)
        )
        self._position = known.tightened(known.players) or known
        if self.steps:
            self.steps[-1] = self.steps[-1]._replace(after=self._position)
