"""Lies about hidden cards, and about what is drawn beside them, that a player can tell when the game awaits them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import permutations
from typing import NamedTuple

from catan_p2p.game import actions as a
from catan_p2p.game.actions.drawing import ROBBERIES, is_shared
from catan_p2p.game.cards import NO_CARDS, RESOURCES
from catan_p2p.game.rules import broken_guards
from catan_p2p.game.state import State
from catan_p2p.log.commit import LogEntry
from catan_p2p.log.sealed_cards import SealedCards, paying
from catan_p2p.log.verdict import Reason
from catan_p2p.replication.own_cards import OwnCards
from catan_p2p.replication.replica import Replica
from catan_p2p.sealing.deck import share_message
from catan_p2p.sealing.group import BASE, ORDER, SIZE_BYTES, plus
from catan_p2p.sealing.hands import ResealedHand, reseal
from catan_p2p.sealing.shuffle import shuffle_bytes
from catan_p2p.sealing.transcript import ProofContext

_TRADES = (a.TradeFourToOne, a.TradeThreeToOne, a.TradeTwoToOne)
SHOWN = ("opening", "piece")
"""Lies that only one other player sees, and shows to all."""
REFUSED: Mapping[str, Reason] = {
    "answer": "seal",
    "share": "seal",
    "shuffle": "seal",
    "pieces": "seal",
    "place": "seal",
    "payment": "seal",
    "card": "seal",
    "pledge": "seal",
    "choice": "seal",
    "surrender": "seal",
    "rest": "seal",
    "strip": "seal",
    "end": "seal",
    "key": "seal",
    "reveal": "chance",
    "roll": "chance",
}
"""Lies that everybody refuses, and why."""
LATE = ("rest", "strip")
"""Lies for which there is an occasion only once somebody has been excused."""
EARLY = ("pledge",)
"""Lies that are told before anybody is excused: for that, all others have to have pledged."""
PARDONED = ("key",)
"""Lies that cost no seat: after the last action."""
LIES = (*SHOWN, *REFUSED)
"""What a player lies about.

