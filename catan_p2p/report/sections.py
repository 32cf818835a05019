"""What the report says, section by section."""

from collections.abc import Callable, Iterator
from functools import partial
from statistics import median

from catan_p2p.game.board import MAPS
from catan_p2p.game.cards import DEV_CARDS, RESOURCES
from catan_p2p.intervals import LEAST_EXPECTED, chi_square_p
from catan_p2p.metrics.latency import Latency
from catan_p2p.metrics.rows import DICE_SUMS, GameRow
from catan_p2p.plot_style import spell_seconds
from catan_p2p.report.blocks import Block, CodeBlock, FigureBlock, Paragraph, ReportSection, ReportTable
from catan_p2p.report.comparison import overview, per_commit, spell_bytes, spell_count, spell_interval, spell_spread
from catan_p2p.report.data import ReportData, RunGroup
from catan_p2p.report.game_figures import dice_chance, draw_actions, draw_dice, draw_length, draw_winners
from catan_p2p.report.network import network_section
from catan_p2p.report.size_figures import draw_deltas, draw_storage
from catan_p2p.report.time_figures import draw_costs, draw_elapsed, draw_latencies, draw_parts, mean_costs
from catan_p2p.simulation.command import simulate_command


def repeating(data: ReportData) -> ReportSection:
    """How to play the same games again; names the runs about which it does not know."""
    blocks: list[Block] = [
        Paragraph(
            "The same seed gives the same games, down to the object ids; times depend on the machine. Every number "
            "above is in, or follows from, `games.csv`, `actions.csv`, `summary.json` and `latency.json` that the "
            "second last command writes."
        )
    ]
    commands = []
    for group in data.groups:
        settings = group.settings
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


def _storage(data: ReportData) -> ReportSection:
    figures: tuple[tuple[str, Callable[[GameRow], float | None]], ...] = (
        ("on disk, `du`", lambda row: row.disk_bytes / row.commits),
        ("all files", lambda row: row.file_bytes / row.commits),
        ("packs alone", lambda row: row.pack_bytes / row.commits),
        ("after gc: all files", lambda row: per_commit(row, row.gc_file_bytes)),
    )
    rows = tuple(_measured_row(name, group, figure) for name, figure in figures for group in data.groups)
    return ReportSection(
        "Storage",
        (
            FigureBlock(
                "storage",
                "Size of `.git` against the number of commits, a dot a game. The thesis read its sizes off `du -sh`.",
                partial(draw_storage, groups=data.groups),
                0.9 + 2.3 * len(data.groups),
            ),
            Paragraph(
                "Bytes per commit. `du` counts whole disk blocks; the index of a pack is part of all files. `git gc` "
                "ran on a copy, the measured repositories are as the games left them."
            ),
            ReportTable(_MEASURED, rows),
        ),
    )


def _deltas(data: ReportData) -> ReportSection:
    figures: tuple[tuple[str, Callable[[GameRow], float | None]], ...] = (
        ("pack of one commit", lambda row: row.pack_bytes_alone / row.actions),
        ("sent per commit", lambda row: row.sent_bytes and row.sent_bytes / row.actions),
        (
            "sent per hand-over",
            lambda row: row.sent_bytes / row.hand_overs if row.sent_bytes and row.hand_overs else None,
        ),
    )
    rows = tuple(_measured_row(name, group, figure) for name, figure in figures for group in data.groups)
    counts = tuple(
        (
            group.label,
            f"{100 * group.empty_diff_share:.1f} %",
            f"{100 * group.published.empty_diff_share:.1f} %" if group.published else "-",
            f"{sum(row.changed_object_count for row in group.games) / group.actions:.1f}",
        )
        for group in data.groups
    )
    has_empty = any(group.diffs[0] for group in data.groups)
    return ReportSection(
        "Deltas",
        (
            FigureBlock(
                "deltas",
                "How much a commit changes: bytes that `git diff <parent> <commit> | wc -c` counts, for every commit.",
                partial(draw_deltas, groups=data.groups),
                1.0 + 2.5 * len(data.groups),
            ),
            Paragraph(
                ("" if has_empty else "Every action changes at least the turn phase or the hands: no delta is empty. ")
                + "A pack of one commit is what would be sent if every commit were fetched on its own; what is sent is "
                "the pack that `git pack-objects` makes for each hand-over, the commits of one player in a row."
            ),
            ReportTable(_MEASURED, rows),
            ReportTable(("games of", "`git diff` is empty", "empty, thesis", "objects that a commit changes"), counts),
        ),
    )


