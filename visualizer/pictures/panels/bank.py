"""The bank's panel: resource cards, development cards and the discard pile."""

from functools import lru_cache

from catan_p2p.game.cards import DEV_CARDS, RESOURCES, count, total
from catan_p2p.game.state import NOTHING_HIDDEN, State
from catan_p2p.view.knowledge import PublicKnowledge, known_of

from ..palette import DIM, PANEL, PANEL_EDGE
from ..scene import Layer, Panel, Target, TextMeasure
from ..shapes import Box, Rect, Shape, Text
from .players import counted, ranged


@lru_cache(maxsize=64)
def bank_panel(
    state: State,
    before: State,
    area: Rect,
    em: float,
    measure: TextMeasure,
    known: PublicKnowledge | None = None,
    earlier: PublicKnowledge | None = None,
    veiled: bool = False,
) -> Panel:
    """Two rows: the bank's cards of each resource; its development cards of each kind, and the discard pile.

    If hands are ``veiled`` or hidden, only the sum of development cards is shown: the kinds left would tell which ones
    the others hold.
    """
    shapes: list[Shape] = [Box(*area, PANEL, 0.0, PANEL_EDGE, 1)]
    targets: list[Target] = [Target(("bank",), area)]
    height = area.h / 2
    first, second = area.y + height * 0.54, area.y + height * 1.46
    left, right = area.x + 0.7 * em, area.right - 0.4 * em
    width = (right - left) / 6
    shapes.append(Text(left, first, "Bank", em * 0.95, DIM, True))
    now, then = (known or known_of(state)).bank, (earlier or known_of(before)).bank
    for i, (name, told, old) in enumerate(zip(RESOURCES, now.kinds, then.kinds, strict=True), 1):
        x = left + i * width
        shapes += ranged(measure, name, x, first, em, width, told, old)
        targets.append(Target(("stock", name), Rect(x, area.y, width, height)))
    cells: list[tuple[str, int, int]] = [
        (kind, count(state.bnk.dc, kind), count(before.bnk.dc, kind)) for kind in DEV_CARDS
    ]
    if veiled or state.hid is not NOTHING_HIDDEN:
        cells = [("deck", state.deck_size, before.deck_size)]
    cells.append(("discards", total(state.dp), total(before.dp)))
    for i, (what, number, past) in enumerate(cells):
        x = left + i * width
        shapes += counted(measure, what, x, second, em, width, number, number - past)
        targets.append(Target(("stock", what), Rect(x, area.y + height, width, height)))
    return Panel(Layer("bank", area, PANEL, tuple(shapes)), tuple(targets))
