"""Who lies is refused: for each equation of each proof a lie that all the other equations let through."""

from functools import lru_cache

import pytest

from catan_p2p.game.cards import pack
from catan_p2p.sealing import deck, hands, leaving, shuffle, theft
from catan_p2p.sealing.cards import CardOpening, prove_kind
from catan_p2p.sealing.deck import EncryptedCard
from catan_p2p.sealing.group import (
    BASE,
    ORDER,
    ProofRefused,
    generator,
    joined,
    minus,
    plus,
    resource_points,
    times,
    total,
)
from catan_p2p.sealing.hands import ResealedHand
from catan_p2p.sealing.linear import LinearEquation, prove, prove_log
from catan_p2p.sealing.transcript import ProofContext, ProofTranscript
from tests.sealing import forging

HERE = ProofContext("ab" * 20, 1, "cd" * 20)
KEY = b"k" * 32
LUMBER, BRICK, WOOL, GRAIN, ORE = range(5)


def held(*kinds: int) -> tuple[CardOpening, ...]:
    return tuple(CardOpening(kind, 1000 + number) for number, kind in enumerate(kinds))


def refused(found: object) -> bool:
    return isinstance(found, ProofRefused)


# --------------------------------------------------------------------------------------------------------------- hands


def test_brick_does_not_become_ore() -> None:
    old = held(BRICK, WOOL)
    what = ResealedHand(tuple(one.card() for one in old))
    assert refused(hands.read_resealing(HERE, what, forging.resealing(HERE, what, old, held(ORE, WOOL))))


def test_a_card_of_no_kind_does_not_pay_for_one_of_another() -> None:
    """Two cards add up to what was there, but one of them is brick and wool less ore, so that the other can be ore."""
    old, new = held(BRICK, WOOL), held(BRICK, ORE)
    junk = minus(resource_points()[WOOL], resource_points()[ORE])
    what = ResealedHand(tuple(one.card() for one in old))
    assert refused(hands.read_resealing(HERE, what, forging.resealing(HERE, what, old, new, junk)))


def test_nobody_pays_what_they_do_not_hold() -> None:
    old, new = held(BRICK, WOOL), held(WOOL)
    what = ResealedHand(tuple(one.card() for one in old), paid=pack((0, 0, 0, 0, 1)))
    assert refused(hands.read_resealing(HERE, what, forging.resealing(HERE, what, old, new)))


def test_a_monopoly_leaves_no_card_of_its_kind_behind() -> None:
    old, new = held(BRICK, WOOL), (CardOpening(BRICK, 5), CardOpening(WOOL, 6))
    told = ResealedHand(tuple(one.card() for one in old), without=BRICK)
    cards = tuple(one.card() for one in new)
    about = told.about(HERE, "card").with_more(cards)
    proofs = [prove_kind(about.with_more(n), one, range(5), KEY) for n, one in enumerate(new)]
    blind = (sum(one.blind for one in old) - sum(one.blind for one in new)) % ORDER
    balance = prove_log(told.about(HERE, "balance").with_more(cards), told.balance(cards), blind, KEY)
    assert refused(hands.read_resealing(HERE, told, b"".join((*cards, *proofs, balance))))
    openly = ResealedHand(told.old)
    assert refused(hands.read_resealing(HERE, told, hands.reseal(HERE, openly, old, KEY)[0]))


# ------------------------------------------------------------------------------------------------------------- thefts


@pytest.mark.parametrize("place", [1, 2])
def test_a_choice_that_everybody_can_read_is_refused(place: int) -> None:
    assert refused(theft.read_choice(3, times(place, generator("theft"))))


@pytest.mark.parametrize("place", [3, 4])
def test_a_place_beyond_the_hand_is_refused(place: int) -> None:
    choice = theft.RobberChoice(place, 4711)
    assert theft.place_problem(HERE, choice.point(), 3, place, theft.prove_place(HERE, choice, KEY)) is not None


def test_a_robber_who_has_seen_a_card_cannot_name_another() -> None:
    choice = theft.RobberChoice(2, 4711)
    point = choice.point()
    about = ProofTranscript(HERE, "place", point, 1)
    lie = prove_log(about, minus(point, theft._marked(1)), choice.hiding, KEY)
    assert theft.place_problem(HERE, point, 3, 1, lie) is not None
    assert theft.place_problem(HERE, point, 3, 2, theft.prove_place(HERE, choice, KEY)) is None


def answered(choice: theft.RobberChoice, lie: int = 0) -> theft.VictimAnswer:
    what = ResealedHand((), pack((1, 1, 1, 0, 0)))
    told = theft.read_answer(HERE, what, theft.answer(HERE, what, (), choice.point(), KEY)[0])
    assert not isinstance(told, ProofRefused)
    return told._replace(covered=tuple((one + lie) % ORDER for one in told.covered))


