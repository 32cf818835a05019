"""The contents of the report, section by section."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from catan_p2p.game.board import MAPS
from catan_p2p.game.cards import DEV_CARDS, RESOURCES
from catan_p2p.intervals import LEAST_EXPECTED, chi_square_p
from catan_p2p.metrics.figures.games import dice_chance, draw_actions, draw_dice, draw_length, draw_winners
from catan_p2p.metrics.figures.sizes import draw_deltas, draw_storage
from catan_p2p.metrics.figures.times import draw_costs, draw_elapsed, draw_latencies, draw_parts, mean_costs
from catan_p2p.metrics.groups import ReportData, RunGroup
from catan_p2p.metrics.latency import Latency
from catan_p2p.metrics.page import Block, CodeBlock, FigureBlock, Paragraph, ReportSection, ReportTable
from catan_p2p.metrics.rows import DICE_SUMS, GameRow
from catan_p2p.metrics.sections.links import network_section
from catan_p2p.metrics.sections.overview import (
    SPELL_BYTES,
    SPELL_COUNT,
    label_with_count,
    overview,
    spell_values,
)
from catan_p2p.plot_style import spell_seconds, speller
from catan_p2p.simulation.command import simulate_command

TITLE = "Figures of games on Git"


def repeating(data: ReportData) -> ReportSection:
    """How to play the same games again, or why a run has no command for that."""
    blocks: list[Block] = [
        Paragraph(
            "The same seed gives the same games, down to the object ids; times depend on the machine. Every number "
            "above is in, or follows from, the files that the second-to-last command writes: `games.csv`, "
            "`actions.csv`, `summary.json`" + (", `latency.json`." if data.latencies else ".")
        )
    ]
    commands = []
    for group in data.groups:
        settings = group.totals.settings
        if settings is None:
            blocks.append(Paragraph(f"No command for {group.label}: the run `{group.run}` has no `run.json` to read."))
            continue
        if any((row.seed, row.players) != (settings.seed, settings.players) for row in group.games):
            words = f"No command for {group.label}: not all games in `{group.run}` were played as its `run.json` says."
            blocks.append(Paragraph(words))
            continue
        if settings.map not in MAPS:
            file = _map_file(group)
            blocks += [
                Paragraph(f"The map of {group.label}, to be saved as `{file}`:"),
                CodeBlock(settings.map.rstrip()),
            ]
        games = max(row.game for row in group.games) + 1  # of a longer run, up to the last one measured
        commands.append(simulate_command(settings, games, map_file=_map_file(group), out=f"DIR/{group.run}"))
    flag = " --latency" if data.latencies else ""
    commands += [f"catan-p2p metrics DIR{flag}", "catan-p2p report DIR"]
    return ReportSection("Repeating it", (*blocks, CodeBlock("\n".join(commands), "sh")))


def _map_file(group: RunGroup) -> str:
    return f"{group.run}.map"


def sections(data: ReportData) -> list[ReportSection]:
    """The report on some games; figures for which nothing was recorded are left out."""
    found = [overview(data), _storage(data), _deltas(data), _time(data)]
    if data.latencies or data.foreign_latencies:
        found.append(_latency(data))
    if data.networks:
        found.append(network_section(data.networks))
    return [*found, _statistics(data), repeating(data)]


def _figure(
    name: str, caption: str, draw: Callable[..., None], data: ReportData, least: float, each: float
) -> FigureBlock:
    """A figure of all groups, which needs this height and some more for each group, in inches."""
    return FigureBlock(name, caption, partial(draw, groups=data.groups), least + each * len(data.groups))


def _storage(data: ReportData) -> ReportSection:
    figures = {
        "on disk, `du`": "disk_bytes_per_commit",
        "all files": "file_bytes_per_commit",
        "packs alone": "pack_bytes_per_commit",
        "after gc: all files": "gc_file_bytes_per_commit",
    }
    caption = "Size of `.git` against the number of commits, a dot a game."
    return ReportSection(
        "Storage",
        (
            _figure("storage", caption, draw_storage, data, 0.9, 2.3),
            Paragraph(
                "Bytes per commit. `du`, by which the thesis measured, counts whole disk blocks. All files are packs, "
                "their indexes and the rest. `git gc` ran on a copy."
            ),
            _measured(figures, data.groups),
        ),
    )


def _deltas(data: ReportData) -> ReportSection:
    figures = {
        "pack of one commit": "pack_bytes_alone_per_action",
        "sent per commit": "sent_bytes_per_action",
        "sent per hand-over": "sent_bytes_per_hand_over",
    }
    counts = tuple(
        (
            group.label,
            f"{100 * group.empty_diff_share:.1f} %",
            f"{100 * group.published.empty_diff_share:.1f} %" if group.published else "-",
            f"{sum(row.changed_object_count for row in group.games) / group.totals.actions:.1f}",
        )
        for group in data.groups
    )
    has_empty = any(group.diffs[0] for group in data.groups)
    return ReportSection(
        "Deltas",
        (
            _figure("deltas", "Bytes of `git diff <parent> <commit>`, for every commit.", draw_deltas, data, 1.0, 2.5),
            Paragraph(
                ("" if has_empty else "No delta is empty: every action changes at least the turn phase or the hands. ")
                + "A pack of one commit would be sent if every commit were fetched on its own. Git sends a pack for "
                "each hand-over: the commits of one player in a row."
            ),
            _measured(figures, data.groups),
            ReportTable(("games of", "`git diff` is empty", "empty, thesis", "objects that a commit changes"), counts),
        ),
    )


def _measured(figures: Mapping[str, str], groups: Sequence[RunGroup]) -> ReportTable:
    """Figures in bytes over the games of each group: mean and deviation, and the median."""
    rows = ((words, *(spell_values(group, name, SPELL_BYTES) for group in groups)) for words, name in figures.items())
    return ReportTable(("mean ± s.d. (median)", *map(label_with_count, groups)), tuple(rows))


def _time(data: ReportData) -> ReportSection:
    blocks: list[Block] = []
    if any(group.values("elapsed_s") for group in data.groups):
        caption = (
            "Computing (choosing, applying, checking, writing, refusing tries out of turn) and synchronizing "
            "(looking for new commits and validating them), per commit, a dot a game."
        )
        blocks += [
            _figure("elapsed", "Elapsed time of a game, a dot a game.", draw_elapsed, data, 1.5, 0.9),
            _figure("costs", caption, draw_costs, data, 1.5, 1.7),
        ]
    if any(mean_costs(group) for group in data.groups):
        caption = "What an action costs its own peer: the mean of the parts, and of each game."
        blocks.append(_figure("parts", caption, draw_parts, data, 3.7, 0.75))
    resumed = sum(group.totals.resumed for group in data.groups)
    if resumed:
        told = "game are of its last part" if resumed == 1 else "games are of their last parts"
        blocks.append(Paragraph(f"The recorded times of {resumed} resumed {told} and in none of these figures."))
    elif not blocks:
        blocks.append(Paragraph("These repositories come without the timings that a simulation records."))
    return ReportSection("Time", tuple(blocks))


def _latency(data: ReportData) -> ReportSection:
    blocks = _latency_blocks(data) if data.latencies else []
    if count := data.foreign_latencies:
        told = "1 latency in `latency.json` is" if count == 1 else f"{count} latencies in `latency.json` are"
        words = "of other games, or of earlier states of these, and left out. `metrics --latency` measures again."
        blocks.append(Paragraph(f"{told} {words}"))
    return ReportSection("Latency", tuple(blocks))


def _latency_blocks(data: ReportData) -> list[Block]:
    ordered = sorted(data.latencies, key=_latency_order)
    counts = sorted({one.players for one in ordered})
    found: dict[tuple[str, str], dict[tuple[int, bool], Latency]] = {}
    for one in sorted(ordered, key=lambda one: _latency_order(one)[1:]):
        what = one.what.removesuffix(" with news").removesuffix(_NO_NEWS)
        found.setdefault((_where(one), what), {})[one.players, one.what.endswith(_NO_NEWS)] = one
    columns = [(count, is_idle) for count in counts for is_idle in (False, True)]
    rows = tuple((*row, *(_spell_latency(of.get(column)) for column in columns)) for row, of in found.items())
    head = ("where", "what", *(f"{count} players{', no news' if is_idle else ''}" for count, is_idle in columns))
    settings = len({(one.setting, one.what, one.transport, one.delay_s) for one in data.latencies})
    return [
        FigureBlock(
            "latency",
            "From one server to separate repositories. The thesis's pulls went to GitHub.",
            partial(draw_latencies, latencies=ordered),
            1.6 + 0.34 * (settings + 2),
        ),
        Paragraph(
            "The median, in brackets percentiles 5 and 95, and the bytes received. `central`: the same game on one "
            "state, without Git. `shared`: as the simulation recorded. The other rows repeat the game's hand-overs "
            "between two repositories, by a path or from Git's daemon, each way with a delay. A synchronization "
            "looks, fetches, validates and takes in; `git fetch` only fetches. `latency.json` has counts and means."
        ),
        ReportTable(head, rows, "latency"),
    ]


_NO_NEWS = " without news"


def _where(one: Latency) -> str:
    """The setting: ``git, 10 ms`` for separate repositories that a daemon serves with a delay."""
    if one.setting != "separate":
        return one.setting
    return f"{one.transport}, {1000 * one.delay_s:g} ms" if one.delay_s else one.transport


def _spell_latency(one: Latency | None) -> str:
    """The median, the span of 90 % and the bytes received of one latency; a dash if it was not measured."""
    if one is None:
        return "-"
    middle = spell_seconds(one.median_s)
    unit = middle.rpartition(" ")[2]
    span = "–".join(spell_seconds(bound).removesuffix(f" {unit}") for bound in (one.low_s, one.high_s))
    told = f"{middle} ({span})"
    return told if one.received_bytes is None else f"{told}, {SPELL_BYTES(one.received_bytes, None)}"


_SETTINGS = ("central", "shared", "separate")
_WHATS = ("action", "synchronization", "git fetch")


def _latency_order(one: Latency) -> tuple[object, ...]:
    """Sort key: by players, then from one server to separate repositories, from a path to long delays."""
    what = next((i for i, name in enumerate(_WHATS) if one.what.startswith(name)), len(_WHATS))
    link = (one.transport, one.delay_s)
    return one.players, _SETTINGS.index(one.setting), what, link[0] != "path", link, one.what.endswith("without news")


def _statistics(data: ReportData) -> ReportSection:
    groups = data.groups
    return ReportSection(
        "Statistics",
        (
            _figure("length", "How many commits the games took.", draw_length, data, 4.2, 0),
            _figure("dice", "Dice, beside what two dice give.", draw_dice, data, 0.6, 2.4),
            Paragraph(
                " ".join(_chi_square(group) for group in groups)
                + " p is how often fair dice fall at least as unevenly."
            ),
            _figure("actions", "Actions by kind; missing ones never happened.", draw_actions, data, 5.8, 0),
            _figure("winners", "Winners by seat.", draw_winners, data, 0.6, 2.1),
            *_tables_of_games(groups),
        ),
    )


def _tables_of_games(groups: tuple[RunGroup, ...]) -> Iterator[ReportTable]:
    """Turns and points with their medians, then cards and trades, one to a line so that the table stays narrow."""
    rows = (
        ("turns", *(spell_values(group, "turns", SPELL_COUNT, interval=True) for group in groups)),
        ("winner's points", *(spell_values(group, _winning_points, speller(".1f"), interval=True) for group in groups)),
    )
    yield ReportTable(("a game's", *map(label_with_count, groups)), rows)
    counts = [
        *((f"{name} gained", f"gained_{name}") for name in RESOURCES),
        *(
            (f"trades {rate}", f"Trade{name}ToOne")
            for rate, name in (("4:1", "Four"), ("3:1", "Three"), ("2:1", "Two"))
        ),
        *((f"{name} bought", f"bought_{name}") for name in DEV_CARDS),
    ]
    if any(group.totals.counts["bought_sealed"] for group in groups):
        counts.append(("bought, and opened to nobody", "bought_sealed"))
    yield ReportTable(
        ("mean of a game", *map(label_with_count, groups)),
        tuple(
            (words, *(f"{group.totals.counts[name] / len(group.games):,.1f}" for group in groups))
            for words, name in counts
        ),
        "means",
    )


def _winning_points(row: GameRow) -> float | None:
    return max(map(int, row.points.split())) if row.winner else None


def chi_square(group: RunGroup) -> float:
    """The chi-square statistic of a group's rolls against two fair dice (10 degrees of freedom)."""
    counts = {dice: group.totals.counts[f"dice_{dice}"] for dice in DICE_SUMS}
    rolls = sum(counts.values())
    return sum((count - rolls * dice_chance(dice)) ** 2 / (rolls * dice_chance(dice)) for dice, count in counts.items())


def _chi_square(group: RunGroup) -> str:
    """The test in words: its numbers, and no verdict."""
    rolls = sum(group.totals.counts[f"dice_{dice}"] for dice in DICE_SUMS)
    if not rolls:
        return f"{group.label}: no rolls."
    needed = round(LEAST_EXPECTED / dice_chance(2))  # a 2 is the rarest sum, as is a 12
    if rolls < needed:
        return f"{group.label}: n = {rolls:,} rolls are too few for a test, which needs {needed}."
    found = chi_square(group)
    freedom = len(DICE_SUMS) - 1
    return (
        f"{group.label}: n = {rolls:,} rolls, chi-square {found:.1f} with {freedom} degrees of freedom, "
        f"p = {spell_p(chi_square_p(found, freedom))}."
    )


def spell_p(p: float) -> str:
    """A probability in two digits, small ones as a bound."""
    return "< 0.001" if p < 0.001 else f"{p:.2g}"
