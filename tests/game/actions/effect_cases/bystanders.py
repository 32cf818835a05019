"""What is left alone while something else is under way: who is away, what is owed, and how much has been done."""

from dataclasses import replace

from catan_p2p.game.actions import (
    BuildCity,
    BuildVillage,
    Call,
    Claim,
    CloseGame,
    EmptyBuild,
    Excuse,
    MoveBandit,
    OfferTrade,
    PlayKnight,
    PlayRoadBuilding,
    Reveal,
    SetupPhaseOne,
    SetupPhaseTwo,
    ShowPoint,
    Shuffle,
)
from catan_p2p.game.constants import BRIEF, THESIS, profile
from catan_p2p.game.state import CalledDraw
from tests.game.actions.cases import EffectCase
from tests.game.actions.hidden_positions import SIGNED, hidden, hiding
from tests.positions import cards, position, set_up

_LEAVING = replace(THESIS, leaving=True)
_STANDARD = replace(profile("brief", 6), leaving=True)
_JOINT = replace(_STANDARD, chance="joint", table_talk=True)
_COUNTED = replace(_STANDARD, table_talk=True, offers_per_turn=2, proposals_per_turn=1)
_SECOND_AWAY = {"away": (False, True, False)}
_SECOND_OF_FOUR_AWAY = {"away": (False, True, False, False)}
_ONE_PLACED = {"villages": {1: (20,)}, "roads": {1: (23,)}}
_THREE_PLACED = {"villages": {1: (20,), 3: (10,), 4: (27,)}, "roads": {1: (23,), 3: (9,), 4: (33,)}}
_HIDDEN_BRIEF = replace(BRIEF, chance="joint", hands="hidden")
_FRIENDLY = replace(THESIS, bandit_targets="friendly")
_THREE_POINTS = {"villages": {2: (15, 36, 1)}, "roads": {2: (16, 57, 1)}}
_ROBBED_OF = CalledDraw("MoveBandit", "MovingBandit", 8, 2)
_ENCLOSING = (3, 4, 9, 13, 21, 10, 8)
_ENCLOSED = {"phase": "TradingBuilding", "villages": {1: (2, 4), 2: (6, 19)}, "rules": BRIEF}
_BETWEEN_TURNS = {"phase": "SpecialBuilding", "turn": 2, "builder": 1, "roads": {1: (23, 21, 64)}, "rules": _STANDARD}
_SIGNED_BY_TWO = hiding(position(3, phase="Signing", rules=SIGNED, **_SECOND_AWAY), deck="rest")

