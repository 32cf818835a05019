"""Draws the standings of a tournament: ratings and win rates with their intervals."""

from collections.abc import Sequence
from pathlib import Path

from catan_p2p.plot_style import COLOURS, check_matplotlib
from catan_p2p.tournament.ratings import PolicyStanding

WIDTH_IN = 8.0


def plot(standings: Sequence[PolicyStanding], title: str, path: Path) -> None:
    """Draw the standings into a PNG or SVG file; ``MissingExtra`` without matplotlib, ``OSError`` if it fails."""
    check_matplotlib()
    from matplotlib.figure import Figure

    shown = list(reversed(standings))
    places = range(len(shown))
    figure = Figure(figsize=(WIDTH_IN, 1.6 + 0.45 * len(shown)), layout="constrained")
    ratings, rates = figure.subplots(1, 2, sharey=True)
    for axes in (ratings, rates):
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(axis="x", color="#dddddd")
    ratings.errorbar(
        [one.rating for one in shown],
        list(places),
        xerr=[[one.rating - one.rating_low for one in shown], [one.rating_high - one.rating for one in shown]],
        fmt="o",
        color=COLOURS[0],
        capsize=3,
    )
    ratings.set_yticks(list(places), [one.policy for one in shown])
    ratings.set_xlabel("rating (95 % by bootstrap over deals)")
    shares = [one.wins / one.games for one in shown]
    rates.errorbar(
        [100 * share for share in shares],
        list(places),
        xerr=[
            [100 * (share - one.rate.low) for share, one in zip(shares, shown, strict=True)],
            [100 * (one.rate.high - share) for share, one in zip(shares, shown, strict=True)],
        ],
        fmt="o",
        color=COLOURS[1],
        capsize=3,
    )
    # Tables of different sizes would have no common line of pure chance.
    parities = {round(one.parity, 6) for one in shown}
    if len(parities) == 1:
        rates.axvline(100 * parities.pop(), color="#222222", linestyle="--", linewidth=1)
        rates.set_title("dashed: what chance would give", fontsize=8, loc="right")
    rates.set_xlabel("games won, % (95 % by Wilson)")
    rates.set_xlim(0, 100)
    ratings.set_ylim(-0.6, len(shown) - 0.4)
    figure.suptitle(title, x=0.01, ha="left", fontsize=10, fontweight="bold")
    figure.savefig(path, dpi=144)
