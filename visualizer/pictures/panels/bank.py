"""The bank's panel: resource cards, development cards and the discard pile."""

from functools import lru_cache

from catan_p2p.game.cards import DEV_CARDS, RESOURCES, count, total
from catan_p2p.game.state import NOTHING_HIDDEN, State

from ...data.recording import Unsure
from ..palette import DIM, PANEL, PANEL_EDGE
from ..scene import Layer, Measure, Target
from ..shapes import Box, Rect, Shape, Text
from .players import Panel, counted


@lru_cache(maxsize=64)
def bank_panel(
    state: State,
    before: State,
    area: Rect,
    em: float,
    measure: Measure,
    unsure: Unsure | None = None,
    veiled: bool = False,
) -> Panel:
    """Two rows: what the bank holds of each resource, and of each development card with the discard pile.

    ``veiled`` or hidden, of all development cards together: which are left would tell which others hold.
    """
    shapes: list[Shape] = [Box(*area, PANEL, 0.0, PANEL_EDGE, 1)]
    targets: list[Target] = [Target(("bank",), area)]
    height = area.h / 2
    first, second = area.y + height * 0.54, area.y + height * 1.46
    left, right = area.x + 0.7 * em, area.right - 0.4 * em
    width = (right - left) / 6
    shapes.append(Text(left, first, "Bank", em * 0.95, DIM, True))
    for i, name in enumerate(RESOURCES, 1):
        number = count(state.bnk.rc, name)
        x = left + i * width
        if unsure is None:
            shapes += counted(measure, name, x, first, em, width, number, number - count(before.bnk.rc, name))
        else:
            told = unsure.bank[i - 1]
            shapes += counted(measure, name, x, first, em, width, told.high, text=str(told))
        targets.append(Target(("stock", name), Rect(x, area.y, width, height)))
    cells: list[tuple[str, int, int]] = [
        (kind, count(state.bnk.dc, kind), count(before.bnk.dc, kind)) for kind in DEV_CARDS
    ]
    if veiled or state.hid is not NOTHING_HIDDEN:
        cells = [("deck", state.deck_size, before.deck_size)]
    cells.append(("discards", total(state.dp), total(before.dp)))
    for i, (what, number, earlier) in enumerate(cells):
        x = left + i * width
        shapes += counted(measure, what, x, second, em, width, number, number - earlier)
        targets.append(Target(("stock", what), Rect(x, area.y + height, width, height)))
    return Panel(Layer("bank", area, PANEL, tuple(shapes)), tuple(targets))
