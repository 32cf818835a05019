"""The course of a game of hidden hands as it is where hands are open and whoever acts draws.

Pledges, shuffles, calls, reveals, surrenders and shown points have no effect on open hands, and what was asked only
because nobody knew that a player could not pay is left out. What is left needs every stolen and every bought card.
Many are known, even if some players have told no key: either side of a theft tells the card, a card that was played
has been seen, and where players may leave all others together open what one of them has bought.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, cast

from catan_p2p.game.actions import (
    Action,
    AnswerTrade,
    BuyDevCard,
    Call,
    CloseGame,
    EmptyBuild,
    MoveBandit,
    OfferTrade,
    OpenAll,
    PlayKnight,
    Pledge,
    Reveal,
    ShowPoint,
    Shuffle,
    SignEnd,
    Surrender,
    WithdrawTrade,
)
from catan_p2p.game.actions.drawing import is_shared
from catan_p2p.game.actions.replies import is_reply
from catan_p2p.game.actions.surrender import wanted_of
from catan_p2p.game.cards import (
    DEV_CARDS,
    NO_CARDS,
    ONE,
    RESOURCES,
    Cards,
    DevCard,
    Resource,
    count,
    covers,
    total,
    unpack,
)
from catan_p2p.game.constants import Constants, Player
from catan_p2p.game.hidden import opens, shows
from catan_p2p.game.hidden_view import opened_constants
from catan_p2p.game.rules import apply, broken_guards, initial_state
from catan_p2p.game.state import HIDDEN_PHASES, State
from catan_p2p.log.game import Game
from catan_p2p.log.history import History, LoggedAction
from catan_p2p.log.known_cards import KnownCards
from catan_p2p.log.storage.objects import ObjectId

_UNSEEN = (Pledge, Shuffle, Call, Reveal, Surrender, ShowPoint, SignEnd, CloseGame, OpenAll)
"""What has no effect where hands are open and whoever acts draws."""
_BETWEEN = HIDDEN_PHASES | {"Pledging", "Drawing"}
"""Phases in which the open game is ahead, or has nothing to compare with."""
_MOST_TRIES = 20_000


class HeardAction(NamedTuple):
    """An action of a game of hidden hands with the public states before and after it, all replies before it heard."""

    logged: LoggedAction
    before: State
    after: State


def moments(history: History) -> Iterator[HeardAction]:
    """A game, one action after the other, replies in a row."""
    before = history.first
    for logged in history.actions:
        after = apply(before, logged.action) if is_reply(logged.action) else logged.state
        yield HeardAction(logged, before, after)
        before = after


@dataclass(slots=True)
class CardFacts:
    """The hidden cards of a game that are known, or supposed where that is allowed."""

    stolen: dict[ObjectId, Resource] = field(default_factory=dict)
    """By the commit of a theft."""
    bought: dict[int, DevCard] = field(default_factory=dict)
    """By the number of a development card in the deck."""

    def action(self, logged: LoggedAction) -> Action:
        """An action with the card that it hides, ``sealed`` where nobody knows it."""
        action, vault = logged.action, logged.vault
        assert vault is not None
        match action:
            case BuyDevCard():
                return replace(action, card=self.bought.get(vault.of(action.player).bought[-1], "sealed"))
            case MoveBandit() | PlayKnight() if action.card == "sealed":
                return replace(action, card=self.stolen.get(logged.commit, "sealed"))
        return action


def known_facts(history: History) -> CardFacts:
    """What the keys tell that players have told after the end, and what was shown while they played."""
    facts, known = CardFacts(), KnownCards({})
    last = history.graph.line.hearing_all().vault
    assert last is not None
    known.hear(last)
    for logged, before, _ in moments(history):
        action, vault = logged.action, logged.vault
        assert vault is not None
        if logged.entry.deck is not None and (shown := shows(before, action)) is not None:
            facts.bought[logged.entry.deck] = shown
        elif isinstance(action, BuyDevCard) and (card := known.bought(action, vault)) != "sealed":
            facts.bought[vault.of(action.player).bought[-1]] = card
        elif isinstance(action, MoveBandit | PlayKnight) and action.card == "sealed":
            told = known.action(action, vault)
            assert isinstance(told, MoveBandit | PlayKnight)
            if told.card not in ("sealed", "none"):
                facts.stolen[logged.commit] = cast(Resource, told.card)
    return facts


# Supposing what nobody knows


class SealedChange(NamedTuple):
    """What becomes of somebody's sealed cards: ``cards`` come, or go; or one is stolen, of a kind that may be known."""

    seat: Player
    comes: Cards = NO_CARDS
    goes: Cards = NO_CARDS
    is_last: bool = False
    """Whether nothing of what goes is left: a monopoly takes all."""
    robber: Player = 0
    commit: ObjectId = ObjectId("")
    kind: Resource | None = None


