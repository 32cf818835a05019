"""Games of hidden hands go on without a player: in every phase, with all cards that stay, and after a proven lie."""

from functools import partial
from typing import Any

import pytest

from catan_p2p.game import invariants
from catan_p2p.game.actions import Claim, Excuse, Shuffle
from catan_p2p.game.actions.discard import owed
from catan_p2p.game.cards import pack, total
from catan_p2p.game.rules import awaited, broken_guards
from catan_p2p.game.state import State
from catan_p2p.log.commit import SecretParts, decode_commit
from catan_p2p.log.graph import DueMessage
from catan_p2p.log.verdict import CommitRejected, LoggedStep
from catan_p2p.log.views.deciding import value_of
from catan_p2p.log.views.view import Change
from catan_p2p.replication.core.view_duty import ViewDuty
from catan_p2p.sealing.deck import cover, new_deck, read_cover, read_strip, strip
from catan_p2p.sealing.group import BASE, ORDER, SIZE_BYTES, ProofRefused, minus, times
from catan_p2p.sealing.transcript import ProofContext
from tests.log.table import LogTable, hidden_log


def is_called(what: tuple[str, ...], owing: int, state: State) -> bool:
    """Whether something is called for, and so many owe what it needs."""
    return state.tp == "Drawing" and state.call.what in what and sum(state.due) == owing


THEFTS = ("MoveBandit", "PlayKnight")
robbed, answered = partial(is_called, THEFTS, 1), partial(is_called, THEFTS, 0)
PHASES = {
    "pledging": lambda state: sum(state.due) == 1,
    "keys": lambda state: state.hid.deck == "keys" and state.hid.shuffles == 1,
    "shuffling": lambda state: state.tp == "Shuffling" and (state.hid.deck, state.hid.shuffles) == ("first", 1),
    "set-up": lambda state: state.tp == "bot" and state.hid.deck == "first",
    "turn": lambda state: state.tp in ("TradingBuilding", "Building") and any(state.hid.sealed),
    "discard": lambda state: state.tp == "Discarding" and len(awaited(state)) == 1,
    "robber": answered,
    "victim": robbed,
    "buyer": partial(is_called, ("BuyDevCard",), 0),
    "owing to a buyer": partial(is_called, ("BuyDevCard",), 1),
    "monopoly": lambda state: state.tp == "Surrendering" and sum(state.due) == 1,
}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.long
def test_play_goes_on_without_a_player_in_every_phase(phase: str) -> None:
    table = hidden_log("brief", 4, 0)
    table.play_until(PHASES[phase])
    absent = awaited(table.state)[0]
    sealed, sold = table.state.hid.sealed[absent - 1], table.sealed_cards.next_card
    is_buyer = phase == "buyer"
    table.excuse(absent)
    invariants.check(table.state)
    assert table.state.away[absent - 1]
    assert table.state.tp == "Shuffling"
    assert table.sealed_cards.next_card == sold + is_buyer
    assert all(hidden_hand.share is None for hidden_hand in table.sealed_cards.hidden_hands)
    size = table.state.deck_size
    table.play_until(lambda state: state.tp != "Shuffling")
    invariants.check(table.state)
    assert not table.sealed_cards.layers
    assert len(table.sealed_cards.deck) - table.sealed_cards.next_card + 1 == size
    most = len(table.graph) + 120
    table.play_until(lambda state: state.is_over or len(table.graph) > most)
    assert table.state.hid.sealed[absent - 1] == sealed
    if phase in ("turn", "buyer", "owing to a buyer"):
        table.play_until(lambda state: state.is_over or len(table.sealed_cards.shares) > sold)


def test_forged_shuffles_of_a_rest_are_refused() -> None:
    table = hidden_log("brief", 4, 3)
    table.play_until(lambda state: state.tp == "TradingBuilding")
    table.excuse(awaited(table.state)[0])
    for _ in range(3):
        step = table.write(table.next_action(awaited(table.state)[0]))
        assert isinstance(step.action, Shuffle) and isinstance(table.forged(step), LoggedStep)
        seal, count = step.entry.seal, len(table.sealed_cards.deck)
        assert seal is not None
        off = count * SIZE_BYTES
        changes = {
            "a share that is none": seal[:32] + seal[64:96] + seal[64:],
            "another piece told": seal[: off + 64] + (b"\1" + seal[off + 65 : off + 96]) + seal[off + 96 :],
            "no piece off": seal[off + 64 :],
            "no piece told": seal[: off + 64] + seal[off + 96 :],
            "another rest": seal[: off + 96] + seal[off + 128 : off + 160] + seal[off + 128 :],
        }
        for what, other in changes.items():
            found = table.forged(step, step.entry._replace(seal=other))
            assert isinstance(found, CommitRejected) and found.reason == "seal", what
        table.take_in(step)
    assert table.state.tp != "Shuffling"


