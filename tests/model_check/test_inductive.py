"""The core of the invariants is inductive: TLC takes every step from random states in which it holds."""

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from catan_p2p.game.cards import DEV_CARDS, RESOURCES, Cards, count, covers, pack, total
from catan_p2p.game.constants import BRIEF, THESIS, Constants, Rules
from catan_p2p.game.invariants import without_pause
from catan_p2p.game.state import (
    ANSWERS,
    NO_OFFER,
    NOTHING_HIDDEN,
    TALK_PHASES,
    TRADE_PHASES,
    Answer,
    Bank,
    Buildings,
    Hand,
    Offer,
    State,
)
from catan_p2p.model_check.tlc import TlcResult
from catan_p2p.model_check.trace import constants_config
from tests.model_check.given import STACK, Given, module_of
from tests.model_check.guard_mutations import quick_tlc, without_guard
from tests.model_check.successors import varied_states
from tests.positions import random_game
from tests.sampled_states import scrambled

pytestmark = [pytest.mark.needs("spec"), pytest.mark.long]

FEW_CARDS = {"resource_pool": pack((5, 5, 5, 5, 5)), "hand_limit": 3, "offer_max": 1}
HIDDEN: dict[str, Any] = {"chance": "joint", "hands": "hidden", "dev_card_pool": pack((12, 2, 2, 6, 6))}
"""With so many monopolies that they take sealed cards."""
GAMES: dict[str, tuple[int, Rules]] = {
    "thesis": (3, replace(THESIS, **FEW_CARDS)),
    "talking and leaving": (3, replace(BRIEF, table_talk=True, leaving=True, **FEW_CARDS)),
    "hidden": (3, replace(BRIEF, **HIDDEN, **FEW_CARDS)),
    "hidden, talking and leaving": (
        3,
        replace(BRIEF, table_talk=True, leaving=True, signed_end=True, **HIDDEN, **FEW_CARDS),
    ),
}


def _dealt(pool: Cards, kinds: tuple[str, ...], hands: int, rng: Random) -> tuple[Cards, ...]:
    """A pool dealt to so many hands, and what is left of it at the end."""
    dealt = [[0] * 5 for _ in range(hands + 1)]
    for i, kind in enumerate(kinds):
        for _ in range(count(pool, kind)):
            dealt[rng.choice((hands, rng.randrange(hands + 1)))][i] += 1
    return tuple(pack(cards) for cards in dealt)


def random_state(start: State, rng: Random) -> State:
    """A state of the right types in which the core holds: everything that it does not speak of is arbitrary."""
    constants, n = start.constants, start.constants.player_count
    start = _asked(start, rng)
    state, below = scrambled(start, rng), without_pause(start)
    is_hidden = start.hid is not NOTHING_HIDDEN
    *hands, left = _dealt(constants.rules.resource_pool, RESOURCES, 2 * n if is_hidden else n, rng)
    # For each player what is bought, available and unveiled; and what is discarded.
    *cards, stock = _dealt(constants.rules.dev_card_pool, DEV_CARDS, 2 * n, rng)
    held, hidden = [], 0
    for i in range(n):
        bought, available = (_only(cards[2 * i + j], DEV_CARDS[:4]) for j in (0, 1))
        unveiled = _only(cards[2 * i], DEV_CARDS[4:]) + _only(cards[2 * i + 1], DEV_CARDS[4:])
        held.append(Hand(hands[i], bought, available, unveiled))
        hidden += bought + available + unveiled
    assert hidden + stock == constants.rules.dev_card_pool
    roads = tuple(points & ~sum(start.r[:i]) for i, points in enumerate(start.r))
    rules = constants.rules
    pieces = tuple(
        Buildings(
            rules.roads - roads[i].bit_count(),
            rules.villages - start.s.villages[i].bit_count(),
            rules.cities - start.s.cities[i].bit_count(),
        )
        for i in range(n)
    )
    offer, is_talking = state.offer, rules.table_talk and below.tp in TALK_PHASES
    if is_hidden:
        counts = _counted(total(stock) - (start.call.what == "BuyDevCard"), 2 * n, rng)
        state = state._replace(
            hid=state.hid._replace(sealed=tuple(map(total, hands[n:])), bought=counts[:n], held=counts[n:])
        )
    return state._replace(
        sup="PhaseTwo",
        tp=start.tp,
        call=start.call,
        h=tuple(held),
        bnk=Bank(left, stock),
        dp=0,
        r=roads,
        s=start.s,
        b=pieces,
        lim=state.lim if below.phase == "Discarding" else (0,) * n,
        ans=tuple(_answer(hand, offer, rng) if below.tp == "Offering" else "none" for hand in held),
        prop=tuple(
            prop if is_talking and covers(hand.rc, prop.give) else NO_OFFER
            for hand, prop in zip(held, state.prop, strict=True)
        ),
    )