def changes(moment: HeardAction, facts: CardFacts) -> Iterator[SealedChange]:
    """What an action changes of sealed cards: those that come into the open, then what is sealed or stolen."""
    logged, before, _ = moment
    action, seat = logged.action, logged.action.player
    if isinstance(action, Surrender):
        wanted = before.hid.wanted
        yield SealedChange(seat, goes=wanted_of(before, action.cards), is_last=True, kind=cast(Resource, wanted))
    elif paid := opens(before, action):
        yield SealedChange(seat, goes=paid)
    if isinstance(action, Reveal) and not is_shared(before) and before.call.victim == seat:
        yield SealedChange(seat, comes=before.h[seat - 1].rc)
    elif isinstance(action, MoveBandit | PlayKnight) and action.card == "sealed":
        commit = logged.commit
        yield SealedChange(action.victim, robber=seat, commit=commit, kind=facts.stolen.get(commit))


class _Search:
    """Looks for kinds of stolen cards that nobody knows with which all others hold what they pay."""

    def __init__(self, changes: Sequence[SealedChange], players: int) -> None:
        self._changes = changes
        self._tries = _MOST_TRIES
        self.found: dict[ObjectId, Resource] = {}
        self.is_found = self._go(0, [NO_CARDS] * players)

    def _go(self, at: int, hands: list[Cards]) -> bool:
        for number in range(at, len(self._changes)):
            change = self._changes[number]
            i = change.seat - 1
            if change.robber:
                if change.kind is None:
                    return any(self._is_good(number, hands, kind) for kind in self._likely(number, hands))
                if not self._steal(change, hands, change.kind):
                    return False
                continue
            if not covers(hands[i], change.goes):
                return False
            hands[i] += change.comes - change.goes
            if change.is_last and change.kind is not None and count(hands[i], change.kind):
                return False
        return True

    def _is_good(self, number: int, hands: Sequence[Cards], kind: Resource) -> bool:
        self._tries -= 1
        change, tried = self._changes[number], list(hands)
        if self._tries < 0 or not self._steal(change, tried, kind) or not self._go(number + 1, tried):
            return False
        self.found[change.commit] = kind
        return True

    @staticmethod
    def _steal(change: SealedChange, hands: list[Cards], kind: Resource) -> bool:
        if not covers(hands[change.seat - 1], ONE[kind]):
            return False
        hands[change.seat - 1] -= ONE[kind]
        hands[change.robber - 1] += ONE[kind]
        return True

    def _likely(self, number: int, hands: Sequence[Cards]) -> list[Resource]:
        """The kinds that a victim has, those first that the victim can do without and the robber needs."""
        change = self._changes[number]
        spare, lacked = (self._spare(number + 1, seat, hands[seat - 1]) for seat in (change.seat, change.robber))
        had = [kind for kind in RESOURCES if count(hands[change.seat - 1], kind)]
        return sorted(had, key=lambda kind: (spare[kind] < 1, lacked[kind] >= 0, -spare[kind]))

    def _spare(self, at: int, seat: Player, hand: Cards) -> dict[Resource, int]:
        """How many cards of each kind a player keeps at least of those there are: until more are sealed."""
        left = dict(zip(RESOURCES, unpack(hand), strict=True))
        for change in self._changes[at:]:
            if change.seat == seat and change.comes:
                break
            if change.seat == seat and not change.robber:
                for kind, number in zip(RESOURCES, unpack(change.goes), strict=True):
                    left[kind] -= number
        return left


def supposed_facts(history: History, facts: CardFacts) -> CardFacts | None:
    """The facts with cards supposed for those that nobody knows, so that all hold what they pay; None if none is found.

    Development cards that were never shown are supposed to be no victory points as long as there are others.
    """
    found = [change for moment in moments(history) for change in changes(moment, facts)]
    search = _Search(found, history.game.constants.player_count)
    if not search.is_found:
        return None
    last = history.graph.line.hearing_all().vault
    assert last is not None
    left = Counter(dict(zip(DEV_CARDS, unpack(history.game.constants.rules.dev_card_pool), strict=True)))
    left.subtract(facts.bought.values())
    rest = iter([kind for kind in DEV_CARDS for _ in range(left[kind])])
    unknown = [number for number in sorted(last.shares) if number not in facts.bought]
    return CardFacts(facts.stolen | search.found, facts.bought | dict(zip(unknown, rest, strict=False)))


# The course