def test_who_leaves_while_the_rest_is_shuffled_takes_the_deck_along() -> None:
    table = hidden_log("brief", 4, 3)
    table.play_until(lambda state: state.tp == "TradingBuilding")
    first = awaited(table.state)[0]
    table.excuse(first)
    second = awaited(table.state)[0]
    table.excuse(second)
    assert table.state.hid.deck == "lost" and table.state.deck_size == 0
    most = len(table.graph) + 150
    table.play_until(lambda state: state.is_over or len(table.graph) > most)
    assert not table.sealed_cards.shares


@pytest.mark.long
def test_who_leaves_after_having_shuffled_the_rest_leaves_the_deck() -> None:
    table = hidden_log("brief", 5, 3)
    table.play_until(lambda state: state.tp == "TradingBuilding")
    table.excuse(awaited(table.state)[0])
    first = awaited(table.state)[0]
    table.act(first)
    assert first < awaited(table.state)[0]
    table.play_until(lambda state: state.tp != "Shuffling")
    table.play_until(lambda state: state.tp in ("TradingBuilding", "DiceRoll") and awaited(state) == (first,))
    table.excuse(first)
    table.play_until(lambda state: state.tp != "Shuffling")
    table.play_until(lambda state: state.is_over or len(table.sealed_cards.shares) > 1)
    for seat in table.state.present:
        hidden_hand = table.sealed_cards.of(seat)
        assert table.state.is_over or total(
            table.own[seat].development_cards(table.sealed_cards, hidden_hand.bought + hidden_hand.held)
        ) == len(hidden_hand.bought + hidden_hand.held)


def test_an_excuse_tells_no_place_where_nothing_is_proven() -> None:
    table = hidden_log("brief", 3, 0)
    table.play_until(PHASES["set-up"])
    step = table.write(table.decide(awaited(table.state)[0]))
    found = table.forged(step, step.entry._replace(place=0))
    assert isinstance(found, CommitRejected) and found.reason == "seal"
    table.take_in(step)


def _next(scalar: bytes) -> bytes:
    return ((int.from_bytes(scalar, "little") + 1) % ORDER).to_bytes(SIZE_BYTES, "little")


def all_false(count: int, told: SecretParts) -> SecretParts:
    assert told.seal is not None
    covered = [told.seal[at : at + 32] for at in range(len(told.seal) - 32 * count, len(told.seal), 32)]
    return told._replace(seal=told.seal[: -32 * count] + b"".join(map(_next, covered)))


@pytest.mark.parametrize("players", [2, 3])
def test_a_victim_who_covers_false_openings_is_accused(players: int) -> None:
    table = hidden_log("brief", players, 5)
    table.play_until(robbed)
    victim, robber = table.state.call.victim, table.state.caller
    table.act(victim, partial(all_false, table.state.hand_size(victim)))
    step = table.write(table.next_action(robber))
    assert isinstance(step.action, Claim if players == 2 else Excuse)
    place, seal = step.entry.place, step.entry.seal
    assert place is not None and seal is not None
    for changes in ({"seal": None, "place": None}, {"seal": _next(seal)}, {"place": place + 1}, {"seal": seal + b"\0"}):
        found = table.forged(step, step.entry._replace(**changes))
        assert isinstance(found, CommitRejected), changes
        assert found.reason in ("seal", "votes")
    table.take_in(step)
    assert table.state.away[victim - 1]
    assert table.state.is_over == (players == 2)
    if players == 3:
        table.play_until(lambda state: state.tp == state.after_dice)


