"""What every figure must be: words on its axes, and texts that are large enough, inside, and not on one another."""

from typing import Any


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
    for i, one in enumerate(found):
        box = one.get_window_extent()
        assert one.get_fontsize() >= 8, (name, one, "too small for a phone")
        assert whole.x0 <= box.x0 + 1 and box.x1 - 1 <= whole.x1, (name, one, "leaves the picture")
        for other in found[i + 1 :]:
            common = Bbox.intersection(box, other.get_window_extent())
            assert common is None or min(common.width, common.height) < 2.5, (name, one, other)
