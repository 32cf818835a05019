"""The report's last section: the commands that play and measure the same games again."""

import shlex

from catan_p2p.game.board import MAPS
from catan_p2p.report.blocks import Block, Code, Paragraph, Section
from catan_p2p.report.data import Group, ReportData
from catan_p2p.simulation.game import Settings


def repeating(data: ReportData) -> Section:
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
            blocks += [Paragraph(f"The map of {group.label}, to be saved as `{file}`:"), Code(settings.map.rstrip())]
        commands.append(shlex.join(_simulate(group, settings)))
    flag = " --latency" if data.latencies else ""
    commands += [f"catan-p2p metrics DIR{flag}", "catan-p2p report DIR"]
    return Section("Repeating it", (*blocks, Code("\n".join(commands), "sh")))


def _simulate(group: Group, settings: Settings) -> list[str]:
    """The command that plays a group's games; for a longer run, the first games up to the last one measured."""
    command = ["catan-p2p", "simulate", "--players", str(settings.players)]
    command += ["--games", str(max(row.game for row in group.games) + 1), "--seed", str(settings.seed)]
    command += ["--policy", ",".join(settings.policies)]
    usual = Settings()
    for option in ("rules", "schedule", "max_actions", "topology", "judging", "transport"):
        value = getattr(settings, option)
        if value != getattr(usual, option):
            command += [f"--{option.replace('_', '-')}", str(value)]
    if settings.map != usual.map:
        command += ["--map", settings.map if settings.map in MAPS else _map_file(group)]
    if settings.signed:
        command.append("--sign")
    return [*command, "--out", f"DIR/{group.run}"]


def _map_file(group: Group) -> str:
    return f"{group.run}.map"
