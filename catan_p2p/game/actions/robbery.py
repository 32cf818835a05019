"""Moving the bandit and stealing a card: what ``MoveBandit`` and ``PlayKnight`` share."""

from collections.abc import Sequence
from functools import lru_cache

from catan_p2p.game.actions.parameters import StolenCard
from catan_p2p.game.actions.parts import NumberSource, with_seat
from catan_p2p.game.board import Board
from catan_p2p.game.cards import ONE, RESOURCES, Cards, count, kinds, total, unpack
from catan_p2p.game.constants import NO_OWNER, Player
from catan_p2p.game.state import Hand, HiddenCounts, PlacedSettlements, State


def is_elsewhere(state: State, to: int) -> bool:
    """The bandit must move: the tile is not the one it stands on."""
    return to != state.ba


def is_land(state: State, to: int) -> bool:
    """The bandit stays on land; the desert is land."""
    return state.constants.board.map.tiles[to - 1].is_land


def is_target(state: State, player: Player, to: int) -> bool:
    """The tile has an adversary's settlement, if a land tile other than the bandit's has one.

    (``BanditTargets = "adversary"``, the thesis's rules, section 3.2.7.)
    """
    targets = state.constants.rules.bandit_targets
    if targets == "any":
        return True
    if targets == "friendly":
        return is_friendly_target(state, player, to)
    foreign = state.others(player)
    corners = state.constants.board.corners
    if corners[to] & foreign:
        return True
    # The bandit must move, so its own tile is no alternative.
    return not any(corners[tile] & foreign for tile in state.constants.board.land if tile != state.ba)


def is_friendly_target(state: State, player: Player, to: int) -> bool:
    """The tile has no settlement of an adversary with fewer than three points, if there is another such land tile.

    (``BanditTargets = "friendly"``, as many people play.)
    """
    board = state.constants.board
    spared = 0
    for seat in spared_players(state, player):
        spared |= state.s.of(seat)
    return not board.corners[to] & spared or all(
        board.corners[tile] & spared for tile in board.land if tile != state.ba
    )


FRIENDLY_BELOW = 3
"""Players with fewer points are spared by a friendly bandit."""


def spared_players(state: State, player: Player) -> tuple[Player, ...]:
    """The adversaries whom a friendly bandit spares, by seat."""
    return tuple(seat for seat in state.constants.players if seat != player and state.points(seat) < FRIENDLY_BELOW)


def is_victim(state: State, player: Player, to: int, victim: Player) -> bool:
    """An adversary with a settlement on the tile, or nobody if no adversary has one."""
    corners = state.constants.board.corners[to]
    if victim == NO_OWNER:
        return not corners & state.others(player)
    return victim != player and bool(state.s.of(victim) & corners)


def is_sealed(state: State, victim: Player) -> bool:
    """Whether a victim holds sealed cards: then nobody else sees which card is stolen.

    Those of a player who has left are out of play.
    """
    sealed = state.hid.sealed
    return bool(sealed) and victim != NO_OWNER and sealed[victim - 1] > 0 and not state.away[victim - 1]


def is_card_of(state: State, victim: Player, card: StolenCard) -> bool:
    """A card that the victim holds; none only if there is no victim or nothing to steal."""
    if card == "sealed" or is_sealed(state, victim):
        return card == "sealed" and is_sealed(state, victim)
    held = state.h[victim - 1].rc if victim != NO_OWNER else 0
    return not held if card == "none" else count(held, card) > 0


def steal(state: State, player: Player, victim: Player, card: StolenCard) -> tuple[Hand, ...]:
    """All hands after the card has passed from the victim to the player."""
    if card in ("none", "sealed"):
        return state.h
    loser, winner = state.h[victim - 1], state.h[player - 1]
    hands = with_seat(state.h, victim, loser._replace(rc=loser.rc - ONE[card]))
    return with_seat(hands, player, winner._replace(rc=winner.rc + ONE[card]))


def sealed_after(state: State, player: Player, victim: Player, card: StolenCard) -> HiddenCounts:
    """The hidden cards after the stolen one has passed from the victim to the player."""
    if card != "sealed":
        return state.hid
    sealed = with_seat(state.hid.sealed, victim, state.hid.sealed[victim - 1] - 1)
    return state.hid._replace(sealed=with_seat(sealed, player, sealed[player - 1] + 1))


def robberies(state: State, player: Player) -> tuple[tuple[int, Player], ...]:
    """Every tile the bandit may move to with every possible victim, ascending."""
    targets = state.constants.rules.bandit_targets
    moves = _robberies(state.constants.board, "any" if targets == "friendly" else targets, state.s, state.ba, player)
    if targets == "friendly":
        return tuple(move for move in moves if is_friendly_target(state, player, move[0]))
    return moves


@lru_cache(maxsize=1 << 9)
def _robberies(
    board: Board, targets: str, s: PlacedSettlements, ba: int, player: Player
) -> tuple[tuple[int, Player], ...]:
    moves = [
        (tile, seat)
        for tile in board.land
        if tile != ba
        for seat in range(1, len(s.villages) + 1)
        if seat != player and s.of(seat) & board.corners[tile]
    ]
    if not moves or targets == "any":
        robbed = {tile for tile, _ in moves}
        moves += [(tile, NO_OWNER) for tile in board.land if tile != ba and tile not in robbed]
        moves.sort()
    return tuple(moves)


def stealable(state: State, victim: Player) -> tuple[StolenCard, ...]:
    """The cards that can be stolen from a victim, in the order of resources; only none if there is nothing."""
    if is_sealed(state, victim):
        return ("sealed",)
    return tuple(RESOURCES[i] for i in stealable_kinds(state, victim)) or ("none",)


def stealable_kinds(state: State, victim: Player) -> Sequence[int]:
    """The kinds of cards that a victim holds in the open, by number."""
    return kinds(state.h[victim - 1].rc) if victim != NO_OWNER else ()


def draw_stolen(state: State, victim: Player, rng: NumberSource) -> StolenCard:
    """A card drawn uniformly from the victim's hand."""
    if is_sealed(state, victim):
        return "sealed"
    held: Cards = state.h[victim - 1].rc if victim != NO_OWNER else 0
    if not held:
        return "none"
    at = rng.randrange(total(held))
    for resource, number in zip(RESOURCES, unpack(held), strict=True):
        if at < number:
            return resource
        at -= number
    raise AssertionError(f"{at} is beyond the hand {unpack(held)}")
