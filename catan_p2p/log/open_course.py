"""The course of a game of hidden hands, replayed with open hands and with draws by the acting player.

Pledges, shuffles, calls, reveals, surrenders and shown points have no effect on open hands, and actions that were asked
for only because nobody knew that a player could not pay are left out. What is left needs every stolen and every bought
card. Many are known even if some players have told no key: both sides of a theft know the card, a card that was played
has been seen, and where players may leave, all others together can open what one of them has bought.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple, cast

from catan_p2p.game.actions import (
    Action,
    AnswerTrade,
    BuyDevCard,
    ComeBack,
    OfferTrade,
    OfferTradeTo,
    Reveal,
    Robbery,
    Surrender,
)
from catan_p2p.game.actions.drawing import is_shared
from catan_p2p.game.actions.replies import is_reply
from catan_p2p.game.actions.surrender import wanted_of
from catan_p2p.game.cards import (
    NO_CARDS,
    Cards,
    DevCard,
    Resource,
    total,
)
from catan_p2p.game.constants import Player
from catan_p2p.game.hidden import opens, shows
from catan_p2p.game.rules import apply, broken_guards, initial_state
from catan_p2p.game.state import HIDDEN_PHASES, State
from catan_p2p.log.game import GameDefinition
from catan_p2p.log.history import GameHistory, LoggedAction
from catan_p2p.log.known_cards import KnownCards
from catan_p2p.log.storage.objects import ObjectId

_BETWEEN = HIDDEN_PHASES | {"Pledging", "Drawing"}
"""Phases in which the open game is ahead, or has no counterpart."""


class HeardAction(NamedTuple):
    """An action of a game of hidden hands, with the public states before and after it and all earlier replies."""

    logged: LoggedAction
    before: State
    after: State


def moments(history: GameHistory) -> Iterator[HeardAction]:
    """Iterate over a game's actions one by one, replies in sequence."""
    before = history.first
    for logged in history.actions:
        after = apply(before, logged.action) if is_reply(logged.action) else logged.state
        yield HeardAction(logged, before, after)
        before = after


@dataclass(slots=True)
class CardFacts:
    """The known ones among the hidden cards of a game."""

    stolen: dict[ObjectId, Resource] = field(default_factory=dict)
    """By the commit of the theft."""
    bought: dict[int, DevCard] = field(default_factory=dict)
    """By the number of the development card in the deck."""

    def action(self, logged: LoggedAction) -> Action:
        """Return an action with the card that it hides, ``sealed`` if that is unknown."""
        action, sealed_cards = logged.action, logged.sealed_cards
        assert sealed_cards is not None
        if isinstance(action, BuyDevCard):
            return replace(action, card=self.bought.get(sealed_cards.of(action.player).bought[-1], "sealed"))
        if isinstance(action, Robbery) and action.card == "sealed":
            return replace(action, card=self.stolen.get(logged.commit, "sealed"))
        return action


def known_facts(history: GameHistory) -> CardFacts:
    """Collect the cards known by the keys that players told after the end, and by what was shown during the game."""
    facts, known = CardFacts(), KnownCards({})
    last = history.graph.line.hearing_all().sealed_cards
    assert last is not None
    known.hear(last)
    for logged, before, _ in moments(history):
        action, sealed_cards = logged.action, logged.sealed_cards
        assert sealed_cards is not None
        if logged.entry.deck is not None and (shown := shows(before, action)) is not None:
            facts.bought[logged.entry.deck] = shown
        elif (card := known.hidden_by(action, sealed_cards)) is None:
            continue
        elif isinstance(action, Robbery):
            facts.stolen[logged.commit] = cast(Resource, card)
        else:
            facts.bought[sealed_cards.of(action.player).bought[-1]] = cast(DevCard, card)
    return facts


# What becomes of sealed cards


class SealedChange(NamedTuple):
    """A change of somebody's sealed cards: ``cards`` come or go, or one is stolen, perhaps of a known kind."""

    seat: Player
    comes: Cards = NO_CARDS
    goes: Cards = NO_CARDS
    is_last: bool = False
    """Whether all cards of the kind go: a monopoly takes all."""
    robber: Player = 0
    commit: ObjectId = ObjectId("")
    kind: Resource | None = None


def changes(moment: HeardAction, facts: CardFacts) -> Iterator[SealedChange]:
    """Iterate over an action's changes of sealed cards: first those that are opened, then the sealed or stolen ones."""
    logged, before, _ = moment
    action, seat = logged.action, logged.action.player
    if isinstance(action, Surrender):
        wanted = before.hid.wanted
        yield SealedChange(seat, goes=wanted_of(before, action.cards), is_last=True, kind=cast(Resource, wanted))
    elif isinstance(action, ComeBack) and action.shown:
        yield SealedChange(action.absent, goes=action.shown)
    elif paid := opens(before, action):
        yield SealedChange(seat, goes=paid)
    if isinstance(action, Reveal) and not is_shared(before) and before.call.victim == seat:
        yield SealedChange(seat, comes=before.h[seat - 1].rc)
    elif isinstance(action, Robbery) and action.card == "sealed":
        commit = logged.commit
        yield SealedChange(action.victim, robber=seat, commit=commit, kind=facts.stolen.get(commit))


