"""Figures about games over simulated links: how long things took, what they cost, which topology suits best."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import product
from statistics import fmean
from typing import TYPE_CHECKING

from catan_p2p.intervals import spread
from catan_p2p.metrics.figures.marks import beside_one_another, draw_means, panels
from catan_p2p.metrics.network import NetworkGame
from catan_p2p.plot_style import colour, legend_above, log_seconds, marker, spell_number
from catan_p2p.simulation.laboratory.presets import PRESETS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WORDS = {
    "hand_over": "hand-over",
    "turn": "a turn",
    "everybody_knows": "everybody knows",
    "staleness": "age of what a spectator sees",
}
_DASHES = ("-", "--", ":", "-.")


def kind_of(game: NetworkGame) -> str:
    """The kind of network, with the latencies that replace its own."""
    return ", ".join(filter(None, (game.spec.profile, game.spec.latency)))


def kinds_of(games: Iterable[NetworkGame]) -> list[str]:
    """The kinds of networks that occur, from short to long distances."""
    near = list(PRESETS)
    found = {kind_of(game): near.index(game.spec.profile) for game in games}
    return sorted(found, key=lambda kind: (found[kind], kind))


def overlays_of(games: Iterable[NetworkGame]) -> list[str]:
    """The topologies that occur."""
    return sorted({game.spec.overlay for game in games})


def pooled(games: Sequence[NetworkGame], what: str) -> list[tuple[float, int]]:
    """How long ``what`` took in these games, rounded as recorded, with how often; the shortest first."""
    found: dict[float, int] = {}
    for game in games:
        for value, count in game.times(what).get("counts", ()):
            found[value] = found.get(value, 0) + count
    return sorted(found.items())


def times_there_are(games: Sequence[NetworkGame]) -> list[str]:
    """The keys of ``WORDS`` that these games have times for."""
    return [what for what in WORDS if pooled(games, what)]


def draw_times(figure: Figure, games: Sequence[NetworkGame]) -> None:
    """How long each thing took, as a cumulative share; colours are networks, dashes topologies."""
    whats, kinds, overlays = times_there_are(games), kinds_of(games), overlays_of(games)
    axes = panels(figure, len(whats))
    for ax, what in zip(axes, whats, strict=True):
        for (position, kind), (dash, overlay) in product(enumerate(kinds), enumerate(overlays)):
            own = [game for game in games if (kind_of(game), game.spec.overlay) == (kind, overlay)]
            counts = pooled(own, what)
            if not counts:
                continue
            total, seen, heights = sum(count for _, count in counts), 0, [0.0]
            for _, count in counts:
                seen += count
                heights.append(100 * seen / total)
            # A logarithmic axis has no room for a time of zero.
            at = [max(value, 1e-4) for value, _ in counts]
            label = f"{kind}, {overlay}" if len(overlays) > 1 else kind
            dashes = _DASHES[dash % len(_DASHES)]
            ax.step([at[0], *at], heights, where="post", color=colour(position), ls=dashes, label=label)
        ax.set_title(WORDS[what])
        ax.set_ylabel("share, %")
    axes[0].set_ylim(0, 103)
    axes[0].set_xscale("log")
    log_seconds(axes[0].xaxis)
    axes[-1].set_xlabel("at most so long (logarithmic)")
    legend_above(figure, 3)


def draw_costs(figure: Figure, games: Sequence[NetworkGame]) -> None:
    """What an action costs on all links together: against the number of players, and of spectators if there are any."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    spell = FuncFormatter(lambda value, position: f"{spell_number(value)} kB")
    follow = any(game.spectators for game in games)
    axes = panels(figure, 1 + follow, share_x=False, share_y=False)
    without = [game for game in games if not game.spectators]
    _cost(axes[0], without or list(games), lambda game: game.players, games)
    counts = sorted({game.players for game in games})
    axes[0].set_xticks(counts)
    axes[0].set_xlim(counts[0] - 0.3, counts[-1] + 0.3)
    axes[0].set_ylim(bottom=0)
    axes[0].yaxis.set_major_formatter(spell)
    axes[0].set_xlabel("players")
    if follow:
        _cost(axes[1], followed(games), lambda game: game.spectators, games)
        axes[1].set_xscale("symlog", linthresh=1)
        axes[1].xaxis.set_major_formatter(FuncFormatter(lambda value, position: f"{value:,.0f}"))
        axes[1].set_xlim(-0.2, 1.6 * max(game.spectators for game in games))
        axes[1].set_yscale("log")
        low, high = axes[1].get_ylim()
        axes[1].yaxis.set_major_locator(LogLocator(base=10, subs=(1, 2, 5) if high < 100 * low else (1,)))
        axes[1].yaxis.set_minor_formatter(NullFormatter())
        axes[1].yaxis.set_major_formatter(spell)
        axes[1].set_xlabel("spectators")
    legend_above(figure, 3)