def test_a_victim_who_lies_is_found_out_by_everybody() -> None:
    choice = theft.RobberChoice(1, 4711)
    told = answered(choice, lie=1)
    assert theft.uncovered(HERE, told, choice) is None
    assert theft.accusation_problem(HERE, choice.point(), told, choice) is None


def test_an_honest_victim_is_not_accused() -> None:
    choice = theft.RobberChoice(1, 4711)
    told = answered(choice)
    assert theft.accusation_problem(HERE, choice.point(), told, choice) is not None


@pytest.mark.parametrize("other", [theft.RobberChoice(1, 4712), theft.RobberChoice(2, 4711)])
def test_nobody_is_accused_with_another_choice(other: theft.RobberChoice) -> None:
    choice = theft.RobberChoice(1, 4711)
    assert (
        theft.accusation_problem(HERE, choice.point(), answered(choice), other)
        == "the place told is not the one that the robber chose"
    )


@pytest.mark.parametrize(
    "other",
    [theft.RobberChoice(3, 4711), theft.RobberChoice(-1, 4711), theft.RobberChoice(1, 0), theft.RobberChoice(1, ORDER)],
)
def test_an_accusation_out_of_range_is_refused(other: theft.RobberChoice) -> None:
    choice = theft.RobberChoice(1, 4711)
    problem = theft.accusation_problem(HERE, choice.point(), answered(choice), other)
    assert problem is not None
    assert "out of range" in problem


# ------------------------------------------------------------------------------------------------------- keys and deck


def test_a_key_is_not_made_from_its_own_proof() -> None:
    """Where the point is not part of the challenge, one chooses the challenge first and the point to fit it."""
    first = times(7, BASE)
    challenge = ProofTranscript(HERE, "deck").challenge([first])
    point = times(pow(challenge, -1, ORDER), minus(times(9, BASE), first))
    assert refused(deck.read_key(HERE, "deck", point + joined((), (challenge, 9))))


def test_a_key_is_not_made_from_those_of_others() -> None:
    rogue = minus(times(5, BASE), times(4711, BASE))
    assert refused(deck.read_key(HERE, "deck", rogue + prove_log(ProofTranscript(HERE, "deck"), rogue, 5, KEY)))


OTHERS = [HERE._replace(game="ac" * 20), HERE._replace(seat=2), HERE._replace(commit="ce" * 20)]


@pytest.mark.parametrize("other", OTHERS, ids=["game", "seat", "commit"])
def test_a_proof_is_worth_nothing_elsewhere(other: ProofContext) -> None:
    message = deck.key_message(HERE, "deck", 5, KEY)
    assert not refused(deck.read_key(HERE, "deck", message))
    assert refused(deck.read_key(other, "deck", message))
    assert refused(deck.read_key(HERE, "piece 2", message))


CARD = EncryptedCard(times(5, BASE), times(6, BASE))


def test_a_share_with_another_key_is_refused() -> None:
    assert refused(deck.read_share(HERE, CARD, times(7, BASE), deck.share_message(HERE, CARD, 8, KEY)))
    share = times(8, CARD.mask)
    lie = prove(ProofTranscript(HERE, "share", CARD), deck._share(CARD, times(7, BASE), share), [8], KEY)
    assert refused(deck.read_share(HERE, CARD, times(7, BASE), share + lie))


def test_a_share_that_is_made_up_is_refused() -> None:
    share = times(8, CARD.mask)
    lie = prove(ProofTranscript(HERE, "share", CARD), deck._share(CARD, times(7, BASE), share), [7], KEY)
    assert refused(deck.read_share(HERE, CARD, times(7, BASE), share + lie))


def test_a_share_is_of_one_card() -> None:
    other = EncryptedCard(times(6, BASE), times(6, BASE))
    assert refused(deck.read_share(HERE, other, times(7, BASE), deck.share_message(HERE, CARD, 7, KEY)))


# ------------------------------------------------------------------------------------------------------------ shuffles

JOINT = times(77, BASE)
TWO_KNIGHTS_AND_A_POINT = deck.new_deck(pack((0, 0, 0, 2, 1)), [JOINT])
TWO = TWO_KNIGHTS_AND_A_POINT[1:]
HALF = pow(2, -1, ORDER)


def test_the_forger_makes_honest_shuffles_too() -> None:
    message = forging.shuffled(HERE, JOINT, TWO, TWO[::-1], matrix=[[0, 1], [1, 0]])
    assert message is not None
    assert shuffle.read_shuffle(HERE, JOINT, TWO, message) == TWO[::-1]


def check_refused(message: bytes | None, old: deck.Deck) -> None:
    assert message is not None
    assert refused(shuffle.read_shuffle(HERE, JOINT, old, message))


