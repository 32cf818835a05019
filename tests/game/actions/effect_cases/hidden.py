"""Shuffles, monopolies on sealed cards and points that are shown, where hands are hidden."""

from dataclasses import replace
from functools import partial
from typing import Any

from catan_p2p.game.actions import (
    BuildRoad,
    BuyDevCard,
    Call,
    Claim,
    CloseGame,
    Discard,
    EmptyBuild,
    Excuse,
    MoveBandit,
    OpenAll,
    PlayKnight,
    PlayMonopoly,
    Pledge,
    Reveal,
    ShowPoint,
    Shuffle,
    SignEnd,
    Surrender,
)
from catan_p2p.game.cards import ONE
from catan_p2p.game.constants import STANDARD, Constants
from catan_p2p.game.state import NO_CALL, CalledDraw, State, initial_state
from tests.game.actions.cases import EffectCase
from tests.game.actions.hidden_positions import HIDDEN, OPENING, SHUFFLING, SIGNED, asked, hidden, hiding, signing
from tests.positions import position, set_up

_hiding_rest = partial(hiding, deck="rest")
_HELD = hiding(position(rules=HIDDEN), held=(1, 0))
_SHOWN = position(rules=HIDDEN, unveiled={1: "1 VictoryPoint"})
_ROBBED = hiding(position(phase="MovingBandit", hands={2: "1 Wool"}, rules=HIDDEN), "1 Ore", sealed=(0, 1))
_WON = position(phase="Building", unveiled={1: "5 VictoryPoint"}, rules=replace(HIDDEN, points_to_win=5))
_WON_BY_THREE = position(3, phase="Building", unveiled={1: "5 VictoryPoint"}, rules=replace(SIGNED, points_to_win=5))
_CALLED = CalledDraw("MoveBandit", "MovingBandit", 8, 2)
_OF_THREE = _hiding_rest(
    position(3, phase="MovingBandit", hands={2: "1 Wool"}, rules=SIGNED), "1 Ore", sealed=(0, 1, 0)
)
_THIRD = {"turn": 3, "rules": SIGNED}
_BY_THIRD = CalledDraw("MoveBandit", "MovingBandit", 8, 2)
_LEAVABLE = Constants(SIGNED, player_count=3, opening=OPENING)
_KNIGHT = CalledDraw("PlayKnight", "Building", 8, 2)
_CARD = CalledDraw("BuyDevCard", "Building", 0, 0)
_DICE = CalledDraw("RollDice", "DiceRoll", 0, 0)
_LAST = {"due": (False, False, True), "tp": "Pledging"}
_TALK = replace(STANDARD, chance="joint", hands="hidden", leaving=True, signed_end=True)
_WON_WITH_THREE = replace(_TALK, points_to_win=3)
_PROPOSED = {
    "hands": {1: "1 Ore"},
    "proposals": {1: ("1 Ore", "1 Wool")},
    "phase": "TradingBuilding",
    "turn": 3,
    "rules": _TALK,
}


def by_third(sealed: tuple[int, int, int] = (0, 0, 0), of: str = "", **changes: Any) -> State:
    """Player 3's turn in a game of hidden hands; changes of what is hidden are named, all others are the position's."""
    names = ("bought", "held", "shuffles", "back", "deck", "wanted")
    hidden_changes = {"deck": "rest"} | {name: changes.pop(name) for name in names if name in changes}
    late = {name: changes.pop(name) for name in ("call", "due", "away", "tp", "ap", "dice") if name in changes}
    return hiding(position(3, **_THIRD | changes), of, sealed=sealed, **hidden_changes)._replace(**late)


_surrendering = partial(by_third, tp="Surrendering", wanted="Ore", back="Building")
_SHUFFLED_BETWEEN = position(
    4,
    phase="Shuffling",
    builder=3,
    hands={3: "1 Wool, 1 Grain, 1 Ore", 4: "1 Lumber, 1 Brick"},
    call=CalledDraw("BuyDevCard", "SpecialBuilding", 0, 0),
    away=(False, True, False, False),
    rules=replace(SIGNED, special_building=True),
)._replace(hid=hidden(4, shuffles=2, deck="rest", back="Drawing"))
_DROPPED = by_third(
    hands={3: "1 Wool, 1 Grain, 1 Ore"}, tp="Shuffling", away=(False, True, False), shuffles=0, back="Building"
)
_LEFT = {"away": (True, False, False), "tp": "Shuffling", "ap": 2, "dice": 0}

