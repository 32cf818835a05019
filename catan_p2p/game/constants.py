"""The constants of a game: what the specification declares as CONSTANTS, with the three profiles of rules."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal, TypeAlias, get_args

from catan_p2p.game.board import DEFAULT_BOARD, Board, FirstPlacement
from catan_p2p.game.cards import Cards, covers, pack, total

Player: TypeAlias = int
"""A player's seat, from 1."""

NO_OWNER = 0
"""No player, in the place of one."""


Chance: TypeAlias = Literal["actor", "joint"]
CHANCES: tuple[Chance, ...] = get_args(Chance)
"""Who draws chance outcomes: the acting player, or all players together."""

Hands: TypeAlias = Literal["open", "hidden"]
HANDS: tuple[Hands, ...] = get_args(Hands)
"""Whether everybody sees all hands, or each player only what the rule book shows."""

RESOURCE_POOL: Cards = pack((19, 19, 19, 19, 19))
"""All resource cards of the game: ``RCP`` (thesis, definition 5)."""

DEV_CARD_POOL: Cards = pack((2, 2, 2, 14, 5))
"""All development cards of the game: ``DCP`` (thesis, definition 6)."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rule constants; the fields are named after the specification's and explained in docs/reference/model.md."""

    bandit_blocks_building: bool = True
    bandit_targets: Literal["adversary", "any", "friendly"] = "adversary"
    shortage: Literal["nobody", "per_resource"] = "nobody"
    combined_trade_build: bool = False
    dev_cards_per_turn: int = 0
    dev_card_before_dice: bool = False
    win_check: Literal["turn_end", "at_once"] = "turn_end"
    domestic_trade: bool = False
    road_building_needs: int = 2
    points_to_win: int = 10
    hand_limit: int = 7
    longest_road_min: int = 5
    largest_army_min: int = 3
    resource_pool: Cards = RESOURCE_POOL
    dev_card_pool: Cards = DEV_CARD_POOL
    roads: int = 15
    villages: int = 5
    cities: int = 4
    dice: tuple[int, ...] = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
    offer_max: int = 0
    special_building: bool = False
    start_order: Literal["seat", "dice", "dice_then_seat"] = "seat"
    chance: Chance = "actor"
    table_talk: bool = False
    offers_per_turn: int = 0
    proposals_per_turn: int = 0
    leaving: bool = False
    patience: int = 0
    """How long, in seconds, every program waits for a silent player before it votes; 0 leaves it to its user. No
    guard reads this, and the specification does not have it, because its steps take no time.
    """
    returns: int = 0
    """How often a player who was left out may come back."""
    hands: Hands = "open"
    signed_end: bool = False
    """Whether all players who are present sign the end before hidden cards are opened: with leaving, and only then."""
    chance_ahead: bool = False
    """Whether the end of a turn tells the player's shares of the rolls until their next turn, so these need no call."""
    offers_to_one: bool = False
    """Whether an offer may be made to one other player alone."""

    @property
    def side_max(self) -> int:
        """The most cards that either side of an offer can have."""
        return self.offer_max or total(self.resource_pool)

    @property
    def drawn_by_actors(self) -> Rules:
        """The same rules with draws by the acting player."""
        return replace(self, chance="actor", chance_ahead=False)


THESIS = Rules()
"""The rules as the thesis simplifies them."""

BRIEF = Rules(
    bandit_blocks_building=False,
    bandit_targets="any",
    shortage="per_resource",
    combined_trade_build=True,
    dev_cards_per_turn=1,
    dev_card_before_dice=True,
    win_check="at_once",
    domestic_trade=True,
    road_building_needs=1,
    offer_max=4,
    start_order="dice",
)
"""The rule book's rules with brief trades: offers of at most four cards to those who could pay, and no proposals."""

STANDARD = replace(BRIEF, offer_max=0, table_talk=True)
"""The rules of the rule book, for up to four players."""

PROFILES: dict[str, Rules] = {"thesis": THESIS, "brief": BRIEF, "standard": STANDARD}
"""The profiles by name, as up to four players play them."""


def profile(name: str, player_count: int) -> Rules:
    """The rules of a profile for this many players; ``KeyError`` if there is no such profile.

    For five and six, those of the rule book's extension: more cards, and the special building phase. The thesis knows
    none.
    """
    rules = PROFILES[name]
    return rules if rules is THESIS or player_count <= 4 else _FOR_SIX[name]


_FOR_SIX = {
    name: replace(
        rules,
        resource_pool=pack((24, 24, 24, 24, 24)),
        dev_card_pool=pack((3, 3, 3, 20, 5)),
        special_building=True,
    )
    for name, rules in PROFILES.items()
}


class UnsupportedRules(ValueError):
    """Rule constants that contradict one another; the message names them, and ``helps`` what could be chosen instead.

    ``helps`` is for those who choose rules and map, empty if there is nothing to add.
    """

    def __init__(self, reason: str, helps: str = "") -> None:
        super().__init__(reason)
        self.helps = helps


