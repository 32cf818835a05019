"""The details of the shown commit: its id and parents, what it did in words, and the files it changed."""

from functools import lru_cache
from typing import NamedTuple

from ...data.recording import GameRecording
from ..icons import badge, icon
from ..palette import DIM, INK, PANEL, PANEL_EDGE, QUIET, ROW, player_text_color
from ..scene import Layer, Panel, Target, TextMeasure
from ..shapes import Box, Rect, Shape, Text
from ..typeset import label, lines
from ..words import FileChange, branch_words, changed_files, made_by, place, sentence, short_path

_LINE = 1.42
_ID_LENGTH = 12
_SENTENCE_LINES = 4
_SUMMARY_LINES = 8
_SMALL = 0.8


@lru_cache(maxsize=32)
def detail_panel(
    recording: GameRecording, index: int, file_top: int, area: Rect, em: float, measure: TextMeasure
) -> Panel:
    """The panel of one commit; the list of files is scrolled by ``file_top``."""
    step = recording.steps[index]
    shapes: list[Shape] = [Box(*area, PANEL, 0.0, PANEL_EDGE, 1)]
    targets: list[Target] = [Target(("commit", index), area)]
    left, right = area.x + 0.7 * em, area.right - 0.7 * em
    y = area.y + 1.05 * em
    shapes.append(badge(recording.colour(step.player), left + 0.6 * em, y, round(1.25 * em, 1)))
    id_text = step.commit[:_ID_LENGTH]
    shapes.append(Text(left + 1.6 * em, y, id_text, em, INK, True))
    at = left + 1.6 * em + measure(id_text, em, True) + 0.6 * em
    if right - at > 2 * em:
        shapes.append(label(measure, right, y, branch_words(step.branch, 7), em * 0.85, right - at, DIM, False, 1.0))
    y += _LINE * em
    y = _parents(recording, index, shapes, targets, left, right, y, em, measure)
    for line in lines(measure, sentence(recording, step), em, right - left, _SENTENCE_LINES, True):
        if area.bottom - y > 1.2 * em:
            shapes.append(Text(left, y, line, em, player_text_color(recording.colour(step.player)), True))
            y += _LINE * em
    # The place and the shares of a draw are left out if the list of files would have no room.
    where = place(recording, step)
    if where and area.bottom - y > 5 * em:
        shapes.append(label(measure, left, y, where, em * 0.85, right - left, DIM))
        y += _LINE * em
    if (draw := recording.steps[index].draw) is not None:
        for line in lines(measure, made_by(recording, draw), em * 0.85, right - left, _SENTENCE_LINES, False):
            if area.bottom - y > 5 * em:
                shapes.append(Text(left, y, line, em * 0.85, DIM))
                y += _LINE * em * 0.94
    _files(recording, index, file_top, shapes, targets, Rect(left, y, right - left, area.bottom - y), em, measure)
    return Panel(Layer("detail", area, PANEL, tuple(shapes)), tuple(targets))


def _parents(
    recording: GameRecording,
    index: int,
    shapes: list[Shape],
    targets: list[Target],
    left: float,
    right: float,
    y: float,
    em: float,
    measure: TextMeasure,
) -> float:
    """Short ids of all parents, each a button, on as many lines as they need."""
    parents = recording.steps[index].parents
    word = "no parent" if not parents else "parent" if len(parents) == 1 else f"{len(parents)} parents"
    shapes.append(Text(left, y, word, em * 0.85, DIM))
    x = left + measure(word, em * 0.85) + 0.5 * em
    for commit in parents:
        text = commit[:7]
        width = measure(text, em * 0.85) + 0.7 * em
        if x + width > right:
            x, y = left, y + _LINE * em
        row = recording.row_of.get(commit)
        shapes.append(Box(x, y - 0.6 * em, width, 1.2 * em, ROW, 0.3 * em))
        tone = player_text_color(recording.colour(recording.steps[row].player)) if row is not None else QUIET
        shapes.append(Text(x + width / 2, y, text, em * 0.85, tone, False, 0.5))
        if row is not None:
            targets.append(Target(("parent", row), Rect(x, y - 0.6 * em, width, 1.2 * em), True))
        x += width + 0.3 * em
    return y + _LINE * em


def _files(
    recording: GameRecording,
    index: int,
    file_top: int,
    shapes: list[Shape],
    targets: list[Target],
    area: Rect,
    em: float,
    measure: TextMeasure,
) -> None:
    files = changed_files(recording, index)
    word = "files written" if index == 0 else "file changed" if len(files) == 1 else "files changed"
    height = _LINE * em * 0.94
    if area.h < 1.2 * em:
        return
    y = area.y
    shapes.append(icon("file", area.x + 0.5 * em, y, round(em, 1), DIM))
    rows = _file_rows(files, area.w, em, measure)
    room = max(0, int((area.h - 0.75 * em) // height))
    first = max(0, min(file_top, _last_top(rows, room)))
    shown = _as_many(rows[first:], room)
    more = f", {first + 1} to {first + shown} shown" if 0 < shown < len(files) else ""
    shapes.append(
        label(measure, area.x + 1.3 * em, y, f"{len(files)} {word}{more}", em * 0.85, area.w - 1.3 * em, DIM, True)
    )
    for number in range(first, first + shown):
        row, top = rows[number], y + height / 2
        y += height
        shapes.append(label(measure, area.x, y, row.path, em * 0.85, area.w, INK))
        if row.beside:
            shapes.append(Text(area.right, y, row.beside, em * _SMALL, DIM, False, 1.0))
        for line in row.below:
            y += height
            shapes.append(Text(area.right, y, line, em * _SMALL, DIM, False, 1.0))
        targets.append(Target(("file", number), Rect(area.x, top, area.w, y + height / 2 - top)))


class _FileRow(NamedTuple):
    """A file in the list: its path, with its change beside it if that fits, else below."""

    path: str
    beside: str
    below: tuple[str, ...]

    @property
    def height(self) -> int:
        return 1 + len(self.below)


def _file_rows(files: tuple[FileChange, ...], width: float, em: float, measure: TextMeasure) -> list[_FileRow]:
    rows = []
    for change in files:
        path = short_path(change.path)
        room = width - measure(path, em * 0.85) - 0.8 * em
        if measure(change.summary, em * _SMALL) <= room:
            rows.append(_FileRow(path, change.summary, ()))
        else:
            below = lines(measure, change.summary, em * _SMALL, width - 1.5 * em, _SUMMARY_LINES)
            rows.append(_FileRow(path, "", tuple(below)))
    return rows


def _as_many(rows: list[_FileRow], room: int) -> int:
    """How many of the rows, from the first on, fit into ``room`` lines."""
    used = 0
    for count, row in enumerate(rows):
        used += row.height
        if used > room:
            return count
    return len(rows)


def _last_top(rows: list[_FileRow], room: int) -> int:
    """The first visible row if the list is scrolled to its end."""
    return len(rows) - max(1, _as_many(rows[::-1], room)) if rows else 0
