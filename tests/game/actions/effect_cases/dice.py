"""Rolls, what they yield, and what a seven brings: discarding and the bandit."""

from catan_p2p.game.actions import Discard, MoveBandit, PlayKnight, RollDice
from catan_p2p.game.constants import BRIEF
from tests.game.actions.cases import EffectCase
from tests.game.actions.givens import APART, EIGHT_POINTS
from tests.positions import cards, position

# Player 1 at the fields numbered 4, player 2 there and at the pasture numbered 4.
_ALL_AT_FOUR = {"villages": {1: (42, 20)}, "roads": {1: (56, 23)}}

ROLLS: tuple[EffectCase, ...] = (
    EffectCase(
        RollDice(1, 11),
        "a village earns one card",
        position(phase="DiceRoll"),
        position(phase="Trading", dice=11, hands={1: "1 Lumber"}),
    ),
    EffectCase(
        RollDice(1, 11),
        "a city earns two cards",
        position(phase="DiceRoll", villages={1: (43,)}, cities={1: (20,)}),
        position(phase="Trading", dice=11, villages={1: (43,)}, cities={1: (20,)}, hands={1: "2 Lumber"}),
    ),
    EffectCase(
        RollDice(2, 4),
        "everybody earns, at every tile with the number",
        position(phase="DiceRoll", turn=2, hands={1: "1 Ore", 2: "1 Wool"}, **_ALL_AT_FOUR),
        position(phase="Trading", turn=2, dice=4, hands={1: "1 Ore, 1 Grain", 2: "2 Wool, 1 Grain"}, **_ALL_AT_FOUR),
    ),
    EffectCase(
        RollDice(1, 2),
        "a two yields",
        position(phase="DiceRoll", villages={1: (20, 4)}, roads={1: (23, 3)}),
        position(phase="Trading", dice=2, villages={1: (20, 4)}, roads={1: (23, 3)}, hands={1: "1 Wool"}),
    ),
    EffectCase(
        RollDice(1, 12),
        "a twelve yields",
        position(phase="DiceRoll"),
        position(phase="Trading", dice=12, hands={1: "1 Grain"}),
    ),
    EffectCase(
        RollDice(1, 4),
        "the bank has exactly enough",
        position(phase="DiceRoll", hands={2: "17 Grain"}, **_ALL_AT_FOUR),
        position(phase="Trading", dice=4, hands={1: "1 Grain", 2: "18 Grain, 1 Wool"}, **_ALL_AT_FOUR),
    ),
    EffectCase(
        RollDice(1, 11),
        "the bandit's tile yields nothing",
        position(phase="DiceRoll", bandit=18),
        position(phase="Trading", dice=11, bandit=18),
    ),
    EffectCase(
        RollDice(1, 8),
        "nobody has settled at the number",
        position(phase="DiceRoll"),
        position(phase="Trading", dice=8),
    ),
    EffectCase(
        RollDice(1, 4),
        "nobody gains anything if the bank is short of one resource",
        position(phase="DiceRoll", hands={2: "18 Grain"}, **_ALL_AT_FOUR),
        position(phase="Trading", dice=4, hands={2: "18 Grain"}, **_ALL_AT_FOUR),
    ),
    EffectCase(
        RollDice(1, 7),
        "seven, all hands are small",
        position(phase="DiceRoll", hands={1: "7 Wool", 2: "3 Ore, 4 Brick"}),
        position(phase="MovingBandit", hands={1: "7 Wool", 2: "3 Ore, 4 Brick"}),
    ),
    EffectCase(
        RollDice(1, 7),
        "seven, hands above seven cards keep half, rounded up",
        position(3, phase="DiceRoll", hands={1: "8 Wool", 2: "9 Ore, 6 Brick", 3: "7 Grain"}),
        position(3, phase="Discarding", hands={1: "8 Wool", 2: "9 Ore, 6 Brick", 3: "7 Grain"}, limits=(4, 8, 0)),
    ),
    EffectCase(
        RollDice(1, 6),
        "a six is no seven, however large a hand is",
        position(phase="DiceRoll", hands={1: "8 Wool"}),
        position(phase="Trading", dice=6, hands={1: "8 Wool, 1 Grain"}),
    ),
    EffectCase(
        RollDice(1, 7),
        "seven, and only another's hand is too large",
        position(3, phase="DiceRoll", hands={1: "7 Wool", 3: "8 Grain"}),
        position(3, phase="Discarding", hands={1: "7 Wool", 3: "8 Grain"}, limits=(0, 0, 4)),
    ),
    EffectCase(
        Discard(2, cards("4 Ore, 3 Brick")),
        "half the hand goes to the bank",
        position(3, phase="Discarding", hands={1: "8 Wool", 2: "9 Ore, 6 Brick"}),
        position(3, phase="Discarding", hands={1: "8 Wool", 2: "5 Ore, 3 Brick"}, limits=(4, 8, 0)),
    ),
)