_MEASURED = ("what", "games of", "n", "median", "mean ± s.d.")


def _measured_row(name: str, group: RunGroup, figure: Callable[[GameRow], float | None]) -> tuple[str, ...]:
    """A row of ``_MEASURED``: a figure in bytes over the games of a group."""
    values = group.values(figure)
    middle = spell_bytes(median(values)) if values else "-"
    return name, group.label, f"{len(values):,}", middle, spell_spread(group.spread(figure), spell_bytes)


def _time(data: ReportData) -> ReportSection:
    blocks: list[Block] = []
    if any(group.values(lambda row: row.elapsed_s) for group in data.groups):
        blocks += [
            FigureBlock(
                "elapsed",
                "Elapsed time of a game, a dot a game.",
                partial(draw_elapsed, groups=data.groups),
                1.5 + 0.9 * len(data.groups),
            ),
            FigureBlock(
                "costs",
                "Computing (all that is not synchronizing: choosing, applying, checking, writing, refusing tries out "
                "of turn) and synchronizing (looking for new commits and validating them), per commit, a dot a game.",
                partial(draw_costs, groups=data.groups),
                1.5 + 1.7 * len(data.groups),
            ),
        ]
    if any(mean_costs(group) for group in data.groups):
        blocks.append(
            FigureBlock(
                "parts",
                "What an action costs the peer that takes it: the mean of its parts, and of each game.",
                partial(draw_parts, groups=data.groups),
                3.7 + 0.75 * len(data.groups),
            )
        )
    resumed = sum(bool(row.resumed) for group in data.groups for row in group.games)
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
        words = "of other games, or of these as they were before, and left out. `metrics --latency` measures again."
        blocks.append(Paragraph(f"{told} {words}"))
    return ReportSection("Latency", tuple(blocks))


def _latency_blocks(data: ReportData) -> list[Block]:
    ordered = sorted(data.latencies, key=_latency_order)
    counts = sorted({one.players for one in ordered})
    found: dict[tuple[str, str, str, float], dict[int, Latency]] = {}
    for one in sorted(ordered, key=lambda one: _latency_order(one)[1:]):
        found.setdefault((one.setting, one.what, one.transport, one.delay_s), {})[one.players] = one
    rows = tuple(
        (
            setting,
            what,
            transport or "-",
            f"{1000 * delay_s:g} ms" if setting == "separate" else "-",
            *(_spell_latency(of.get(count)) for count in counts),
        )
        for (setting, what, transport, delay_s), of in found.items()
    )
    head = ("setting", "what", "transport", "delay each way", *(f"{count} players" for count in counts))
    settings = len({(one.setting, one.what, one.transport, one.delay_s) for one in data.latencies})
    return [
        FigureBlock(
            "latency",
            "From one server to repositories apart. The thesis's pulls went to GitHub over the internet.",
            partial(draw_latencies, latencies=ordered),
            1.6 + 0.34 * (settings + 2),
        ),
        Paragraph(
            "The median, in brackets what 5 % and 95 % stay below, and what was received. Central: the same game on "
            "one state, without Git. Shared: what the simulation recorded, all peers over one repository. Separate: "
            "the game's own hand-overs between two repositories, over a path or from Git's daemon through a proxy that "
            "delays every byte; a synchronization looks, fetches, validates and takes in, `git fetch` only fetches, "
            "each in a process. `latency.json` has counts and means too."
        ),
        ReportTable(head, rows),
    ]


def _spell_latency(one: Latency | None) -> str:
    """The median, the span of 90 % and the bytes received of one latency; a dash if it was not measured."""
    if one is None:
        return "-"
    told = f"{spell_seconds(one.median_s)} ({spell_seconds(one.low_s)} to {spell_seconds(one.high_s)})"
    return told if one.received_bytes is None else f"{told}, {spell_bytes(one.received_bytes)}"


