"""The specification's invariants, same names: what must hold in every state of a game.

Each invariant is a function of the state that reads some of its components only. ``check`` runs those whose components
changed since a state that was already checked: for the others nothing can have become false.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress
from operator import and_, is_not
from typing import TypeAlias

from catan_p2p.game.actions import robbery
from catan_p2p.game.actions.absence import lacks_reply
from catan_p2p.game.actions.call import is_call_phase
from catan_p2p.game.actions.drawing import ROBBERIES, outcome_count
from catan_p2p.game.actions.empty_build import has_cards_before_dice
from catan_p2p.game.actions.offering import is_like_for_like, is_side, is_talking, proposers
from catan_p2p.game.actions.parts import could_pay
from catan_p2p.game.actions.roll_for_start import OUT
from catan_p2p.game.board import Points, numbers
from catan_p2p.game.cards import (
    BORROW_BITS,
    FIELD_MAX,
    ONE,
    PROGRESS_CARDS,
    RESOURCES,
    Cards,
    DevCard,
    covers,
    is_valid,
    total,
    unpack,
)
from catan_p2p.game.constants import NO_OWNER, Player
from catan_p2p.game.scoring import largest_army_holder, longest_road_holder, player_points
from catan_p2p.game.state import (
    ANSWERS,
    BUILD_PHASES,
    DRAWS,
    HIDDEN_PHASES,
    NO_CALL,
    NO_OFFER,
    NOTHING_HIDDEN,
    SETUP_PHASES,
    TRADE_PHASES,
    TURN_PHASES,
    WITHIN_PHASES,
    State,
    TurnPhase,
    first_phase,
    taken,
)
from catan_p2p.limits import MAX_SEATS


class InvariantBroken(Exception):
    """A state that the specification does not allow: an error of ours, not of a player. ``name`` is the invariant's."""

    def __init__(self, name: str) -> None:
        super().__init__(f"invariant {name} is broken")
        self.name = name


Predicate: TypeAlias = Callable[[State], bool]


@dataclass(frozen=True, slots=True)
class Conjunct:
    """A part of an invariant: a predicate on states, and the components that it reads."""

    reads: tuple[str, ...]
    holds: Predicate


@dataclass(frozen=True, slots=True)
class Invariant:
    """A named predicate on states: the conjunction of its parts."""

    name: str
    conjuncts: tuple[Conjunct, ...]

    def holds(self, state: State) -> bool:
        """Whether every part holds."""
        return all(conjunct.holds(state) for conjunct in self.conjuncts)


def _players_type(state: State) -> bool:
    players, n = state.constants.players, state.constants.player_count
    return (
        state.su_ap in players
        and state.ap in players
        and 0 <= state.lr <= n
        and 0 <= state.la <= n
        and len(state.lim) == n
        and min(state.lim) >= 0
        and max(state.lim) <= total(state.constants.rules.resource_pool)
    )


def _phase_type(state: State) -> bool:
    return (
        state.sup in SETUP_PHASES
        and state.tp in TURN_PHASES
        and (state.dice == 0 or state.dice in state.constants.rules.dice)
        and 1 <= state.ba <= state.constants.board.tile_count
        and (state.tp not in HIDDEN_PHASES if state.hid is NOTHING_HIDDEN else _is_phase_of_hidden(state))
    )


def _start_type(state: State) -> bool:
    return (
        state.first in state.constants.players
        and len(state.rolls) == state.constants.player_count
        and all(roll in (0, OUT) or roll in state.constants.rules.dice for roll in state.rolls)
    )


def _turn_type(state: State) -> bool:
    return 0 <= state.pd <= state.constants.rules.dev_cards_per_turn and 0 <= state.sb <= state.constants.player_count


def _offer_type(state: State) -> bool:
    rules, players = state.constants.rules, state.constants.player_count
    bounded = rules.offer_max > 0 or not rules.domestic_trade
    # Type by type only: OfferIsCovered bounds the total of a side.
    most = _EACH * min(rules.offer_max, FIELD_MAX) if bounded else rules.resource_pool
    return (
        len(state.prop) == players
        and all(is_valid(side) and covers(most, side) for offer in (state.offer, *state.prop) for side in offer)
        and len(state.ans) == state.constants.player_count
        and set(state.ans) <= set(ANSWERS)
    )


