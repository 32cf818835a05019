"""Rolls, discarding and the bandit."""

from typing import Any

from catan_p2p.game.actions import Action, Discard, MoveBandit, PlayKnight, RollDice
from catan_p2p.game.cards import NO_CARDS
from catan_p2p.game.constants import BRIEF, Rules
from catan_p2p.game.state import State
from tests.game.actions.cases import GuardCase
from tests.positions import cards, position

_ROLL = position(phase="DiceRoll")
_HALVES = {1: "8 Wool", 2: "2 Ore, 7 Brick"}
_DISCARDING = position(phase="Discarding", hands=_HALVES)

DICE: tuple[GuardCase, ...] = (
    GuardCase("RD1 phase", position(phase="Trading"), RollDice(1, 8)),
    GuardCase("RD2 turn", _ROLL, RollDice(2, 8)),
    GuardCase("RD3 dice", position(phase="DiceRoll", rules=Rules(dice=(6, 7, 8))), RollDice(1, 9)),
    GuardCase("DI1 phase", _DISCARDING._replace(tp="MovingBandit"), Discard(1, cards("4 Wool"))),
    GuardCase(
        "DI2 owes",
        position(phase="Discarding", hands={1: "8 Wool", 2: "7 Brick"}),
        Discard(2, NO_CARDS),
        "a small hand",
    ),
    GuardCase(
        "DI2 owes",
        position(phase="Discarding", hands={1: "8 Wool", 2: "5 Brick"}, limits=(4, 5)),
        Discard(2, NO_CARDS),
        "done already",
    ),
    GuardCase("DI3 amount", _DISCARDING, Discard(1, cards("3 Wool")), "too few"),
    GuardCase("DI3 amount", _DISCARDING, Discard(1, cards("5 Wool")), "too many"),
    GuardCase("DI4 hand", _DISCARDING, Discard(2, cards("3 Ore, 1 Brick"))),
)


def _robbery(numbers: str, kind: Any, phases: tuple[str, str], **given: Any) -> tuple[GuardCase, ...]:
    """The guards that MoveBandit and PlayKnight share; their tags differ in ``numbers`` only."""
    phase, other = phases
    coast = {"villages": {2: (7, 36)}, "roads": {2: (6, 57)}}
    tag = dict(zip(("elsewhere", "land", "target", "victim", "card"), numbers.split(), strict=True))

    def case(word: str, state: State, action: Action, why: str = "") -> GuardCase:
        return GuardCase(f"{tag[word]} {word}", state, action, why)

    ore = position(3, phase=phase, hands={2: "1 Ore"}, **given)
    return (
        case("elsewhere", position(phase=other, bandit=13, hands={2: "1 Ore"}, **given), kind(1, 13, 2, "Ore")),
        case("land", position(phase=other, hands={2: "1 Ore"}, **coast, **given), kind(1, 4, 2, "Ore")),
        case("target", ore, kind(1, 18, 0, "none"), "an own village only"),
        case("target", ore, kind(1, 21, 0, "none"), "nobody's tile"),
        case("victim", ore, kind(1, 13, 0, "none"), "nobody, though there is one"),
        case("victim", ore, kind(1, 12, 2, "Ore"), "an adversary elsewhere"),
        case(
            "victim",
            position(phase=phase, villages={1: (12, 43)}, hands={1: "1 Ore"}, **given),
            kind(1, 13, 1, "Ore"),
            "the player",
        ),
        case("card", ore, kind(1, 13, 2, "Wool"), "one the victim lacks"),
        case("card", ore, kind(1, 13, 2, "none"), "none, though there are some"),
        case("card", position(phase=phase, **given), kind(1, 13, 2, "Ore"), "one of an empty hand"),
    )


_KNIGHT = {"available": {1: "1 Knight", 2: "1 Knight"}}

BANDIT: tuple[GuardCase, ...] = (
    GuardCase("MB1 phase", position(phase="Trading", hands={2: "1 Ore"}), MoveBandit(1, 13, 2, "Ore")),
    GuardCase("MB2 turn", position(phase="MovingBandit", hands={1: "1 Ore"}), MoveBandit(2, 18, 1, "Ore")),
    GuardCase(
        "MB3 discards",
        position(phase="Discarding", hands={1: "9 Wool", 2: "1 Ore"}),
        MoveBandit(1, 13, 2, "Ore"),
        "of the player",
    ),
    GuardCase(
        "MB3 discards", position(phase="Discarding", hands={2: "9 Ore"}), MoveBandit(1, 13, 2, "Ore"), "of others"
    ),
    *_robbery("MB4 MB5 MB6 MB7 MB8", MoveBandit, ("MovingBandit", "Discarding")),
    GuardCase("PK1 phase", position(phase="DiceRoll", hands={2: "1 Ore"}, **_KNIGHT), PlayKnight(1, 13, 2, "Ore")),
    GuardCase("PK2 turn", position(hands={1: "1 Ore"}, **_KNIGHT), PlayKnight(2, 18, 1, "Ore")),
    GuardCase("PK3 available", position(hands={2: "1 Ore"}), PlayKnight(1, 13, 2, "Ore"), "none"),
    GuardCase(
        "PK3 available",
        position(hands={2: "1 Ore"}, bought={1: "1 Knight"}, unveiled={1: "1 Knight"}),
        PlayKnight(1, 13, 2, "Ore"),
        "bought this turn",
    ),
    *_robbery("PK4 PK5 PK6 PK7 PK8", PlayKnight, ("Trading", "Building"), **_KNIGHT),
    *(
        GuardCase(
            "PK9 limit",
            position(phase=phase, played=1, hands={2: "1 Ore"}, rules=BRIEF, **_KNIGHT),
            PlayKnight(1, 13, 2, "Ore"),
            phase,
        )
        for phase in ("DiceRoll", "TradingBuilding")
    ),
    GuardCase(
        "MB6 target",
        position(
            3,
            phase="MovingBandit",
            villages={2: (15, 36, 1)},
            roads={2: (16, 57, 1)},
            rules=Rules(bandit_targets="friendly"),
        ),
        MoveBandit(1, 12, 3, "none"),
        "by a friendly bandit who has two points is spared",
    ),
    GuardCase(
        "MB6 target",
        position(
            3,
            turn=3,
            phase="MovingBandit",
            villages={3: (10, 54, 2)},
            roads={3: (9, 72, 2)},
            rules=Rules(bandit_targets="friendly"),
        ),
        MoveBandit(3, 18, 1, "none"),
        "by a friendly bandit who has two points is spared, however many the mover has",
    ),
)
