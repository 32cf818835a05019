"""Development cards that are played."""

from dataclasses import replace
from typing import Any

from catan_p2p.game.actions import Action, PlayMonopoly, PlayRoadBuilding, PlayYearOfPlenty
from catan_p2p.game.constants import BRIEF, THESIS, Rules
from tests.game.actions.cases import GuardCase
from tests.positions import position


def _play(letters: str, card: str, limit: str, kind: Any, *parameters: Any) -> tuple[GuardCase, ...]:
    """The first three guards of a progress card."""
    both = {"available": {1: f"1 {card}", 2: f"1 {card}"}}
    return (
        *(
            GuardCase(f"{letters}1 phase", position(phase=phase, **both), kind(1, *parameters), phase)
            for phase in ("DiceRoll", "Discarding", "MovingBandit", "top")
        ),
        *(
            GuardCase(
                f"{letters}1 phase",
                position(phase=phase, rules=BRIEF, **both),
                kind(1, *parameters),
                f"{phase} by the rule book",
            )
            for phase in ("Discarding", "MovingBandit", "Offering", "SpecialBuilding", "top")
        ),
        GuardCase(f"{letters}2 turn", position(turn=2, **both), kind(1, *parameters)),
        GuardCase(f"{letters}3 available", position(available={2: f"1 {card}"}), kind(1, *parameters), "none"),
        GuardCase(f"{letters}3 available", position(bought={1: f"1 {card}"}), kind(1, *parameters), "bought this turn"),
        *_limit(limit, kind(1, *parameters), **both),
    )


def _limit(tag: str, action: Action, **given: Any) -> tuple[GuardCase, ...]:
    """One card a turn, before or after the dice."""
    return tuple(
        GuardCase(f"{tag} limit", position(phase=phase, played=1, rules=BRIEF, **given), action, phase)
        for phase in ("DiceRoll", "TradingBuilding")
    )


_TWO_ROADS = {"available": {1: "1 RoadBuilding"}}
_SINGLE = replace(THESIS, road_building_needs=1)

PROGRESS: tuple[GuardCase, ...] = (
    *_play("PM", "Monopoly", "PM4", PlayMonopoly, "Ore"),
    *_play("PY", "YearOfPlenty", "PY5", PlayYearOfPlenty, "Ore", "Wool"),
    *(
        GuardCase(
            "PY4 stock",
            position(hands={2: hand}, available={1: "1 YearOfPlenty"}),
            PlayYearOfPlenty(1, *wanted),
            why,
        )
        for hand, wanted, why in (
            ("19 Ore", ("Ore", "Wool"), "none of the first"),
            ("19 Ore", ("Wool", "Ore"), "none of the second"),
            ("18 Ore", ("Ore", "Ore"), "one for two"),
        )
    ),
    *_play("PR", "RoadBuilding", "PR14", PlayRoadBuilding, 22, 55),
    GuardCase(
        "PR4 supply",
        position(rules=Rules(roads=3), **_TWO_ROADS),
        PlayRoadBuilding(1, 22, 55),
        also=("PR12 second_supply",),
    ),
    GuardCase("PR5 free", position(**_TWO_ROADS), PlayRoadBuilding(1, 23, 55), "an own road"),
    GuardCase(
        "PR5 free", position(roads={2: (16, 57, 22)}, **_TWO_ROADS), PlayRoadBuilding(1, 22, 55), "an adversary's road"
    ),
    GuardCase("PR6 network", position(**_TWO_ROADS), PlayRoadBuilding(1, 1, 55), "far off"),
    GuardCase("PR6 network", position(**_TWO_ROADS), PlayRoadBuilding(1, 19, 22), "in the wrong order"),
    GuardCase("PR7 bandit", position(bandit=17, **_TWO_ROADS), PlayRoadBuilding(1, 22, 55)),
    GuardCase("PR8 differ", position(**_TWO_ROADS), PlayRoadBuilding(1, 22, 22)),
    GuardCase("PR9 second_free", position(**_TWO_ROADS), PlayRoadBuilding(1, 55, 23), "an own road"),
    GuardCase(
        "PR9 second_free",
        position(roads={2: (16, 57, 22)}, **_TWO_ROADS),
        PlayRoadBuilding(1, 55, 22),
        "an adversary's road",
    ),
    GuardCase("PR10 second_network", position(**_TWO_ROADS), PlayRoadBuilding(1, 55, 1), "far off"),
    GuardCase(
        "PR10 second_network",
        position(roads={1: (23, 64)}, villages={2: (11, 36)}, **_TWO_ROADS),
        PlayRoadBuilding(1, 21, 10),
        "through an adversary's village",
    ),
    GuardCase("PR11 second_bandit", position(bandit=17, **_TWO_ROADS), PlayRoadBuilding(1, 55, 22)),
    GuardCase(
        "PR4 supply",
        position(rules=replace(_SINGLE, roads=2), **_TWO_ROADS),
        PlayRoadBuilding(1, 22, 0),
        "none at all",
        also=("PR13 single",),
    ),
    GuardCase(
        "PR12 second_supply", position(rules=replace(_SINGLE, roads=3), **_TWO_ROADS), PlayRoadBuilding(1, 22, 55)
    ),
    GuardCase(
        "PR13 single", position(rules=_SINGLE, **_TWO_ROADS), PlayRoadBuilding(1, 22, 0), "there is room for two"
    ),
    GuardCase("PR13 single", position(**_TWO_ROADS), PlayRoadBuilding(1, 22, 0), "by the thesis's rules"),
    GuardCase(
        "PR13 single",
        position(
            phase="TradingBuilding",
            villages={1: (2, 4), 2: (6, 13)},
            roads={1: (1, 2), 2: (3, 4, 9, 13)},
            rules=BRIEF,
            **_TWO_ROADS,
        ),
        PlayRoadBuilding(1, 7, 0),
        "there is room at the end of the first",
    ),
)
