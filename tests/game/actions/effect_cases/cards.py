"""Development cards, bought and played."""

from dataclasses import replace

from catan_p2p.game.actions import BuyDevCard, PlayMonopoly, PlayYearOfPlenty
from catan_p2p.game.constants import THESIS
from tests.game.actions.cases import EffectCase
from tests.game.actions.givens import APART, CARD_PRICE
from tests.positions import position

CARDS: tuple[EffectCase, ...] = (
    *(
        EffectCase(
            BuyDevCard(1, card),
            f"{card} is bought, not yet available",
            position(available={1: f"1 {card}"}, **CARD_PRICE),
            position(available={1: f"1 {card}"}, bought={1: f"1 {card}"}, hands={1: "1 Wool"}),
        )
        for card in ("Monopoly", "YearOfPlenty", "RoadBuilding", "Knight")
    ),
    EffectCase(
        BuyDevCard(1, "VictoryPoint"),
        "a victory point is unveiled at once",
        position(unveiled={1: "1 VictoryPoint"}, **CARD_PRICE),
        position(unveiled={1: "2 VictoryPoint"}, hands={1: "1 Wool"}),
    ),
    EffectCase(
        PlayMonopoly(2, "Ore"),
        "all cards of a resource, from everybody",
        position(
            4, turn=2, hands={1: "2 Ore, 1 Wool", 2: "1 Ore", 3: "4 Ore", 4: "5 Wool"}, available={2: "1 Monopoly"}
        ),
        position(4, turn=2, hands={1: "1 Wool", 2: "7 Ore", 4: "5 Wool"}, discarded="1 Monopoly"),
    ),
    EffectCase(
        PlayMonopoly(2, "Ore"),
        "from who is away, too",
        position(
            4,
            turn=2,
            hands={1: "2 Ore, 1 Wool", 3: "4 Ore"},
            available={2: "1 Monopoly"},
            away=(False, False, True, False),
            rules=replace(THESIS, leaving=True),
        ),
        position(
            4,
            turn=2,
            hands={1: "1 Wool", 2: "6 Ore"},
            discarded="1 Monopoly",
            away=(False, False, True, False),
            rules=replace(THESIS, leaving=True),
        ),
    ),
    EffectCase(
        PlayMonopoly(1, "Ore"),
        "nobody has any",
        position(phase="Trading", available={1: "2 Monopoly"}, discarded="1 YearOfPlenty"),
        position(phase="Trading", available={1: "1 Monopoly"}, discarded="1 Monopoly, 1 YearOfPlenty"),
    ),
    EffectCase(
        PlayMonopoly(1, "Ore"),
        "it is counted, where cards are",
        position(phase="Trading", hands={2: "2 Ore"}, available={1: "1 Monopoly"}, rules=APART),
        position(phase="Trading", played=1, hands={1: "2 Ore"}, discarded="1 Monopoly", rules=APART),
    ),
    EffectCase(
        PlayYearOfPlenty(1, "Ore", "Wool"),
        "it is counted, where cards are",
        position(phase="Trading", available={1: "1 YearOfPlenty"}, rules=APART),
        position(phase="Trading", played=1, hands={1: "1 Wool, 1 Ore"}, discarded="1 YearOfPlenty", rules=APART),
    ),
    EffectCase(
        PlayYearOfPlenty(1, "Ore", "Wool"),
        "two cards from the bank",
        position(hands={1: "1 Wool"}, available={1: "1 YearOfPlenty"}),
        position(hands={1: "2 Wool, 1 Ore"}, discarded="1 YearOfPlenty"),
    ),
    EffectCase(
        PlayYearOfPlenty(1, "Ore", "Ore"),
        "the last two of a kind",
        position(phase="Trading", hands={2: "17 Ore"}, available={1: "1 YearOfPlenty"}),
        position(phase="Trading", hands={1: "2 Ore", 2: "17 Ore"}, discarded="1 YearOfPlenty"),
    ),
)
