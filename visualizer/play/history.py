"""The history of a game: how often each number was rolled, who gained what from rolls, and where points come from."""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from catan_p2p.game.cards import NO_CARDS, RESOURCES, Cards, count, total
from catan_p2p.game.constants import Player
from catan_p2p.game.scoring import army_size, player_points
from catan_p2p.view.events import DiceRolled

from ..data.recording import GameRecording
from ..pictures.icons import badge, icon
from ..pictures.island.pieces import ways
from ..pictures.palette import DIM, FAINT, GOLD, INK, LOSS, PANEL, PANEL_EDGE, QUIET, ROW, SHADE, player_text_color
from ..pictures.scene import Layer, Panel, Target, TextMeasure
from ..pictures.shapes import Box, Rect, Shape, Text
from ..pictures.typeset import label
from ..pictures.words import points_from, trail_of
from ..view import TargetId
from .menu import Menu
from .motion import gains

_THROWS = range(2, 13)


class DiceHistory(NamedTuple):
    """How often each sum was rolled, and what each player gained from rolls."""

    rolled: Mapping[int, int]
    got: Mapping[Player, Cards]


@lru_cache(maxsize=2)
def history(recording: GameRecording, length: int) -> DiceHistory:
    """The history of the first ``length`` steps, which is in the key of the cache: a recording grows in place."""
    rolled: Counter[int] = Counter()
    got = dict.fromkeys(recording.constants.players, NO_CARDS)
    for step in recording.steps[:length]:
        if isinstance(step.event, DiceRolled):
            rolled[step.event.dice] += 1
            for player, cards in gains(recording, step.index).items():
                got[player] += cards
    return DiceHistory(rolled, got)


def history_dialog(
    recording: GameRecording, menu: Menu, focused: TargetId | None, window: Rect, em: float, measure: TextMeasure
) -> Panel:
    """A dialog with a bar for each sum of the dice, a row for each player, and what can be done next."""
    em = min(em, window.w / 62, window.h / (22 + 2.4 * len(recording.seats) + 1.6))
    found, state = history(recording, len(recording)), recording.steps[-1].state
    width, height = 60 * em, (21 + 2.4 * len(recording.seats)) * em
    area = Rect(round(window.center[0] - width / 2), round(window.center[1] - height / 2), round(width), round(height))
    left, right = area.x + 1.5 * em, area.right - 1.5 * em
    shapes: list[Shape] = [Box(*window, SHADE), Box(*area, PANEL, 0.8 * em, PANEL_EDGE, 1.5)]
    shapes.append(label(measure, left, area.y + 1.6 * em, menu.title, em * 1.35, right - left, INK, True))
    # The dice
    rolls, wide, foot = sum(found.rolled.values()), (right - left) / len(_THROWS), area.y + 10.6 * em
    most = max([*found.rolled.values(), rolls * 6 / 36, 1])
    for i, number in enumerate(_THROWS):
        x, fallen = left + i * wide, found.rolled.get(number, 0)
        high = 5.4 * em * fallen / most
        shapes.append(Box(x + 0.15 * wide, foot - high, 0.7 * wide, high, LOSS if number == 7 else GOLD, 0.2 * em))
        line = foot - 5.4 * em * rolls * ways(number) / 36 / most
        shapes.append(Box(x + 0.05 * wide, line, 0.9 * wide, max(1, 0.12 * em), INK))
        shapes.append(
            Text(x + wide / 2, foot - high - 0.7 * em, str(fallen), em * 0.85, INK if fallen else QUIET, True, 0.5)
        )
        shapes.append(Text(x + wide / 2, foot + 0.8 * em, str(number), em, DIM, True, 0.5))
    told = f"{rolls} rolls; the lines stand where {rolls} rolls would be on average"
    shapes.append(Text(left, foot + 2.3 * em, told, em * 0.85, DIM))
    # The players
    top = foot + 4.2 * em
    columns = [left + share * (right - left) for share in (0.0, 0.17, 0.24, 0.63, 0.7)]
    for x, words in zip(columns, ("", "points", "from", "cards", "by the dice"), strict=True):
        shapes.append(Text(x, top, words, em * 0.85, DIM))
    for i, seat in enumerate(recording.seats):
        y = top + (1.7 + 2.4 * i) * em
        player = seat.player
        won = state.is_over and state.ap == player
        shapes.append(
            Box(
                left - 0.4 * em,
                y - 1.05 * em,
                right - left + 0.8 * em,
                2.1 * em,
                ROW,
                0.3 * em,
                GOLD if won else None,
                1,
            )
        )
        shapes.append(badge(seat.colour, left + 0.8 * em, y, round(1.5 * em, 1), won))
        name_width = columns[1] - columns[0] - 2.4 * em
        shapes.append(
            label(
                measure, left + 2 * em, y, recording.name(player), em, name_width, player_text_color(seat.colour), True
            )
        )
        shapes.append(Text(columns[1] + em, y, str(player_points(state, player)), em * 1.2, INK, True, 0.5))
        room = columns[3] - columns[2] - em
        shapes.append(label(measure, columns[2], y, _from(recording, player), em * 0.85, room, INK))
        got = found.got[player]
        shapes.append(Text(columns[3] + em, y, str(total(got)), em * 1.2, INK, True, 0.5))
        x, step = columns[4], (right - columns[4]) / len(RESOURCES)
        for name in RESOURCES:
            shapes.append(icon(name, x + 0.6 * em, y, round(1.1 * em, 1)))
            number = count(got, name)
            shapes.append(Text(x + 1.3 * em, y, str(number), em * 0.9, INK if number else QUIET, True))
            x += step
    targets = [Target(("shade",), window)]
    y = area.bottom - 3.4 * em
    for i, item in enumerate(menu.items):
        place = Rect(left + i * 19 * em, y, 18 * em, 2.5 * em)
        edge = INK if item.id == focused else GOLD if item.is_main else FAINT
        shapes.append(Box(*place, ROW, 0.4 * em, edge, 2 if item.is_main or item.id == focused else 1))
        shapes.append(label(measure, place.x + 0.7 * em, place.center[1], item.words, em, place.w - 5 * em, INK, True))
        shapes.append(Text(place.right - 0.6 * em, place.center[1], item.key, em * 0.85, DIM, False, 1.0))
        targets.append(Target(item.id, place, True))
    return Panel(Layer("dialog", window, None, tuple(shapes)), tuple(targets))


def _from(recording: GameRecording, player: Player) -> str:
    """Where a player's points come from, and the numbers that count for the bonus cards."""
    state = recording.steps[-1].state
    names = ("villages", "cities", "cards", "road", "army")
    won = zip(names, points_from(state, player).values(), strict=True)
    parts = [f"{name} {number}" for name, number in won if number]
    return ", ".join([*parts, f"trail {trail_of(state, player)}", f"knights {army_size(state, player)}"])
