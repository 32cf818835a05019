"""Random states: those of random games, and such states with some components changed at random.

The changed ones break invariants, on purpose: guards must be right in every state that can be written down, and in the
states of real games many of them are never looked at.
"""

from dataclasses import replace
from functools import lru_cache
from random import Random

from catan_p2p.game.cards import DEV_CARDS, RESOURCES, pack
from catan_p2p.game.constants import BRIEF, NO_OWNER, THESIS, Rules, profile
from catan_p2p.game.state import (
    ANSWERS,
    DRAWS,
    NO_OFFER,
    NO_TILE,
    NOTHING_HIDDEN,
    SETUP_PHASES,
    TURN_PHASES,
    Bank,
    Buildings,
    CalledDraw,
    Hand,
    Offer,
    PlacedSettlements,
    State,
    WayBack,
)
from tests.positions import random_game

FEWER = Rules(dice=(4, 5, 6, 7, 8, 9), points_to_win=5, hand_limit=5, longest_road_min=3, roads=8, offer_max=2)
"""Other numbers than the game's, and not every sum of the dice."""

FEW = replace(BRIEF, points_to_win=5, hand_limit=5, offer_max=2, combined_trade_build=False, special_building=True)
"""The rule book with phases kept apart, and a special building phase in spite of few players."""


TALK = replace(FEW, table_talk=True)
"""The same with table talk."""


GAMES = (
    *((2, THESIS), (3, THESIS), (4, FEWER), (2, BRIEF), (3, FEW), (6, profile("brief", 6)), (3, TALK)),
    *((3, replace(THESIS, chance="joint")), (3, replace(FEW, chance="joint"))),
    *((2, replace(THESIS, leaving=True)), (4, replace(FEW, chance="joint", leaving=True, returns=1))),
    (3, replace(TALK, offers_per_turn=2, proposals_per_turn=1, offers_to_one=True)),
    *((3, replace(TALK, leaving=True)), (3, replace(FEW, chance="joint", bandit_targets="friendly"))),
)
"""How many play, and by which rules."""


@lru_cache(maxsize=1)
def played() -> tuple[State, ...]:
    """Some hundred states of random games, all phases among them; some with other numbers, some by the rule book."""
    states: list[State] = []
    for players, rules in GAMES:
        game = list(random_game(players, players, steps=900, rules=rules))
        # The set-up whole, then every phase about equally often, from early to late in the game.
        states += [state for state in game[: 5 * players + 2] if state.tp in ("Pledging", "bot")]
        for phase in TURN_PHASES[2:]:
            found = [state for state in game if state.tp == phase]
            states += found[:: max(1, len(found) // 6)][:7]
    return tuple(states)


def scrambled(state: State, rng: Random) -> State:
    """The state with some components redrawn, each in its type."""
    constants = state.constants
    changes = {
        "first": lambda: rng.choice(constants.players),
        "pd": lambda: rng.randint(0, 1),
        "sb": lambda: rng.choice(constants.players),
        "ans": lambda: tuple(rng.choice(ANSWERS) for _ in constants.players),
        "offer": lambda: _random_offer(rng),
        "prop": lambda: tuple(_random_offer(rng) if rng.random() < 0.5 else NO_OFFER for _ in constants.players),
        "made": lambda: tuple(rng.randint(0, 2) for _ in constants.players),
        "tp": lambda: rng.choice(TURN_PHASES),
        "ap": lambda: rng.choice(constants.players),
        "due": lambda: tuple(rng.random() < 0.3 for _ in constants.players),
        "call": lambda: random_call(state, rng),
        "away": lambda: tuple(rng.random() < 0.2 for _ in constants.players),
        "sup": lambda: rng.choice(SETUP_PHASES),
        "su_ap": lambda: rng.choice(constants.players),
        "ba": lambda: rng.randint(1, constants.board.tile_count),
        "lim": lambda: tuple(rng.choice((0, 0, 2, 4, 5)) for _ in constants.players),
        "h": lambda: tuple(_random_hand(rng) for _ in constants.players),
        "bnk": lambda: Bank(_random_cards(rng, 1), _random_cards(rng, 1)),
        "b": lambda: tuple(Buildings(rng.randint(0, 2), rng.randint(0, 1), rng.randint(0, 1)) for _ in state.b),
        "r": lambda: _dealt(rng, len(state.b), constants.board.road_count, 25),
        "s": lambda: PlacedSettlements(*_dealt_twice(rng, len(state.b), constants.board.settlement_count)),
    }
    if constants.rules.chance_ahead:
        changes["ahead"] = lambda: tuple(rng.random() < 0.6 for _ in constants.players)
    chosen = {rng.choice(("h", "ap")), *rng.sample(sorted(changes), rng.randint(1, 4))}
    return _in_its_type(state._replace(**{name: changes[name]() for name in sorted(chosen)}))


def _in_its_type(state: State) -> State:
    """The state where whoever shuffles next is one of those who are there."""
    if not state.present:
        state = state._replace(away=(False,) * len(state.away))
    if state.hid is NOTHING_HIDDEN:
        return state
    return state._replace(hid=state.hid._replace(shuffles=state.hid.shuffles % len(state.present)))


def without_some(state: State, rng: Random) -> State:
    """The state where some are away, and more replies may be due."""
    players = state.constants.players
    changes = {
        "away": tuple(rng.random() < 0.4 for _ in players),
        "due": tuple(due or rng.random() < 0.3 for due in state.due),
        "lim": tuple(rng.choice((limit, 1)) for limit in state.lim),
    }
    if state.constants.rules.returns:
        changes["ret"] = tuple(WayBack(rng.randint(0, 1), rng.random() < 0.5) for _ in players)
    chosen = {"away", "ret" if "ret" in changes else "away", *rng.sample(["due", "lim"], rng.randint(0, 2))}
    return _in_its_type(state._replace(**{name: changes[name] for name in sorted(chosen)}))


def without_cards_to_play(state: State, rng: Random) -> State:
    """The state with other hands, where as many development cards have been played as the rules let one turn have."""
    hands = tuple(_random_hand(rng) for _ in state.h)
    return state._replace(pd=state.constants.rules.dev_cards_per_turn, h=hands)


def random_call(state: State, rng: Random) -> CalledDraw:
    """Any call that has its type."""
    constants = state.constants
    to = rng.choice((NO_TILE, NO_TILE, rng.randint(1, constants.board.tile_count)))
    victim = rng.choice((NO_OWNER, NO_OWNER, rng.choice(constants.players)))
    return CalledDraw(rng.choice(DRAWS), rng.choice(TURN_PHASES), to, victim)


def _random_cards(rng: Random, most: int) -> int:
    return pack(rng.randint(0, most) for _ in RESOURCES)


def _random_offer(rng: Random) -> Offer:
    return Offer(_random_cards(rng, 1), _random_cards(rng, 1))


def _random_hand(rng: Random) -> Hand:
    available = pack(rng.choice((0, 0, 1)) if card != "VictoryPoint" else 0 for card in DEV_CARDS)
    return Hand(_random_cards(rng, rng.choice((0, 1, 3, 5, 5))), 0, available, 0)


def _dealt(rng: Random, players: int, last: int, amount: int) -> tuple[int, ...]:
    sets = [0] * players
    for number in rng.sample(range(1, last + 1), rng.randint(0, amount)):
        sets[rng.randrange(players)] |= 1 << number
    return tuple(sets)


def _dealt_twice(rng: Random, players: int, last: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    both = _dealt(rng, 2 * players, last, 12)
    return both[:players], both[players:]
