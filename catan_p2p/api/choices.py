"""The decisions of players in a state, kept apart from the outcomes of chance.

A decision whose chance outcome is open, such as a roll of the dice, is an ``Undrawn``. It cannot be applied:
``chance_outcomes`` lists its outcomes with their probabilities, and ``draw`` draws one. So a program cannot pick a roll
uniformly from 2 to 12 by mistake, and "the first legal action" does not always roll the same number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple, TypeAlias, cast

from catan_p2p import settings
from catan_p2p.game import rules
from catan_p2p.game.actions import (
    KIND_OF,
    Action,
    BuyDevCard,
    OfferTrade,
    OfferTradeTo,
    ParameterError,
    ProposeTrade,
    misfit,
)
from catan_p2p.game.actions.parameters import PLAYER
from catan_p2p.game.cards import DEV_CARDS, RESOURCES, count, total, unpack
from catan_p2p.game.constants import NO_OWNER, Player
from catan_p2p.game.new_game import new_constants
from catan_p2p.game.state import State, initial_state
from catan_p2p.log.refs import COLOURS


class ChanceUndecided(ValueError):
    """A decision was applied whose chance outcome is open; use ``draw`` or ``chance_outcomes`` first."""


@dataclass(frozen=True, slots=True)
class Undrawn:
    """A player's decision without its chance outcome: that the dice are rolled, not what they show.

    Two are equal if they are the same decision, whatever outcome they were made with. Raises ``ValueError`` for an
    action without a chance outcome.
    """

    _action: Action

    def __post_init__(self) -> None:
        if not isinstance(self._action, Action) or self._action.drawn is None:
            raise ValueError(f"{self._action!r}: chance has no part in it")

    @property
    def player(self) -> Player:
        """The player who decides."""
        return self._action.player

    @property
    def kind(self) -> type:
        """The class of the action, such as ``RollDice``."""
        return type(self._action)

    @property
    def parameters(self) -> dict[str, Any]:
        """The fields of the action except the player and the chance outcome."""
        names = (field.name for field in fields(cast(Any, self._action)))
        return {name: getattr(self._action, name) for name in names if name not in ("player", self._action.drawn)}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Undrawn):
            return NotImplemented
        return self._action.decision == other._action.decision

    def __hash__(self) -> int:
        return hash(self._action.decision)

    def __repr__(self) -> str:
        told = "".join(f"{name}={value!r}, " for name, value in self.parameters.items())
        return f"{self.kind.__name__}(player={self.player}, {told}{self._action.drawn}=?)"


Choice: TypeAlias = Action | Undrawn
"""What a player can decide."""


class Outcome(NamedTuple):
    """An action with its chance outcome, and the probability of that."""

    action: Action
    probability: Fraction


def new_game(players: int = 4, rules: str = "standard", map: str = "default", seed: int = 0) -> State:
    """The state before the first action.

    ``rules`` is the name of a profile, ``thesis`` or ``standard``, with changes or without, such as
    ``standard; HandLimit = 9``; ``map`` is the name of a map or the text of a map file. A random map is drawn from
    ``seed``, a whole number. Raises ``TypeError`` for a setting of another type, ``ValueError`` for an impossible one.

    >>> new_game(players=3)
    <State: Rolling, player 1's turn; points 0 0 0>
    """
    return first_state(players, rules, map, seed, 0)


def first_state(players: int, rules: str, map: str, seed: int, number: int) -> State:
    """The state before the first action of game ``number`` of a seed; raises as ``new_game`` does."""
    players, seed = settings.players(players), settings.seed(seed)
    rules, map, number = settings.rules(rules), settings.map_name(map), settings.whole("number", number)
    return initial_state(new_constants(rules, COLOURS[:players], map, seed, number))


def to_move(state: State) -> tuple[Player, ...]:
    """The players for whose decision the game waits: several after a seven or an offer, none when it is over."""
    check_state(state)
    return rules.awaited(state)


def legal_actions(state: State, player: Player | None = None) -> list[Choice]:
    """All decisions of a player in a fixed order; by default those of the first player whom the game waits for.

    Decisions with a chance outcome are ``Undrawn``. Only offers and proposals of one card for one are listed;
    ``legal_offers`` has all offers, which can be thousands. Empty for a player whom the game does not wait for.
    Excuses, claims, and proposals that nobody asked for are in ``rules.enabled``.

    Raises ``ValueError`` for a player who does not play.
    """
    check_state(state)
    if player is None:
        waiting = rules.awaited(state)
        if not waiting:
            return []
        player = waiting[0]
    check_player(state, player)
    found: list[Choice] = []
    listed: set[type] = set()
    for action in rules.decisions(state, player):
        if isinstance(action, OfferTrade | OfferTradeTo | ProposeTrade):
            if type(action) in listed:  # listed once per partner; ``instances`` has them all
                continue
            listed.add(type(action))
            all_of_them = cast(Sequence[OfferTrade | ProposeTrade], KIND_OF[type(action)].instances(state, player))
            found += [offer for offer in all_of_them if total(offer.give) == total(offer.receive) == 1]
        else:
            found.append(action if action.drawn is None else Undrawn(action))
    return found


def legal_offers(state: State, player: Player) -> Sequence[OfferTrade | OfferTradeTo]:
    """All offers that the player can make: first those to all, by the cards given, then wanted; then those to one."""
    check_player(state, player)
    to_all = cast(Sequence[OfferTrade], KIND_OF[OfferTrade].instances(state, player))
    to_one = cast(Sequence[OfferTradeTo], KIND_OF[OfferTradeTo].instances(state, player))
    return [*to_all, *to_one] if to_one else to_all


def chance_outcomes(state: State, choice: Choice) -> tuple[Outcome, ...]:
    """The actions that a decision can become, with their probabilities; itself alone if it has no chance outcome.

    The probabilities are exact and add up to one. Raises ``ParameterError`` as ``apply`` does.

    >>> from catan_p2p import play
    >>> state = play(players=2, rules="thesis", policies="random", seed=1).steps[4].before
    >>> [choice] = legal_actions(state)
    >>> choice
    RollDice(player=1, dice=?)
    >>> chance_outcomes(state, choice)[5]
    Outcome(action=RollDice(player=1, dice=7), probability=Fraction(1, 6))
    """
    action: Any = checked_action(state, choice)
    if not isinstance(choice, Undrawn):
        return (Outcome(action, Fraction(1)),)
    if action.drawn == "dice":
        ways = _ways_of(state.constants.rules.dice)
    elif isinstance(action, BuyDevCard):
        ways = tuple(zip(DEV_CARDS, unpack(state.bnk.dc), strict=True))
    else:
        held = state.h[action.victim - 1].rc if action.victim != NO_OWNER else 0
        ways = tuple((card, count(held, card)) for card in RESOURCES) if held else (("none", 1),)
    in_all = sum(number for _, number in ways)
    return tuple(
        Outcome(replace(action, **{action.drawn: value}), Fraction(number, in_all)) for value, number in ways if number
    )


@lru_cache
def _ways_of(sums: tuple[int, ...]) -> tuple[tuple[Any, int], ...]:
    """The number of ways in which two dice show each sum that the rules allow."""
    return tuple((dice, 6 - abs(7 - dice)) for dice in sums)


def draw(state: State, choice: Choice, rng: Random) -> Action:
    """The action that a decision becomes, drawn by its probabilities; the choice itself if it has no open outcome.

    Raises ``ParameterError`` as ``apply`` does.
    """
    action = checked_action(state, choice)
    settings.generator("rng", rng)
    return rules.draw(state, action, rng) if isinstance(choice, Undrawn) else action


def apply(state: State, choice: Choice, rng: Random | None = None) -> State:
    """The state after an action; states are immutable.

    With ``rng``, an open outcome is drawn first. Raises ``NotEnabled`` with the tags of the broken guards,
    ``ParameterError`` (a ``ValueError``) for a field outside its domain, and ``ChanceUndecided`` for an open outcome
    without ``rng``.
    """
    action = checked_action(state, choice)
    if rng is not None:
        settings.generator("rng", rng)
    if not isinstance(choice, Undrawn):
        return rules.apply(state, action)
    if rng is None:
        raise ChanceUndecided(f"{choice!r}: chance decides; draw it, or choose from chance_outcomes")
    return rules.apply(state, rules.draw(state, action, rng))


def broken_guards(state: State, choice: Choice) -> tuple[str, ...]:
    """The tags of the guards that a choice breaks, such as ``BR3 cost``; empty if it is legal.

    Raises ``ParameterError`` as ``apply`` does.
    """
    return rules.broken_guards(state, checked_action(state, choice))


def checked_action(state: State, choice: Choice) -> Action:
    """The action of a choice; ``ParameterError`` if a field is outside its domain, ``TypeError`` for anything else."""
    check_state(state)
    action = choice._action if isinstance(choice, Undrawn) else choice
    if type(action) not in KIND_OF:
        raise TypeError(f"{choice!r}: expected an action")
    if wrong := misfit(action, state.constants):
        raise ParameterError(f"{choice!r}: {wrong}")
    return action


def check_state(state: State) -> None:
    """Raise ``TypeError`` for anything but a state."""
    if not isinstance(state, State):
        raise TypeError(f"state {state!r}: expected a State, such as the first or the last of a Game")


def check_player(state: State, player: Player) -> None:
    """Raise ``ParameterError`` for a player who does not play."""
    check_state(state)
    if not PLAYER.contains(state.constants, player):
        raise ParameterError(f"player {player!r}: expected 1 to {state.constants.player_count}")
