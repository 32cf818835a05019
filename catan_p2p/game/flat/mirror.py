"""From the mirror's states and actions to flat ones, and back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Protocol

from catan_p2p.game.actions import (
    ACTIONS,
    Action,
    AnswerTrade,
    BuildCity,
    BuildRoad,
    BuildVillage,
    BuyDevCard,
    ConcludeTrade,
    Discard,
    EmptyBuild,
    EmptyTrade,
    MoveBandit,
    OfferTrade,
    PlayKnight,
    PlayMonopoly,
    PlayRoadBuilding,
    PlayYearOfPlenty,
    ProposeTrade,
    RollDice,
    RollForStart,
    SetupPhaseOne,
    SetupPhaseTwo,
    TradeFourToOne,
    TradeThreeToOne,
    TradeTwoToOne,
    WithdrawTrade,
)
from catan_p2p.game.board import Board
from catan_p2p.game.cards import DEV_CARDS, FIELD_MAX, RESOURCES, is_valid
from catan_p2p.game.constants import Constants
from catan_p2p.game.flat import places
from catan_p2p.game.state import (
    ANSWERS,
    BUILD_PHASES,
    NO_CALL,
    NOTHING_HIDDEN,
    SETUP_PHASES,
    TURN_PHASES,
    Bank,
    Buildings,
    Hand,
    Offer,
    PlacedSettlements,
    State,
    TurnPhase,
    WayBack,
)

_PHASES: tuple[TurnPhase | None, ...] = (
    None,
    *(phase for phase in TURN_PHASES if phase not in ("Pledging", "Shuffling", "Drawing", "Surrendering", "Signing")),
)
"""The phases that are covered, in the order of their numbers in ``places``."""
PHASE_NUMBER = {phase: number for number, phase in enumerate(_PHASES) if phase is not None}
"""The number of each phase that is covered, as ``places`` has it."""
# Resources on both sides are not allowed, so one bit per type tells the side.
_RECEIVED = 0x80_80_80_80_80
"""Where the cards of an offer say on which side they are."""


class NotCovered(ValueError):
    """Constants or a state that the flat core does not play: the message says why. The mirror plays them."""


class FlatHand(Protocol):
    """A source of a flat state's numbers and sets."""

    def numbers(self) -> list[int]:
        """The numbers and cards."""

    def sets(self) -> list[int]:
        """The sets of points."""


@lru_cache(maxsize=64)
def why_not_covered(constants: Constants) -> str | None:
    """Why the flat core does not play games with these constants; None if it does."""
    rules, board = constants.rules, constants.board
    if rules.chance != "actor" or rules.hands != "open":
        return f"Chance = {rules.chance}, Hands = {rules.hands}: expected actor and open"
    if why := _why_no_room(board):
        return why
    if rules.offers_to_one:
        return "OffersToOne = yes: expected no"
    if rules.returns:
        return f"Returns = {rules.returns}: expected 0"
    if min(rules.longest_road_min, rules.largest_army_min) < 1:
        return "LongestRoadMin or LargestArmyMin below 1: expected 1 or more"
    return None


def _why_no_room(board: Board) -> str | None:
    points = max(board.settlement_count, board.road_count, board.tile_count)
    return (
        f"a map of {points} points or tiles: expected at most {places.MOST - 2}" if points > places.MOST - 2 else None
    )


def check_state(state: State) -> None:
    """Raise ``NotCovered`` unless the flat core can play on from the state."""
    if why := why_not_covered(state.constants):
        raise NotCovered(why)
    if state.call != NO_CALL or any((*state.due, *state.ahead, *chain(*state.ret))) or state.tp not in PHASE_NUMBER:
        raise NotCovered("a draw or a return is under way")
    if state.hid is not NOTHING_HIDDEN:
        raise NotCovered("hands are hidden")
    check_shape(state)
    if state.tp == "SpecialBuilding" and not state.sb:
        raise NotCovered("a special building phase without a player who builds")
    if state.tp in BUILD_PHASES and state.away[state.builder - 1]:
        raise NotCovered("a building phase of a player who has left")


def check_shape(state: State) -> None:
    """Raise ``NotCovered`` unless the state has room in the two arrays, and names only players and points it has."""
    n, board = state.constants.player_count, state.constants.board
    if why := _why_no_room(board):
        raise NotCovered(why)
    seats = (state.su_ap, state.first, state.ap)
    if not all(1 <= seat <= n for seat in seats) or not all(0 <= seat <= n for seat in (state.sb, state.lr, state.la)):
        raise NotCovered(f"a player outside 1..{n}")
    by_seat = (
        state.rolls,
        state.due,
        state.lim,
        state.ans,
        state.prop,
        state.made,
        state.away,
        state.ret,
        state.ahead,
        *state.s,
        state.r,
        state.h,
        state.b,
    )
    if any(len(values) != n for values in by_seat):
        raise NotCovered(f"a component without one value for each of {n} players")
    if any(points >> board.settlement_count + 1 for some in state.s for points in some):
        raise NotCovered("a settlement on a point that the board does not have")
    if any(points >> board.road_count + 1 for points in state.r):
        raise NotCovered("a road on a point that the board does not have")
    if not 1 <= state.ba <= board.tile_count:
        raise NotCovered(f"the bandit on tile {state.ba}: expected 1 to {board.tile_count}")