def _made_type(state: State) -> bool:
    rules = state.constants.rules
    most = max(rules.offers_per_turn, rules.proposals_per_turn)
    return len(state.made) == state.constants.player_count and all(0 <= made <= most for made in state.made)


def _all_of(kinds: Iterable[DevCard]) -> Cards:
    return sum(ONE[kind] * FIELD_MAX for kind in kinds)


_EACH: Cards = sum(ONE[resource] for resource in RESOURCES)
"""One card of each type."""

_PLAYED = _all_of(PROGRESS_CARDS)
_HIDDEN = _all_of((*PROGRESS_CARDS, "Knight"))
_UNVEILED = _all_of(("Knight", "VictoryPoint"))
"""Types of cards that can be in the discard pile (``PCT``), bought or available (``BCT``), and unveiled (``UCT``)."""


def _cards_type(state: State) -> bool:
    # All counts are or-ed into one value, where a borrow anywhere shows. What the pools leave above them, and-ed into
    # another, shows whether one of them is exceeded.
    rules = state.constants.rules
    pool, dev_pool = (cards | BORROW_BITS for cards in (rules.resource_pool, rules.dev_card_pool))
    resources, hidden, unveiled = state.bnk.rc, 0, 0
    left = (pool - resources) & (dev_pool - state.bnk.dc) & (dev_pool - state.dp)
    for rc, bc, ac, uc in state.h:
        resources |= rc
        hidden |= bc | ac
        unveiled |= uc
        left &= (pool - rc) & (dev_pool - bc) & (dev_pool - ac) & (dev_pool - uc)
    return (
        len(state.h) == state.constants.player_count
        and is_valid(resources | hidden | unveiled | state.bnk.dc | state.dp)
        and left & BORROW_BITS == BORROW_BITS
        and hidden | _HIDDEN == _HIDDEN
        and unveiled | _UNVEILED == _UNVEILED
        and state.dp | _PLAYED == _PLAYED
        and (state.hid is NOTHING_HIDDEN or _are_hidden_cards(state))
    )


def _buildings_type(state: State) -> bool:
    rules = state.constants.rules
    return len(state.b) == state.constants.player_count and all(
        0 <= left.road <= rules.roads and 0 <= left.village <= rules.villages and 0 <= left.city <= rules.cities
        for left in state.b
    )


def _settlements_type(state: State) -> bool:
    n, last = state.constants.player_count, state.constants.board.settlement_count
    villages, cities = state.s
    # Bits 1 to last: there is no point 0.
    return len(villages) == len(cities) == n and _are_disjoint((*villages, *cities), (1 << last + 1) - 2)


def _roads_type(state: State) -> bool:
    n, last = state.constants.player_count, state.constants.board.road_count
    return len(state.r) == n and _are_disjoint(state.r, (1 << last + 1) - 2)


def _are_disjoint(sets: tuple[Points, ...], within: Points) -> bool:
    seen = 0
    for points in sets:
        if points & seen or points & ~within:
            return False
        seen |= points
    return True


_MANY: Cards = _EACH * 96
"""Pools with a count of 32 or more: only there could the sum of all counts exceed a field."""


def _conservation_of_resource_cards(state: State) -> bool:
    pool = state.constants.rules.resource_pool
    if state.hid is not NOTHING_HIDDEN:
        # With hidden hands the sealed cards are what bank and known hands leave of the pool.
        hidden = pool - state.bnk.rc - sum(hand.rc for hand in state.h)
        return is_valid(hidden) and total(hidden) == sum(state.hid.sealed)
    there = state.bnk.rc
    for hand in state.h:
        there += hand.rc
    return there == pool and (not pool & _MANY or _adds_up(pool, [state.bnk.rc, *(hand.rc for hand in state.h)]))


def _conservation_of_development_cards(state: State) -> bool:
    pool = state.constants.rules.dev_card_pool
    there = state.bnk.dc + state.dp
    for hand in state.h:
        there += hand.bc + hand.ac + hand.uc
    return there == pool and (
        not pool & _MANY
        or _adds_up(
            pool, [state.bnk.dc, state.dp, *(cards for hand in state.h for cards in (hand.bc, hand.ac, hand.uc))]
        )
    )