_PER_RESOURCE = {"phase": "DiceRoll", "rules": BRIEF}
_PAID_OUT = {"phase": "TradingBuilding", "dice": 4, "rules": BRIEF}

STANDARD_ROLLS: tuple[EffectCase, ...] = (
    EffectCase(
        RollDice(1, 8),
        "trading and building in one",
        position(phase="DiceRoll", played=1, rules=BRIEF),
        position(phase="TradingBuilding", dice=8, played=1, rules=BRIEF),
    ),
    EffectCase(
        RollDice(1, 4),
        "a resource that is short for several is paid to nobody, others are paid",
        position(hands={2: "18 Grain"}, **_PER_RESOURCE, **_ALL_AT_FOUR),
        position(hands={2: "18 Grain, 1 Wool"}, **_PAID_OUT, **_ALL_AT_FOUR),
    ),
    EffectCase(
        RollDice(1, 4),
        "a resource that is short for one player is paid as far as it goes",
        position(hands={1: "18 Grain"}, **_PER_RESOURCE, cities={2: (36,)}, villages={2: (15,)}),
        position(hands={1: "18 Grain", 2: "1 Wool, 1 Grain"}, **_PAID_OUT, cities={2: (36,)}, villages={2: (15,)}),
    ),
    EffectCase(
        RollDice(1, 4),
        "one player, and two of four are left",
        position(hands={1: "17 Grain"}, **_PER_RESOURCE, cities={2: (36, 34)}, villages={2: (15,)}),
        position(hands={1: "17 Grain", 2: "1 Wool, 2 Grain"}, **_PAID_OUT, cities={2: (36, 34)}, villages={2: (15,)}),
    ),
    EffectCase(
        RollDice(1, 4),
        "another resource is short, of this the bank has exactly enough",
        position(hands={1: "19 Wool", 2: "17 Grain"}, **_PER_RESOURCE, **_ALL_AT_FOUR),
        position(hands={1: "19 Wool, 1 Grain", 2: "18 Grain"}, **_PAID_OUT, **_ALL_AT_FOUR),
    ),
    EffectCase(
        RollDice(1, 4),
        "one player, and nothing is left",
        position(hands={1: "19 Grain, 19 Wool"}, **_PER_RESOURCE),
        position(hands={1: "19 Grain, 19 Wool"}, **_PAID_OUT),
    ),
)

# Player 2 has settled at tile 6 only.
_ONE_IN_A_CORNER = {"villages": {1: (20, 43, 54), 2: (1,)}, "roads": {2: (1,)}}

