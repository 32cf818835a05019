"""``catan-p2p stats``: statistics of game logs: dice, yields, trades, builds, points and time."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean, median
from typing import Any, TypeAlias

from catan_p2p.cli import values
from catan_p2p.cli.game_file import GameFile
from catan_p2p.cli.output import FINDING, FINE, WRONG_USAGE, emit, emit_json, say, table, tell
from catan_p2p.cli.table_options import add_rules_option
from catan_p2p.game.cards import DEV_CARDS, RESOURCES
from catan_p2p.game.rule_names import rules_named
from catan_p2p.log.storage import disk
from catan_p2p.notation import FORMATS, NotationError, NotationFinding, judged, likely_rules
from catan_p2p.notation.repository.view import tell_open, told_open
from catan_p2p.notation.sources import EventSource, as_played, is_repository, read_file, read_repository
from catan_p2p.notation.statistics.gathering import DICE, WAYS, GameStatistics, gather, total_dice
from catan_p2p.safe_text import shown

Game: TypeAlias = tuple[Path, GameStatistics]
"""The place of a game, and its figures."""
_PICTURES = (".png", ".svg", ".pdf")


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "stats",
        help="summarize games: dice, yields, trades, builds, points, time",
        description="Summarize games: dice, yields by player and by tile, robberies, trades, the order of "
        "building, points over time and time per turn. Files are read leniently: entries that make no sense are "
        "left out.",
        epilog="Exit code 1 if a file is not a game in a known notation, or a repository has refused commits.",
    )
    parser.add_argument(
        "files",
        nargs="+",
        type=values.path,
        metavar="FILE",
        help="files that import reads, - for standard input, game repositories, public views",
    )
    parser.add_argument("--format", choices=FORMATS, help="the notation (default: by how the files begin)")
    add_rules_option(parser, "those that a game breaks least often")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument(
        "--plot", type=values.new_path, metavar="FILE.png", help="also draw the figures; needs matplotlib"
    )
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    if args.plot is not None:
        if args.plot.suffix.lower() not in _PICTURES:
            say(f"catan-p2p stats: --plot {args.plot}: expected a file that ends in {' or '.join(_PICTURES)}")
            return WRONG_USAGE
    games: list[Game] = []
    code = FINE
    for path in args.files:
        try:
            found, is_whole = _gather(path, args)
        except NotationError as error:
            say(f"{path}: {error}")
            code = FINDING
            continue
        games.append((path, found))
        code = code if is_whole else FINDING
    if args.plot is not None and games:
        try:
            from catan_p2p.notation.statistics import plots
        except ModuleNotFoundError as error:
            package = (error.name or "matplotlib").partition(".")[0]
            say(f"catan-p2p stats: --plot needs {package}: pip install 'catan-p2p[report]'")
            return WRONG_USAGE
    show_games(games, as_json=args.json)
    if args.plot is not None and games:
        with disk.explained("write", args.plot):
            plots.draw([(_name(path, games), found) for path, found in games], args.plot)
        tell(f"drawn in {args.plot}")
    return code


def _name(path: Path, games: Sequence[Game]) -> str:
    """The name of a game in a picture: with its folder if another game has the same name."""
    named_so = sum(other.name == path.name for other, _ in games)
    return path.name if named_so == 1 else f"{path.resolve().parent.name}/{path.name}"


def show_games(games: Sequence[Game], *, as_json: bool) -> None:
    """Print the figures of games, and of several games also their sum."""
    if as_json:
        emit_json(_as_json(games))
    else:
        emit("\n\n".join(_report(games)))


def _gather(path: Path, args: argparse.Namespace) -> tuple[GameStatistics, bool]:
    """The figures of one game, and whether its repository has no refused commits."""
    if is_repository(path):
        source = read_repository(path)
        for refused in source.refused:
            say(f"{path}: left out: {refused}")
        if source.view is not None:
            say(f"{path}: {source.closed}")
            return gather(source.start, source.view.steps, source.format), not source.refused
        source = as_played(source)
        return _judge(path, source, args.rules or source.rules or "thesis"), not source.refused
    file = GameFile(path)
    rules = args.rules
    if rules is None:  # a first pass over the file finds the rules
        with file.open() as handle:
            source = read_file(handle, args.format, on_error=lambda error: None)
            rules = source.start.rules or likely_rules(source.start, source.events, source.table)
    errors: list[NotationError] = []
    with file.open() as handle:
        source = read_file(handle, args.format, on_error=errors.append)
        found = _judge(path, source, rules)
    if errors:
        say(f"{path}: places that break the format: {len(errors)}, the first in {errors[0]}")
    return found, True


def _judge(path: Path, source: EventSource, rules: str) -> GameStatistics:
    counts = {"repair": 0, "rules": 0, "format": 0, "cards": 0}
    doubts: list[NotationFinding] = []

    def count(finding: NotationFinding) -> None:
        counts[finding.kind] += 1
        if finding.kind == "cards" and not doubts:
            doubts.append(finding)

    steps = judged(source.start, source.events, source.table, rules_named(rules, len(source.start.players)), count)
    found = gather(source.start, steps, source.format)
    if counts["repair"]:
        say(f"{path}: lines left out because later ones undo them: {counts['repair']}")
    if counts["rules"]:
        say(f"{path}: breaches of the {rules} rules, listed by catan-p2p import --lenient: {counts['rules']}")
    for doubt in doubts:
        say(f"{path}: {doubt}")
    return found


def _as_json(games: Sequence[Game]) -> dict[str, Any]:
    dice = total_dice(found for _, found in games)
    return {
        "games": [{"file": str(path), **found.as_json()} for path, found in games],
        "total": {
            "games": len(games),
            "turns": sum(found.turns for _, found in games),
            "dice": {str(sum_): dice[sum_] for sum_ in DICE},
        },
    }


def _report(games: Sequence[Game]) -> Iterator[str]:
    for path, found in games:
        yield f"{path}: {_headline(found)}"
        yield from _tables(found)
    if len(games) > 1:
        all_games = [found for _, found in games]
        turns = [found.turns for found in all_games]
        spread = f"{min(turns)} to {max(turns)} a game, mean {fmean(turns):.1f}"
        yield f"all {len(games)} games: {sum(turns)} turns, {spread}"
        yield _dice_table(total_dice(all_games))


def _headline(found: GameStatistics) -> str:
    end = f"{found.called[found.winner - 1]} has won" if found.winner else "not over"
    if found.is_claimed:
        end += " by a claim"
    end += "".join(f", {found.called[player - 1]} left in turn {turn}" for turn, player in found.left)
    end += "".join(f", {found.called[player - 1]} came back in turn {turn}" for turn, player in found.returned)
    points = zip(found.called, found.points[-1] if found.points else [0] * len(found.names), strict=True)
    return shown(f"{found.turns} turns, {end}; points that are seen: {' '.join(f'{name} {n}' for name, n in points)}")


def _tables(found: GameStatistics) -> Iterator[str]:
    yield _dice_table(found.dice)
    yield _yield_table(found)
    if found.tiles:
        yield _tile_table(found)
    yield _robbery_table(found)
    yield _trade_table(found)
    if any(found.offers):
        yield _offer_table(found)
    yield _card_table(found)
    yield _build_order(found)
    yield _points_table(found)
    if any(found.seconds):
        yield _time_table(found)
    yield _open_table(found)


def _dice_table(dice: Any) -> str:
    rolls = sum(dice.values())
    rows = [
        (sum_, dice[sum_], 100 * dice[sum_] / rolls if rolls else 0.0, 100 * WAYS[sum_] / 36, _bar(dice[sum_], dice))
        for sum_ in DICE
    ]
    return table(("dice", "rolls", "%", "expected", ""), rows)


def _bar(count: int, dice: Any) -> str:
    most = max(dice.values(), default=0)
    return "#" * round(30 * count / most) if most else ""


def _yield_table(found: GameStatistics) -> str:
    """What board and dice yielded to each player, and how much of it the bank paid."""
    rows = [
        (name, *(counts[resource] for resource in RESOURCES), sum(counts.values()), _between(low.total(), high.total()))
        for name, counts, (low, high) in zip(found.names, found.yields, found.paid, strict=True)
    ]
    text = table(("yields", *RESOURCES, "all", "paid"), rows)
    if found.uncertain_rolls:
        text += f"\n{found.uncertain_rolls} of the rolls may not have been paid: nobody knows what the bank had"
    return text


def _between(fewest: int, most: int) -> str:
    return str(fewest) if fewest == most else f"{fewest} to {most}"


def _tile_table(found: GameStatistics) -> str:
    tiles = sorted(found.tiles.values(), key=lambda tile: (-tile.cards, tile.name))
    return table(
        ("tile", "rolled", "bandit there", "cards"),
        [(tile.name, tile.rolled, tile.blocked, tile.cards) for tile in tiles],
    )


def _robbery_table(found: GameStatistics) -> str:
    victims = range(1, len(found.names) + 1)
    rows = [
        (name, *(found.robberies[thief, victim] for victim in victims), found.robberies[thief, 0])
        for thief, name in enumerate(found.names, 1)
    ]
    moves = found.bandit_moves
    told = f"the bandit moved {moves['seven']} times for a seven, {moves['knight']} for a knight"
    return table(("robs", *found.names, "nobody"), rows) + "\n" + told


def _trade_table(found: GameStatistics) -> str:
    rates = sorted({rate for counts in found.bank_trades for rate in counts})
    rows = []
    for seat, name in enumerate(found.names, 1):
        counts, (given, received) = found.bank_trades[seat - 1], found.bank_cards[seat - 1]
        among = sum(n for pair, n in found.player_trades.items() if seat in pair)
        rows.append((name, *(counts[rate] for rate in rates), given, received, among))
    return table(("trades", *rates, "cards given", "received", "with players"), rows)


def _offer_table(found: GameStatistics) -> str:
    """Each player's offers, how many led to a trade, and the player's answers to offers of others."""
    rows = []
    for seat, name in enumerate(found.names, 1):
        offers, answers = found.offers[seat - 1], found.answers[seat - 1]
        made = sum(n for (player, _), n in found.player_trades.items() if player == seat)
        rows.append((name, offers, made, offers - made, answers["accepted"], answers["rejected"]))
    return table(("offers", "made", "concluded", "withdrawn", "accepted", "rejected"), rows)


def _card_table(found: GameStatistics) -> str:
    bought = [sum(b.player == seat and b.what == "development card" for b in found.builds) for seat in _seats(found)]
    rows = [
        (name, n, *(counts[card] for card in DEV_CARDS))
        for name, n, counts in zip(found.names, bought, found.plays, strict=True)
    ]
    return table(("development cards", "bought", *DEV_CARDS), rows)


def _seats(found: GameStatistics) -> range:
    return range(1, len(found.names) + 1)


_SHORT = {"village": "v", "city": "c", "road": "r", "development card": "d"}


def _build_order(found: GameStatistics) -> str:
    rows = []
    for seat, name in enumerate(found.names, 1):
        order: dict[int, str] = {}
        for build in found.builds:
            if build.player == seat:
                order[build.turn] = order.get(build.turn, "") + _SHORT[build.what]
        rows.append((name, " ".join(f"{turn}:{what}" for turn, what in order.items())))
    head = ("build order", "turn:what, with v village, c city, r road, d development card; turn 0 is the set-up")
    return table(head, rows)


def _points_table(found: GameStatistics) -> str:
    """Points after the set-up, after about ten turns at equal distances, and at the end."""
    last = len(found.points) - 1
    steps = sorted({round(last * i / 10) for i in range(11)}) if last >= 0 else []
    rows = [(name, *(found.points[step][seat] for step in steps)) for seat, name in enumerate(found.names)]
    return table(("points after turn", *map(str, steps)), rows)


def _time_table(found: GameStatistics) -> str:
    rows = [
        # Times 1.0, so that the table prints decimals for the median as for the mean.
        (name, len(times), fmean(times), median(times) * 1.0, max(times), sum(times))
        for name, times in zip(found.names, found.seconds, strict=True)
        if times
    ]
    return table(("seconds per turn", "turns", "mean", "median", "longest", "all"), rows)


def _open_table(found: GameStatistics) -> str:
    """What the record leaves open, and the bounds of each hand at the end that follow."""
    left = told_open(found.open)
    if not left and all(held.fewest == held.most and not held.unknown for held in found.held):
        return "the record leaves nothing open"
    rows = [
        (name, _between(held.fewest, held.most), held.unknown)
        for name, held in zip(found.names, found.held, strict=True)
    ]
    why = f"the record does not say {tell_open(left)}" if left else "the record contradicts itself"
    return table(("held at the end", "cards", "unknown development cards"), rows) + f"\n{why}"
