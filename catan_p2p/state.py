"""The state of a game: one immutable value with the components of the specification's ``SU`` and ``G``.

docs/model.md is the dictionary: field, specification, file. Components that an action does not touch are shared between
the state before and the state after, so ``before.h is after.h`` says that no hand changed.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias, get_args

from catan_p2p.board import Points
from catan_p2p.cards import NO_CARDS, Cards
from catan_p2p.constants import NO_OWNER, Constants, Player

SetupPhase: TypeAlias = Literal["PhaseOne", "PhaseTwo"]
TurnPhase: TypeAlias = Literal["bot", "DiceRoll", "Discarding", "MovingBandit", "Trading", "Building", "top"]
SETUP_PHASES: tuple[SetupPhase, ...] = get_args(SetupPhase)
TURN_PHASES: tuple[TurnPhase, ...] = get_args(TurnPhase)


class Hand(NamedTuple):
    """What one player holds: ``PH`` of the specification."""

    rc: Cards
    """resource cards"""
    bc: Cards
    """development cards bought this turn, not yet playable"""
    ac: Cards
    """development cards available to play"""
    uc: Cards
    """unveiled development cards: played knights and victory points"""


class Bank(NamedTuple):
    """What the bank holds: ``BNK`` of the specification."""

    rc: Cards
    dc: Cards


class Buildings(NamedTuple):
    """The pieces that one player has not placed: ``PB`` of the specification."""

    road: int
    village: int
    city: int


class Settlements(NamedTuple):
    """Who has settled where: for each player, in seat order, the set of villages and the set of cities."""

    villages: tuple[Points, ...]
    cities: tuple[Points, ...]

    def of(self, player: Player) -> Points:
        """The player's settlements, villages and cities alike."""
        return self.villages[player - 1] | self.cities[player - 1]

    def owner(self, point: int) -> Player:
        """Whose settlement stands on a point, ``NO_OWNER`` if none does."""
        bit = 1 << point
        for seat, (villages, cities) in enumerate(zip(self.villages, self.cities, strict=True), 1):
            if (villages | cities) & bit:
                return seat
        return NO_OWNER


class State(NamedTuple):
    """One state of the game. ``h`` and ``b`` are indexed by seat - 1; points, tiles and players count from 1."""

    constants: Constants
    sup: SetupPhase
    su_ap: Player
    ap: Player
    tp: TurnPhase
    dice: int
    ba: int
    dp: Cards
    lr: Player
    la: Player
    lim: tuple[int, ...]
    s: Settlements
    r: tuple[Points, ...]
    bnk: Bank
    h: tuple[Hand, ...]
    b: tuple[Buildings, ...]

    def others(self, player: Player) -> Points:
        """The settlements of all adversaries of a player."""
        return taken(self.s) & ~self.s.of(player)

    @property
    def is_over(self) -> bool:
        """Whether somebody has won: the phase is top."""
        return self.tp == "top"


def taken(s: Settlements) -> Points:
    """All settlement points with a settlement."""
    points = 0
    for villages in s.villages:
        points |= villages
    for cities in s.cities:
        points |= cities
    return points


def roads_taken(r: tuple[Points, ...]) -> Points:
    """All road points with a road."""
    points = 0
    for roads in r:
        points |= roads
    return points


def initial_state(constants: Constants) -> State:
    """The state before the first action: ``Init`` of the specification (thesis, definition 20)."""
    n = constants.player_count
    rules = constants.rules
    return State(
        constants=constants,
        sup="PhaseOne",
        su_ap=1,
        ap=1,
        tp="bot",
        dice=0,
        ba=constants.board.bandit_start,
        dp=NO_CARDS,
        lr=NO_OWNER,
        la=NO_OWNER,
        lim=(0,) * n,
        s=Settlements((0,) * n, (0,) * n),
        r=(0,) * n,
        bnk=Bank(rules.resource_pool, rules.dev_card_pool),
        h=(Hand(NO_CARDS, NO_CARDS, NO_CARDS, NO_CARDS),) * n,
        b=(Buildings(rules.roads, rules.villages, rules.cities),) * n,
    )
