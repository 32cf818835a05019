"""A dealer who sees everything plays an open game, and beside it the public part of the same game with hidden hands.

The open game is the oracle: its rules know nothing of hidden cards. Whatever is public must be the same in both, and
known and hidden cards together must be the open hands.
"""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import NamedTuple

from catan_p2p.game import actions as a
from catan_p2p.game.cards import ONE, Cards, count, unpack
from catan_p2p.game.constants import Constants, Rules, profile
from catan_p2p.game.hidden import opens, shows
from catan_p2p.game.rules import any_offer, apply, awaited, broken_guards, call_of, called_for, decisions, draw
from catan_p2p.game.state import State, initial_state


class Moment(NamedTuple):
    """The public state before and after an action, and the true state of the open game after it."""

    before: State
    action: a.Action
    after: State
    true: State
    is_between: bool
    """Whether the draw or monopoly that the open game has settled already is under way."""


def hidden_rules(name: str, players: int) -> Rules:
    """The rules of a profile with hidden hands."""
    return replace(profile(name, players), chance="joint", hands="hidden")


class Dealer:
    """Plays one game at random in both ways."""

    def __init__(self, name: str, players: int, seed: int, deck: Cards | None = None) -> None:
        self.rng = Random(seed)
        hidden, true = hidden_rules(name, players), profile(name, players)
        if deck is not None:
            hidden, true = replace(hidden, dev_card_pool=deck), replace(true, dev_card_pool=deck)
        self.public = initial_state(Constants(hidden, player_count=players))
        self.true = initial_state(Constants(true, player_count=players))
        self.sealed: list[Cards] = [0] * players
        self.dev: dict[str, list[Cards]] = {"held": [0] * players, "bought": [0] * players}

    def play(self, steps: int) -> Iterator[Moment]:
        """Play so many decisions, or to the end."""
        players = self.public.constants.players
        yield from (self._public(a.Pledge(player), is_between=True) for player in players)
        yield from (self._public(a.Shuffle(player), is_between=True) for player in players)
        for _ in range(steps):
            if self.true.is_over:
                break
            player = self.rng.choice(awaited(self.true))
            options = decisions(self.true, player)
            action = draw(self.true, any_offer(self.true, self.rng.choice(options), self.rng), self.rng)
            before, self.true = self.true, apply(self.true, action)
            yield from self._in_public(action, before)
        if self.true.is_over and not self.public.is_over:
            yield from self._shown()

    def _in_public(self, action: a.Action, true: State) -> Iterator[Moment]:
        player = action.player
        told = replace(action, card="sealed") if isinstance(action, a.BuyDevCard) else action
        stolen = action.card if isinstance(action, a.MoveBandit | a.PlayKnight) else "none"
        is_drawn = type(action).__name__ in ("RollForStart", "RollDice", "MoveBandit", "PlayKnight", "BuyDevCard")
        if is_drawn and not self._is_enabled(told):
            yield self._public(call_of(told), is_between=True)
            for seat in self.public.constants.players:
                if self.public.due[seat - 1]:
                    yield self._public(a.Reveal(seat), is_between=True)
            if not type(action).__name__.startswith("Roll"):
                what, _, to, victim = self.public.call
                told = called_for(self.public, a.Call(player, what, to, victim))  # type: ignore[arg-type]
        if getattr(told, "card", "") == "sealed" and stolen != "none" and not isinstance(told, a.BuyDevCard):
            self.sealed[told.victim - 1] -= ONE[stolen]  # type: ignore[attr-defined]
            self.sealed[player - 1] += ONE[stolen]
        if isinstance(action, a.BuyDevCard):
            self.dev["bought"][player - 1] += ONE[action.card]
        yield self._public(told, is_between=False)
        yield from self._declined()
        while self._owes():
            seat = self.public.due.index(True) + 1
            wanted = self.public.hid.wanted
            cards = ONE[wanted] * count(self.sealed[seat - 1], wanted)
            yield self._public(a.Surrender(seat, cards), is_between=False)

    def _is_asked(self) -> bool:
        """Whether somebody is asked in public who is not asked in the open game, as they cannot pay."""
        public, true = self.public, self.true
        if public.tp == "SpecialBuilding" and true.tp in ("SpecialBuilding", "DiceRoll"):
            return public.sb != true.sb
        asked = zip(public.ans, true.ans, strict=True)
        return public.tp == "Offering" and any(one == "asked" and other == "none" for one, other in asked)

    def _declined(self) -> Iterator[Moment]:
        """What those do who are asked only because nobody else knows that they cannot pay."""
        while self._is_asked():
            if self.public.tp == "SpecialBuilding":
                yield self._public(a.EmptyBuild(self.public.sb), is_between=False)
            else:
                asked = zip(self.public.ans, self.true.ans, strict=True)
                seat = [one == "asked" and other == "none" for one, other in asked].index(True) + 1
                yield self._public(a.AnswerTrade(seat, "reject"), is_between=False)

    def _owes(self) -> bool:
        return self.public.tp == "Surrendering"

    def _shown(self) -> Iterator[Moment]:
        seat = self.public.ap - 1
        for pile in ("held", "bought"):
            while not self.public.is_over and count(self.dev[pile][seat], "VictoryPoint"):
                yield self._public(a.ShowPoint(self.public.ap, pile), is_between=True)  # type: ignore[arg-type]

    def _is_enabled(self, action: a.Action) -> bool:
        return not broken_guards(self.public, action)

    def _public(self, action: a.Action, *, is_between: bool) -> Moment:
        before, seat = self.public, action.player - 1
        self.sealed[seat] -= opens(before, action)
        if (card := shows(before, action)) is not None:
            self.dev[action.pile if isinstance(action, a.ShowPoint) else "held"][seat] -= ONE[card]
        if isinstance(action, a.Reveal) and before.call.victim == action.player:
            self.sealed[seat] += before.h[seat].rc
        self.public = apply(before, action)
        if before.hid.bought[seat] and not self.public.hid.bought[seat] and not isinstance(action, a.ShowPoint):
            self.dev["held"][seat] += self.dev["bought"][seat]
            self.dev["bought"][seat] = 0
        is_between |= self.public.tp in ("Pledging", "Shuffling", "Drawing", "Surrendering")
        return Moment(before, action, self.public, self.true, is_between or self._is_asked())

    def problem(self) -> str | None:
        """What is not as in the open game, None if all is; only between draws."""
        public, true = self.public, self.true
        for field in ("sup", "su_ap", "first", "rolls", "ap", "tp", "dice", "pd", "sb", "ba", "dp", "lr", "la", "lim"):
            if getattr(public, field) != getattr(true, field) and not (field == "tp" and true.is_over):
                return f"{field}: {getattr(public, field)}, in the open game {getattr(true, field)}"
        for field in ("offer", "ans", "prop", "made", "s", "r", "b"):
            if getattr(public, field) != getattr(true, field) and field != "ans":
                return field
        if public.bnk.rc != true.bnk.rc:
            return "bank"
        for seat, (hand, all_of) in enumerate(zip(public.h, true.h, strict=True)):
            bought, held = self.dev["bought"][seat], self.dev["held"][seat]
            points = ONE["VictoryPoint"] * (count(bought, "VictoryPoint") + count(held, "VictoryPoint"))
            if hand.rc + self.sealed[seat] != all_of.rc:
                return f"resource cards of {seat + 1}"
            if hand.bc + hand.ac + hand.uc + bought + held != all_of.bc + all_of.ac + all_of.uc:
                return f"development cards of {seat + 1}"
            if hand.uc + points != all_of.uc:
                return f"points of {seat + 1}"
            sizes = (sum(unpack(cards)) for cards in (self.sealed[seat], bought, held))
            if tuple(sizes) != (public.hid.sealed[seat], public.hid.bought[seat], public.hid.held[seat]):
                return f"numbers of cards of {seat + 1}"
        return None