def _counted(most: int, piles: int, rng: Random) -> tuple[int, ...]:
    """So many cards at most, on these piles."""
    counts = [0] * piles
    for _ in range(rng.choice((0, most // 2, most))):
        counts[rng.randrange(piles)] += 1
    return tuple(counts)


def _asked(state: State, rng: Random) -> State:
    """A state of a turn in which a monopoly may ask for sealed cards."""
    if state.hid is NOTHING_HIDDEN or state.tp not in TRADE_PHASES or rng.random() < 0.5:
        return state
    hid = state.hid._replace(wanted=rng.choice(RESOURCES), back=state.tp)
    return state._replace(tp="Surrendering", due=(True,) * len(state.due), hid=hid)


def _answer(hand: Hand, offer: Offer, rng: Random) -> Answer:
    answer = rng.choice(ANSWERS)
    return answer if answer != "accept" or covers(hand.rc, offer.receive) else "reject"


def _only(cards: Cards, kinds: tuple[str, ...]) -> Cards:
    return pack(count(cards, kind) if kind in kinds else 0 for kind in DEV_CARDS)


def check(game: str, number: int, modules: Mapping[str, str] | None = None) -> TlcResult:
    """TLC takes every step from so many random states."""
    players, rules = GAMES[game]
    constants, rng = Constants(rules, player_count=players), Random(1)
    played = varied_states(constants, 3, 80) if rules.hands == "hidden" else random_game(3, players, rules=rules)
    begun = [state for state in played if without_pause(state).phase not in ("Pledging", "Shuffling", "bot", "top")]
    states = [random_state(rng.choice(begun), rng) for _ in range(number)]
    with tempfile.TemporaryDirectory() as scratch:
        module = Path(scratch) / "RunInductive.tla"
        text = module_of(constants, [Given(state) for state in states], "RunInductive")
        module.write_text(text.replace("EXTENDS CatanGiven", "EXTENDS CatanInductive"), encoding="utf-8")
        told = constants_config(constants) + "    Trace <- NoTrace\n    Given <- TheGiven\n    FromInit <- TheFirst\n"
        config = f"SPECIFICATION InductiveSpec\n{told}INVARIANT Inductive\n"
        for name, changed in (modules or {}).items():
            (Path(scratch) / name).write_text(changed, encoding="utf-8")
        tlc = quick_tlc()
        return replace(tlc, options=(*tlc.options, STACK)).run(module, config, ["-deadlock"])


@pytest.mark.sampled(4)
@pytest.mark.parametrize("game", GAMES)
def test_every_step_from_a_random_state_keeps_cards_and_pieces(game: str) -> None:
    result = check(game, 40)
    assert result.verdict == "fine", (result.detail, result.states[-2:])
    assert result.distinct > 200


@pytest.mark.sampled(9)
@pytest.mark.parametrize(
    ("game", "tag"),
    [
        ("thesis", "TF3 hand"),
        ("thesis", "BR5 free"),
        ("thesis", "BD3 cost"),
        ("hidden", "MB8 card"),
        ("hidden", "SP4 card"),
        ("hidden, talking and leaving", "SU4 hand"),
    ],
)
def test_a_guard_that_it_needs_is_missed(game: str, tag: str) -> None:
    assert check(game, 40, without_guard(tag)).verdict == "invariant"