def test_cards_are_not_halved_and_doubled() -> None:
    """The product of the weights is right, their sum is not."""
    new = forging.mixed(TWO, [[HALF, 0], [0, 2]])
    check_refused(forging.shuffled(HERE, JOINT, TWO, new, matrix=[[2, 0], [0, HALF]]), TWO)


MIXED = [[2, -1], [0, 1]]
"""Its rows add up to 1, but it is no permutation."""
UNMIXED = [[HALF, 0], [HALF, 1]]
"""Its inverse, rows for columns."""


def test_cards_are_not_mixed_up_with_each_other() -> None:
    """The sums of the weights are right, their product is not."""
    check_refused(forging.shuffled(HERE, JOINT, TWO, forging.mixed(TWO, UNMIXED), matrix=MIXED), TWO)


def test_the_chain_does_not_end_where_it_should() -> None:
    """The same with a last link that is made to fit."""
    new = forging.mixed(TWO, UNMIXED)
    check_refused(forging.shuffled(HERE, JOINT, TWO, new, matrix=MIXED, free_end=True), TWO)


def weights_of_two_points(challenges: list[int]) -> list[int] | None:
    """Weights for a knight and two points with the sums and the product of two knights' and a point's, if there are."""
    first, second, third = challenges
    product = first * second * third * pow(first + second, -1, ORDER)
    root = forging.square_root((third * third - 4 * product) % ORDER)
    if root is None:
        return None
    one = (third + root) * HALF % ORDER
    return [(first + second) % ORDER, one, (third - one) % ORDER]


def knight_and_two_points(number: int) -> tuple[deck.Deck, list[int]]:
    """The wrong deck, masked in its own way."""
    masks = [number, number + 1, number + 2]
    kinds = [TWO_KNIGHTS_AND_A_POINT[place] for place in (0, 2, 2)]
    return tuple(
        EncryptedCard(plus(card.mask, times(mask, BASE)), plus(card.body, times(mask, JOINT)))
        for card, mask in zip(kinds, masks, strict=True)
    ), masks


def test_a_knight_does_not_become_a_point() -> None:
    """Weights that are none of those committed to: half of all tries find some whose product is right."""
    identity = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    for number in range(1, 40):
        new, masks = knight_and_two_points(number)
        message = forging.shuffled(
            HERE, JOINT, TWO_KNIGHTS_AND_A_POINT, new, matrix=identity, turned=weights_of_two_points, masks=masks
        )
        if message is not None:
            return check_refused(message, TWO_KNIGHTS_AND_A_POINT)
    raise AssertionError("no weights found")


def test_the_places_are_chosen_before_the_challenges() -> None:
    """The same with a matrix that fits, chosen once the challenges are known."""

    def fitting(challenges: list[int]) -> forging.Matrix:
        first, second, _ = challenges
        wanted = weights_of_two_points(challenges) or [0, 0, 0]
        firsts = [(weight - second) * pow(first - second, -1, ORDER) % ORDER for weight in wanted]
        return [[one, (1 - one) % ORDER, 0] for one in firsts]

    for number in range(1, 40):
        new, masks = knight_and_two_points(number)
        message = forging.shuffled(
            HERE,
            JOINT,
            TWO_KNIGHTS_AND_A_POINT,
            new,
            matrix=fitting,
            turned=weights_of_two_points,
            masks=masks,
            asked=lambda new, places: ProofTranscript(HERE, "shuffle", JOINT, TWO_KNIGHTS_AND_A_POINT, new),
        )
        if message is not None:
            return check_refused(message, TWO_KNIGHTS_AND_A_POINT)
    raise AssertionError("no weights found")


def test_the_deck_is_chosen_before_the_challenges() -> None:
    """A deck whose mistakes cancel out, weighed with challenges that are known."""

    def cancelling(challenges: list[int]) -> deck.Deck:
        by = [pow(challenges[0], -1, ORDER), -pow(challenges[1], -1, ORDER) % ORDER]
        return tuple(EncryptedCard(c.mask, plus(c.body, times(b, BASE))) for c, b in zip(TWO, by, strict=True))

    message = forging.shuffled(
        HERE,
        JOINT,
        TWO,
        TWO,
        matrix=[[1, 0], [0, 1]],
        asked=lambda new, places: ProofTranscript(HERE, "shuffle", JOINT, TWO, places),
        late=cancelling,
    )
    check_refused(message, TWO)


def test_no_card_is_replaced() -> None:
    """The masks are right, the bodies are those of two points."""
    new = (TWO[1], TWO[1])
    check_refused(forging.shuffled(HERE, JOINT, TWO, new, matrix=[[1, 0], [0, 1]]), TWO)


