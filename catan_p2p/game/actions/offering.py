"""What offers, answers and proposals have in common: what one side can be, and which offers there are."""

from collections.abc import Collection
from functools import lru_cache
from random import Random
from typing import Protocol

from catan_p2p.game.actions.parts import could_pay, with_seat
from catan_p2p.game.cards import ONE, RESOURCES, Cards, bracketed, count, kinds, pack, total, unpack
from catan_p2p.game.constants import Player, Rules
from catan_p2p.game.state import NO_OFFER, TALK_PHASES, TRADE_PHASES, Answer, Offer, State

LISTED = 4
"""Where the rules set no bound, offers of at most this many cards a side are listed. Larger ones are allowed too."""


class HasSides(Protocol):
    """An offer or a proposal, as an action."""

    @property
    def player(self) -> Player:
        """The player who makes it."""

    @property
    def give(self) -> Cards:
        """The cards that this player would give."""

    @property
    def receive(self) -> Cards:
        """The cards that this player would receive."""


def spelled(action: HasSides) -> str:
    """The ``repr`` of an offer or a proposal: its cards in words."""
    give, receive = bracketed(action.give), bracketed(action.receive)
    partner = f", partner={action.partner}" if hasattr(action, "partner") else ""
    return f"{type(action).__name__}(player={action.player}{partner}, give={give}, receive={receive})"


def is_side(rules: Rules, cards: Cards) -> bool:
    """Whether this can be one side of an offer: ``IsSide`` of the specification."""
    return 1 <= total(cards) <= rules.side_max


def is_like_for_like(give: Cards, receive: Cards) -> bool:
    """Whether a resource is on both sides."""
    return any(count(give, kind) and count(receive, kind) for kind in RESOURCES)


def is_talking(state: State) -> bool:
    """Whether the others may make proposals now: ``TalkPhases`` of the specification."""
    return state.constants.rules.table_talk and state.tp in TALK_PHASES


def needs_answers(state: State) -> bool:
    """Whether the offer can be settled only once everybody has answered, and somebody has not yet."""
    return not state.constants.rules.table_talk and "asked" in state.ans


def proposers(state: State) -> list[Player]:
    """The players whose proposals stand."""
    return [player for player, offer in enumerate(state.prop, 1) if offer != NO_OFFER]


def has_more(state: State, player: Player, limit: int) -> bool:
    """Whether the player may make another offer or proposal this turn; a ``limit`` of 0 allows any number."""
    return limit == 0 or state.made[player - 1] < limit


def one_more(state: State, player: Player, limit: int) -> tuple[int, ...]:
    """The counts of offers or proposals after one more of the player's, where they are counted: ``OneMore``."""
    return with_seat(state.made, player, state.made[player - 1] + 1) if limit else state.made


def takers(state: State, player: Player, receive: Cards) -> list[Player]:
    """The other players present who hold what is wanted, or may hold it: ``Takers`` of the specification."""
    return [other for other in state.present if other != player and could_pay(state, other, receive)]


def may_offer(state: State, player: Player) -> bool:
    """Whether the player may make an offer, if they have something to give."""
    rules = state.constants.rules
    is_trading = rules.domestic_trade and state.tp in TRADE_PHASES and state.ap == player
    return is_trading and has_more(state, player, rules.offers_per_turn)


def offered(state: State, offer: HasSides, others: Collection[Player]) -> State:
    """The state in which an offer stands, and is asked of these of the other players."""
    player, everybody = offer.player, state.constants.players
    asked: tuple[Answer, ...] = tuple("asked" if other in others and other != player else "none" for other in everybody)
    made = one_more(state, player, state.constants.rules.offers_per_turn)
    return state.heard._replace(tp="Offering", offer=Offer(offer.give, offer.receive), made=made, ans=asked)


def traded(before: State, after: State, player: Player) -> Offer:
    """What a player gave, and received for it, in a trade of different types of cards."""
    old, new = unpack(before.h[player - 1].rc), unpack(after.h[player - 1].rc)
    changes = list(zip(old, new, strict=True))
    return Offer(pack(max(0, had - has) for had, has in changes), pack(max(0, has - had) for had, has in changes))


def listed_offers(
    state: State, player: Player, asked: Collection[Player] | None = None
) -> tuple[tuple[Cards, Cards], ...]:
    """What the player could give for what, ordered by the counts given, then by the counts wanted.

    Without table talk somebody must hold what is asked for: one of those ``asked``, by default of all others.
    """
    return tuple((give, receive) for give, fitting in _both_sides(state, player, asked) for receive in fitting)


def _both_sides(
    state: State, player: Player, asked: Collection[Player] | None = None
) -> tuple[tuple[Cards, list[Cards]], ...]:
    """All cards that the player could give, each time with all that they could want in return."""
    rules = state.constants.rules
    most = rules.offer_max or LISTED
    if rules.table_talk:
        return _offers(state.h[player - 1].rc, (rules.resource_pool,), most)
    others = tuple(sorted({state.h[other - 1].rc for other in asked or state.present if other != player}))
    return _offers(state.h[player - 1].rc, others, most)


def plain_offer(state: State, player: Player, asked: Collection[Player] | None = None) -> Offer | None:
    """One card for one card, as a representative of all offers that the player could make; None if there is none."""
    wanted = state.constants.rules.resource_pool
    if not state.constants.rules.table_talk:
        wanted = 0
        for other in asked or state.present:
            wanted |= state.h[other - 1].rc if other != player else 0
    # The order of the lists of offers: the one with the fewest cards of the first types comes first.
    for give in reversed(kinds(state.h[player - 1].rc)):
        for receive in reversed(kinds(wanted)):
            if give != receive:
                return Offer(ONE[RESOURCES[give]], ONE[RESOURCES[receive]])
    return None


def random_sides(
    state: State, player: Player, rng: Random, asked: Collection[Player] | None = None
) -> tuple[Cards, Cards]:
    """An offer drawn uniformly from all that are listed; there must be one."""
    sides = _both_sides(state, player, asked)
    at = rng.randrange(sum(len(fitting) for _, fitting in sides))
    for give, fitting in sides:
        if at < len(fitting):
            return give, fitting[at]
        at -= len(fitting)
    raise AssertionError("a number below the count of offers")


@lru_cache(maxsize=64)
def _offers(hand: Cards, others: tuple[Cards, ...], most: int) -> tuple[tuple[Cards, list[Cards]], ...]:
    """What can be given, each with what others can pay for it, where no resource is on both sides."""
    given = _up_to(hand, most)
    wanted = sorted({cards for other in others for cards in _up_to(other, most)}, key=unpack)
    # Sorted, so that a seed draws the same offer on every machine.
    fitting: dict[tuple[int, ...], list[Cards]] = {}
    for give in given:
        # Offers that give the same kinds share one list of fitting wishes.
        if (without := tuple(kinds(give))) not in fitting:
            fitting[without] = [receive for receive in wanted if not set(without).intersection(kinds(receive))]
    return tuple((give, fitting[tuple(kinds(give))]) for give in given)


@lru_cache(maxsize=64)
def _up_to(hand: Cards, most: int) -> list[Cards]:
    """Every way to take from 1 up to a limit of these cards, ordered by the counts, first type first."""
    found = [(0, 0)]
    for kind, held in enumerate(unpack(hand)):
        one = ONE[RESOURCES[kind]]
        found = [(taken + n * one, used + n) for taken, used in found for n in range(min(held, most - used) + 1)]
    return [taken for taken, used in found if used]
