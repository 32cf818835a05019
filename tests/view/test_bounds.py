"""Bounds of unseen hands: whatever happens, the true hand stays within them, and known cards stay known."""

from hypothesis import given
from hypothesis import strategies as st

from catan_p2p.game.cards import Cards, covers, pack, total, unpack
from catan_p2p.view import bounds as b
from catan_p2p.view.bounds import HandBounds, exactly

COUNTS = st.tuples(*[st.integers(0, 6)] * 5)


@st.composite
def known_of(draw: st.DrawFn) -> tuple[Cards, HandBounds]:
    """A hand, and bounds that hold for it."""
    counts = draw(COUNTS)
    below = [draw(st.integers(0, n)) for n in counts]
    above = [n + draw(st.integers(0, 4)) for n in counts]
    n = sum(counts)
    least = max(sum(below), n - draw(st.integers(0, 3)))
    most = min(sum(above), n + draw(st.integers(0, 3)))
    if draw(st.booleans()):
        return pack(counts), exactly(pack(counts))
    return pack(counts), HandBounds(pack(below), pack(above), least, most)


def holds(bounds: HandBounds, hand: Cards) -> bool:
    return covers(hand, bounds.low) and covers(bounds.high, hand) and bounds.least <= total(hand) <= bounds.most


@given(known_of(), COUNTS)
def test_gaining(known: tuple[Cards, HandBounds], counts: tuple[int, ...]) -> None:
    hand, bounds = known
    cards = pack(counts)
    assert holds(b.gain(bounds, cards), hand + cards)
    assert holds(b.may_gain(bounds, cards), hand)
    assert holds(b.may_gain(bounds, cards), hand + cards)
    if bounds.is_exact:
        assert b.gain(bounds, cards) == exactly(hand + cards)


@given(known_of(), st.data())
def test_paying(known: tuple[Cards, HandBounds], data: st.DataObject) -> None:
    hand, bounds = known
    cost = pack(data.draw(st.integers(0, n)) for n in unpack(hand))
    assert bounds.could_pay(cost)
    assert holds(b.pay(bounds, cost), hand - cost)
    assert holds(b.may_lose(bounds, cost), hand)
    assert holds(b.may_lose(bounds, cost), hand - cost)
    if bounds.is_exact:
        assert b.pay(bounds, cost) == exactly(hand - cost)


@given(known_of(), COUNTS)
def test_a_cost_that_no_hand_within_the_bounds_can_pay(
    known: tuple[Cards, HandBounds], counts: tuple[int, ...]
) -> None:
    _, bounds = known
    cost = pack(counts)
    if not bounds.could_pay(cost):
        assert not covers(bounds.high, cost) or total(cost) > bounds.most


@given(known_of(), st.integers(0, 3), st.integers(0, 3), st.data())
def test_losing_cards_that_nobody_names(
    known: tuple[Cards, HandBounds], fewer: int, more: int, data: st.DataObject
) -> None:
    hand, bounds = known
    lost = _some_of(hand, data)
    n = total(lost)
    fewest, most = max(0, n - fewer), n + more
    left = b.lose_any(bounds, fewest, most)
    assert holds(left, hand - lost)
    assert holds(b.gain_any(exactly(0), bounds, fewest, most), lost)


@given(known_of(), known_of(), st.data())
def test_robbing(one: tuple[Cards, HandBounds], other: tuple[Cards, HandBounds], data: st.DataObject) -> None:
    (victim, victims), (thief, thiefs) = one, other
    kinds = [i for i, n in enumerate(unpack(victim)) if n]
    card = 1 << 8 * data.draw(st.sampled_from(kinds)) if kinds else 0
    robbed, gained = b.rob(victims, thiefs)
    assert holds(robbed, victim - card)
    assert holds(gained, thief + card)


@given(known_of(), known_of(), st.integers(0, 4))
def test_taking_all_of_a_kind(one: tuple[Cards, HandBounds], other: tuple[Cards, HandBounds], kind: int) -> None:
    (hand, bounds), (winner, winners) = one, other
    left, fewest, most = b.take_all(bounds, kind)
    n = unpack(hand)[kind]
    assert fewest <= n <= most
    assert holds(left, hand - (n << 8 * kind))
    assert holds(b.gain_between(winners, kind, fewest, most), winner + (n << 8 * kind))


@given(known_of(), COUNTS, COUNTS)
def test_what_the_others_leave(known: tuple[Cards, HandBounds], below: tuple[int, ...], above: tuple[int, ...]) -> None:
    hand, bounds = known
    counts = unpack(hand)
    floor = [max(0, n - m) for n, m in zip(counts, below, strict=True)]
    room = [n + m for n, m in zip(counts, above, strict=True)]
    narrowed = b.within(bounds, floor, room)
    assert holds(narrowed, hand)
    assert covers(narrowed.low, bounds.low)
    assert covers(bounds.high, narrowed.high)


def test_a_single_kind_of_card_is_known_when_it_is_stolen() -> None:
    robbed, thief = b.rob(exactly(pack((0, 3, 0, 0, 0))), exactly(0))
    assert robbed == exactly(pack((0, 2, 0, 0, 0)))
    assert thief == exactly(pack((0, 1, 0, 0, 0)))


def test_nothing_is_stolen_from_an_empty_hand() -> None:
    assert b.rob(exactly(0), exactly(5)) == (exactly(0), exactly(5))


def test_more_cards_than_can_be_counted_are_not_counted() -> None:
    heap = exactly(pack((100, 0, 0, 0, 0)))
    assert unpack(b.gain(heap, pack((100, 0, 0, 0, 0))).low) == (127, 0, 0, 0, 0)


def _some_of(hand: Cards, data: st.DataObject) -> Cards:
    return pack(data.draw(st.integers(0, n)) for n in unpack(hand))
