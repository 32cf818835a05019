"""The layout of the window's parts, for every size of the window.

All lengths are multiples of ``em``, the size of ordinary text, which grows with the window. A wide window shows
everything side by side; a narrow one puts players and log behind tabs; a tall one puts the island on top.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

from ..view import Tab
from .shapes import Rect

SMALLEST = (640, 480)
"""A smaller window shows a picture of this size, scaled down."""
BASE_SIZE = (1280, 800)
_TALL_BASE = (840, 1280)
_BASE_EM = 14.0
_LEAST_EM = 11.0
GROWTH = 0.45
"""The exponent by which text grows with the window; the rest of the room is for more rows and longer lines."""
_TABLE = 2.2
"""Height of the strip below the island, in em."""


@dataclass(frozen=True, slots=True)
class PartLayout:
    """Rectangles of the parts.

    ``players``, ``bank``, ``log`` and ``detail`` are None if a tab hides them, ``table`` in games without one. A player
    has a ``seat`` in place of ``controls`` and ``timeline``, and the log only if its tab is chosen.
    """

    em: float
    window: Rect
    header: Rect
    island: Rect
    table: Rect | None
    tabs: Rect | None
    players: Rect | None
    bank: Rect | None
    log: Rect | None
    detail: Rect | None
    controls: Rect
    timeline: Rect
    seat: Rect | None = None


def _is_tall(width: float, height: float) -> bool:
    return height > 1.1 * width


def text_size(width: float, height: float, scale: float = 1.0) -> float:
    """The size of ordinary text in a window."""
    base = _TALL_BASE if _is_tall(width, height) else BASE_SIZE
    ratio = min(width / base[0], height / base[1])
    em = max(_LEAST_EM, _BASE_EM * (ratio if ratio < 1 else ratio**GROWTH)) * scale
    # However large texts are wished for, the parts need 58 em across and 43 em down.
    return max(8.0, min(em, width / 58, height / 43))


@lru_cache(maxsize=16)
def layout(
    width: int, height: int, tab: Tab = "players", scale: float = 1.0, table: bool = False, seat: bool = False
) -> PartLayout:
    """The parts of a window of a size in pixels, at least ``SMALLEST``; with ``table`` a strip below the island.

    With ``seat``, the foot of the window is a player's seat.
    """
    em = text_size(width, height, scale)
    gap = round(0.6 * em)
    window = Rect(0, 0, width, height)
    header = Rect(0, 0, width, round(3.0 * em))
    foot = round(12.7 * em)
    timeline = Rect(gap, height - foot + round(2.8 * em), width - 2 * gap, foot - round(2.8 * em) - gap)
    controls = Rect(gap, height - foot, width - 2 * gap, round(2.8 * em))
    main = Rect(gap, header.bottom, width - 2 * gap, height - foot - header.bottom)
    build = _tall if _is_tall(width, height) else _wide if width >= 84 * em else _narrow
    parts = build(em, gap, window, header, main, controls, timeline, tab, seat)
    if seat:
        foot_area = Rect(gap, main.bottom + gap, width - 2 * gap, height - main.bottom - 2 * gap)
        parts = replace(parts, seat=foot_area, controls=Rect(0, height, 0, 0), timeline=Rect(0, height, 0, 0))
    return _with_table(parts, gap) if table else parts


def _with_table(parts: PartLayout, gap: int) -> PartLayout:
    height, island = round(_TABLE * parts.em), parts.island
    strip = Rect(island.x, island.bottom - height, island.w, height)
    return replace(parts, island=Rect(island.x, island.y, island.w, island.h - height - gap), table=strip)


def _wide(
    em: float, gap: int, window: Rect, header: Rect, main: Rect, controls: Rect, timeline: Rect, tab: Tab, seat: bool
) -> PartLayout:
    if seat and tab == "players":
        return _closed(em, gap, window, header, main, controls, timeline, round(min(31 * em, main.w * 0.35)))
    # An island is about 1.06 times as wide as high: a wider area would only show more sea.
    island = round(min(main.h * 1.06, main.w - 45.5 * em - 2 * gap))
    rest = main.w - island - 2 * gap
    log_width = round(min(rest * 0.56, 36 * em))
    players_width = round(min(rest - log_width, 27 * em))
    island += round(rest - log_width - players_width)
    left = main.x + island + gap
    players = Rect(left, main.y, players_width, main.h)
    log = Rect(left + players_width + gap, main.y, main.right - left - players_width - gap, main.h)
    return _filled(
        em, gap, window, header, Rect(main.x, main.y, island, main.h), None, players, log, controls, timeline
    )


def _narrow(
    em: float, gap: int, window: Rect, header: Rect, main: Rect, controls: Rect, timeline: Rect, tab: Tab, seat: bool
) -> PartLayout:
    side = round(max(22.5 * em, min(28 * em, main.w - main.h * 1.06 - gap)))
    if seat and tab == "players":
        return _closed(em, gap, window, header, main, controls, timeline, side)
    island = Rect(main.x, main.y, main.w - side - gap, main.h)
    tabs = Rect(island.right + gap, main.y, side, round(2.1 * em))
    rest = Rect(tabs.x, tabs.bottom + gap / 2, side, main.bottom - tabs.bottom - gap / 2)
    players, log = (rest, None) if tab == "players" else (None, rest)
    return _filled(em, gap, window, header, island, tabs, players, log, controls, timeline)


def _tall(
    em: float, gap: int, window: Rect, header: Rect, main: Rect, controls: Rect, timeline: Rect, tab: Tab, seat: bool
) -> PartLayout:
    height = round(min(main.w * 0.94, main.h * 0.55))
    island = Rect(main.x, main.y, main.w, height)
    below = Rect(main.x, island.bottom + gap, main.w, main.h - height - gap)
    if seat and tab == "players":
        return _filled(em, gap, window, header, island, None, below, None, controls, timeline)
    if main.w < 46 * em:
        tabs = Rect(below.x, below.y, below.w, round(2.1 * em))
        rest = Rect(below.x, tabs.bottom + gap / 2, below.w, below.bottom - tabs.bottom - gap / 2)
        players, log = (rest, None) if tab == "players" else (None, rest)
        return _filled(em, gap, window, header, island, tabs, players, log, controls, timeline)
    half = round((below.w - gap) * 0.46)
    left = Rect(below.x, below.y, half, below.h)
    right = Rect(left.right + gap, below.y, below.w - half - gap, below.h)
    return _filled(em, gap, window, header, island, None, left, right, controls, timeline)


def _closed(
    em: float, gap: int, window: Rect, header: Rect, main: Rect, controls: Rect, timeline: Rect, side: int
) -> PartLayout:
    """Island and players, without the log."""
    island = Rect(main.x, main.y, main.w - side - gap, main.h)
    players = Rect(island.right + gap, main.y, side, main.h)
    return _filled(em, gap, window, header, island, None, players, None, controls, timeline)


def _filled(
    em: float,
    gap: int,
    window: Rect,
    header: Rect,
    island: Rect,
    tabs: Rect | None,
    players: Rect | None,
    log: Rect | None,
    controls: Rect,
    timeline: Rect,
) -> PartLayout:
    bank = detail = None
    if players:
        height = round(4.4 * em)
        bank = Rect(players.x, players.bottom - height, players.w, height)
        players = Rect(players.x, players.y, players.w, players.h - height - gap)
    if log:
        height = round(min(16 * em, log.h * 0.42))
        detail = Rect(log.x, log.bottom - height, log.w, height)
        log = Rect(log.x, log.y, log.w, log.h - height - gap)
    return PartLayout(em, window, header, island, None, tabs, players, bank, log, detail, controls, timeline)