def test_nobody_answers_a_robber_who_is_proven_to_have_forked() -> None:
    table = hidden_log("brief", 3, 5)
    table.play_until(robbed)
    victim, robber, sealed = table.state.call.victim, table.state.caller, table.state.hid.sealed
    call = next(step for step in table.steps if step.commit == table.graph.head)
    author = decode_commit(table.objects.read(call.commit)[1]).author
    other = table.check(table.graph, table.forge(call, author=author._replace(time_s=author.time_s + 1)))
    assert isinstance(other, LoggedStep) and table.graph.may_act(victim)
    for graph in (table.graph, table.reader):
        table.check(graph, other.commit)
        graph.add(other)
    assert table.graph.head == call.commit and not table.graph.may_act(victim)
    table.excuse(robber)
    assert table.state.away[robber - 1] and table.state.hid.sealed == sealed
    table.play_until(lambda state: state.tp == state.after_dice)


@pytest.mark.parametrize("players", [2, 3])
def test_a_false_accusation_is_refused(players: int) -> None:
    table = hidden_log("brief", players, 5)
    table.play_until(robbed)
    victim, robber = table.state.call.victim, table.state.caller
    table.act(victim)
    own, choosing = table.own[robber], table.sealed_cards.choosing
    choice = own._own_choice(choosing, table.sealed_cards)
    action = (Claim if players == 2 else Excuse)(robber, victim)
    lie = SecretParts(None, choice.place, choice.hiding.to_bytes(SIZE_BYTES, "little"))
    honest = table.write(table.next_action(robber))
    entry = honest.entry._replace(action=action, place=lie.place, seal=lie.seal)
    for other in (entry, entry._replace(place=None, seal=None), entry._replace(place=None)):
        found = table.forged(honest, honest.entry._replace(**other._asdict()))
        assert isinstance(found, CommitRejected)
        assert found.reason in ("seal", "votes")
        assert other is not entry or found.detail == f"player {victim} is accused, but the victim told the chosen card"


def with_false_piece() -> LogTable:
    """Three have told their pieces of keys, player 2 false ones."""
    table = hidden_log("brief", 3, 1)
    table.play_until(lambda state: state.hid.deck == "keys" and state.hid.shuffles == 1)
    own = table.own[2]
    secret = own._meeting_secret(table.sealed_cards)
    own._meeting_secret = lambda sealed_cards: (secret + 1) % ORDER  # type: ignore[method-assign]
    table.act(2)
    own._meeting_secret = lambda sealed_cards: secret  # type: ignore[method-assign]
    table.act(3)
    return table


def test_who_gives_a_false_piece_of_a_key_is_accused() -> None:
    table = with_false_piece()
    assert table.state.hid.deck == "first" and table.sealed_cards.unlike(1)
    step = table.write(table.next_action(1))
    assert step.action == Excuse(1, 2)
    seal = step.entry.seal
    assert seal is not None
    for other in (None, seal[:32] + _next(seal[32:64]) + seal[64:], seal + b"\0"):
        found = table.forged(step, step.entry._replace(seal=other))
        assert isinstance(found, CommitRejected) and found.reason in ("seal", "votes")
    table.take_in(step)
    assert table.state.hid.deck == "keys" and table.sealed_cards.party == (1, 3)
    table.play_until(lambda state: state.tp == "bot")


def test_a_true_piece_of_a_key_is_no_lie() -> None:
    table = hidden_log("brief", 3, 1)
    table.play_until(lambda state: state.hid.deck == "first")
    honest = table.write(Shuffle(1))
    table.own[1].false_giver = lambda state, sealed_cards: 2  # type: ignore[method-assign]
    shown = table.own[1].told(table.graph.line.prepare(Excuse(1, 2)), Excuse(1, 2), None)
    found = table.forged(honest, honest.entry._replace(action=Excuse(1, 2), seal=shown.seal))
    assert isinstance(found, CommitRejected)
    assert found.detail == "player 2 is accused, but the piece is correct"


def test_a_key_that_is_not_the_sum_of_its_pieces_shuffles_nothing() -> None:
    table = with_false_piece()
    table.own[1].false_giver = lambda state, sealed_cards: None  # type: ignore[method-assign]
    found = table.check(table.graph, table.write(Shuffle(1)).commit)
    assert isinstance(found, CommitRejected) and "the player's key is not the sum of its pieces" in found.detail


