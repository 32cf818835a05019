"""Policies that do what no policy should: each thing in turn, as the game gives occasion."""

from collections.abc import Sequence
from random import Random
from typing import Any

from catan_p2p.game import actions as a
from catan_p2p.game.cards import ONE
from catan_p2p.game.constants import Player
from catan_p2p.game.state import State


class Unspeakable(Exception):
    """Not even its text can be had."""

    def __str__(self) -> str:
        raise RuntimeError("no text")

    __repr__ = __str__


def bad_choices(state: State, player: Player) -> list[Any]:
    """What none may choose: no actions, those of others, those out of their domains, and those that nobody decides."""
    other = player % state.constants.player_count + 1
    ore, wool = ONE["Ore"], ONE["Wool"]
    made: list[Any] = [None, 0, "build a road", object(), a.Action, a.RollDice, [], {}, (player, 1), lambda: None]
    made += [a.EmptyBuild(other), a.RollDice(other, 7), a.EmptyBuild(0), a.EmptyBuild(-1), a.EmptyBuild(99)]
    made += [a.EmptyBuild(True), a.EmptyBuild("1"), a.EmptyBuild(None)]  # type: ignore[arg-type]
    made += [a.BuildRoad(player, at) for at in (0, -1, 73, 10**30, 1.5, "1", None)]  # type: ignore[arg-type]
    made += [a.BuildCity(player, at) for at in (-2, 0, 55)]
    made += [a.SetupPhaseOne(player, -1, -1), a.SetupPhaseOne(player, 1, 1.0)]  # type: ignore[arg-type]
    made += [a.MoveBandit(player, to, victim, "Ore") for to in (-1, 0, 20, 10**9) for victim in (-1, 9, player)]
    made += [a.RollDice(player, 1), a.RollDice(player, 13), a.BuyDevCard(player, "Joker")]  # type: ignore[arg-type]
    made += [a.OfferTrade(player, 0, 0), a.OfferTrade(player, ore, ore), a.OfferTrade(player, -ore, wool)]
    made += [a.OfferTrade(player, 40 * ore, wool), a.ProposeTrade(player, 40 * ore, wool), a.Discard(player, -1)]
    made += [a.ConcludeTrade(player, player), a.ConcludeTrade(player, 0), a.ConcludeTrade(player, 99)]
    made += [a.Excuse(player, other), a.Claim(player, other)]
    made += [a.Pledge(player), a.Reveal(player), a.Call(player, "RollDice", 0, 0), a.Call(player, "nothing", 0, 0)]  # type: ignore[arg-type]
    return made


class HostilePolicy:
    """Makes one mistake after the other; every third decision is a good one, so that the game goes on."""

    name = "hostile"

    def __init__(self) -> None:
        self.asked = 0
        self.watched = 0

    def watch(self, before: State, action: a.Action, after: State) -> None:
        """Raises now and then."""
        self.watched += 1
        if self.watched % 5 == 0:
            raise Unspeakable

    def choose(self, state: State, player: Player, decisions: Sequence[a.Action], rng: Random) -> Any:
        self.asked += 1
        if self.asked % 3 == 0:
            return rng.choice(decisions)
        if self.asked % 7 == 0:
            raise Unspeakable
        if self.asked % 11 == 0:
            raise ZeroDivisionError("by\nzero")
        if self.asked % 13 == 0 and isinstance(decisions, list):
            decisions.clear()
        choices = bad_choices(state, player)
        return choices[self.asked % len(choices)]
