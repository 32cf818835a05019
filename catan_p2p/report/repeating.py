"""The report's last section: the commands that play and measure the same games again."""

from catan_p2p.game.board import MAPS
from catan_p2p.report.blocks import Block, CodeBlock, Paragraph, ReportSection
from catan_p2p.report.data import ReportData, RunGroup
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
