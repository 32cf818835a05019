"""The dialog of costs and rules."""

from catan_p2p.game.actions.parts import COST_CITY, COST_DEV_CARD, COST_ROAD, COST_VILLAGE
from catan_p2p.game.cards import DEV_CARDS, RESOURCES, count
from catan_p2p.game.constants import Rules
from catan_p2p.view.words import CARD_NAMES

from ..pictures.explain import card_effect
from ..pictures.icons import icon
from ..pictures.palette import DIM, GOLD, INK, PANEL, PANEL_EDGE, SHADE
from ..pictures.scene import Layer, Panel, Target, TextMeasure
from ..pictures.shapes import Box, Rect, Shape, Text
from ..pictures.typeset import label
from .dialogs import in_middle
from .talk import wrapped

_COSTS = (
    ("road", "Road", COST_ROAD, "extends your network"),
    ("village", "Village", COST_VILLAGE, "1 point; a card from each tile around it"),
    ("city", "City", COST_CITY, "2 points; replaces a village, two cards a tile"),
    ("deck", "Development card", COST_DEV_CARD, "playable from your next turn on"),
)


def rules_dialog(rules: Rules, window: Rect, em: float, measure: TextMeasure) -> Panel:
    """The costs of pieces, and the rules in short; a click anywhere closes the dialog."""
    told = [
        f"You win with {rules.points_to_win} points on your own turn.",
        "A turn: roll the dice, trade, build. Tiles with the number yield to every village and city beside them.",
        f"A seven: hands of more than {rules.hand_limit} cards are halved, the bandit moves, and a card is stolen.",
        "Villages stand at least two roads apart, at the end of a road of yours.",
        "The bank takes four equal cards for one; at a wharf three, or two of its kind.",
        f"Longest road: 2 points, from {rules.longest_road_min} roads in a row on. "
        f"Largest army: 2 points, from {rules.largest_army_min} knights on.",
        *(f"{CARD_NAMES[card].capitalize()}: {card_effect(card, rules)}" for card in DEV_CARDS),
    ]
    if rules.dev_cards_per_turn:
        told.append("One development card may be played in a turn, also before the dice, but none bought in that turn.")
    together = rules.chance == "joint"
    told.append(
        "All players draw dice and cards together."
        if together
        else "The program of the acting player draws dice and cards."
    )
    if rules.hands == "hidden":
        told.append("Nobody sees another player's hand.")
    if rules.leaving:
        told.append("The others may vote to go on without a player who is silent.")
    width = min(60 * em, window.w - em)
    em = min(em, width / 50, window.h / 48)
    broken = [part for text in told for part in wrapped(measure, text, em * 0.95, width - 3 * em)]
    area = in_middle(window, width, (3.4 + 2.2 * len(_COSTS) + 1.45 * len(broken) + 1.6) * em)
    left, y = area.x + 1.5 * em, area.y + 1.6 * em
    shapes: list[Shape] = [Box(*window, SHADE), Box(*area, PANEL, 0.8 * em, PANEL_EDGE, 1.5)]
    shapes.append(Text(left, y, "Costs and rules", em * 1.35, INK, True))
    y += 2.5 * em
    for name, words, cost, use in _COSTS:
        shapes.append(icon(name, left + 0.8 * em, y, round(1.5 * em, 1), GOLD))
        shapes.append(label(measure, left + 2.2 * em, y, words, em, 9.5 * em, INK, True))
        x = left + 12.5 * em
        for resource in RESOURCES:
            for _ in range(count(cost, resource)):
                shapes.append(icon(resource, x, y, round(1.4 * em, 1)))
                x += 1.6 * em
        shapes.append(label(measure, left + 21.5 * em, y, use, em * 0.95, area.right - left - 22.5 * em, DIM))
        y += 2.2 * em
    for line in broken:
        shapes.append(Text(left, y, line, em * 0.95, INK))
        y += 1.45 * em
    return Panel(Layer("dialog", window, None, tuple(shapes)), (Target(("set", "close"), window, True),))
