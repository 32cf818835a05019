"""Positions of a game: what is known, what can be done, and moves forward and back.

A ``Position`` has every card and uses the engine. A game whose record leaves cards open, such as a ``.catan`` file, has
``PublicPosition``s: hands have bounds, and a move is legal if it is for some possible hidden cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple, TypeAlias

from catan_p2p import settings
from catan_p2p.api.choices import (
    ChanceUndecided,
    Choice,
    Undrawn,
    apply,
    check_player,
    check_state,
    checked_action,
    draw,
    legal_actions,
)
from catan_p2p.game import rules
from catan_p2p.game.actions import (
    HIDDEN_ACTIONS,
    KIND_OF,
    Action,
    EmptyBuild,
    EmptyTrade,
    RollDice,
    SetupPhaseOne,
    SetupPhaseTwo,
)
from catan_p2p.game.actions.turn import has_enough
from catan_p2p.game.board import numbers
from catan_p2p.game.cards import DEV_CARDS, CardCounts, Cards, pack, total, unpack
from catan_p2p.game.constants import Player
from catan_p2p.game.markup import state_markup
from catan_p2p.game.state import Hand, State
from catan_p2p.log.refs import COLOURS
from catan_p2p.notation.errors import RulesBroken
from catan_p2p.notation.event_lines import misfit
from catan_p2p.notation.repository.from_game import recorded
from catan_p2p.view.advance import ViewContext, advance
from catan_p2p.view.advance.dice import owed_discards
from catan_p2p.view.events import BanditMoved, DevCardBought, Event, PlayerEvent, TurnEnded, VillageBuilt
from catan_p2p.view.knowledge import PublicKnowledge, known_of

Move: TypeAlias = Choice | PlayerEvent
"""An action, a decision with an open chance outcome, or in a public game an event."""


class Holding(NamedTuple):
    """A player's cards, as far as they are known."""

    low: CardCounts
    """The least cards of each resource."""
    high: CardCounts
    """The most cards of each resource."""
    least: int
    """The least resource cards in all."""
    most: int
    """The most resource cards in all."""
    development: int
    """The number of development cards that are not unveiled."""

    @property
    def is_exact(self) -> bool:
        """Whether every resource card is known."""
        return self.low == self.high

    def __repr__(self) -> str:
        if self.is_exact:
            return f"<{self.low!r}>" if self.most else "<no cards>"
        count = f"{self.least}" if self.least == self.most else f"{self.least} to {self.most}"
        return f"<{count} cards, at least {self.low!r}>" if self.low.total else f"<{count} cards>"


