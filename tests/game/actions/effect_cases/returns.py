"""Players who come back, and what being away costs."""

from dataclasses import replace
from typing import Any

from catan_p2p.game.actions import Claim, ComeBack, EmptyBuild, Excuse, Shuffle
from catan_p2p.game.constants import THESIS, Constants, Rules, profile
from catan_p2p.game.state import CalledDraw, DeckStage, State, WayBack, initial_state
from tests.game.actions.cases import EffectCase
from tests.game.actions.givens import CALLED_FOR_DICE
from tests.game.actions.hidden_positions import OPENING, SIGNED, hiding
from tests.positions import cards, position

_RETURNS = replace(THESIS, leaving=True, returns=2)
_JOINT = replace(_RETURNS, chance="joint", chance_ahead=True)
_FOR_SIX = replace(profile("brief", 6), leaving=True, returns=1)
_SECOND = {"away": (False, True, False), "rules": _RETURNS}
_TWO = {"away": (False, True, True, False), "rules": _RETURNS}
_NEXT = {"phase": "DiceRoll", "rules": _RETURNS}
_PAYS = {"hands": {3: "1 Wool, 1 Grain, 1 Ore"}, "rules": _FOR_SIX}
_CALLED = {"phase": "Drawing", "call": CALLED_FOR_DICE, "rules": _JOINT}
_THIRD_AHEAD = {"phase": "DiceRoll", "ahead": (False, False, True, False), "rules": _JOINT}

_SEALED = replace(SIGNED, returns=1)
_OF_TWO = {"away": (False, True, False), "ways_back": {2: (1, True)}, "rules": _SEALED}
_BACK = {"ways_back": {2: (0, False)}, "rules": _SEALED}


def _shuffling(stage: DeckStage, shuffles: int, keyless: tuple[bool, ...], **changes: Any) -> State:
    """Those who are there shuffle the deck while player 1 builds."""
    state = position(len(keyless), phase="Shuffling", **_BACK | changes)
    return hiding(state, deck=stage, shuffles=shuffles, keyless=keyless, back="Building")


def _left(stage: DeckStage, shuffles: int, keyless: tuple[bool, ...], **changes: Any) -> State:
    """Player 1 builds again."""
    return hiding(position(len(keyless), **_BACK | changes), deck=stage, shuffles=shuffles, keyless=keyless)


_THEFT = CalledDraw("MoveBandit", "MovingBandit", 8, 2)


def _robbed(phase: str, **changes: Any) -> State:
    """Player 1 has called for a card of player 2, or is about to."""
    return position(3, phase=phase, dice=7, hands={2: "1 Wool, 1 Ore"}, rules=replace(SIGNED, returns=2), **changes)


def _at_first(rules: Rules, **changes: Any) -> State:
    """A game that begins with an opening, before its first turn."""
    state = initial_state(Constants(rules, player_count=3, opening=OPENING))
    return state._replace(due=(False,) * 3)._replace(**changes)


_HIDDEN = replace(SIGNED, returns=2)
_NEVER = (WayBack(2, False), WayBack(2, False), WayBack(0, False))