HIDDEN_EFFECTS: tuple[EffectCase, ...] = (
    EffectCase(Shuffle(1), "the first", SHUFFLING, SHUFFLING._replace(hid=hidden(shuffles=1))),
    EffectCase(
        Shuffle(2),
        "the last, the set-up begins",
        SHUFFLING._replace(hid=hidden(shuffles=1)),
        SHUFFLING._replace(hid=hidden(), tp="bot"),
    ),
    EffectCase(
        Surrender(2, 0),
        "of nothing, the last",
        asked(2, "1 Wool", sealed=(0, 1)),
        hiding(position(rules=HIDDEN), "1 Wool", sealed=(0, 1)),
    ),
    EffectCase(ShowPoint(1, "held"), "of a card held", _HELD, _SHOWN._replace(hid=hidden())),
    EffectCase(
        ShowPoint(1, "bought"),
        "of a card bought this turn",
        hiding(position(rules=HIDDEN), bought=(1, 0)),
        _SHOWN._replace(hid=hidden()),
    ),
    EffectCase(
        OpenAll(2),
        "after the end",
        _hiding_rest(position(3, phase="top", rules=SIGNED, due=(True, True, False))),
        _hiding_rest(position(3, phase="top", rules=SIGNED, due=(True, False, False))),
    ),
    EffectCase(
        EmptyBuild(1),
        "the end, all owe their openings",
        hiding(_WON),
        hiding(_WON)._replace(tp="top", due=(True, True)),
    ),
    EffectCase(
        EmptyBuild(1),
        "the end, all but the winner sign it",
        _hiding_rest(_WON_BY_THREE),
        _hiding_rest(_WON_BY_THREE)._replace(tp="Signing", due=(False, True, True)),
    ),
    EffectCase(
        EmptyBuild(1),
        "the end, who has left signs nothing",
        _hiding_rest(_WON_BY_THREE)._replace(away=(False, True, False)),
        _hiding_rest(_WON_BY_THREE)._replace(away=(False, True, False), tp="Signing", due=(False, False, True)),
    ),
    EffectCase(SignEnd(2), "of one of two", signing(False, True, True), signing(False, False, True)),
    EffectCase(
        CloseGame(1),
        "by the winner, all owe their openings",
        signing(False, False, False),
        signing(True, True, True)._replace(tp="top"),
    ),
    EffectCase(
        Excuse(1, 3),
        "closes the game without a signature",
        signing(False, False, True),
        signing(True, True, False)._replace(tp="top", away=(False, False, True)),
    ),
    EffectCase(
        Excuse(2, 1),
        "closes the game without the winner",
        signing(False, False, False),
        signing(False, True, True)._replace(tp="top", away=(True, False, False)),
    ),
    EffectCase(
        Excuse(1, 3),
        "another still has to sign",
        signing(False, True, True),
        signing(False, True, False)._replace(away=(False, False, True)),
    ),
    EffectCase(
        Excuse(2, 1),
        "the winner leaves, another still has to sign",
        signing(False, False, True),
        signing(False, False, True)._replace(away=(True, False, False)),
    ),
    EffectCase(
        CloseGame(2),
        "by the next player, the winner is away",
        signing(False, False, False)._replace(away=(True, False, False)),
        signing(False, True, True)._replace(tp="top", away=(True, False, False)),
    ),
    EffectCase(
        Claim(2, 1),
        "closes a game that the other has won",
        signing(False, False),
        signing(False, True)._replace(tp="top", away=(True, False)),
    ),
    EffectCase(
        Call(1, "MoveBandit", 8, 2),
        "of a sealed card, only the victim answers",
        _ROBBED,
        _ROBBED._replace(tp="Drawing", call=_CALLED, due=(False, True)),
    ),
    EffectCase(
        Reveal(2),
        "the victim seals the hand",
        _ROBBED._replace(tp="Drawing", call=_CALLED, due=(False, True)),
        hiding(position(phase="MovingBandit", rules=HIDDEN), "1 Ore, 1 Wool", sealed=(0, 2))._replace(
            tp="Drawing", call=_CALLED
        ),
    ),
    EffectCase(
        Excuse(2, 1),
        "a robber gets no answer",
        _OF_THREE._replace(tp="Drawing", call=_CALLED, due=(False, True, False)),
        _OF_THREE._replace(**_LEFT, hid=_OF_THREE.hid._replace(shuffles=0, back="DiceRoll")),
    ),
    EffectCase(
        BuildRoad(3, 11),
        "a sealed card pays",
        by_third((0, 1, 2), "1 Brick, 2 Ore", hands={1: "1 Lumber, 1 Brick", 3: "1 Lumber"}),
        by_third((0, 1, 1), "2 Ore", hands={1: "1 Lumber, 1 Brick"}, roads={3: (9, 72, 11)}),
    ),
    EffectCase(
        PlayMonopoly(3, "Ore"),
        "nobody has sealed cards, and its card was not known",
        by_third(held=(1, 0, 2), hands={1: "2 Ore"}),
        by_third(held=(1, 0, 1), hands={3: "2 Ore"}, discarded="1 Monopoly"),
    ),
    EffectCase(
        PlayMonopoly(3, "Ore"),
        "all others with sealed cards are asked",
        by_third((2, 1, 1), "4 Wool", hands={1: "2 Ore"}, available={3: "1 Monopoly"}),
        _surrendering((2, 1, 1), "4 Wool", hands={3: "2 Ore"}, discarded="1 Monopoly", due=(True, True, False)),
    ),
    EffectCase(
        PlayMonopoly(3, "Ore"),
        "who is away is not asked",
        by_third((2, 1, 1), "4 Wool", available={3: "1 Monopoly"}, away=(True, False, False)),
        _surrendering((2, 1, 1), "4 Wool", discarded="1 Monopoly", due=(False, True, False), away=(True, False, False)),
    ),
    EffectCase(
        Surrender(1, ONE["Ore"] * 2),
        "of two cards, another is still asked",
        _surrendering((3, 1, 0), "4 Ore", due=(True, True, False)),
        _surrendering((1, 1, 0), "2 Ore", hands={3: "2 Ore"}, due=(False, True, False)),
        "h",
    ),
    EffectCase(
        Discard(2, ONE["Ore"] * 5),
        "known cards, though others are sealed",
        by_third((1, 2, 0), "3 Wool", phase="Discarding", hands={2: "8 Ore"}, limits=(0, 5, 0)),
        by_third((1, 2, 0), "3 Wool", phase="Discarding", hands={2: "3 Ore"}, limits=(0, 5, 0)),
    ),
    EffectCase(
        Claim(3, 2),
        "the last who is there opens their cards, whatever others had",
        by_third((1, 0, 2), "3 Ore", bought=(0, 1, 0), held=(2, 0, 1), turn=2, away=(True, False, False)),
        by_third(
            (1, 0, 2), "3 Ore", held=(2, 1, 1), tp="top", dice=0, due=(False, False, True), away=(True, True, False)
        ),
    ),
    EffectCase(
        MoveBandit(3, 8, 2, "sealed"),
        "a sealed card changes hands",
        by_third((0, 2, 1), "3 Ore", phase="MovingBandit", tp="Drawing", call=_BY_THIRD),
        by_third((0, 1, 2), "3 Ore", phase="Trading", bandit=8, dice=7),
    ),
    EffectCase(
        PlayKnight(3, 8, 2, "sealed"),
        "a sealed card changes hands, the knight is known",
        by_third((0, 2, 1), "3 Ore", available={3: "1 Knight"}, tp="Drawing", call=_KNIGHT),
        by_third((0, 1, 2), "3 Ore", unveiled={3: "1 Knight"}, bandit=8),
    ),
    EffectCase(
        Call(3, "PlayKnight", 8, 2),
        "shows the knight; the proposals are over",
        _hiding_rest(position(3, **_PROPOSED), "2 Ore", sealed=(0, 2, 0), held=(0, 0, 1)),
        _hiding_rest(
            position(3, **_PROPOSED | {"proposals": {}, "available": {3: "1 Knight"}}), "2 Ore", sealed=(0, 2, 0)
        )._replace(tp="Drawing", call=_KNIGHT._replace(tp="TradingBuilding"), due=(False, True, False)),
    ),
    EffectCase(
        Call(3, "BuyDevCard"),
        "brings the price into the open; the proposals are over",
        _hiding_rest(
            position(3, **_PROPOSED | {"hands": {1: "1 Ore", 3: "1 Wool"}}), "1 Grain, 1 Ore", sealed=(0, 0, 2)
        ),
        _hiding_rest(
            position(3, **_PROPOSED | {"proposals": {}, "hands": {1: "1 Ore", 3: "1 Wool, 1 Grain, 1 Ore"}})
        )._replace(tp="Drawing", call=_CARD._replace(tp="TradingBuilding"), due=(True, True, False)),
    ),
    EffectCase(
        BuyDevCard(3, "sealed"),
        "nobody else sees the card",
        by_third(hands={3: "1 Wool, 1 Grain, 1 Ore"}, tp="Drawing", call=_CARD),
        by_third(bought=(0, 0, 1)),
    ),
    EffectCase(
        EmptyBuild(3),
        "a hidden card can be played from the next turn on",
        by_third(bought=(0, 0, 2), held=(1, 0, 1)),
        by_third(held=(1, 0, 3), tp="DiceRoll", ap=1, dice=0),
    ),
    EffectCase(
        Pledge(3),
        "the last, the deck is shuffled",
        initial_state(Constants(HIDDEN, player_count=3))._replace(**_LAST),
        initial_state(Constants(HIDDEN, player_count=3))._replace(tp="Shuffling", due=(False,) * 3),
    ),
    EffectCase(
        Pledge(3),
        "the last, keys are told first",
        initial_state(_LEAVABLE)._replace(**_LAST, hid=hidden(3, shuffles=2)),
        initial_state(_LEAVABLE)._replace(
            tp="Shuffling", due=(False,) * 3, hid=hidden(3, shuffles=0, deck="keys", back="DiceRoll")
        ),
    ),
    EffectCase(
        Shuffle(2),
        "the last but one of a rest",
        by_third(tp="Shuffling", shuffles=1, back="Building"),
        by_third(tp="Shuffling", shuffles=2, back="Building"),
    ),
    EffectCase(
        Shuffle(3),
        "the last of a rest, play goes on where it was",
        by_third(tp="Shuffling", shuffles=2, back="Building"),
        by_third(),
    ),
    EffectCase(
        Shuffle(3),
        "the last key",
        set_up(3, rules=SIGNED)._replace(tp="Shuffling", hid=hidden(3, shuffles=2, deck="keys")),
        set_up(3, rules=SIGNED)._replace(tp="Shuffling", hid=hidden(3, shuffles=0, deck="first")),
    ),
    EffectCase(
        Excuse(3, 2),
        "a theft from who leaves is dropped",
        by_third((1, 2, 0), "3 Ore", phase="MovingBandit", tp="Drawing", call=_BY_THIRD, due=(False, True, False)),
        by_third(
            (1, 2, 0),
            "3 Ore",
            phase="MovingBandit",
            tp="Shuffling",
            away=(False, True, False),
            shuffles=0,
            back="MovingBandit",
        ),
    ),
    EffectCase(
        Excuse(3, 2),
        "a purchase is dropped to which a share is missing",
        by_third(hands={3: "1 Wool, 1 Grain, 1 Ore"}, tp="Drawing", call=_CARD, due=(False, True, False), deck="first"),
        _DROPPED,
    ),
    EffectCase(
        Excuse(3, 2),
        "a purchase is dropped to which another's share is missing",
        by_third(hands={3: "1 Wool, 1 Grain, 1 Ore"}, tp="Drawing", call=_CARD, due=(True, False, False), deck="first"),
        _DROPPED,
    ),
    EffectCase(
        Excuse(1, 3),
        "the card that was called for leaves, whatever shares are missing",
        by_third(tp="Drawing", call=_CARD, due=(True, True, False)),
        by_third(held=(0, 0, 1), tp="Shuffling", ap=1, dice=0, away=(False, False, True), shuffles=0, back="DiceRoll"),
    ),
    EffectCase(
        Excuse(4, 3),
        "between two turns, with the rest half shuffled, the card that was called for leaves",
        _SHUFFLED_BETWEEN,
        _SHUFFLED_BETWEEN._replace(
            sb=4,
            call=NO_CALL,
            away=(False, True, True, False),
            hid=hidden(4, held=(0, 0, 1, 0), shuffles=0, deck="rest", back="SpecialBuilding"),
        ),
    ),
    EffectCase(
        Excuse(1, 4),
        "with the deck a purchase is lost",
        _SHUFFLED_BETWEEN,
        _SHUFFLED_BETWEEN._replace(
            call=NO_CALL,
            away=(False, True, False, True),
            tp="SpecialBuilding",
            hid=hidden(4, shuffles=2, deck="lost"),
        ),
    ),
    EffectCase(
        Excuse(3, 2),
        "a roll goes on once the rest is shuffled",
        _hiding_rest(position(4, phase="Drawing", call=_DICE, due=(False, True, True, True), rules=SIGNED)),
        _hiding_rest(
            position(4, phase="Shuffling", call=_DICE, due=(False, False, True, True), dice=0, rules=SIGNED),
            shuffles=0,
            back="Drawing",
        )._replace(away=(False, True, False, False)),
    ),
    EffectCase(
        Excuse(2, 1),
        "another still has to pledge, no key is told",
        initial_state(Constants(SIGNED, player_count=3))._replace(due=(True, False, True)),
        initial_state(Constants(SIGNED, player_count=3))._replace(
            due=(False, False, True), su_ap=2, first=2, ap=2, away=(True, False, False)
        ),
    ),
    EffectCase(
        Excuse(2, 3),
        "a monopoly takes no more of others either",
        asked(3, "2 Ore", (False, True, True), rules=SIGNED, sealed=(0, 1, 1), deck="rest"),
        _hiding_rest(
            position(3, phase="Shuffling", rules=SIGNED), "2 Ore", sealed=(0, 1, 1), shuffles=0, back="Building"
        )._replace(away=(False, False, True)),
    ),
    EffectCase(
        Excuse(1, 3),
        "the card that was called for leaves",
        by_third(held=(1, 0, 1), bought=(0, 0, 1), tp="Drawing", call=_CARD),
        by_third(held=(1, 0, 3), tp="Shuffling", ap=1, dice=0, away=(False, False, True), shuffles=0, back="DiceRoll"),
    ),
    EffectCase(
        Excuse(2, 1),
        "who has to shuffle first, the keys are told anew",
        set_up(3, rules=SIGNED)._replace(tp="Shuffling", hid=hidden(3, shuffles=0, deck="first", back="bot")),
        set_up(3, turn=2, first=2, rules=SIGNED, away=(True, False, False))._replace(
            tp="Shuffling", hid=hidden(3, shuffles=0, deck="keys", back="bot")
        ),
    ),
    EffectCase(
        Excuse(3, 2),
        "who has to tell a key, after another",
        set_up(3, rules=SIGNED)._replace(tp="Shuffling", hid=hidden(3, shuffles=1, deck="keys", back="bot")),
        set_up(3, rules=SIGNED, away=(False, True, False))._replace(
            tp="Shuffling", hid=hidden(3, shuffles=0, deck="keys", back="bot")
        ),
    ),
    EffectCase(
        Excuse(3, 2),
        "the rest of the deck is lost with a second one",
        _hiding_rest(
            position(4, turn=3, rules=SIGNED), sealed=(0,) * 4, bought=(0,) * 4, held=(0,) * 4, shuffles=0
        )._replace(
            away=(True, False, False, False), tp="Shuffling", hid=hidden(4, shuffles=0, deck="rest", back="Building")
        ),
        position(4, turn=3, rules=SIGNED)._replace(
            away=(True, True, False, False), hid=hidden(4, shuffles=0, deck="lost")
        ),
    ),
    EffectCase(
        Excuse(2, 1),
        "who has shuffled the rest leaves it; it is shuffled anew",
        position(4, turn=3, rules=SIGNED)._replace(
            tp="Shuffling", hid=hidden(4, shuffles=1, deck="rest", back="Building"), away=(False, False, False, True)
        ),
        position(4, turn=3, rules=SIGNED)._replace(
            tp="Shuffling", hid=hidden(4, shuffles=0, deck="rest", back="Building"), away=(True, False, False, True)
        ),
    ),
    EffectCase(
        ShowPoint(3, "bought"),
        "wins, all others sign; the proposals are over",
        _hiding_rest(position(3, **_PROPOSED | {"rules": _WON_WITH_THREE}), bought=(0, 0, 1)),
        _hiding_rest(
            position(3, **_PROPOSED | {"rules": _WON_WITH_THREE, "proposals": {}, "unveiled": {3: "1 VictoryPoint"}})
        )._replace(tp="Signing", due=(True, True, False)),
    ),
    EffectCase(
        Excuse(2, 1),
        "a monopoly takes no more",
        asked(3, "1 Ore", (False, True, True), rules=SIGNED, sealed=(0, 1, 0), deck="rest"),
        _hiding_rest(
            position(3, rules=SIGNED)._replace(**_LEFT), "1 Ore", sealed=(0, 1, 0), shuffles=0, back="DiceRoll"
        ),
    ),
)
"""What changes, component by component."""