BYSTANDERS: tuple[EffectCase, ...] = (
    EffectCase(
        Excuse(1, 3),
        "of who is not at turn: the turn goes on, with all that was done in it",
        position(3, phase="TradingBuilding", played=1, made=(2, 1, 1), rules=_COUNTED),
        position(3, phase="TradingBuilding", played=1, made=(2, 1, 1), rules=_COUNTED, away=(False, False, True)),
    ),
    EffectCase(
        Excuse(1, 2),
        "the last who has to discard: the limits of those who have done so stay",
        position(
            4, phase="Discarding", hands={1: "3 Ore", 2: "8 Ore", 4: "2 Wool"}, limits=(8, 4, 0, 8), rules=_LEAVING
        ),
        position(
            4,
            phase="Discarding",
            hands={1: "3 Ore", 2: "4 Ore", 4: "2 Wool"},
            limits=(8, 4, 0, 8),
            rules=_LEAVING,
            **_SECOND_OF_FOUR_AWAY,
        ),
    ),
    EffectCase(
        MoveBandit(1, 13, 2, "Wool"),
        "from who is away",
        position(3, phase="MovingBandit", hands={2: "1 Wool"}, rules=_LEAVING, **_SECOND_AWAY),
        position(3, phase="Trading", dice=7, bandit=13, hands={1: "1 Wool"}, rules=_LEAVING, **_SECOND_AWAY),
    ),
    EffectCase(
        PlayKnight(1, 13, 2, "Wool"),
        "from who is away",
        position(3, hands={2: "1 Wool"}, available={1: "1 Knight"}, rules=_LEAVING, **_SECOND_AWAY),
        position(3, bandit=13, hands={1: "1 Wool"}, unveiled={1: "1 Knight"}, rules=_LEAVING, **_SECOND_AWAY),
    ),
    EffectCase(
        Call(1, "MoveBandit", 13, 2),
        "a theft from who is away, of whom no share is due",
        position(3, phase="MovingBandit", played=1, hands={2: "1 Wool, 1 Ore"}, rules=_JOINT, **_SECOND_AWAY),
        position(
            3,
            phase="Drawing",
            played=1,
            call=CalledDraw("MoveBandit", "MovingBandit", 13, 2),
            due=(False, False, True),
            hands={2: "1 Wool, 1 Ore"},
            rules=_JOINT,
            **_SECOND_AWAY,
        )._replace(dice=7),
    ),
    EffectCase(
        SetupPhaseOne(3, 10, 9),
        "past who is away",
        set_up(4, turn=3, rules=_LEAVING, **_ONE_PLACED, **_SECOND_OF_FOUR_AWAY),
        set_up(
            4,
            turn=4,
            rules=_LEAVING,
            villages={1: (20,), 3: (10,)},
            roads={1: (23,), 3: (9,)},
            **_SECOND_OF_FOUR_AWAY,
        ),
    ),
    EffectCase(
        SetupPhaseTwo(4, 39, 52),
        "past who is away",
        set_up(4, stage="PhaseTwo", turn=4, rules=_LEAVING, **_THREE_PLACED, **_SECOND_OF_FOUR_AWAY),
        set_up(
            4,
            stage="PhaseTwo",
            turn=3,
            rules=_LEAVING,
            villages={**_THREE_PLACED["villages"], 4: (27, 39)},
            roads={**_THREE_PLACED["roads"], 4: (33, 52)},
            hands={4: "1 Lumber"},
            **_SECOND_OF_FOUR_AWAY,
        ),
    ),
    EffectCase(
        EmptyBuild(2),
        "offers and proposals are counted until the turn is over, not only built",
        position(3, phase="TradingBuilding", turn=2, made=(1, 2, 1), hands={3: "1 Lumber, 1 Brick"}, rules=_COUNTED),
        position(
            3,
            phase="SpecialBuilding",
            turn=2,
            builder=3,
            made=(1, 2, 1),
            hands={3: "1 Lumber, 1 Brick"},
            rules=_COUNTED,
        ),
    ),
    EffectCase(
        Shuffle(3),
        "the last, while another is away",
        position(3, turn=3, rules=SIGNED, **_SECOND_AWAY)._replace(
            tp="Shuffling", hid=hidden(3, shuffles=1, deck="rest", back="Building")
        ),
        hiding(position(3, turn=3, rules=SIGNED, **_SECOND_AWAY), shuffles=2, deck="rest"),
    ),
    EffectCase(
        ShowPoint(1, "held"),
        "while another is away",
        hiding(position(3, rules=SIGNED, **_SECOND_AWAY), held=(1, 0, 0), deck="rest"),
        hiding(position(3, rules=SIGNED, unveiled={1: "1 VictoryPoint"}, **_SECOND_AWAY), deck="rest"),
    ),
    EffectCase(
        CloseGame(1),
        "who is away opens nothing",
        _SIGNED_BY_TWO,
        _SIGNED_BY_TWO._replace(tp="top", due=(True, False, True)),
    ),
    EffectCase(
        MoveBandit(1, 13, 2, "Wool"),
        "of two the friendly bandit may go to who has three points",
        position(3, phase="MovingBandit", hands={2: "1 Wool"}, rules=_FRIENDLY, **_THREE_POINTS),
        position(3, phase="Trading", dice=7, bandit=13, hands={1: "1 Wool"}, rules=_FRIENDLY, **_THREE_POINTS),
    ),
    EffectCase(
        MoveBandit(3, 8, 2, "Ore"),
        "a known card, where all others hold sealed ones",
        hiding(position(3, phase="MovingBandit", turn=3, hands={2: "1 Ore"}, rules=SIGNED), "4 Wool", sealed=(3, 0, 1)),
        hiding(
            position(3, phase="Trading", dice=7, bandit=8, turn=3, hands={3: "1 Ore"}, rules=SIGNED),
            "4 Wool",
            sealed=(3, 0, 1),
        ),
    ),
    EffectCase(
        Reveal(2),
        "the victim seals all known cards",
        hiding(
            position(3, phase="MovingBandit", turn=3, hands={2: "2 Wool, 3 Ore"}, rules=SIGNED),
            "1 Ore",
            sealed=(0, 1, 0),
        )._replace(tp="Drawing", call=_ROBBED_OF, due=(False, True, False)),
        hiding(position(3, phase="MovingBandit", turn=3, rules=SIGNED), "2 Wool, 4 Ore", sealed=(0, 6, 0))._replace(
            tp="Drawing", call=_ROBBED_OF
        ),
    ),
    EffectCase(
        Claim(1, 2),
        "of a theft, where the victim's answer may be a lie",
        hiding(position(phase="MovingBandit", rules=SIGNED), "1 Ore", sealed=(0, 1))._replace(
            tp="Drawing", call=_ROBBED_OF
        ),
        hiding(
            position(phase="top", dice=0, rules=SIGNED, away=(False, True), due=(True, False)), "1 Ore", sealed=(0, 1)
        ),
    ),
    EffectCase(
        Claim(1, 2),
        "of who does not discard",
        position(phase="Discarding", hands={2: "8 Ore"}, rules=_LEAVING),
        position(phase="top", dice=0, hands={2: "4 Ore"}, rules=_LEAVING, away=(False, True)),
    ),
    EffectCase(
        BuildCity(2, 15),
        "between two turns",
        position(3, phase="SpecialBuilding", turn=3, builder=2, hands={2: "2 Grain, 3 Ore"}, rules=_STANDARD),
        position(
            3, phase="SpecialBuilding", turn=3, builder=2, villages={2: (36,)}, cities={2: (15,)}, rules=_STANDARD
        ),
    ),
    EffectCase(
        BuildVillage(1, 11),
        "between two turns",
        position(hands={1: "1 Lumber, 1 Brick, 1 Wool, 1 Grain"}, **_BETWEEN_TURNS),
        position(villages={1: (20, 43, 11)}, **_BETWEEN_TURNS),
    ),
    EffectCase(
        OfferTrade(3, cards("1 Ore"), cards("2 Wool")),
        "who may hold what is wanted is asked",
        hiding(
            position(3, phase="TradingBuilding", turn=3, hands={3: "1 Ore"}, rules=_HIDDEN_BRIEF),
            "3 Wool",
            sealed=(1, 2, 0),
        ),
        hiding(
            position(
                3,
                phase="Offering",
                turn=3,
                hands={3: "1 Ore"},
                offer=("1 Ore", "2 Wool"),
                answers=("none", "asked", "none"),
                rules=_HIDDEN_BRIEF,
            ),
            "3 Wool",
            sealed=(1, 2, 0),
        ),
    ),
    EffectCase(
        PlayRoadBuilding(1, 7, 0),
        "no second place for who plays it, though another has one",
        position(roads={1: (1, 2), 2: _ENCLOSING}, available={1: "1 RoadBuilding"}, **_ENCLOSED),
        position(roads={1: (1, 2, 7), 2: _ENCLOSING}, played=1, discarded="1 RoadBuilding", **_ENCLOSED),
    ),
    EffectCase(
        MoveBandit(2, 21, 0, "none"),
        "from nobody, while another holds sealed cards",
        hiding(position(3, phase="MovingBandit", turn=2, rules=_HIDDEN_BRIEF), "2 Wool", sealed=(0, 0, 2)),
        hiding(
            position(3, phase="TradingBuilding", dice=7, bandit=21, turn=2, rules=_HIDDEN_BRIEF),
            "2 Wool",
            sealed=(0, 0, 2),
        ),
    ),
    EffectCase(
        MoveBandit(1, 8, 2, "sealed"),
        "a sealed card of who is there, though others are away",
        hiding(position(3, phase="MovingBandit", rules=SIGNED), "3 Ore", sealed=(1, 2, 0), deck="rest")._replace(
            tp="Drawing", call=_ROBBED_OF, away=(False, False, True)
        ),
        hiding(
            position(3, phase="Trading", bandit=8, dice=7, rules=SIGNED), "3 Ore", sealed=(2, 1, 0), deck="rest"
        )._replace(away=(False, False, True)),
    ),
    EffectCase(
        Claim(1, 2),
        "of who does not take the card that they called for",
        hiding(position(turn=2, hands={2: "1 Wool, 1 Grain, 1 Ore"}, rules=SIGNED))._replace(
            tp="Drawing", call=CalledDraw("BuyDevCard", "Building", 0, 0)
        ),
        hiding(
            position(phase="top", dice=0, hands={2: "1 Wool, 1 Grain, 1 Ore"}, rules=SIGNED, due=(True, False)),
            held=(0, 1),
        )._replace(away=(False, True)),
    ),
)