BANDIT: tuple[EffectCase, ...] = (
    EffectCase(
        MoveBandit(1, 13, 2, "Wool"),
        "a card is stolen",
        position(phase="MovingBandit", hands={1: "1 Wool", 2: "2 Wool, 1 Ore"}),
        position(phase="Trading", dice=7, bandit=13, hands={1: "2 Wool", 2: "1 Wool, 1 Ore"}),
    ),
    EffectCase(
        MoveBandit(2, 18, 1, "Wool"),
        "once all have discarded the limits are gone",
        position(phase="Discarding", turn=2, hands={1: "5 Wool", 2: "7 Ore"}, limits=(5, 0)),
        position(phase="Trading", dice=7, turn=2, bandit=18, hands={1: "4 Wool", 2: "7 Ore, 1 Wool"}),
    ),
    EffectCase(
        MoveBandit(1, 13, 2, "none"),
        "the victim has nothing",
        position(phase="MovingBandit", hands={1: "1 Wool"}),
        position(phase="Trading", dice=7, bandit=13, hands={1: "1 Wool"}),
    ),
    EffectCase(
        MoveBandit(1, 19, 0, "none"),
        "no other tile has a victim, back to the desert",
        position(phase="MovingBandit", bandit=6, hands={2: "1 Wool"}, **_ONE_IN_A_CORNER),
        position(phase="Trading", dice=7, bandit=19, hands={2: "1 Wool"}, **_ONE_IN_A_CORNER),
    ),
    EffectCase(
        MoveBandit(1, 30, 0, "none"),
        "by the rule book the bandit may go where nobody is",
        position(phase="MovingBandit", hands={2: "1 Wool"}, rules=BRIEF),
        position(phase="TradingBuilding", dice=7, bandit=30, hands={2: "1 Wool"}, rules=BRIEF),
    ),
    EffectCase(
        PlayKnight(1, 13, 2, "Wool"),
        "a second card of two in a turn",
        position(phase="Trading", played=1, hands={2: "1 Wool"}, available={1: "1 Knight"}, rules=APART),
        position(phase="Trading", played=2, bandit=13, hands={1: "1 Wool"}, unveiled={1: "1 Knight"}, rules=APART),
    ),
    EffectCase(
        PlayKnight(1, 13, 2, "Wool"),
        "before the dice the roll is still to come",
        position(phase="DiceRoll", hands={2: "1 Wool"}, available={1: "1 Knight"}, rules=BRIEF),
        position(phase="DiceRoll", played=1, bandit=13, hands={1: "1 Wool"}, unveiled={1: "1 Knight"}, rules=BRIEF),
    ),
    EffectCase(
        PlayKnight(1, 13, 2, "Wool"),
        "the largest army wins, before the dice",
        position(
            phase="DiceRoll",
            hands={2: "1 Wool"},
            available={1: "1 Knight"},
            unveiled={1: "2 Knight"},
            rules=BRIEF,
            **EIGHT_POINTS,
        ),
        position(
            phase="top",
            dice=0,
            played=1,
            bandit=13,
            hands={1: "1 Wool"},
            unveiled={1: "3 Knight"},
            largest_army=1,
            rules=BRIEF,
            **EIGHT_POINTS,
        ),
    ),
    EffectCase(
        PlayKnight(1, 13, 2, "Wool"),
        "a card is stolen",
        position(phase="Trading", hands={2: "2 Wool, 1 Ore"}, available={1: "2 Knight"}),
        position(
            phase="Trading",
            bandit=13,
            hands={1: "1 Wool", 2: "1 Wool, 1 Ore"},
            available={1: "1 Knight"},
            unveiled={1: "1 Knight"},
        ),
    ),
    EffectCase(
        PlayKnight(1, 13, 2, "none"),
        "the victim has nothing, while building",
        position(available={1: "1 Knight"}, unveiled={1: "1 Knight"}),
        position(bandit=13, unveiled={1: "2 Knight"}),
    ),
    EffectCase(
        PlayKnight(2, 18, 1, "none"),
        "the third knight brings the largest army",
        position(turn=2, available={2: "1 Knight"}, unveiled={1: "2 Knight", 2: "2 Knight, 1 VictoryPoint"}),
        position(turn=2, bandit=18, unveiled={1: "2 Knight", 2: "3 Knight, 1 VictoryPoint"}, largest_army=2),
    ),
    EffectCase(
        PlayKnight(1, 13, 2, "none"),
        "as many knights as the holder change nothing",
        position(available={1: "1 Knight"}, unveiled={1: "2 Knight", 2: "3 Knight"}, largest_army=2),
        position(bandit=13, unveiled={1: "3 Knight", 2: "3 Knight"}, largest_army=2),
    ),
    EffectCase(
        PlayKnight(3, 13, 2, "none"),
        "three have as many knights, of whom one is the holder",
        position(
            3,
            turn=3,
            available={3: "1 Knight"},
            unveiled={1: "3 Knight", 2: "3 Knight", 3: "2 Knight"},
            largest_army=2,
        ),
        position(3, turn=3, bandit=13, unveiled={1: "3 Knight", 2: "3 Knight", 3: "3 Knight"}, largest_army=2),
    ),
    EffectCase(
        PlayKnight(1, 13, 2, "none"),
        "one knight more takes the largest army",
        position(available={1: "1 Knight"}, unveiled={1: "3 Knight", 2: "3 Knight"}, largest_army=2),
        position(bandit=13, unveiled={1: "4 Knight", 2: "3 Knight"}, largest_army=1),
    ),
)