def followed(games: Sequence[NetworkGame]) -> list[NetworkGame]:
    """The games with spectators, and those without that are otherwise alike: in their network and number of players."""

    def like(game: NetworkGame) -> tuple[object, ...]:
        return game.players, replace(game.spec, spectators=0)

    wanted = {like(game) for game in games if game.spectators}
    return [game for game in games if like(game) in wanted]


def _cost(
    ax: Axes, games: Sequence[NetworkGame], count: Callable[[NetworkGame], int], everything: Sequence[NetworkGame]
) -> None:
    for position, overlay in enumerate(overlays_of(everything)):
        own = [game for game in games if game.spec.overlay == overlay]
        points = [(count(game), game.bytes / game.figures["actions"] / 1000) for game in own]
        tone = colour(position)
        ax.scatter([x for x, _ in points], [y for _, y in points], s=12, color=tone, alpha=0.35, linewidths=0)
        at = sorted({x for x, _ in points})
        means = [fmean(y for x, y in points if x == one) for one in at]
        ax.plot(at, means, marker=marker(position), color=tone, markersize=5, markeredgecolor="white", label=overlay)
    ax.set_ylabel("sent, per action")


def draw_overlays(figure: Figure, games: Sequence[NetworkGame]) -> None:
    """Means of median hand-overs: a colour for each topology, a panel for each number of players."""
    counts, kinds, overlays = sorted({game.players for game in games}), kinds_of(games), overlays_of(games)
    axes = panels(figure, len(counts))
    for ax, players in zip(axes, counts, strict=True):
        for position, overlay in enumerate(overlays):
            found = [hand_overs(games, kind, overlay, players) for kind in kinds]
            at = beside_one_another([at for at, own in enumerate(found) if own], position, len(overlays))
            own = [values for values in found if values]
            draw_means(ax, at, [*map(spread, own)], position, [*map(min, own)], label=overlay, ls="none", ms=4)
        ax.set_title(f"{players} players")
        ax.set_ylabel("median hand-over")
    axes[0].set_yscale("log")
    log_seconds(axes[0].yaxis)
    axes[-1].set_xticks(range(len(kinds)), kinds)
    axes[-1].set_xlim(-0.6, len(kinds) - 0.4)
    axes[-1].set_xlabel("kind of network")
    legend_above(figure, 3)


def hand_overs(games: Iterable[NetworkGame], kind: str, overlay: str, players: int) -> list[float]:
    """The median hand-over of each game of a cell, without games that had none.

    Of games that differ in spectators only, those with the fewest: the others have the same seeds, so they add nothing.
    """
    cell = [game for game in games if (kind_of(game), game.spec.overlay, game.players) == (kind, overlay, players)]
    fewest = min((game.spectators for game in cell), default=0)
    found = [game.figures["hand_over"] for game in cell if game.spectators == fewest]
    return [told["p50_s"] for told in found if told["count"]]