RETURNS: tuple[EffectCase, ...] = (
    EffectCase(
        ComeBack(1, 2),
        "a return less is left",
        position(3, ways_back={2: (2, True)}, hands={2: "7 Ore"}, **_SECOND),
        position(3, ways_back={2: (1, False)}, hands={2: "7 Ore"}, rules=_RETURNS),
    ),
    EffectCase(
        ComeBack(3, 2),
        "half of a hand above the limit is lost, the first cards",
        position(3, phase="DiceRoll", ways_back={2: (1, True)}, hands={2: "2 Lumber, 3 Wool, 4 Ore"}, **_SECOND),
        position(3, phase="DiceRoll", ways_back={2: (0, False)}, hands={2: "1 Wool, 4 Ore"}, rules=_RETURNS),
    ),
    EffectCase(
        ComeBack(1, 2),
        "shares that were told ahead are for no roll any more",
        position(4, ways_back={2: (1, True)}, away=(False, True, False, True), **_THIRD_AHEAD),
        position(4, phase="DiceRoll", ways_back={2: (0, False)}, away=(False, False, False, True), rules=_JOINT),
    ),
    EffectCase(
        ComeBack(1, 2, cards("2 Ore")),
        "all that was sealed comes into the open, and all shuffle the deck with the key",
        hiding(position(3, hands={2: "1 Wool"}, **_OF_TWO), "2 Ore", sealed=(0, 2, 0), deck="rest"),
        hiding(
            position(3, phase="Shuffling", hands={2: "1 Wool, 2 Ore"}, **_BACK),
            deck="back",
            shuffles=0,
            back="Building",
            keyless=(False, True, False),
        ),
    ),
    EffectCase(
        ComeBack(1, 2, cards("1 Brick, 8 Ore")),
        "what was sealed counts for the limit; a deck that is lost is not shuffled",
        hiding(position(3, **_OF_TWO), "1 Brick, 8 Ore", sealed=(0, 9, 0), deck="lost"),
        hiding(position(3, hands={2: "5 Ore"}, **_BACK), deck="lost", keyless=(False, True, False)),
    ),
    EffectCase(
        Shuffle(3),
        "the last with the key of who is back",
        _shuffling("back", 2, (False, True, False)),
        hiding(position(3, **_BACK), deck="back"),
    ),
    EffectCase(
        Shuffle(3),
        "the last of a rest, and then the key of who is back",
        _shuffling("rest", 2, (False, True, False, True), away=(False, False, False, True)),
        _shuffling("back", 0, (False, True, False, True), away=(False, False, False, True)),
    ),
    EffectCase(
        Excuse(1, 2),
        "who is back leaves again, and the deck is as it was",
        _shuffling("back", 1, (False, True, False)),
        hiding(position(3, away=(False, True, False), **_BACK), deck="back", shuffles=1),
    ),
    EffectCase(
        Excuse(1, 3),
        "another leaves before the key of who is back is there: the deck as it was is shuffled without them",
        _shuffling("back", 2, (False, True, False)),
        _shuffling("rest", 0, (False, True, True), away=(False, False, True)),
    ),
    EffectCase(
        Excuse(1, 2),
        "nothing is lost with who is back before their key is there",
        _shuffling("rest", 1, (False, True, False, False, True), away=(False, False, False, False, True)),
        _shuffling("rest", 0, (False, True, False, False, True), away=(False, True, False, False, True)),
    ),
    EffectCase(
        Excuse(1, 2),
        "the deck is lost with who is back, whose pieces of keys are not told: one player alone would know a key",
        _shuffling("rest", 1, (False, True, False, True), away=(False, False, False, True)),
        _left("lost", 1, (False, True, False, True), away=(False, True, False, True)),
    ),
    EffectCase(
        Excuse(1, 3),
        "the same where another leaves while somebody is away",
        hiding(position(4, away=(False, False, False, True), **_BACK), deck="back", keyless=(False,) * 3 + (True,)),
        hiding(position(4, away=(False, False, True, True), **_BACK), deck="lost", keyless=(False,) * 2 + (True,) * 2),
    ),
    EffectCase(
        EmptyBuild(1),
        "who is passed over misses a turn",
        position(4, ways_back={3: (0, False)}, **_TWO),
        position(4, phase="DiceRoll", turn=4, ways_back={2: (2, True), 3: (0, False)}, **_TWO),
    ),
    EffectCase(
        EmptyBuild(3),
        "nobody who is not passed over",
        position(3, turn=3, **_SECOND),
        position(3, phase="DiceRoll", **_SECOND),
    ),
    EffectCase(
        Excuse(1, 3),
        "whose turn it was misses it, and who would have come next",
        position(4, turn=3, away=(False, False, False, True), rules=_RETURNS),
        position(4, away=(False, False, True, True), ways_back={3: (2, True), 4: (2, True)}, **_NEXT),
    ),
    EffectCase(
        Excuse(1, 3),
        "nobody misses a turn while another has it",
        position(3, rules=_RETURNS),
        position(3, away=(False, False, True), rules=_RETURNS),
    ),
    EffectCase(
        Excuse(1, 3),
        "nor who was building between two turns",
        position(3, phase="SpecialBuilding", builder=3, **_PAYS),
        position(3, phase="DiceRoll", turn=2, away=(False, False, True), **_PAYS),
    ),
    EffectCase(
        Excuse(1, 2),
        "a share held back costs a return",
        position(3, due=(False, True, True), **_CALLED),
        position(3, due=(False, False, True), away=(False, True, False), ways_back={2: (1, False)}, **_CALLED),
    ),
    EffectCase(
        Excuse(1, 2),
        "so does the hand of who was to be robbed",
        hiding(_robbed("Drawing", due=(False, True, False), call=_THEFT), deck="rest"),
        hiding(
            _robbed("Shuffling", away=(False, True, False), ways_back={2: (1, False)}),
            deck="rest",
            shuffles=0,
            back="MovingBandit",
            keyless=(False, True, False),
        ),
    ),
    EffectCase(
        Excuse(1, 2),
        "a share told costs nothing",
        position(3, due=(False, False, True), **_CALLED),
        position(3, due=(False, False, True), away=(False, True, False), **_CALLED),
    ),
    EffectCase(
        Excuse(2, 1),
        "so does the roll of who has called for it",
        position(3, **_CALLED),
        position(3, phase="DiceRoll", turn=2, away=(True, False, False), ways_back={1: (1, True)}, rules=_JOINT),
    ),
    EffectCase(
        Excuse(2, 1),
        "so does a roll that all others have told their shares of",
        position(3, phase="DiceRoll", ahead=(True, True, True), rules=_JOINT),
        position(3, phase="DiceRoll", turn=2, away=(True, False, False), ways_back={1: (1, True)}, rules=_JOINT),
    ),
    EffectCase(
        Excuse(1, 2),
        "not another's roll",
        position(3, phase="DiceRoll", ahead=(True, True, True), rules=_JOINT),
        position(3, phase="DiceRoll", away=(False, True, False), rules=_JOINT),
    ),
    EffectCase(
        Excuse(2, 1),
        "not a roll that has to be called for",
        position(3, phase="DiceRoll", ahead=(False, True, True), rules=_JOINT),
        position(3, phase="DiceRoll", turn=2, away=(True, False, False), ways_back={1: (2, True)}, rules=_JOINT),
    ),
    EffectCase(
        Excuse(1, 3),
        "no return is left to who has not pledged",
        _at_first(_JOINT, due=(False, False, True), tp="Pledging"),
        _at_first(_JOINT, due=(False,) * 3, tp="DiceRoll", away=(False, False, True), ret=_NEVER),
    ),
    EffectCase(
        Excuse(1, 3),
        "nor to who has told no key for the deck",
        hiding(_at_first(_HIDDEN, tp="Shuffling"), deck="keys", shuffles=2, back="DiceRoll"),
        hiding(
            _at_first(_HIDDEN, tp="Shuffling", away=(False, False, True), ret=_NEVER),
            deck="keys",
            shuffles=0,
            back="DiceRoll",
            keyless=(False, False, True),
        ),
    ),
    EffectCase(
        Claim(1, 2),
        "a share held back costs a return then, too",
        position(due=(False, True), **_CALLED),
        position(phase="top", dice=0, away=(False, True), ways_back={2: (1, True)}, rules=_JOINT),
    ),
    EffectCase(
        Claim(1, 2),
        "whose turn it was misses it, although the game is over",
        position(phase="DiceRoll", turn=2, rules=_RETURNS),
        position(phase="top", dice=0, away=(False, True), ways_back={2: (2, True)}, rules=_RETURNS),
    ),
)