def _adds_up(pool: Cards, parts: Iterable[Cards]) -> bool:
    """Whether the counts of some cards are those of the pool, type by type."""
    return tuple(map(sum, zip(*map(unpack, parts), strict=True))) == unpack(pool)


def _conservation_of_buildings(state: State) -> bool:
    rules = state.constants.rules
    return all(
        left.road + roads.bit_count() == rules.roads
        and left.village + villages.bit_count() == rules.villages
        and left.city + cities.bit_count() == rules.cities
        for left, roads, villages, cities in zip(state.b, state.r, state.s.villages, state.s.cities, strict=True)
    )


def _distance_rule(state: State) -> bool:
    settled = taken(state.s)
    adjacent = state.constants.board.adjacent_settlements
    return not any(adjacent[point] & settled for point in numbers(settled))


def _roads_connected(state: State) -> bool:
    board = state.constants.board
    for player, roads in enumerate(state.r, 1):
        points, unreached = state.s.of(player), roads
        # Grows from the settlements: roads that are never reached are not connected.
        while unreached:
            reached = [road for road in numbers(unreached) if board.end_points[road] & points]
            if not reached:
                return False
            for road in reached:
                points |= board.end_points[road]
                unreached ^= 1 << road
    return True


def _bandit_on_land(state: State) -> bool:
    return state.constants.board.map.tiles[state.ba - 1].is_land


def _army_holder(state: State) -> bool:
    return largest_army_holder(state) == state.la


def _road_holder(state: State) -> bool:
    return longest_road_holder(state) == state.lr


_BEFORE_ALL = frozenset({"Pledging", "Shuffling"})


def _phase_below(state: State) -> TurnPhase:
    """The phase as if the pledges and the shuffles before the game were over."""
    if state.tp in _BEFORE_ALL:
        return first_phase(state.constants)
    return state.phase if state.tp in WITHIN_PHASES else state.tp


_NONE_BOUGHT = (0,) * MAX_SEATS
_WITH_BOUGHT_CARDS = TRADE_PHASES | BUILD_PHASES | {"Offering", "top"}


def _bought_by_active(state: State) -> bool:
    hidden = state.hid.bought or _NONE_BOUGHT
    buyers = [seat for seat, (hand, bought) in enumerate(zip(state.h, hidden, strict=False), 1) if hand.bc or bought]
    return not buyers or (buyers == [state.builder] and _phase_below(state) in _WITH_BOUGHT_CARDS)


def _turn_order(state: State) -> bool:
    n, first = state.constants.player_count, state.first
    settled = taken(state.s).bit_count()
    phase = _phase_below(state)
    if phase == "bot":
        if state.ap != first or state.dice or any(state.lim) or state.pd or state.sb:
            return False
        if state.sup == "Rolling":
            return _is_next_to_roll(state, settled)
        if any(state.away):
            return True
        # The second round of the set-up goes backwards: n, n-1, ..., 1.
        placing = settled if settled < n else 2 * n - 1 - settled
        return settled < 2 * n and (state.sup, state.su_ap) == (
            "PhaseOne" if settled < n else "PhaseTwo",
            # Clockwise from the first player, whatever seat that is.
            (first - 1 + placing) % n + 1,
        )
    is_set_up = settled >= 2 * n and (state.sup, state.su_ap) == ("PhaseTwo", first)
    return (
        (is_set_up or (any(state.away) and _is_next_to_roll(state, settled)))
        and ((state.dice == 0) == (phase == "DiceRoll") or (phase == "top" and _may_be_won_before_the_dice(state)))
        and (state.dice == 7 or phase not in ("Discarding", "MovingBandit"))
        and (phase == "Discarding") == any(state.lim)
        and (state.sb != NO_OWNER) == (phase == "SpecialBuilding")
        and state.sb != state.ap
    )


_BEFORE_TRADE = frozenset({"bot", "DiceRoll", "Discarding", "MovingBandit"})