class OpenStep(NamedTuple):
    """An action as it is where hands are open, and the state after it; of a reply, after it alone."""

    logged: LoggedAction
    action: Action
    state: State


class OpenCourse(NamedTuple):
    """A game of hidden hands as one of open hands, as far as it is one."""

    game: Game
    steps: tuple[OpenStep, ...]
    last: State
    end: str | None
    """Why it ends before the game does, None if it does not."""

    def unknown(self, facts: CardFacts) -> int:
        """How many of the cards in it are not among these facts: they are supposed."""
        told = (facts.action(step.logged) for step in self.steps)
        return sum(getattr(action, "card", "") == "sealed" for action in told)


def open_game(game: Game) -> Game:
    """The same game with open hands, in which whoever acts draws."""
    constants = opened_constants(game.constants)
    rules = replace(constants.rules, chance="actor")
    constants = Constants(rules, constants.board, constants.player_count, constants.opening)
    return Game(constants, game.number, tuple(seat._replace(key=None) for seat in game.seats))


def open_course(history: History, facts: CardFacts) -> OpenCourse:
    """A game with these cards open, up to where they are not known or the rules of open hands lead elsewhere.

    They do where somebody has left whose sealed cards are out of play, and where a player had the points to win who
    did not show them.
    """
    game = open_game(history.game)
    opening = _Opening(initial_state(game.constants), facts)
    good, end = 0, None
    for moment in moments(history):
        end = opening.take(moment)
        if end is not None:
            break
        if moment.after.tp not in _BETWEEN and not opening.is_replying:
            if (elsewhere := _elsewhere(moment.after, opening.state)) is not None:
                end = f"with open hands the game would be another one from {moment.logged.commit[:10]} on: {elsewhere}"
                break
            good = len(opening.steps)
    steps = opening.steps if end is None else opening.steps[:good]
    if end is not None:
        # replies that nothing has followed are none of the line
        while steps and is_reply(steps[-1].action):
            steps = steps[:-1]
    return OpenCourse(game, tuple(steps), opening.state, end)


def _elsewhere(hidden: State, opened: State) -> str | None:
    """What is not the same in a public state and that of open hands, None if all is."""
    sizes = [total(hand.rc) + sealed for hand, sealed in zip(hidden.h, hidden.hid.sealed, strict=True)]
    if hidden.bnk.rc != opened.bnk.rc or sizes != [total(hand.rc) for hand in opened.h]:
        return "sealed cards of a player who left are out of play" if any(hidden.away) else "the hands"
    is_same = (hidden.s, hidden.r, hidden.ba, hidden.away) == (opened.s, opened.r, opened.ba, opened.away)
    return None if is_same else "the board"


class _Opening:
    """A game with open hands, as the commits of the hidden one go by."""

    def __init__(self, first: State, facts: CardFacts) -> None:
        self.state = self._base = first
        self.steps: list[OpenStep] = []
        self.is_replying = False
        self._facts = facts
        self._is_dropped = False
        """Whether the offer that stands is one that nobody could take."""

    def take(self, moment: HeardAction) -> str | None:
        """Go on with one action; why that is not possible, None if it is."""
        logged, before, _ = moment
        if isinstance(logged.action, _UNSEEN):
            return None
        action, short = self._facts.action(logged), logged.commit[:10]
        if getattr(action, "card", "") == "sealed":
            what = "bought" if isinstance(action, BuyDevCard) else "stolen"
            return f"nobody has told which card was {what} in {short}"
        if self._is_only_asked(action, before):
            return None
        if self.state.is_over or (broken := broken_guards(self.state, action)):
            over = "somebody had the points to win before"
            why = over if self.state.is_over else f"{action} breaks {', '.join(broken)}"
            return f"with open hands {short} would not be allowed: {why}"
        self.is_replying = is_reply(action)
        if self.is_replying:
            self.steps.append(OpenStep(logged, action, apply(self._base, action)))
            self.state = apply(self.state, action)
            return None
        self.state = self._base = apply(self.state, action)
        self.steps.append(OpenStep(logged, action, self.state))
        return None

    def _is_only_asked(self, action: Action, before: State) -> bool:
        """Whether an action is only there because nobody knew that a player could not pay."""
        match action:
            case OfferTrade():
                self._is_dropped = "OT8 taker" in broken_guards(self.state, action)
                return self._is_dropped
            case WithdrawTrade():
                return self._is_dropped
            case AnswerTrade():
                is_asked = self.state.ans[action.player - 1] != "none"
                return self._is_dropped or (action.answer == "reject" and not is_asked)
            case EmptyBuild():
                return before.tp == "SpecialBuilding" and self.state.sb != action.player
        return False
