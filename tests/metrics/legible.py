"""What every figure must be: words on its axes, and texts that are large enough, inside, and not on one another."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from catan_p2p.metrics.page import FigureBlock, ReportSection
from catan_p2p.plot_style import STYLE, WIDTH_IN


def check_figures(sections: Iterable[ReportSection]) -> None:
    """Draw all figures of some sections, and fail with what a reader could not read."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        for block in (block for section in sections for block in section.blocks):
            if isinstance(block, FigureBlock):
                figure = Figure(figsize=(WIDTH_IN, block.height_in), dpi=100)
                FigureCanvasAgg(figure)
                block.draw(figure)
                check_legible(figure, block.name)
                check_drawn(figure, block.name)


def check_legible(figure: Any, name: str) -> None:
    """Fail with the texts of a matplotlib figure, which has a canvas, that a reader could not read."""
    from matplotlib.transforms import Bbox

    figure.draw_without_rendering()
    shown = [text for legend in figure.legends for text in legend.get_texts()]
    for ax in figure.axes:
        assert ax.get_xlabel() or ax is not figure.axes[-1], name
        shown += [ax.title, ax._left_title]
        if not ax.axison:
            shown += ax.texts
            continue
        shown += [ax.xaxis.label, ax.yaxis.label, *ax.texts]
        shown += ax.get_legend().get_texts() if ax.get_legend() else []
        for text in ax.texts:
            box = text.get_window_extent()
            assert not box.x0 + 1 < ax.bbox.x0 < box.x1 - 1, (name, text, "lies across the axis")
        for axis in (ax.xaxis, ax.yaxis):
            low, high = sorted(axis.get_view_interval())
            shown += [tick.label1 for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
    found = [text for text in shown if text.get_visible() and text.get_text().strip()]
    whole = Bbox([[0, 0], list(figure.get_size_inches() * figure.dpi)])
    boxes = [text.get_window_extent() for text in found]  # each takes as long as it takes to lay the text out
    for i, (one, box) in enumerate(zip(found, boxes, strict=True)):
        assert one.get_fontsize() >= 8, (name, one, "too small for a phone")
        assert whole.x0 <= box.x0 + 1 and box.x1 - 1 <= whole.x1, (name, one, "leaves the picture")
        for other, of_other in zip(found[i + 1 :], boxes[i + 1 :], strict=True):
            common = Bbox.intersection(box, of_other)
            assert common is None or min(common.width, common.height) < 2.5, (name, one, other)


def check_drawn(figure: Any, name: str) -> None:
    """Fail with what lies outside its axes, on their frame or below a legend, and with an axis without numbers."""
    figure.draw_without_rendering()
    axes = [ax for ax in figure.axes if ax.axison]
    assert len(axes) == len(figure.axes), (name, "an empty panel")
    legends = [legend for legend in (*figure.legends, *(ax.get_legend() for ax in axes)) if legend is not None]
    covered = [legend.get_window_extent() for legend in legends]
    for ax in axes:
        _check_ticks(ax, name)
        marks = [*_marks(ax)]
        assert marks, (name, ax.get_title(loc="left"), "an empty panel")
        frame = ax.get_window_extent()
        for what, box, may_touch in marks:
            room = 0.0 if may_touch else 2.0
            inside = (
                frame.x0 + room <= box.x0 + 0.5
                and box.x1 - 0.5 <= frame.x1 - room
                and frame.y0 + room <= box.y0 + 0.5
                and box.y1 - 0.5 <= frame.y1 - room
            )
            assert inside, (name, what, box, frame, "leaves the axes, or lies on their frame")
            assert what != "a bar" or box.y1 + 2 <= frame.y1, (name, what, box, frame, "ends on the frame")
            for under in covered:
                assert not under.overlaps(box), (name, what, "lies below the legend")
        for text in ax.texts:
            box = text.get_window_extent()
            is_beside = box.y0 < frame.y1 and frame.y0 < box.y1
            assert not (is_beside and 0 <= box.x0 - frame.x0 < 3), (name, text, "touches the axis")


def _check_ticks(ax: Any, name: str) -> None:
    from matplotlib.ticker import FixedLocator

    for which, axis, siblings in (
        ("x", ax.xaxis, ax.get_shared_x_axes().get_siblings(ax)),
        ("y", ax.yaxis, ax.get_shared_y_axes().get_siblings(ax)),
    ):
        least = 1 if isinstance(axis.get_major_locator(), FixedLocator) else 2
        shown = [_labels(getattr(one, f"{which}axis")) for one in siblings]
        assert max(map(len, shown)) >= least, (name, ax.get_title(loc="left"), which, "an axis without numbers")


def _labels(axis: Any) -> list[str]:
    low, high = sorted(axis.get_view_interval())
    ticks = [*axis.get_major_ticks(), *axis.get_minor_ticks()]
    labels = [tick.label1 for tick in ticks if low <= tick.get_loc() <= high and tick.label1.get_visible()]
    return [label.get_text() for label in labels if label.get_text().strip()]


def _marks(ax: Any) -> Iterator[tuple[str, Any, bool]]:
    """What stands for data: what it is, the box around it, and whether it may touch the frame, as bars and steps do."""
    from matplotlib.collections import LineCollection, PathCollection
    from matplotlib.transforms import Bbox

    for patch in ax.patches:
        box = patch.get_window_extent()
        if box.width and box.height:
            yield "a bar", box, True
    for line in ax.lines:
        if line.get_transform() != ax.transData or not len(line.get_xdata()):
            continue  # a line across the whole axes
        points = line.get_transform().transform(line.get_xydata())
        points = points[(points == points).all(axis=1)]
        if line.get_marker() not in ("None", None, "", " "):
            half = 0 if line.get_marker() in ("|", "_") else line.get_markersize() / 2 * line.figure.dpi / 72
            for x, y in points:
                yield "a point", Bbox([[x - half, y - half], [x + half, y + half]]), not half
        for (x0, y0), (x1, y1) in pairwise(points):
            if line.get_linestyle() not in ("None", " ", ""):
                yield "a line", Bbox([[min(x0, x1), min(y0, y1)], [max(x0, x1), max(y0, y1)]]), True
    for collection in ax.collections:
        if isinstance(collection, PathCollection):
            half = collection.get_sizes()[0] ** 0.5 / 2 * collection.figure.dpi / 72
            for x, y in collection.get_offset_transform().transform(collection.get_offsets()):
                yield "a point", Bbox([[x - half, y - half], [x + half, y + half]]), False
        elif isinstance(collection, LineCollection):
            for segment in collection.get_segments():
                yield "an error bar", Bbox(ax.transData.transform(segment)), True