=========  ==========================================================================
opening    the victim of a theft covers openings that open nothing
piece      a piece of another's key for the deck is not the one that both can compute
answer     the victim of a theft seals another hand than their own
share      the share for a buyer is none of the card
shuffle    the shuffled deck has a card twice
pieces     the public pieces of keys come without knowledge of the pieces
place      a robber takes another card than the chosen one
payment    sealed cards pay that are not there
card       a card of the deck is shown as a victory point that is none
pledge     the public key of a pledge comes without knowledge of the secret one
choice     a robber chooses with what is no point of the group
surrender  a hand is sealed before a monopoly as if it had none of what is taken
rest       the rest of the deck has a card twice, after somebody has left
strip      something else comes off the rest than the pieces of who has left
end        the signature under the end tells something of cards
key        the key that is told after the end is another one
reveal     the share of a roll is not on the chain that was pledged
roll       the dice show something else than all shares make
=========  ==========================================================================
"""


class Lie(NamedTuple):
    """What is done, and what its commit tells of hidden cards."""

    action: a.Action
    change: Callable[[LogEntry], LogEntry]
    is_made_of_truth: bool = True
    """Whether it changes what an honest player would tell."""


def more(scalar: bytes) -> bytes:
    """Another scalar."""
    return ((int.from_bytes(scalar, "little") + 1) % ORDER).to_bytes(SIZE_BYTES, "little")


def _sealed(change: Callable[[bytes], bytes]) -> Callable[[LogEntry], LogEntry]:
    def changed(entry: LogEntry) -> LogEntry:
        assert entry.seal is not None
        return entry._replace(seal=change(entry.seal))

    return changed


def lies(replica: Replica, own: OwnCards) -> Iterator[tuple[str, Lie]]:
    """Which lies a player can tell now who is awaited."""
    graph, me = replica.graph, replica.player
    state, sealed_cards = graph.state, own._sealed_cards(graph.line)
    action = replica._decider(state)()
    match action:
        case a.Shuffle() if state.hid.deck == "keys" and sealed_cards.has_pieces:
            yield "pieces", Lie(action, _sealed(lambda seal: seal[:32] + more(seal[32:64]) + seal[64:]))
            yield "piece", Lie(action, lambda entry: _with_false_pieces(replica, own, entry))
        case a.Shuffle() if state.hid.deck == "first":
            yield "shuffle", Lie(action, _sealed(lambda seal: seal[64:128] + seal[64:]))
        case a.Shuffle() if state.hid.deck == "rest" and state.deck_size > 1:
            if sealed_cards.layers_of(me):
                yield "strip", Lie(action, _sealed(lambda seal: plus(seal[:32], BASE) + seal[32:]))
            rest = shuffle_bytes(len(sealed_cards.deck) - sealed_cards.first_of_rest(state))
            yield (
                "rest",
                Lie(action, _sealed(lambda seal: seal[:-rest] + seal[64 - rest : 128 - rest] + seal[64 - rest :])),
            )
        case a.Pledge():
            yield "pledge", Lie(action, _sealed(lambda seal: plus(seal[:32], BASE) + seal[32:]))
        case a.SignEnd():
            yield "end", Lie(action, lambda entry: entry._replace(seal=b"\1" * SIZE_BYTES))
        case a.OpenAll():
            yield "key", Lie(action, _sealed(lambda seal: bytes([seal[0] ^ 1]) + seal[1:]))
        case a.Call() if action.what in ROBBERIES:
            yield "choice", Lie(action, lambda entry: entry._replace(seal=b"\1" * SIZE_BYTES))
        case a.Surrender() if action.cards:
            yield "surrender", _hiding(replica, own, sealed_cards)
        case a.RollDice() | a.RollForStart() if state.tp == "Drawing":
            yield "roll", _rolling_another(state, action)
        case a.Reveal() if is_shared(state):
            yield "reveal", Lie(action, lambda entry: entry._replace(share=(entry.share or "")[::-1]))
        case a.Reveal() if state.call.victim == me:
            count = state.hand_size(me)
            yield "opening", Lie(action, _sealed(lambda seal: _with_false_openings(seal, count)))
            yield "answer", Lie(action, _sealed(lambda seal: plus(seal[:32], BASE) + seal[32:]))
        case a.Reveal() if state.call.what == "BuyDevCard":
            yield "share", Lie(action, _sealed(lambda seal: plus(seal[:32], BASE) + seal[32:]))
        case a.MoveBandit() | a.PlayKnight() if action.card == "sealed":
            assert sealed_cards.choosing is not None
            size = sealed_cards.choosing.size
            if size > 1:
                yield "place", Lie(action, lambda entry: entry._replace(place=((entry.place or 0) + 1) % size))
    if state.tp in ("Trading", "Building", "TradingBuilding", "DiceRoll") and state.ap == me:
        yield from _pretended(replica, own, sealed_cards)


def _with_false_openings(seal: bytes, count: int) -> bytes:
    start = len(seal) - SIZE_BYTES * count
    return seal[:start] + b"".join(more(seal[at : at + SIZE_BYTES]) for at in range(start, len(seal), SIZE_BYTES))


def _with_false_pieces(replica: Replica, own: OwnCards, entry: LogEntry) -> LogEntry:
    prepared = replica.graph.line.prepare(a.Shuffle(replica.player))
    assert prepared.sealed_cards is not None
    secret = own._meeting_secret(prepared.sealed_cards)
    own._meeting_secret = lambda sealed_cards: (secret + 1) % ORDER  # type: ignore[method-assign]
    try:
        return entry._replace(**OwnCards.told(own, prepared, a.Shuffle(replica.player), None)._asdict())
    finally:
        del own._meeting_secret


def _hiding(replica: Replica, own: OwnCards, sealed_cards: SealedCards) -> Lie:
    """Nothing is given up: the cards are sealed anew, and the proofs prove nothing."""
    line, me = replica.graph.line, replica.player
    action, held = a.Surrender(me, NO_CARDS), sealed_cards.of(me).points
    size = ResealedHand(held, without=RESOURCES.index(line.state.hid.wanted)).message_bytes()
    context = ProofContext(replica.graph.root, me, line.prepare(action).parents[0])
    cards = reseal(context, ResealedHand(held), own.openings(sealed_cards), own.key(sealed_cards))[0][
        : SIZE_BYTES * len(held)
    ]
    return Lie(action, lambda entry: entry._replace(seal=cards.ljust(size, b"\0")), False)


def _rolling_another(state: State, action: a.RollDice | a.RollForStart) -> Lie:
    """Other dice than all shares make."""
    pairs = ((one, other) for one in range(1, 7) for other in range(1, 7) if one + other != action.dice)
    rolls = ((replace(action, dice=sum(pair)), pair) for pair in pairs)
    other, shows = next((roll, pair) for roll, pair in rolls if not broken_guards(state, roll))
    has_two = len(state.constants.rules.dice) > 1
    return Lie(other, lambda entry: entry._replace(shows=shows if has_two else None), False)


def _pretended(replica: Replica, own: OwnCards, sealed_cards: SealedCards) -> Iterator[tuple[str, Lie]]:
    """What a player can pretend to hold in their turn."""
    graph, me = replica.graph, replica.player
    state, hidden_hand = graph.state, sealed_cards.of(me)
    context = ProofContext(graph.root, me, graph.line.hearing_all().parents[0])
    show = a.ShowPoint(me, "held")
    others = [number for number in hidden_hand.held if own.kind(sealed_cards, number) != "VictoryPoint"]
    if others and not broken_guards(state, show):
        share = share_message(
            context, sealed_cards.deck[others[0] - 1], own._deck_secret(sealed_cards), own.key(sealed_cards)
        )
        yield "card", Lie(show, lambda entry: entry._replace(deck=others[0], seal=share), False)
    trades = (kind(me, give, receive) for kind in _TRADES for give, receive in permutations(RESOURCES, 2))
    for action in (a.Call(me, "BuyDevCard"), *trades):
        what = paying(hidden_hand, state, action)
        is_lie = what is not None and own.lacking(graph.line, action) == ("HI2 held",)
        if what is not None and is_lie and not broken_guards(state, action):
            yield "payment", _pretending(action, what.message_bytes())
            return


def _pretending(action: a.Action, size: int) -> Lie:
    """An action that pays with bytes of the right number."""
    return Lie(action, lambda entry: entry._replace(seal=bytes([1]) * size), False)