def numbers_of(state: State) -> list[int]:
    """The numbers and cards of a state, in their places."""
    phases = SETUP_PHASES.index(state.sup), PHASE_NUMBER.get(state.tp, 0)
    found = [phases[0], state.su_ap, state.first, state.ap, phases[1], state.dice, state.pd, state.sb, state.ba]
    found += [state.lr, state.la, *state.offer, *state.bnk, state.dp]
    blocks: list[Sequence[int]] = [state.rolls, state.lim, [ANSWERS.index(answer) for answer in state.ans]]
    blocks += [*zip(*state.prop, strict=True), state.made, state.away]
    blocks += [*zip(*state.h, strict=True), *zip(*state.b, strict=True)]
    return found + _in_blocks(blocks)


def sets_of(state: State) -> list[int]:
    """The sets of points of a state, in their places."""
    return _in_blocks([state.s.villages, state.s.cities, state.r])


def _in_blocks(blocks: list[Sequence[int]]) -> list[int]:
    """The values of each seat in blocks of eight, of which the first is nobody's."""
    return [*chain.from_iterable((0, *map(int, block), *([0] * (7 - len(block)))) for block in blocks)]


def state_of(flat: FlatHand, constants: Constants) -> State:
    """The mirror's state of a flat one."""
    v, s, n = flat.numbers(), flat.sets(), constants.player_count

    def block(at: int) -> tuple[int, ...]:
        return tuple(v[at + 1 : at + 1 + n])

    def points(at: int) -> tuple[int, ...]:
        return tuple(s[at + 1 : at + 1 + n])

    phase = _PHASES[v[places.TP]]
    assert phase is not None
    hands = (block(at) for at in (places.RC, places.BC, places.AC, places.UC))
    pieces = (block(at) for at in (places.ROAD, places.VILLAGE, places.CITY))
    return State(
        constants=constants,
        sup=SETUP_PHASES[v[places.SUP]],
        su_ap=v[places.SU_AP],
        first=v[places.FIRST],
        rolls=block(places.ROLLS),
        ap=v[places.AP],
        tp=phase,
        dice=v[places.DICE],
        pd=v[places.PD],
        sb=v[places.SB],
        ba=v[places.BA],
        dp=v[places.DP],
        lr=v[places.LR],
        la=v[places.LA],
        lim=block(places.LIM),
        offer=Offer(v[places.GIVE], v[places.RECEIVE]),
        ans=tuple(ANSWERS[answer] for answer in block(places.ANS)),
        prop=tuple(map(Offer, block(places.PG), block(places.PR))),
        made=block(places.MADE),
        due=(False,) * n,
        call=NO_CALL,
        away=tuple(map(bool, block(places.AWAY))),
        ret=(WayBack(0, False),) * n,
        ahead=(False,) * n,
        s=PlacedSettlements(points(places.VILLAGES_ON), points(places.CITIES_ON)),
        r=points(places.ROADS_ON),
        bnk=Bank(v[places.BANK], v[places.STOCK]),
        h=tuple(map(Hand, *hands)),
        b=tuple(map(Buildings, *pieces)),
        hid=NOTHING_HIDDEN,
    )


# ------------------------------------------------------------------------------------------------------------- actions

_KINDS: tuple[Any, ...] = tuple(kind.cls for kind in ACTIONS if kind.cls.rule in (None, "table_talk"))
"""The actions that are moves, in the order of their numbers in ``places``."""
KIND_NUMBER: dict[type[Action], int] = {kind: number for number, kind in enumerate(_KINDS, places.ROLL_FOR_START)}
"""The number of each kind of action that is a move, as ``places`` has it."""
_RESOURCES = (*RESOURCES, "none")
_FOUND: dict[type, tuple[str, ...]] = {
    **dict.fromkeys((RollForStart, RollDice), ("dice",)),
    **dict.fromkeys((SetupPhaseOne, SetupPhaseTwo), ("at", "road")),
    **dict.fromkeys((MoveBandit, PlayKnight), ("to", "victim", "card")),
    **dict.fromkeys((TradeFourToOne, TradeThreeToOne, TradeTwoToOne), ("give", "receive")),
    **dict.fromkeys((BuildRoad, BuildVillage, BuildCity), ("at",)),
    **dict.fromkeys((EmptyTrade, EmptyBuild, WithdrawTrade), ()),
    AnswerTrade: ("answer",),
    ConcludeTrade: ("partner",),
    BuyDevCard: ("card",),
    PlayMonopoly: ("resource",),
    PlayYearOfPlenty: ("first", "second"),
    PlayRoadBuilding: ("first", "second"),
}
"""The parameters that are the parts of a move, by the class of an action."""

