"""Positions: states made by hand, readable ones, for the tests of the engine.

Whatever a position does not name is as in ``VILLAGES`` and ``ROADS`` below; the bank and the supplies hold what the
hands and the board leave, so a position keeps every conservation law by itself.

Player 1 has settled on point 20, a corner of the tiles 11, 17 and 18, with road 23 to point 19; road 22 would lead to
point 17 and road 21 on from 19 to 11. The second village stands on point 43 with road 64; road 55 starts there too.
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, TypeAlias

from catan_p2p.game.board import DEFAULT_BOARD, Board, as_points
from catan_p2p.game.cards import DEV_CARDS, RESOURCES, Cards, pack, total
from catan_p2p.game.constants import THESIS, Constants, Player, Rules
from catan_p2p.game.rules import any_offer, apply, awaited, decisions, draw
from catan_p2p.game.state import (
    NO_CALL,
    NOTHING_HIDDEN,
    Answer,
    Bank,
    Buildings,
    CalledDraw,
    Hand,
    Offer,
    PlacedSettlements,
    State,
    WayBack,
    initial_state,
    no_answers,
    none_made,
)
from catan_p2p.view.card_memory import unseen_cards

Placed: TypeAlias = Mapping[Player, tuple[int, ...]]
"""Points by player."""

Held: TypeAlias = Mapping[Player, str]
"""Cards in words by player, such as ``2 Grain, 3 Ore``."""

VILLAGES: Placed = {1: (20, 43), 2: (15, 36), 3: (10, 54), 4: (27, 39), 5: (2, 46), 6: (32, 52)}
ROADS: Placed = {1: (23, 64), 2: (16, 57), 3: (9, 72), 4: (33, 52), 5: (7, 62), 6: (39, 68)}


def cards(text: str) -> Cards:
    """Resource or development cards from words; no cards from an empty text."""
    counts = [0] * 5
    for part in filter(None, text.split(", ")):
        number, kind = part.split(" ")
        counts[(RESOURCES if kind in RESOURCES else DEV_CARDS).index(kind)] += int(number)
    return pack(counts)


def position(
    players: int = 2,
    *,
    phase: str = "Building",
    turn: Player = 1,
    dice: int | None = None,
    bandit: int | None = None,
    villages: Placed | None = None,
    cities: Placed | None = None,
    roads: Placed | None = None,
    hands: Held | None = None,
    bought: Held | None = None,
    available: Held | None = None,
    unveiled: Held | None = None,
    discarded: str = "",
    longest_road: Player = 0,
    largest_army: Player = 0,
    limits: tuple[int, ...] | None = None,
    first: Player = 1,
    played: int = 0,
    builder: Player = 0,
    offer: tuple[str, str] = ("", ""),
    answers: tuple[Answer, ...] | None = None,
    proposals: Mapping[Player, tuple[str, str]] | None = None,
    made: tuple[int, ...] | None = None,
    call: CalledDraw = NO_CALL,
    due: tuple[bool, ...] | None = None,
    away: tuple[bool, ...] | None = None,
    ways_back: Mapping[Player, tuple[int, bool]] | None = None,
    ahead: tuple[bool, ...] | None = None,
    rules: Rules = THESIS,
    board: Board = DEFAULT_BOARD,
) -> State:
    """A state after the set-up; limits are by default those of the hands, if the phase is Discarding.

    ``played`` counts the development cards of this turn, ``made`` offers and proposals; ``builder`` builds in the
    special building phase.
    """
    state = _place(
        initial_state(Constants(rules, board, players)),
        {**VILLAGES, **(villages or {})},
        cities or {},
        {**ROADS, **(roads or {})},
    )
    everybody = range(1, players + 1)
    held = tuple(
        Hand(*(cards((kind or {}).get(player, "")) for kind in (hands, bought, available, unveiled)))
        for player in everybody
    )
    if limits is None:
        sizes = [total(hand.rc) if phase == "Discarding" else 0 for hand in held]
        limits = tuple(size - size // 2 if size > rules.hand_limit else 0 for size in sizes)
    if dice is None:
        turn_phase = call.tp if phase == "Drawing" else phase
        dice = {"bot": 0, "DiceRoll": 0, "Discarding": 7, "MovingBandit": 7}.get(turn_phase, 8)
    pile = cards(discarded)
    return state._replace(
        sup="PhaseTwo",
        su_ap=first,
        first=first,
        ap=turn,
        tp=phase,
        dice=dice,
        pd=played,
        sb=builder,
        ba=state.ba if bandit is None else bandit,
        dp=pile,
        lr=longest_road,
        la=largest_army,
        lim=limits,
        offer=Offer(*map(cards, offer)),
        ans=no_answers(players) if answers is None else answers,
        prop=tuple(Offer(*map(cards, (proposals or {}).get(player, ("", "")))) for player in everybody),
        made=none_made(players) if made is None else made,
        due=(False,) * players if due is None else due,
        call=call,
        away=(False,) * players if away is None else away,
        ret=tuple(WayBack(*(ways_back or {}).get(player, (rules.returns, False))) for player in everybody),
        ahead=(False,) * players if ahead is None else ahead,
        bnk=Bank(
            rules.resource_pool - sum(hand.rc for hand in held),
            rules.dev_card_pool - sum(hand.bc + hand.ac + hand.uc for hand in held) - pile,
        ),
        h=held,
    )


def set_up(
    players: int = 2,
    *,
    stage: str = "PhaseOne",
    turn: Player = 1,
    villages: Placed | None = None,
    roads: Placed | None = None,
    hands: Held | None = None,
    first: Player = 1,
    rolls: tuple[int, ...] | None = None,
    away: tuple[bool, ...] | None = None,
    **constants: Any,
) -> State:
    """A state of the set-up, with these villages and roads and no others."""
    state = _place(
        initial_state(Constants(player_count=players, **constants)), villages or {}, cities={}, roads=roads or {}
    )
    held = tuple(hand._replace(rc=cards((hands or {}).get(seat, ""))) for seat, hand in enumerate(state.h, 1))
    bank = state.bnk._replace(rc=state.bnk.rc - sum(hand.rc for hand in held))
    begun = state._replace(tp="bot", due=(False,) * players, away=away or (False,) * players)
    return begun._replace(sup=stage, su_ap=turn, first=first, rolls=rolls or (0,) * players, ap=first, h=held, bnk=bank)


def _place(state: State, villages: Placed, cities: Placed, roads: Placed) -> State:
    everybody, rules = state.constants.players, state.constants.rules

    def points(placed: Placed) -> tuple[int, ...]:
        return tuple(as_points(placed.get(player, ())) for player in everybody)

    settlements = PlacedSettlements(points(villages), points(cities))
    return state._replace(
        s=settlements,
        r=points(roads),
        b=tuple(
            Buildings(
                rules.roads - len(roads.get(player, ())),
                rules.villages - len(villages.get(player, ())),
                rules.cities - len(cities.get(player, ())),
            )
            for player in everybody
        ),
    )


def random_game(
    seed: int, players: int = 2, *, steps: int = 2000, rules: Rules = THESIS, board: Board = DEFAULT_BOARD
) -> Iterator[State]:
    """The states of a game of uniformly random decisions, from the first on."""
    rng = Random(seed)
    state = initial_state(Constants(rules, board, players))
    yield state
    for _ in range(steps):
        if state.is_over:
            return
        player = rng.choice(awaited(state))
        decision = rng.choice(decisions(state, player))
        decision = any_offer(state, decision, rng)
        state = apply(state, draw(state, decision, rng))
        yield state


def veiled(state: State, viewer: Player) -> State:
    """A state of open hands as a player sees it: of the others' cards there are only numbers."""

    def counted(pile: str) -> tuple[int, ...]:
        return tuple(player != viewer and total(getattr(hand, pile)) for player, hand in enumerate(state.h, 1))

    hands = tuple(hand if player == viewer else Hand(0, 0, 0, hand.uc) for player, hand in enumerate(state.h, 1))
    counts = NOTHING_HIDDEN._replace(sealed=counted("rc"), bought=counted("bc"), held=counted("ac"))
    return state._replace(h=hands, bnk=state.bnk._replace(dc=unseen_cards(state, viewer)), hid=counts)