def _counts_begin_anew(state: State) -> bool:
    return not any(state.made) or _phase_below(state) not in _BEFORE_TRADE


def _is_next_to_roll(state: State, settled: int) -> bool:
    """Whether it is the turn of the first player who has not rolled, as long as the start is rolled for."""
    return state.sup != "Rolling" or (
        settled == len(state.constants.opening) and state.su_ap == (*state.rolls, 0).index(0) + 1
    )


def _may_be_won_before_the_dice(state: State) -> bool:
    return state.constants.rules.win_check == "at_once" or len(state.present) < 2


def _start_order(state: State) -> bool:
    if state.sup == "Rolling":
        return state.constants.rules.start_order != "seat" and state.first == 1
    is_first = state.constants.rules.start_order != "seat" or state.first == 1 or state.away[0]
    return not any(state.rolls) and is_first


def _offer_is_covered(state: State) -> bool:
    if state.tp != "Offering":
        return state.offer == NO_OFFER and {*state.ans} == {"none"}
    give, receive = state.offer
    rules = state.constants.rules
    payers = ("accept",) if rules.table_talk else ("asked", "accept")
    return (
        is_side(rules, give)
        and is_side(rules, receive)
        and state.ans[state.ap - 1] == "none"
        and covers(state.h[state.ap - 1].rc, give)
        and all(
            answer not in payers or (could_pay(state, seat, receive) if answer == "asked" else covers(hand.rc, receive))
            for seat, (answer, hand) in enumerate(zip(state.ans, state.h, strict=True), 1)
        )
    )


def _offers_are_counted(state: State) -> bool:
    rules, made = state.constants.rules, state.made
    for player, count in enumerate(made, 1):
        if count > (rules.offers_per_turn if player == state.ap else rules.proposals_per_turn):
            return False
    return (state.tp != "Offering" or not rules.offers_per_turn or made[state.ap - 1] > 0) and (
        not rules.proposals_per_turn or all(made[player - 1] > 0 for player in proposers(state))
    )


def _proposals_are_covered(state: State) -> bool:
    for player, offer in enumerate(state.prop, 1):
        if offer != NO_OFFER and not _is_proposal(state, player):
            return False
    return True


def _is_proposal(state: State, player: Player) -> bool:
    """Whether the standing proposal of each player is one that they may make."""
    rules, (give, receive) = state.constants.rules, state.prop[player - 1]
    return (
        is_talking(state)
        and player != state.ap
        and is_side(rules, give)
        and is_side(rules, receive)
        and not is_like_for_like(give, receive)
        and covers(state.h[player - 1].rc, give)
        and (state.tp != "Offering" or state.ans[player - 1] == "reject")
    )


def _shares_are_due(state: State) -> bool:
    if state.tp == "Pledging":
        return state.constants.rules.chance == "joint" and any(state.due)
    if state.tp == "Surrendering":
        return any(state.due)
    if state.tp == "top" and state.constants.rules.hands == "hidden":
        return True
    if state.tp != "Drawing":
        return True not in state.due
    return state.caller in (player for player, due in enumerate(state.due, 1) if not due)


def _draw_is_under_way(state: State) -> bool:
    """The part that does not depend on shares."""
    if state.tp == "Pledging":
        return state.call == NO_CALL and taken(state.s).bit_count() == len(state.constants.opening)
    if state.tp != "Drawing":
        return state.call == NO_CALL
    what, phase, to, victim = state.call
    return (
        state.constants.rules.chance == "joint"
        and is_call_phase(state, what, phase)
        and outcome_count(state, what, victim) > 1
        and not state.is_ahead
        and (what not in ROBBERIES or _can_rob(state, to, victim))
    )


def _is_told_ahead(state: State) -> bool:
    if True not in state.ahead:
        return True
    if not state.constants.rules.chance_ahead or True in map(and_, state.ahead, state.away):
        return False
    return not state.ahead[state.ap - 1] or (state.dice == 0 and not has_cards_before_dice(state, state.ap))


def _can_rob(state: State, to: int, victim: Player) -> bool:
    return (
        robbery.is_elsewhere(state, to)
        and robbery.is_land(state, to)
        and robbery.is_victim(state, state.ap, to, victim)
    )