@pytest.mark.parametrize(("take", "read", "sign"), [(strip, read_strip, 1), (cover, read_cover, -1)])
def test_a_secret_is_off_the_deck_or_on_it_only_if_the_proof_holds(take: Any, read: Any, sign: int) -> None:
    here, cards, key = (
        ProofContext("5eed" * 10, 1, "c0de" * 10),
        new_deck(pack((1, 1, 0, 1, 0)), [times(5, BASE)]),
        b"key",
    )
    message, left = take(here, cards, 7, key)
    assert read(here, cards, times(7, BASE), message) == left
    assert [minus(old.body, new.body) for old, new in zip(cards, left, strict=True)] == [
        times(sign * 7 % ORDER, old.mask) for old in cards
    ]
    assert [old.mask for old in cards] == [new.mask for new in left]
    false, inverse = take(here, cards, 8, key)[0], read_cover if read is read_strip else read_strip
    lies = {
        "another secret": read(here, cards, times(7, BASE), false),
        "another share": read(here, cards, times(7, BASE), false[:32] + message[32:]),
        "another card": read(here, (*cards[1:], cards[0]), times(7, BASE), message),
        "another commit": read(here._replace(commit="beef" * 10), cards, times(7, BASE), message),
        "a byte more": read(here, cards, times(7, BASE), message + b"\0"),
        "the inverse": inverse(here, cards, times(7, BASE), message),
    }
    assert {what: type(found) for what, found in lies.items()} == dict.fromkeys(lies, ProofRefused)


def test_play_goes_on_without_a_player_who_owed_sealed_cards_after_a_seven() -> None:
    table = hidden_log("thesis; HandLimit = 3", 3, 1)

    def owing(table: LogTable) -> list[int]:
        sealed, state = table.state.hid.sealed, table.state
        seats = state.constants.players if state.tp == "Discarding" else ()
        return [seat for seat in seats if owed(state, seat) and sealed[seat - 1] and seat != state.ap]

    table.play_until(lambda state: bool(owing(table)))
    table.excuse(owing(table)[0])
    table.play_until(lambda state: state.tp in ("TradingBuilding", "Trading", "Building"))


def excuse_a_liar(table: LogTable) -> None:
    """A victim covers false openings, and the robber proves it."""
    victim, robber = table.state.call.victim, table.state.caller
    table.act(victim, partial(all_false, table.state.hand_size(victim)))
    table.take_in(table.write(table.next_action(robber)))
    assert table.state.away[victim - 1]


def without_a_liar(players: int) -> LogTable:
    """A victim was excused for a lie, and the rest of the deck is shuffled."""
    table = hidden_log("brief", players, 5)
    table.play_until(robbed)
    excuse_a_liar(table)
    table.play_until(lambda state: state.tp == state.after_dice)
    return table


def with_the_liars_vote() -> LogTable:
    """Of three, one of whom has no seat left, one is silent: the liar votes with the other."""
    table = without_a_liar(3)
    (liar,) = {1, 2, 3} - {*table.state.present}
    (silent,) = awaited(table.state)
    (other,) = {*table.state.present} - {silent}
    assert table.graph.valid.view.present == (1, 2, 3)
    assert ViewDuty(table.graph.valid, other).due((silent,), is_round_over=True) is None
    assert not broken_guards(table.state, Claim(other, silent))
    for party in (liar, other):
        table.sign(party, DueMessage("vote", 1, (silent,)))
    return table


def test_of_two_who_are_left_after_a_lie_about_cards_neither_is_left_out_with_the_liars_vote() -> None:
    table = with_the_liars_vote()
    valid = table.graph.valid
    votes = [*valid.changes.cast(Change.of(valid.view), 1).values()]
    assert len(votes) == 2 and value_of(valid, votes) is None


def without_the_liar_in_the_view() -> LogTable:
    """Of four, one of whom has no seat left, the others vote at once, and go on in a view without it."""
    table = without_a_liar(4)
    table.change_view(table.state.present)
    return table


def test_a_liar_about_cards_is_left_out_by_the_next_change_and_counts_no_more() -> None:
    table = without_the_liar_in_the_view()
    valid, others = table.graph.valid, table.state.present
    assert valid.view.present == others == valid.view.electorate
    assert valid.view.value.out == valid.view.value.proven == tuple({1, 2, 3, 4} - {*others})
    assert not valid.pending(valid.line_node(valid.newest), valid.view)
    table.excuse(awaited(table.state)[0])
    assert len(table.state.present) == 2
