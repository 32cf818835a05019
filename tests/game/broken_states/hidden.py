"""Hidden cards that cannot be."""

from dataclasses import replace
from typing import Any

from catan_p2p.game.constants import THESIS, Constants
from catan_p2p.game.state import CalledDraw, State, initial_state
from tests.game.actions.hidden_positions import (
    HIDDEN,
    HIDDEN_BRIEF,
    SHUFFLING,
    SIGNED,
    asked,
    hidden,
    hiding,
    keyed,
    signing,
)
from tests.game.broken_states.broken_state import BrokenState
from tests.positions import cards, position

_SOUND = hiding(position(rules=HIDDEN))
_HELD = hiding(position(rules=HIDDEN), held=(5, 0))
_KNOWN = hiding(position(hands={1: "1 Lumber"}, rules=HIDDEN))
_OFFER = hiding(
    position(
        phase="Offering",
        offer=("1 Ore", "1 Wool"),
        answers=("none", "asked"),
        hands={1: "1 Ore"},
        rules=HIDDEN_BRIEF,
    ),
    "1 Wool",
    sealed=(0, 1),
)
_ROBBED = hiding(
    position(phase="Drawing", call=CalledDraw("MoveBandit", "MovingBandit", 8, 2), due=(False, True), rules=HIDDEN),
    "1 Ore",
    sealed=(0, 1),
)
_PLEDGING = initial_state(Constants(HIDDEN))
_MAY_LEAVE = hiding(position(rules=SIGNED))
_ASKED = hiding(
    position(phase="Surrendering", due=(False, True), rules=SIGNED),
    "1 Ore",
    wanted="Ore",
    back="Building",
    sealed=(0, 1),
)
ANEW = hiding(position(phase="Shuffling", due=(False, False), rules=SIGNED), shuffles=1, back="Building")
_REST = keyed(
    hiding(
        position(3, phase="Shuffling", due=(False, False, False), rules=SIGNED),
        shuffles=1,
        back="Building",
        deck="rest",
    )._replace(away=(False, True, False))
)
_SHUFFLED = SHUFFLING._replace(hid=hidden(shuffles=1))
_SIGNING = signing(False, True, True)
_SIGNING_WITHOUT = keyed(signing(False, False, True)._replace(away=(False, True, False)))
_SOLD_OUT = hiding(
    position(3, unveiled={1: "1 VictoryPoint"}, rules=SIGNED),
    held=(24, 0, 0),
    deck="rest",
    keyless=(False, True, False),
)
_UNSIGNED = hiding(position(3, phase="top", due=(False, True, True), rules=HIDDEN))
_WON = position(phase="top", unveiled={1: "5 VictoryPoint"}, rules=replace(THESIS, points_to_win=5))


def _mistyped(what: str, sound: State = _SOUND, **changes: Any) -> BrokenState:
    return BrokenState("TypeOK", f"hidden: {what}", sound, changes)


HIDDEN_STATES: tuple[BrokenState, ...] = (
    _mistyped("a player too few", hid=hidden(sealed=(0,))),
    _mistyped("a negative number", hid=hidden(bought=(-1, 0), held=(1, 0))),
    _mistyped("more bought than there are", hid=hidden(held=(99, 0))),
    _mistyped("more bought than the bank has", _HELD, bnk=_HELD.bnk._replace(dc=cards("3 Knight"))),
    _mistyped("a monopoly asks for something that nobody has played", hid=hidden(wanted="Ore")),
    _mistyped("somebody owes to a monopoly that asks for nothing", asked(of="1 Ore", sealed=(0, 1)), tp="Building"),
    _mistyped("more shuffles than players", SHUFFLING, hid=hidden(shuffles=3)),
    _mistyped("more shuffles than players before the pledges", _PLEDGING, hid=hidden(shuffles=3)),
    _mistyped("a shuffle is missing", hid=hidden(shuffles=1)),
    _mistyped("the rest of a deck that nobody has left", hid=hidden(deck="rest")),
    _mistyped("more shuffles than players, who may leave", _MAY_LEAVE, hid=hidden(shuffles=3)),
    _mistyped("a lost deck that nobody has left", _MAY_LEAVE, hid=hidden(deck="lost")),
    _mistyped("a monopoly that asks for nothing, and may be left", _ASKED, hid=_ASKED.hid._replace(wanted="none")),
    _mistyped("shuffles of a lost deck", ANEW, hid=ANEW.hid._replace(deck="lost")),
    _mistyped("more shuffles than players after the first one", _SHUFFLED, hid=hidden(shuffles=3)),
    BrokenState(
        "ConservationOfResourceCards", "a card is sealed that nobody had", _SOUND, {"hid": hidden(sealed=(1, 0))}
    ),
    BrokenState(
        "ConservationOfResourceCards",
        "a card too many of one kind and too few of another",
        _KNOWN,
        {"bnk": _SOUND.bnk._replace(rc=_SOUND.bnk.rc - cards("1 Brick")), "hid": hidden(sealed=(255, 0))},
    ),
    _mistyped("a monopoly that none has played goes back to one", hid=hidden(back="Surrendering")),
    _mistyped("all have shuffled before they pledge", _PLEDGING, hid=hidden()),
    BrokenState(
        "BoughtByActive", "somebody has bought a card in another's turn", _SOUND, {"hid": hidden(bought=(0, 1))}
    ),
    BrokenState(
        "OfferIsCovered",
        "somebody is asked who cannot pay whatever they hide",
        _OFFER,
        {"hid": hidden(), "bnk": _OFFER.bnk._replace(rc=_OFFER.bnk.rc + cards("1 Wool"))},
    ),
    BrokenState("SharesAreDue", "somebody owes the openings before the end", _SOUND, {"due": (True, False)}),
    BrokenState("SharesAreDue", "somebody owes the openings of open hands", _WON, {"due": (True, False)}),
    BrokenState("SharesAreDue", "a theft of nothing", _ROBBED, {"hid": hidden(sealed=(1, 0))}),
)

BROKEN_PAUSES: tuple[BrokenState, ...] = (
    _mistyped("the winner signs", _SIGNING, due=(True, False, True)),
    _mistyped("who has left signs", _SIGNING_WITHOUT, due=(False, True, True)),
    _mistyped("a key is missing", hiding(position(3, rules=SIGNED), deck="rest"), hid=_REST.hid._replace(back="bot")),
    _mistyped("a key of who leaves", hiding(position(3, rules=SIGNED), deck="rest"), away=(False, True, False)),
    _mistyped("a key is missing for a card", _SOLD_OUT, bnk=_SOLD_OUT.bnk._replace(dc=SIGNED.dev_card_pool)),
    _mistyped("a key of who is away, for no card", _SOLD_OUT, away=(True, False, False)),
    _mistyped("the end is signed where nobody does", _UNSIGNED, tp="Signing"),
    _mistyped("as many shuffles as players under way", ANEW, hid=ANEW.hid._replace(shuffles=2)),
    _mistyped("shuffles before shuffles", ANEW, hid=ANEW.hid._replace(back="Shuffling")),
    _mistyped("the shuffles of a lost deck", _REST, hid=_REST.hid._replace(deck="lost")),
    _mistyped("the key of who has left is there", _REST, hid=_REST.hid._replace(keyless=(False,) * 3)),
    _mistyped("shuffles while a monopoly asks for something", ANEW, hid=ANEW.hid._replace(wanted="Ore")),
)
"""What cannot be while shuffles or signatures are under way, as if which were over the invariants are judged."""