def test_no_card_is_made_unreadable() -> None:
    """The bodies are right, a mask is not."""
    new = (TWO[0]._replace(mask=times(9, BASE)), TWO[1])
    check_refused(forging.shuffled(HERE, JOINT, TWO, new, matrix=[[1, 0], [0, 1]]), TWO)


def test_a_deck_without_cards_and_one_too_large_are_refused() -> None:
    for old in ((), TWO * 33):
        found = shuffle.read_shuffle(HERE, JOINT, old, b"")
        assert isinstance(found, ProofRefused)
        assert "expected 1 to 64" in found.reason


# ------------------------------------------------------------------------------------------------------------- leaving

SEATS = (1, 2, 3, 4)
SECRETS = {seat: 100 + seat for seat in SEATS}
MEETING = {seat: times(secret, BASE) for seat, secret in SECRETS.items()}


def given(seat: int) -> leaving.KeyPieces:
    here = HERE._replace(seat=seat)
    found = leaving.read_given(here, MEETING, leaving.give(here, SECRETS[seat], MEETING, KEY))
    assert not isinstance(found, ProofRefused)
    return found


@lru_cache
def all_given() -> dict[int, leaving.KeyPieces]:
    return {seat: given(seat) for seat in SEATS}


def test_all_others_together_do_without_a_player() -> None:
    assert leaving.unlike(all_given()) == []
    joint = total(one.key for one in all_given().values())
    card = deck.new_deck(pack((0, 0, 1, 0, 0)), [one.key for one in all_given().values()])[0]
    assert card.body == plus(deck.dev_card_points()[2], joint)
    keys = {s: sum(leaving.pieces_of(HERE.game, s, SECRETS[s], MEETING).values()) % ORDER for s in SEATS}
    shares = [times(keys[seat], card.mask) for seat in SEATS if seat != 2]
    pieces = []
    for giver in (1, 3, 4):
        piece = leaving.pieces_given(HERE.game, giver, SECRETS[giver], MEETING)[2]
        here = HERE._replace(seat=giver)
        share = deck.read_share(here, card, all_given()[giver].pieces[2], deck.share_message(here, card, piece, KEY))
        assert not isinstance(share, ProofRefused)
        pieces.append(share)
    assert deck.decrypted(card, [*shares, *pieces]) == 2
    assert deck.decrypted(card, [*shares, *pieces[1:]]) is None


def test_a_false_piece_is_noticed_and_its_giver_convicted() -> None:
    wrong = all_given()[3]._replace(pieces={**all_given()[3].pieces, 2: times(5, BASE)})
    assert leaving.unlike({**all_given(), 3: wrong}) == [2]
    here = HERE._replace(seat=2)
    for giver in (1, 3, 4):
        shown = leaving.show_meeting(here, SECRETS[2], MEETING[giver], KEY)
        piece = leaving.shown_piece(here, MEETING[2], MEETING[giver], shown, 2, giver)
        assert (piece == (wrong if giver == 3 else all_given()[giver]).pieces[2]) == (giver != 3)


def test_a_false_key_is_noticed() -> None:
    wrong = all_given()[3]._replace(key=times(5, BASE))
    assert leaving.unlike({**all_given(), 3: wrong}) == [3]


def test_a_false_meeting_convicts_nobody() -> None:
    met = times(5, BASE)
    equations = leaving._meeting(MEETING[2], MEETING[3], met)
    lie = met + prove(ProofTranscript(HERE, "meeting", MEETING[3]), equations, [SECRETS[2]], KEY)
    assert refused(leaving.shown_piece(HERE, MEETING[2], MEETING[3], lie, 2, 3))


def test_a_meeting_with_another_key_convicts_nobody() -> None:
    met = times(8, MEETING[3])
    lie = met + prove(
        ProofTranscript(HERE, "meeting", MEETING[3]), leaving._meeting(MEETING[2], MEETING[3], met), [8], KEY
    )
    assert refused(leaving.shown_piece(HERE, MEETING[2], MEETING[3], lie, 2, 3))


def test_a_piece_that_its_giver_does_not_have_is_refused() -> None:
    honest = leaving.give(HERE, SECRETS[1], MEETING, KEY)
    point = minus(times(5, BASE), MEETING[2])
    lie = point + prove(ProofTranscript(HERE, "piece 2"), [LinearEquation(point, ((0, BASE),))], [5], KEY)
    found = leaving.read_given(HERE, MEETING, lie + honest[len(lie) :])
    assert isinstance(found, ProofRefused)
    assert found.reason == "piece 2: the proof of the public key does not hold"


def test_two_players_hand_out_nothing() -> None:
    with pytest.raises(ValueError, match="2 players, expected at least 3"):
        leaving.give(HERE, SECRETS[1], {seat: MEETING[seat] for seat in (1, 2)}, KEY)