def _call_type(state: State) -> bool:
    n, tiles = state.constants.player_count, state.constants.board.tile_count
    what, phase, to, victim = state.call
    return (
        len(state.due) == len(state.away) == len(state.ret) == len(state.ahead) == n
        and all(0 <= left <= state.constants.rules.returns for left, _ in state.ret)
        and what in ("none", *DRAWS)
        and phase in TURN_PHASES
        and phase not in HIDDEN_PHASES
        and 0 <= to <= tiles
        and 0 <= victim <= n
    )


def _is_phase_of_hidden(state: State) -> bool:
    hidden, n = state.hid, state.constants.player_count
    if (state.tp == "Surrendering") != (hidden.wanted != "none") or hidden.back in HIDDEN_PHASES:
        return False
    if state.constants.rules.leaving:
        is_kept = hidden.deck != "lost" or any(state.away) or state.constants.rules.returns > 0
        is_keyed = hidden.keyless == state.away or (are_away_keyless(state) and (state.is_over or not state.deck_size))
        return hidden.shuffles <= n and is_kept and is_keyed
    return hidden.shuffles <= n and (hidden.shuffles == n) == (state.tp not in _BEFORE_ALL) and hidden.deck == "first"


def are_away_keyless(state: State) -> bool:
    """Whether nobody's key seals the rest of the deck who is away."""
    seats = zip(state.away, state.hid.keyless, strict=False)
    return not state.constants.rules.leaving or all(lacks >= is_away for is_away, lacks in seats)


def _are_hidden_cards(state: State) -> bool:
    hidden, n = state.hid, state.constants.player_count
    return (
        len(hidden.sealed) == len(hidden.bought) == len(hidden.held) == len(hidden.keyless) == n
        and min((*hidden.sealed, *hidden.bought, *hidden.held)) >= 0
        and total(state.bnk.dc) >= sum(hidden.bought) + sum(hidden.held)
    )


def _away_are_skipped(state: State) -> bool:
    # The call changes with the phase; who begins and the set-up's settlements change with whose turn it is.
    if True not in state.away:
        return True
    phase = _phase_below(state)
    present, n = state.present, state.constants.player_count
    # A winner can be excused who is silent when the end has to be signed.
    acting = (state.to_act,) if state.tp != "top" else () if state.constants.rules.signed_end else (state.ap,)
    if (
        not state.constants.rules.leaving
        or not {*acting} <= {*present}
        or any(away and lacks_reply(state, player) for player, away in enumerate(state.away, 1))
        or (len(present) == 1 and state.tp != "top")
    ):
        return False
    settled = {player: state.s.of(player).bit_count() for player in present}
    if phase == "bot" and state.sup != "Rolling":
        place = {player: (player - state.first) % n for player in state.constants.players}
        at = place[state.su_ap]
        return not state.away[state.first - 1] and all(
            settled[player] == (place[player] < at if state.sup == "PhaseOne" else 1 + (place[player] > at))
            for player in present
        )
    return phase in ("bot", "top") or min(settled.values()) >= 2


def _missed_are_away(state: State) -> bool:
    return all(away and left > 0 for away, (left, missed) in zip(state.away, state.ret, strict=True) if missed)


def _win_at_once(state: State) -> bool:
    rules = state.constants.rules
    return (
        rules.win_check != "at_once"
        or _phase_below(state) in ("bot", "top", "SpecialBuilding")
        or player_points(state, state.ap) < rules.points_to_win
    )


def _invariant(name: str, *conjuncts: tuple[str, Predicate]) -> Invariant:
    return Invariant(name, tuple(Conjunct(tuple(reads.split()), holds) for reads, holds in conjuncts))


