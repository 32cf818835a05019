"""The flat core beside the mirror: the same games played on both, and compared after every action."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import cycle, product
from random import Random

from catan_p2p.game.actions import ACTIONS, KIND_NAMED, Action
from catan_p2p.game.board import DEFAULT_BOARD, MAPS, board_of, draw_map
from catan_p2p.game.board.openings import BEGINNERS_MAX_PLAYERS, beginners_opening
from catan_p2p.game.constants import Constants, Rules, profile
from catan_p2p.game.flat import CoreBuild, FlatGame, action_of, move_of, state_of
from catan_p2p.game.rules import any_offer, apply, awaited, decisions, draw, initial_state
from catan_p2p.game.state import State
from catan_p2p.log.refs import COLOURS

VARIANTS: tuple[dict[str, object], ...] = (
    {},
    {"bandit_targets": "friendly", "longest_road_min": 3},
    {"start_order": "dice_then_seat", "offers_per_turn": 2, "shortage": "per_resource"},
    {"leaving": True, "special_building": True, "win_check": "at_once", "points_to_win": 7},
    {"dice": (4, 5, 6, 7, 8, 9), "hand_limit": 5, "roads": 8, "largest_army_min": 2, "dev_cards_per_turn": 2},
    {"combined_trade_build": True, "bandit_targets": "any", "road_building_needs": 1, "proposals_per_turn": 1},
    {"win_check": "turn_end", "shortage": "nobody", "bandit_blocks_building": True, "dev_card_before_dice": True},
)
"""Changes to the rules of a profile: everything that the flat core plays, in some game."""


def games(seed: int) -> Iterator[Constants]:
    """Games without end: every profile with every number of players, by turns on every map and with every variant."""
    rng = Random(seed)
    plain = product(("thesis", "brief", "standard"), range(2, 7), MAPS, VARIANTS)
    order = list(plain)
    rng.shuffle(order)
    for name, players, map, variant in cycle(order):
        board, opening = board_of(draw_map(map, rng)), ()
        if map == "beginners" and players <= BEGINNERS_MAX_PLAYERS:
            board, opening = DEFAULT_BOARD, beginners_opening(COLOURS[:players])  # type: ignore[assignment]
        rules: Rules = replace(profile(name, players), **variant)  # type: ignore[arg-type]
        yield Constants(rules, board, players, opening)


def moves(flat: FlatGame, player: int) -> list[int]:
    """The moves of a player in a list."""
    return [flat.move(i) for i in range(flat.list_moves(player))]


def check_moves(flat: FlatGame, state: State) -> None:
    """Raise ``AssertionError`` unless both list the same decisions of every player, and the game waits for the same."""
    for player in state.constants.players:
        wanted = decisions(state, player)
        found = moves(flat, player)
        assert [*map(action_of, found)] == wanted, (state, player)
        assert [*map(move_of, wanted)] == found, (state, player)
    assert flat.awaited() == next(iter(awaited(state)), 0), state
    assert [flat.points(player) for player in state.constants.players] == [*map(state.points, state.constants.players)]


def check_state(flat: FlatGame, state: State, action: Action | None) -> None:
    """Raise ``AssertionError`` unless both are the same state; it names what differs after the action."""
    found = state_of(flat, state.constants)
    if found != state:
        differing = {name: pair for name, *pair in zip(state._fields, found, state, strict=True) if pair[0] != pair[1]}
        raise AssertionError(f"after {action}: {differing}")


def check_successors(core: CoreBuild, state: State, actions: Sequence[Action]) -> None:
    """Raise ``AssertionError`` unless each of these enabled actions leads to the same state, and can be taken back."""
    flat = core.flat_of(state)
    for action in actions:
        flat.push(move_of(action))
        check_state(flat, apply(state, action), action)
        flat.pop()
    check_state(flat, state, None)


def play_beside(core: CoreBuild, constants: Constants, seed: int, most: int) -> int:
    """One random game on both, at most so many actions, compared after each; how many there were.

    Anybody who can act may, offers are of any size, and where the rules let players leave some do.
    """
    rng = Random(seed)
    state = initial_state(constants)
    flat = core.begin(constants)
    for made in range(most):
        check_moves(flat, state)
        if state.is_over:
            return made
        if constants.rules.leaving and rng.random() < 0.01 and (after := excused(state, rng)) is not None:
            state = after
            flat = core.flat_of(state)
            continue
        waiting = awaited(state) if rng.random() < 0.8 else constants.players
        player = rng.choice([player for player in waiting if decisions(state, player)] or awaited(state))
        action = draw(state, any_offer(state, rng.choice(decisions(state, player)), rng), rng)
        if made % 16 == 0:
            outcomes = moves_without_offers(state, player)
            check_successors(core, state, rng.sample(outcomes, min(12, len(outcomes))))
        state = apply(state, action)
        flat.do(move_of(action))
        check_state(flat, state, action)
    return most


def excused(state: State, rng: Random) -> State | None:
    """The state after somebody was excused, if anybody can be."""
    excuses = [excuse for player in state.constants.players for excuse in KIND_NAMED["excuse"].instances(state, player)]
    return apply(state, rng.choice(excuses)) if excuses else None


def moves_without_offers(state: State, player: int) -> list[Action]:
    """Every enabled move with every outcome of chance, but for offers, which can be thousands, and what is said about
    players who are away, which only the mirror plays.
    """
    kinds = (kind for kind in ACTIONS if kind.name not in _LEFT_OUT)
    return [action for kind in kinds for action in kind.instances(state, player)]


_LEFT_OUT = ("OfferTrade", "ProposeTrade", "Excuse", "Claim")
