"""Mistakes planted in our engine: each must make the two sides disagree, or the comparison compares nothing.

Every one is looked for in the examples of test_differences.py first, then in games, until it is found.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from catan_p2p.game import actions as a
from catan_p2p.game import rules, scoring
from catan_p2p.game.board import as_points, longest_trail, numbers
from catan_p2p.game.cards import NO_CARDS, total
from catan_p2p.game.constants import BRIEF, THESIS, Rules
from catan_p2p.game.state import State
from tests.independent import replay as games
from tests.independent.agreement import Agreement, Disagreement, Tally
from tests.independent.replay import Setting, replay
from tests.independent.test_differences import EXAMPLES, with_offer
from tests.independent.test_rare import RARE, follow

pytestmark = [pytest.mark.long, pytest.mark.sampled(3), pytest.mark.needs("bench")]

GAMES = [
    Setting(players, "variable", policy, kind, seed)
    for seed in (7, 8, 9, 10)
    for players in (3, 4)
    for policy, kind in (("fighter", "rich"), ("builder", "loaded"), ("random", "fair"))
]
"""Where a mistake is looked for, in this order."""

Plant = Callable[[pytest.MonkeyPatch], None]


def instead(module: Any, name: str, make: Callable[[Any], Any]) -> Plant:
    """Replace something of the engine by what is made of it."""

    def plant(monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, name, make(getattr(module, name)))

    return plant


def effect(name: str, wrong: Callable[[State, Any, State], State]) -> Plant:
    """Spoil the state after an action: ``wrong`` gets the state before, the action, and the right state after."""

    def spoil(kinds: dict[type, Any]) -> dict[type, Any]:
        cls, kind = next((cls, kind) for cls, kind in kinds.items() if kind.name == name)

        def spoilt(state: State, action: a.Action) -> State:
            return wrong(state, action, kind.effect(state, action))

        return {**kinds, cls: replace(kind, effect=spoilt)}

    return instead(rules, "KIND_OF", spoil)


def constant(name: str) -> Plant:
    """Play standard rules but for one constant, which is the thesis's."""
    return instead(games, "BRIEF", lambda standard: replace(standard, **{name: getattr(THESIS, name)}))


def number(name: str, value: int) -> Plant:
    """Play standard rules with another number."""
    return instead(games, "BRIEF", lambda standard: replace(standard, **{name: value}))


def with_rules(state: State) -> State:
    """A position under the rules that are played: the standard ones, unless a mistake is planted in them."""
    return state._replace(constants=replace(state.constants, rules=games.BRIEF))


def as_before(before: State, after: State, seat: int) -> State:
    """The state after, with one hand as it was before."""
    return after._replace(h=a.parts.with_seat(after.h, seat, before.h[seat - 1]))


BY_CONSTANT = (
    "bandit_blocks_building",
    "bandit_targets",
    "shortage",
    "combined_trade_build",
    "dev_cards_per_turn",
    "dev_card_before_dice",
    "win_check",
    "road_building_needs",
)
UNSEEN = {"domestic_trade", "offer_max", "start_order"}
"""catanatron has no notion of these: it knows no domestic trade, and is told who begins."""