INVARIANTS: tuple[Invariant, ...] = (
    _invariant(
        "TypeOK",
        ("su_ap ap lr la lim", _players_type),
        ("sup tp dice ba hid away bnk", _phase_type),
        ("first rolls", _start_type),
        ("pd sb", _turn_type),
        ("offer ans prop", _offer_type),
        ("made", _made_type),
        ("due call away ret ahead", _call_type),
        ("dp bnk h hid", _cards_type),
        ("b", _buildings_type),
        ("s", _settlements_type),
        ("r", _roads_type),
    ),
    _invariant("ConservationOfResourceCards", ("bnk h hid", _conservation_of_resource_cards)),
    _invariant("ConservationOfDevelopmentCards", ("bnk h dp", _conservation_of_development_cards)),
    _invariant("ConservationOfBuildings", ("b r s", _conservation_of_buildings)),
    _invariant("DistanceRule", ("s", _distance_rule)),
    _invariant("RoadsConnected", ("r s", _roads_connected)),
    _invariant("BanditOnLand", ("ba", _bandit_on_land)),
    _invariant("BonusHolders", ("la h", _army_holder), ("lr r s", _road_holder)),
    _invariant("BoughtByActive", ("h hid ap sb tp call", _bought_by_active)),
    _invariant(
        "TurnOrder",
        ("sup rolls first away", _start_order),
        ("tp call made", _counts_begin_anew),
        ("sup su_ap first rolls ap tp call dice pd sb lim s away", _turn_order),
    ),
    _invariant(
        "OfferIsCovered",
        ("tp ap offer ans h hid", _offer_is_covered),
        ("tp ap ans prop h", _proposals_are_covered),
        ("tp ap prop made", _offers_are_counted),
    ),
    _invariant(
        "SharesAreDue",
        ("tp due call su_ap ap sb", _shares_are_due),
        ("tp call ap ba s bnk h hid ahead away", _draw_is_under_way),
        ("ahead ap dice away h hid", _is_told_ahead),
    ),
    _invariant(
        "AwayAreSkipped",
        ("away tp su_ap sup ap sb due lim ans h", _away_are_skipped),
        ("away ret", _missed_are_away),
    ),
    _invariant("WinAtOnce", ("tp call ap lr la s h", _win_at_once)),
)
"""All invariants, in the order of the specification's configuration."""

_COMPONENTS = State._fields[1:]


def changed_components(state: State, since: State) -> tuple[str, ...]:
    """Names of the components that are different objects in two states of one game."""
    # Identity suffices: actions share the components that they do not touch.
    return tuple(compress(State._fields, map(is_not, since, state)))


# A game changes the same few sets of components again and again.
@lru_cache(maxsize=1 << 10)
def _concerned(changed: tuple[str, ...]) -> tuple[tuple[str, Predicate], ...]:
    return tuple(
        (invariant.name, conjunct.holds)
        for invariant in INVARIANTS
        for conjunct in invariant.conjuncts
        if not set(changed).isdisjoint(conjunct.reads)
    )


def is_sound_pause(state: State) -> bool:
    """Whether signatures or shuffles can be under way as they are, if any are."""
    if state.tp == "Signing":
        owing = [player for player, due in enumerate(state.due, 1) if due]
        return state.constants.rules.signed_end and {*owing} <= {*state.present} - {state.ap}
    if state.tp == "Shuffling":
        hidden = state.hid
        is_shuffle = hidden.shuffles < len(state.present) and hidden.deck != "lost"
        is_pause = hidden.wanted == "none" and hidden.back not in HIDDEN_PHASES
        return is_shuffle and is_pause and are_away_keyless(state)
    return True


def without_pause(state: State) -> State:
    """The state as if the current shuffles were over, where they may come anywhere, or as if the end were signed."""
    if state.tp == "Signing":
        return state._replace(tp="top")
    if state.tp != "Shuffling" or not state.constants.rules.leaving:
        return state
    after = state.resumed
    return after._replace(hid=after.hid._replace(keyless=state.away))


def check(state: State, since: State | None = None) -> None:
    """Raise ``InvariantBroken`` for the first invariant that does not hold.

    With ``since``, a state of the same game that has passed, only the parts that read a changed component are run.
    Where players may leave, shuffles can come anywhere: everything except their number must hold as if they were over.
    The same goes for signatures of the end, which only players who are present owe, and never the winner.
    """
    if not is_sound_pause(state):
        raise InvariantBroken("TypeOK")
    state = without_pause(state)
    changed = _COMPONENTS if since is None else changed_components(state, without_pause(since))
    for name, holds in _concerned(changed):
        if not holds(state):
            raise InvariantBroken(name)