class Position:
    """A position of a game: ``push`` makes a move, ``pop`` takes it back.

    >>> from catan_p2p import Position, new_game
    >>> position = Position(new_game(players=2, rules="thesis"))
    >>> position
    <Position: PhaseOne, Red's turn; points 0 0>
    >>> position.push(position.legal_moves()[0])
    SetupPhaseOne(player=1, at=1, road=1)
    >>> position.points
    {'Red': 1, 'Blue': 0}
    >>> position.pop(), position.moves
    (SetupPhaseOne(player=1, at=1, road=1), ())
    """

    def __init__(self, state: State, colours: Sequence[str] | None = None) -> None:
        check_state(state)
        count = state.constants.player_count
        self.colours = tuple(
            COLOURS[:count] if colours is None else settings.several("colours", colours, count, "names")
        )
        """The players' colours by seat: player 1 is ``colours[0]``."""
        self._now: Any = state
        self._past: list[tuple[Move, Any]] = []

    @property
    def state(self) -> State:
        """The state; of a public position, with the cards that are certain."""
        state: State = self._now
        return state

    @property
    def _known(self) -> PublicKnowledge:
        return known_of(self.state)

    @property
    def is_exact(self) -> bool:
        """Whether every card is known in this position, even if the record leaves cards open in others."""
        return not self._known.is_open

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves pushed and not popped, oldest first."""
        return tuple(move for move, _ in self._past)

    @property
    def to_move(self) -> tuple[Player, ...]:
        """The players for whose decision the game waits: several after a seven or an offer, none when it is over."""
        return rules.awaited(self.state)

    @property
    def hands(self) -> dict[str, Holding]:
        """Each player's cards, as far as they are known, by colour."""
        known = self._known
        return {colour: _holding(known, player) for player, colour in enumerate(self.colours, 1)}

    @property
    def points(self) -> dict[str, int]:
        """Victory points by colour."""
        return {colour: self.state.points(player) for player, colour in enumerate(self.colours, 1)}

    @property
    def winner(self) -> str | None:
        """The winner's colour, None if the game is not over."""
        player = self.state.winner
        return self.colours[player - 1] if player else None

    def legal_moves(self, player: Player | None = None) -> list[Choice]:
        """All decisions of a player; by default those of the first of ``to_move``.

        Decisions with a chance outcome are ``Undrawn``. Only offers and proposals of one card for one are listed. A
        public position lists what some possible hidden cards allow.
        """
        return legal_actions(self.state, player)

    def push(self, move: Move, rng: Random | None = None) -> Move:
        """Make a move and return it; with ``rng``, an open chance outcome is drawn first.

        Raises ``NotEnabled`` or, in a public position, ``RulesBroken`` if the rules do not allow it, and
        ``ChanceUndecided`` for an open outcome that the position needs.
        """
        if isinstance(move, PlayerEvent):
            raise TypeError(f"{move}: an event; a position whose cards are known takes actions")
        if rng is not None:
            settings.generator("rng", rng)
        action = draw(self.state, move, rng) if rng is not None else move
        after = apply(self.state, action)
        self._past.append((action, self._now))
        self._now = after
        return action

    def pop(self) -> Move:
        """Take the last move back and return it; ``IndexError`` if there is none."""
        move, self._now = self._past.pop()
        return move

    def copy(self) -> Position:
        """A copy of the position, to try a variation."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__, _past=list(self._past))
        return twin

    def __repr__(self) -> str:
        points = " ".join(map(str, self.points.values()))
        if self.winner:
            return f"<{type(self).__name__}: {self.winner} has won; points {points}>"
        state = self.state
        phase = state.sup if state.tp == "bot" else state.tp
        turn = self.colours[(state.su_ap if state.tp == "bot" else state.builder) - 1]
        return f"<{type(self).__name__}: {phase}, {turn}'s turn; points {points}>"

    def _repr_html_(self) -> str:
        return state_markup(self.state, self.colours)


class PublicPosition(Position):
    """A position with open cards: what all players at the table know.

    Moves are events (``catan_p2p.view.events``), or choices as in any position. Discards that the record leaves out are
    part of the seven. A trade between players is one event, ``PlayerTrade``; an offer changes nothing.
    """

    def __init__(self, known: PublicKnowledge, table: ViewContext, colours: Sequence[str]) -> None:
        super().__init__(known.state, colours)
        self._now: PublicKnowledge = known
        self._table = table

    @property
    def state(self) -> State:
        """The state with the cards that are certain; open cards are missing."""
        return self._now.known_state()

    @property
    def _known(self) -> PublicKnowledge:
        return self._now

    @property
    def to_move(self) -> tuple[Player, ...]:
        """The players for whose decision the game waits."""
        known = self._begun()
        if known.state.tp == "Discarding":
            return tuple(player for player in known.players if known.due[player - 1])
        return rules.awaited(known.state)

    @property
    def points(self) -> dict[str, int]:
        """Victory points by colour, as far as the record tells: cards that it does not name are missing."""
        return {colour: self._now.told_points(player) for player, colour in enumerate(self.colours, 1)}

    @property
    def winner(self) -> str | None:
        """The colour of the winner, by the record or by the points; None if there is none yet."""
        player = self._now.winner()
        return self.colours[player - 1] if player else None

    def problems(self, event: PlayerEvent) -> tuple[str, ...]:
        """Sentences about what is wrong with an event here; empty if the rules allow it."""
        if wrong := self._misfit(event):
            return (wrong,)
        return tuple(breach.text for breach in advance(self._table, self._now, event).breaches)

    def legal_moves(self, player: Player | None = None) -> list[Choice]:
        """All decisions of a player that some possible hidden cards allow; see ``Position.legal_moves``."""
        known = self._begun()
        waiting = self.to_move
        if player is None:
            if not waiting:
                return []
            player = waiting[0]
        check_player(known.state, player)
        found: list[Choice] = []
        for choice in _candidates(known, player):
            if choice not in found and self._after(known, _events(choice, known)) is not None:
                found.append(choice)
        return found

    def push(self, move: Move, rng: Random | None = None, *, is_strict: bool = True) -> Move:
        """Make a move; if ``is_strict`` is false, also one that breaks the rules.

        A value outside the domain of its field still raises ``RulesBroken`` for an event and ``ParameterError`` for an
        action.
        """
        before, known = self._now, self._now
        if isinstance(move, PlayerEvent):
            if wrong := self._misfit(move):
                raise RulesBroken(f"{type(move).__name__}: {wrong}", move.line, move.column)
            events: Sequence[PlayerEvent] = [move]
        else:
            known = self._begun()
            checked_action(known.state, move)
            if isinstance(move, Undrawn) and move.kind is RollDice:
                if rng is None:
                    raise ChanceUndecided(f"{move!r}: chance decides; name the dice, or give a generator")
                move = draw(known.state, move, rng)
            events = _events(move, known)
        for event in events:
            known, breaches, _ = advance(self._table, known, event)
            if breaches and is_strict:
                raise RulesBroken("; ".join(breach.text for breach in breaches), event.line, event.column)
        self._past.append((move, before))
        self._now = known
        return move

    def _misfit(self, event: PlayerEvent) -> str | None:
        constants = self._now.state.constants
        return misfit(event, constants.board, constants.player_count)

    def _after(self, known: PublicKnowledge, events: Sequence[PlayerEvent]) -> PublicKnowledge | None:
        """The position after these events, None if one of them breaks the rules."""
        for event in events:
            known, breaches, _ = advance(self._table, known, event)
            if breaches:
                return None
        return known

    def _begun(self) -> PublicKnowledge:
        """The position after the turn of a complete set-up placement, which records may end with a separate event."""
        known = self._now
        return advance(self._table, known, TurnEnded(known.state.su_ap, None)).known if known.is_placed else known


def _holding(known: PublicKnowledge, player: Player) -> Holding:
    bounds, hand = known.hand(player), known.state.h[player - 1]
    hidden = total(hand.bc) + total(hand.ac) + known.unknown(player)
    return Holding(CardCounts(bounds.low), CardCounts(bounds.high), bounds.least, bounds.most, hidden)


def _candidates(known: PublicKnowledge, player: Player) -> Iterator[Choice]:
    """The player's decisions with the best hands possible; each is still to be checked against what is known."""
    if known.state.tp == "bot" and known.settling:
        yield from _roads(known, player)
        return
    for state in _best_states(known, player):
        # Records do not say where trading ends, so there is nothing to decide.
        yield from (choice for choice in legal_actions(state, player) if not isinstance(choice, EmptyTrade))