_SETTINGS = ("central", "shared", "separate")
_WHATS = ("action", "synchronization", "git fetch")


def _latency_order(one: Latency) -> tuple[object, ...]:
    """The order from near to far, however they were measured: a longer delay comes below a shorter one."""
    what = next((i for i, name in enumerate(_WHATS) if one.what.startswith(name)), len(_WHATS))
    link = (one.transport, one.delay_s)
    return one.players, _SETTINGS.index(one.setting), what, link[0] != "path", link, one.what.endswith("without news")


def _statistics(data: ReportData) -> ReportSection:
    groups = data.groups
    return ReportSection(
        "Statistics",
        (
            FigureBlock("length", "How many commits the games took.", partial(draw_length, groups=groups), 4.2),
            FigureBlock(
                "dice", "Dice, beside what two dice give.", partial(draw_dice, groups=groups), 0.6 + 2.4 * len(groups)
            ),
            Paragraph(
                " ".join(_chi_square(group) for group in groups)
                + " p is how often two fair dice fall at least as unevenly by chance."
            ),
            FigureBlock(
                "actions",
                "Actions by kind; those that are missing happened in no game.",
                partial(draw_actions, groups=groups),
                5.8,
            ),
            FigureBlock("winners", "Winners by seat.", partial(draw_winners, groups=groups), 0.6 + 2.1 * len(groups)),
            *_tables_of_games(groups),
        ),
    )


def _tables_of_games(groups: tuple[RunGroup, ...]) -> Iterator[ReportTable]:
    """Turns and points with their medians, then cards and trades, one to a line so that the table stays narrow."""
    figures: tuple[tuple[str, Callable[[GameRow], float | None], Callable[[float, float | None], str]], ...] = (
        ("turns", lambda row: row.turns, spell_count),
        ("winner's points", _winning_points, _spell_points),
    )
    yield ReportTable(
        ("a game's", "games of", "n", "median", "mean ± s.d.", "95 % of the mean"),
        tuple(
            (
                words,
                group.label,
                str(len(values)),
                spell(median(values), None) if values else "-",
                spell_spread(group.spread(figure), spell),
                spell_interval(values, spell),
            )
            for words, figure, spell in figures
            for group in groups
            for values in (group.values(figure),)
        ),
    )
    counts = [
        *((f"{name} gained", f"gained_{name}") for name in RESOURCES),
        *(
            (f"trades {rate}", f"Trade{name}ToOne")
            for rate, name in (("4:1", "Four"), ("3:1", "Three"), ("2:1", "Two"))
        ),
        *((f"{name} bought", f"bought_{name}") for name in DEV_CARDS),
    ]
    if any(group.count("bought_sealed") for group in groups):
        counts.append(("bought, and opened to nobody", "bought_sealed"))
    yield ReportTable(
        ("mean of a game", *(f"{group.label} (n = {len(group.games)})" for group in groups)),
        tuple((words, *(f"{group.count(name) / len(group.games):,.1f}" for group in groups)) for words, name in counts),
    )


def _spell_points(mean: float, deviation: float | None) -> str:
    return f"{mean:.1f}" if deviation is None else f"{mean:.1f} ± {deviation:.1f}"


def _winning_points(row: GameRow) -> float | None:
    return max(map(int, row.points.split())) if row.winner else None


def chi_square(group: RunGroup) -> float:
    """How far a group's rolls are from the expectation for two dice (10 degrees of freedom)."""
    counts = {dice: group.count(f"dice_{dice}") for dice in DICE_SUMS}
    rolls = sum(counts.values())
    return sum((count - rolls * dice_chance(dice)) ** 2 / (rolls * dice_chance(dice)) for dice, count in counts.items())


def _chi_square(group: RunGroup) -> str:
    """The test in words: its numbers, and no verdict."""
    rolls = sum(group.count(f"dice_{dice}") for dice in DICE_SUMS)
    if not rolls:
        return f"{group.label}: no rolls."
    needed = round(LEAST_EXPECTED / dice_chance(2))
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