_NAMES: dict[tuple[type, str], Sequence[str]] = {
    **{(kind, name): _RESOURCES for kind, names in _FOUND.items() for name in names if name in ("give", "receive")},
    **{(kind, "card"): _RESOURCES for kind in (MoveBandit, PlayKnight)},
    **{(PlayYearOfPlenty, name): _RESOURCES for name in ("first", "second")},
    (PlayMonopoly, "resource"): _RESOURCES,
    (BuyDevCard, "card"): DEV_CARDS,
    (AnswerTrade, "answer"): ANSWERS,
}
"""What the numbers of a parameter stand for, where its values are names."""


def move_of(action: Action) -> int:
    """The number of an action; ``NotCovered`` for one that the flat core does not know.

    ``ValueError`` for a field that has no room in a number, or is none: numbers of points are not looked up.
    """
    cls = type(action)
    if cls not in KIND_NUMBER:
        raise NotCovered(f"{action}: expected a move of a game without joint chance")
    # Five bits for the kind, three for the player: the same places for every move.
    move = KIND_NUMBER[cls] | _fitting(action, action.player, 1, _MOST_PLAYERS) << places.PLAYER_AT
    if isinstance(action, Discard):
        return move | _fitting_cards(action, action.cards) << places.A_AT
    if isinstance(action, OfferTrade | ProposeTrade):
        give, receive = _fitting_cards(action, action.give), _fitting_cards(action, action.receive)
        return move | _sided(give, receive) << places.A_AT
    for name, at in zip(_FOUND[cls], (places.A_AT, places.B_AT, places.C_AT), strict=False):
        value: Any = getattr(action, name)
        names = _NAMES.get((cls, name))
        move |= (_fitting(action, value, 0, places.PART) if names is None else names.index(value)) << at
    return move


_MOST_PLAYERS = 6


def _fitting(action: Action, value: object, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise ValueError(f"{action}: {value!r}, expected a number from {low} to {high}")
    return value


def _fitting_cards(action: Action, value: object) -> int:
    if type(value) is not int or not is_valid(value):
        raise ValueError(f"{action}: {value!r} is not a number of cards")
    return value


_OFFERS = (places.OFFER_TRADE, places.PROPOSE_TRADE)


def is_offer(move: int) -> bool:
    """Whether a move is an offer or a proposal: a listed one stands for all others."""
    return move & 31 in _OFFERS


_DRAWN = {KIND_NUMBER[kind.cls]: kind.name for kind in ACTIONS if kind.cls in KIND_NUMBER and kind.draw is not None}


def drawn_by(move: int) -> str | None:
    """The name of a move's action if its outcome is drawn; None without one."""
    return _DRAWN.get(move & 31)


@lru_cache(maxsize=1 << 12)
def action_of(move: int) -> Action:
    """The mirror's action of a move."""
    cls: Any = _KINDS[(move & 31) - places.ROLL_FOR_START]
    player = move >> places.PLAYER_AT & 7
    if cls is Discard:
        return Discard(player, move >> places.A_AT)
    if cls is OfferTrade or cls is ProposeTrade:
        give, receive = _sides(move >> places.A_AT)
        return OfferTrade(player, give, receive) if cls is OfferTrade else ProposeTrade(player, give, receive)
    found: list[Any] = []
    for name, at in zip(_FOUND[cls], (places.A_AT, places.B_AT, places.C_AT), strict=False):
        value = move >> at & places.PART
        names = _NAMES.get((cls, name))
        found.append(value if names is None else names[value])
    made: Action = cls(player, *found)
    return made


def _sided(give: int, receive: int) -> int:
    """Both sides of an offer in one value: no resource is on both, and the eighth bit says on which it is."""
    sides = give | receive
    for i in range(5):
        if receive >> 8 * i & FIELD_MAX:
            sides |= 1 << 8 * i + 7
    return sides


def _sides(sides: int) -> tuple[int, int]:
    # The eighth bit of a field becomes the mask of its seven lower bits.
    received = (sides & _RECEIVED) // 128 * FIELD_MAX
    return sides & ~_RECEIVED & ~received, sides & received