MUTANTS: dict[str, Plant] = {
    "the longest road is not cut by a settlement": instead(
        scoring, "longest_trail", lambda _: lambda board, roads, foreign: longest_trail(board, roads, 0)
    ),
    "nobody looks at the longest road after a village": instead(
        a.build_village, "longest_road_holder", lambda _: lambda state: state.lr
    ),
    "a tie gives the longest road to the first": instead(
        scoring,
        "bonus_holder",
        lambda _: lambda sizes, least, holder: sizes.index(max(sizes)) + 1 if max(sizes) >= least else 0,
    ),
    "a holder who is tied loses the card": instead(
        scoring, "bonus_holder", lambda right: lambda sizes, least, holder: right(sizes, least, 0)
    ),
    "a card once held is kept for ever": instead(
        scoring, "bonus_holder", lambda right: lambda sizes, least, holder: holder or right(sizes, least, holder)
    ),
    "a shortage is ignored": instead(a.roll_dice, "what_is_left", lambda _: lambda state, gains: gains),
    "a shortage gives nobody anything": instead(
        a.roll_dice, "what_is_left", lambda _: lambda state, gains: (NO_CARDS,) * len(gains)
    ),
    "a shortage gives a single player nothing": instead(
        a.roll_dice,
        "what_is_left",
        lambda right: (
            lambda state, gains: right(state, gains) if sum(map(bool, gains)) > 1 else (NO_CARDS,) * len(gains)
        ),
    ),
    "the robber does not stop production": instead(
        a.roll_dice, "production", lambda right: lambda board, s, bandit, dice: right(board, s, 0, dice)
    ),
    "a city yields one card": instead(
        a.roll_dice,
        "production",
        lambda right: (
            lambda board, s, bandit, dice: right(
                board, s._replace(villages=tuple(map(int.__or__, *s)), cities=(0,) * len(s.cities)), bandit, dice
            )
        ),
    ),
    "half a hand is rounded up": instead(
        a.roll_dice,
        "hand_limits",
        lambda right: (
            lambda state: tuple(
                limit and total(hand.rc) // 2 for limit, hand in zip(right(state), state.h, strict=True)
            )
        ),
    ),
    "settlements may stand beside one another": instead(
        a.placement, "_crowded", lambda _: lambda board, settled: settled
    ),
    "a road that ends at an adversary's settlement does not count, as in catanatron": instead(
        scoring,
        "longest_trail",
        lambda _: (
            lambda board, roads, foreign: longest_trail(
                board, as_points(road for road in numbers(roads) if not board.end_points[road] & foreign), foreign
            )
        ),
    ),
    "roads pass an adversary's settlement": instead(
        a.placement, "reach", lambda right: lambda board, roads, own, foreign: right(board, roads, own, 0)
    ),
    "two cards may be played a turn": instead(a.progress, "is_within_limit", lambda _: lambda state: state.pd < 2),
    "every three-to-one wharf serves everybody": instead(
        a.trade_three_to_one, "has_wharf", lambda _: lambda state, player, type: True
    ),
    "nine points win": instead(
        a.turn, "has_enough", lambda _: lambda state, player: scoring.player_points(state, player) >= 9
    ),
    "the victim keeps the stolen card": effect(
        "MoveBandit", lambda before, action, after: as_before(before, after, action.victim or action.player)
    ),
    "a knight steals nothing": effect(
        "PlayKnight",
        lambda before, action, after: after._replace(
            h=tuple(new._replace(rc=old.rc) for old, new in zip(before.h, after.h, strict=True))
        ),
    ),
    "a village that becomes a city is lost": effect(
        "BuildCity",
        lambda before, action, after: after._replace(
            b=tuple(new._replace(village=old.village) for old, new in zip(before.b, after.b, strict=True))
        ),
    ),
    "discarded cards leave the game": effect("Discard", lambda before, action, after: after._replace(bnk=before.bnk)),
    "a victory point waits to be unveiled": effect(
        "BuyDevCard",
        lambda before, action, after: after._replace(
            h=tuple(new._replace(uc=old.uc) for old, new in zip(before.h, after.h, strict=True))
        ),
    ),
    "a monopoly spares the last player": effect(
        "PlayMonopoly", lambda before, action, after: as_before(before, after, len(before.h))
    ),
    "the partner gives without taking": effect(
        "ConcludeTrade", lambda before, action, after: as_before(before, after, action.player)
    ),
    "the second village earns nothing": effect(
        "SetupPhaseTwo", lambda before, action, after: after._replace(h=before.h, bnk=before.bnk)
    ),
    "the turn goes the other way round": effect(
        "EmptyBuild",
        lambda before, action, after: after if after.is_over else after._replace(ap=before.previous_player(before.ap)),
    ),
    "bought cards are playable at once": effect(
        "BuyDevCard",
        lambda before, action, after: after._replace(
            h=tuple(hand._replace(bc=NO_CARDS, ac=hand.ac + hand.bc) for hand in after.h)
        ),
    ),
    **{f"the thesis's {name}": constant(name) for name in BY_CONSTANT},
    "nine cards are too many": number("hand_limit", 8),
    "four roads are enough": number("longest_road_min", 4),
    "two knights are enough": number("largest_army_min", 2),
    "fourteen roads": number("roads", 14),
    "six villages": number("villages", 6),
}


def find(at_most: int) -> str:
    """What the comparison says about the first mistake it finds, empty if it finds none in so many games."""
    try:
        for rare in RARE.values():
            follow(rare._replace(state=with_rules(rare.state)))
        for example in EXAMPLES.values():
            state = with_rules(with_offer(example.state))
            agreement = Agreement(state, Tally())
            if example.action is not None:
                agreement.follow(state, example.action, rules.apply(state, example.action))
        for setting in GAMES[:at_most]:
            replay(setting)
    except Disagreement as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", MUTANTS)
def test_a_planted_mistake_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    MUTANTS[name](monkeypatch)
    assert find(at_most=len(GAMES))


def test_nothing_is_found_without_a_mistake() -> None:
    assert find(at_most=2) == ""


def test_every_constant_that_differs_is_either_planted_or_unseen() -> None:
    differing = {name for name in Rules.__slots__ if getattr(BRIEF, name) != getattr(THESIS, name)}
    assert differing == {*BY_CONSTANT, *UNSEEN}