@dataclass(frozen=True, slots=True)
class Constants:
    """The constants of a game: its rules, its board, the number of players, and the pieces on the board at the start.

    Raises ``UnsupportedRules`` for rule constants that contradict one another, ``ValueError`` for a number of players
    outside 2..6 or an opening that the set-up could not have led to.
    """

    rules: Rules = THESIS
    board: Board = DEFAULT_BOARD
    player_count: int = 2
    opening: tuple[FirstPlacement, ...] = ()
    """The pieces on the board before the first action: for every player as many as in the set-up, or none."""
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Frozen dataclasses allow no plain assignment.
        object.__setattr__(self, "_hash", hash((self.rules, self.board, self.player_count, self.opening)))
        if not 2 <= self.player_count <= 6:
            raise ValueError(f"{self.player_count} players, expected 2 to 6")
        _check_rules(self.rules)
        if self.opening:
            _check_opening(self)

    def __hash__(self) -> int:
        # A state's hash contains this one, so it is computed once.
        return self._hash

    def __reduce__(self) -> tuple[type[Constants], tuple[Any, ...]]:
        # Without its hash: hashes of strings differ from one process to another.
        return Constants, (self.rules, self.board, self.player_count, self.opening)

    @property
    def players(self) -> range:
        """The players in the order of play."""
        return range(1, self.player_count + 1)


@lru_cache(maxsize=64)
def shared(constants: Constants) -> Constants:
    """Return one object for equal constants: many caches are keyed by it, from game to game."""
    return constants


def _check_rules(rules: Rules) -> None:
    if rules.offer_max < 0:
        raise UnsupportedRules(f"offer_max = {rules.offer_max}: expected 0 for any number, or more")
    if rules.table_talk and not rules.domestic_trade:
        raise UnsupportedRules("table_talk without domestic_trade: expected both, or no table talk")
    if rules.offers_to_one and not rules.domestic_trade:
        raise UnsupportedRules("offers_to_one without domestic_trade: expected both, or no offers to one")
    for name in ("offers_per_turn", "proposals_per_turn"):
        if getattr(rules, name) < 0:
            raise UnsupportedRules(f"{name} = {getattr(rules, name)}: expected 0 for no limit, or more")
    if rules.patience < 0:
        raise UnsupportedRules(f"patience = {rules.patience}: expected seconds, or 0 for none")
    if rules.patience and not rules.leaving:
        raise UnsupportedRules("patience without leaving: expected both, or no patience")
    if rules.returns < 0:
        raise UnsupportedRules(f"returns = {rules.returns}: expected 0 for none, or more")
    if rules.returns and not rules.leaving:
        raise UnsupportedRules("returns without leaving: expected both, or no returns")
    if rules.hands == "hidden":
        _check_hidden(rules)
    if rules.signed_end != (rules.hands == "hidden" and rules.leaving):
        raise UnsupportedRules("signed_end: expected with hands = hidden and leaving, and only then")
    if rules.chance_ahead:
        if rules.chance != "joint":
            raise UnsupportedRules("chance_ahead without chance = joint: expected both, or no shares ahead")
        if rules.special_building:
            raise UnsupportedRules("chance_ahead with special_building: expected one of them, or neither")
    if rules.road_building_needs not in (1, 2):
        raise UnsupportedRules(f"road_building_needs = {rules.road_building_needs}: expected 1 or 2")
    if rules.dev_cards_per_turn < 0:
        raise UnsupportedRules(f"dev_cards_per_turn = {rules.dev_cards_per_turn}: expected 0 for no limit, or more")


MAX_HIDDEN_DEV_CARDS = 64
"""The largest deck that can be shuffled in a game of hidden hands."""


def _check_hidden(rules: Rules) -> None:
    if rules.chance != "joint":
        raise UnsupportedRules("hands = hidden without chance = joint: expected both, or open hands")
    if not 1 <= total(rules.dev_card_pool) <= MAX_HIDDEN_DEV_CARDS:
        raise UnsupportedRules(
            f"hands = hidden with {total(rules.dev_card_pool)} development cards: expected 1 to {MAX_HIDDEN_DEV_CARDS}"
        )


def _check_opening(constants: Constants) -> None:
    """Raise ``ValueError`` unless the set-up could have led to the opening: two placements of every player."""
    board, opening, rules = constants.board, constants.opening, constants.rules
    if sorted(at.player for at in opening) != sorted([*constants.players] * 2):
        raise ValueError(f"an opening of {len(opening)} placements, expected two for each player")
    # A village is worth a point: two of them must not win at once.
    if rules.points_to_win <= 2 or min(rules.roads, rules.villages) < 2:
        raise ValueError("an opening needs two villages and two roads for each player, and more than two points to win")
    settled = roads = paid = 0
    for at in opening:
        where = f"the opening's village on {at.village} with a road on {at.road}"
        if not (1 <= at.village <= board.settlement_count and board.roads_at[at.village] >> at.road & 1):
            raise ValueError(f"{where}: expected a settlement point and a road point that touches it")
        if (settled >> at.village | roads >> at.road) & 1 or board.adjacent_settlements[at.village] & settled:
            raise ValueError(f"{where}: too close to another placement")
        settled |= 1 << at.village
        roads |= 1 << at.road
        paid += board.first_yield[at.village] if at.earns else 0
    if not covers(rules.resource_pool, paid):
        raise ValueError("the bank has too few cards for what the opening earns")