# The course


class OpenStep(NamedTuple):
    """An action as it is with open hands, and the state after it; after a reply, the state after that reply alone."""

    logged: LoggedAction
    action: Action
    state: State


class OpenCourse(NamedTuple):
    """A game of hidden hands as one of open hands, as far as that is possible."""

    game: GameDefinition
    steps: tuple[OpenStep, ...]
    last: State
    end: str | None
    """Why it ends before the game does, None if it is complete."""


def open_game(game: GameDefinition, *, may_leave: bool = True) -> GameDefinition:
    """Return the definition of the same game with open hands, in which the acting player draws.

    It is unsigned; one that is written may not have players who may leave.
    """
    rules = replace(game.constants.rules.drawn_by_actors, hands="open", signed_end=False)
    if not may_leave:
        rules = replace(rules, leaving=False, patience=0)
    constants = replace(game.constants, rules=rules)
    return GameDefinition(constants, game.number, tuple(seat._replace(key=None, party=0) for seat in game.seats))


def open_course(history: GameHistory, facts: CardFacts, *, may_leave: bool = True) -> OpenCourse:
    """Replay a game with these cards open, until one is unknown or the rules of open hands lead elsewhere.

    They do if a player has left with sealed cards, which are out of play, or if a player who had enough points to win
    did not show them.
    """
    game = open_game(history.game, may_leave=may_leave)
    opening = _OpenedCourse(initial_state(game.constants), facts)
    end = None
    for moment in moments(history):
        end = opening.take(moment)
        if end is None and moment.after.tp not in _BETWEEN and not opening.is_replying:
            end = _elsewhere(moment, opening.state)
        if end is not None:
            break
    return OpenCourse(game, tuple(opening.steps), opening.state, end)


def _elsewhere(moment: HeardAction, opened: State) -> str | None:
    """Describe a difference between the public state after an action and the state with open hands; None if none."""
    hidden = moment.after
    sizes = [total(hand.rc) + sealed for hand, sealed in zip(hidden.h, hidden.hid.sealed, strict=True)]
    if hidden.bnk.rc != opened.bnk.rc or sizes != [total(hand.rc) for hand in opened.h]:
        what = "the hands"
    elif (hidden.s, hidden.r, hidden.ba, hidden.away) != (opened.s, opened.r, opened.ba, opened.away):
        what = "the board"
    else:
        return None
    return f"with open hands the game would have gone differently from {moment.logged.commit[:10]} on: {what}"


class _OpenedCourse:
    """A game with open hands, which follows the commits of the hidden one."""

    def __init__(self, first: State, facts: CardFacts) -> None:
        self.state = self._base = first
        self.steps: list[OpenStep] = []
        self.is_replying = False
        self._facts = facts
        self._is_dropped = False
        """Whether the standing offer is one that nobody could accept."""

    def take(self, moment: HeardAction) -> str | None:
        """Replay one action; return why that is impossible, None if it is not."""
        logged, before, _ = moment
        if logged.action.rule in ("chance", "hands"):  # no effect where hands are open and the acting player draws
            return None
        action, short = self._facts.action(logged), logged.commit[:10]
        if action.outcome == "sealed":
            what = "bought" if isinstance(action, BuyDevCard) else "stolen"
            return f"the card {what} in {short} is unknown"
        if self._is_only_asked(action, before):
            return None
        if isinstance(action, ComeBack):
            action = replace(action, shown=NO_CARDS)  # where hands are open they are in the hand
        if self.state.is_over or (broken := broken_guards(self.state, action)):
            over = "a player had already won"
            why = over if self.state.is_over else f"{action} breaks {', '.join(broken)}"
            return f"with open hands {short} would not be allowed: {why}"
        self.is_replying = is_reply(action)
        if self.is_replying:
            # Each reply starts from the state that it replied to, as in its commit.
            self.steps.append(OpenStep(logged, action, apply(self._base, action)))
            self.state = apply(self.state, action)
            return None
        self.state = self._base = apply(self.state, action)
        self.steps.append(OpenStep(logged, action, self.state))
        return None

    def _is_only_asked(self, action: Action, before: State) -> bool:
        """Whether an action only exists because nobody knew that a player could not pay."""
        match action:
            case OfferTrade() | OfferTradeTo():
                # An offer that nobody can accept breaks these guards only with open hands.
                self._is_dropped = not {"OT8 taker", "OO10 taker"}.isdisjoint(broken_guards(self.state, action))
                return self._is_dropped
            case AnswerTrade():
                is_asked = self.state.ans[action.player - 1] != "none"
                return self._is_dropped or (action.answer == "reject" and not is_asked)
        if action.is_pass and before.tp == "Offering":
            # Its maker ends an offer that does not exist here.
            return self._is_dropped
        return action.is_pass and before.tp == "SpecialBuilding" and self.state.sb != action.player