def _roads(known: PublicKnowledge, player: Player) -> Iterator[Action]:
    """The roads that can follow a village of the set-up."""
    if player == known.state.su_ap:
        kind = SetupPhaseOne if known.state.sup == "PhaseOne" else SetupPhaseTwo
        for road in numbers(known.state.constants.board.roads_at[known.settling]):
            yield kind(player, known.settling, road)


def _best_states(known: PublicKnowledge, player: Player) -> Iterator[State]:
    """The states in which all hold the most they can: one for each possible phase and number of discards."""
    hands = tuple(
        Hand(known.hand(seat).high, hand.bc, _available(known, seat), hand.uc)
        for seat, hand in enumerate(known.state.h, 1)
    )
    state = known.known_state()
    state = state._replace(h=hands, bnk=state.bnk._replace(rc=known.bank.high))
    if known.is_knight:
        yield state._replace(tp="MovingBandit")
    elif state.tp == "Discarding":
        for owed in owed_discards(known, player):
            limits = [0] * len(hands)
            limits[player - 1] = max(1, total(hands[player - 1].rc) - owed)
            yield state._replace(lim=tuple(limits))
    else:
        yield state
        if state.tp == "Trading":
            yield state._replace(tp="Building")
        if known.special >= 0:  # records do not say where special building ends
            yield state._replace(tp="SpecialBuilding", sb=player)


def _available(known: PublicKnowledge, player: Player) -> Cards:
    """The most development cards of each kind that the player could play."""
    held = unpack(known.state.h[player - 1].ac)
    unknown = known.unknown_old[player - 1]
    return pack(n + min(unknown, known.kinds_left(card)) for n, card in zip(held, DEV_CARDS, strict=True))


def _events(choice: Choice, known: PublicKnowledge) -> list[PlayerEvent]:
    """The events of a choice; an open stolen or bought card stays open, and open dice show an arbitrary number."""
    action = choice._action if isinstance(choice, Undrawn) else choice
    if KIND_OF[type(action)] in HIDDEN_ACTIONS:  # a public position has no hidden hands
        raise rules.NotEnabled(action, rules.broken_guards(known.state, action))
    before = after = known.state
    if isinstance(action, EmptyBuild) and before.constants.rules.win_check == "turn_end" and action.player == before.ap:
        if has_enough(before, action.player):  # the end of this turn is that of the game
            after = before._replace(tp="top")
    told: Iterable[Event] = recorded(action, before, after)
    if known.settling:
        told = [event for event in told if not isinstance(event, VillageBuilt)]
    if isinstance(choice, Undrawn):
        told = map(_opened, told)
    return [event for event in told if isinstance(event, PlayerEvent)]


def _opened(event: Event) -> Event:
    """The event with its chance outcome left open."""
    if isinstance(event, BanditMoved) and event.victim:
        return replace(event, card=None)
    return replace(event, card=None) if isinstance(event, DevCardBought) else event
