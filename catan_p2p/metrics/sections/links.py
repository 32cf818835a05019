"""The section on games over simulated links."""

from collections.abc import Iterator, Sequence
from functools import partial

from catan_p2p.intervals import spread
from catan_p2p.metrics.figures import links as figures
from catan_p2p.metrics.network import NetworkGame
from catan_p2p.metrics.page import FigureBlock, Paragraph, ReportSection, ReportTable
from catan_p2p.plot_style import spell_bounds, spell_number, spell_seconds, spell_seconds_spread

_QUANTILES = (0.5, 0.95, 0.99)
_SPENT = ("computing", "transfer", "looking", "waiting", "down")


def network_section(games: Sequence[NetworkGame]) -> ReportSection:
    """The times and costs of games over simulated links, in virtual time."""
    cells = _cells(games)
    return ReportSection(
        "Simulated links",
        (
            Paragraph(
                "Times are virtual. A hand-over lasts from publishing an action until the next player knows it, a turn "
                "from one end of a turn to the next. Everybody knows an action when the last player does."
            ),
            FigureBlock(
                "network-times",
                "How long hand-overs, turns and spreading took, by network and topology: the share that took at most "
                "this long.",
                partial(figures.draw_times, games=games),
                0.9 + 1.7 * len(figures.times_there_are(games)),
            ),
            ReportTable(_TIMES_HEAD, tuple(_times(cells))),
            FigureBlock(
                "network-overlays",
                "Topology against kind of network: the mean of the games' median hand-overs, with its 95 %. Of games "
                "that differ in spectators only, those with the fewest.",
                partial(figures.draw_overlays, games=games),
                0.9 + 2.1 * len({game.players for game in games}),
            ),
            ReportTable(_OVERLAYS_HEAD, tuple(_overlays(games))),
            FigureBlock(
                "network-costs",
                "What is sent on all links together, per action, against players and spectators: a dot a game.",
                partial(figures.draw_costs, games=games),
                3.2 if not any(game.spectators for game in games) else 5.6,
            ),
            ReportTable(_COSTS_HEAD, tuple(_costs(cells))),
            Paragraph(
                "What a player spends on average, per action of the game. Each moment of a player's host counts once: "
                "as computing, else as transfer (a fetch or push under way), else as polling (asking a neighbour for "
                "news), else as waiting or thinking; as down if the process does not run. A poll is wasted if it finds "
                "nothing new."
            ),
        ),
    )


def _cells(games: Sequence[NetworkGame]) -> dict[tuple[str, str], list[NetworkGame]]:
    """The games by number of players and by network."""
    found: dict[tuple[str, str], list[NetworkGame]] = {}
    kinds = figures.kinds_of(games)
    for game in sorted(games, key=lambda game: (game.players, kinds.index(figures.kind_of(game)))):
        found.setdefault((str(game.players), game.network), []).append(game)
    return found


_TIMES_HEAD = ("players", "network", "games", "what", "n", "p50", "p95", "p99")


def _times(cells: dict[tuple[str, str], list[NetworkGame]]) -> Iterator[tuple[str, ...]]:
    for cell, games in cells.items():
        for what, words in figures.WORDS.items():
            if counts := figures.pooled(games, what):
                quantiles = [spell_seconds(_quantile(counts, share)) for share in _QUANTILES]
                yield (*cell, str(len(games)), words, f"{sum(count for _, count in counts):,}", *quantiles)


def _quantile(counts: Sequence[tuple[float, int]], share: float) -> float:
    wanted, seen = share * sum(count for _, count in counts), 0
    for value, count in counts:
        seen += count
        if seen >= wanted:
            return value
    return 0.0


_OVERLAYS_HEAD = ("players", "kind of network", "topology", "n", "median hand-over, mean", "95 % of the mean")


def _overlays(games: Sequence[NetworkGame]) -> Iterator[tuple[str, ...]]:
    kinds, overlays = figures.kinds_of(games), figures.overlays_of(games)
    for players in sorted({game.players for game in games}):
        for kind in kinds:
            for overlay in overlays:
                if values := figures.hand_overs(games, kind, overlay, players):
                    found = spread(values)
                    told = " to ".join(spell_bounds(found, spell_seconds_spread)) or "-"
                    yield str(players), kind, overlay, str(found.count), spell_seconds(found.mean), told


_COSTS_HEAD = (
    *("players", "network", "games", "computing", "transfer", "polling", "waiting", "down", "polls wasted"),
    *("fetches, per action", "sent, per action"),
)


def _costs(cells: dict[tuple[str, str], list[NetworkGame]]) -> Iterator[tuple[str, ...]]:
    for cell, games in cells.items():
        actions = sum(game.figures["actions"] for game in games)
        players = games[0].players
        spent = [spell_seconds(sum(game.figures[f"{kind}_s"] for game in games) / actions / players) for kind in _SPENT]
        looks = sum(game.figures["looks"] for game in games)
        wasted = sum(game.figures["wasted_looks"] for game in games)
        yield (
            *cell,
            str(len(games)),
            *spent,
            f"{100 * wasted / looks:.0f} %" if looks else "-",
            spell_number(sum(game.fetches for game in games) / actions),
            f"{spell_number(sum(game.bytes for game in games) / actions / 1000)} kB",
        )
