"""The columns of a study's table of games: name, unit, definition, and the function that computes the value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat

from catan_p2p.intervals import FROM_ZERO, Interval
from catan_p2p.log.refs import COLOURS
from catan_p2p.metrics.network import FIGURES, TIMES, NetworkGame
from catan_p2p.metrics.rows import COUNTS, GameRow

Value = int | float | str | None


@dataclass(frozen=True, slots=True)
class PlayedOnce:
    """Everything that a value of a game is made of; ``processor_s`` is the time of the processes that played."""

    game: GameRow
    network: NetworkGame | None = None
    processor_s: float | None = None


@dataclass(frozen=True, slots=True)
class StudyColumn:
    """A column. ``unit`` is empty for texts and plain numbers; ``value`` returns None if a game has no value."""

    name: str
    group: str
    unit: str
    definition: str
    value: Callable[[PlayedOnce], Value]
    is_number: bool = True
    row: str = ""
    """The text that the page of columns prints once for all columns that share it; if empty, the definition."""

    @property
    def kind(self) -> str:
        """The kind of its values; ``int`` only where no game can have others: no times, and nothing that is divided."""
        is_divided = "_per_" in self.name or self.name.endswith("_share")
        return "str" if not self.is_number else "float" if is_divided or self.unit == "s" else "int"


GROUPS: dict[str, str] = {
    "game": "How the game went.",
    "seats": "How each seat did, by its colour; empty where the game has no such seat.",
    "counts": "How often something happened.",
    "storage": "The size of `.git` at the end. The same with the same zlib, except `disk_bytes` and separate peers.",
    "deltas": "What commits change. The same with the same Git.",
    "gc": "The size of `.git` after `git gc` of a copy. Takes about a second for each game.",
    "packs": "What Git sends to one peer at hand-overs, each in a pack of its own. Takes seconds for each game.",
    "time": "Times on the machine that played the game, which differ from day to day; virtual over simulated links.",
    "network": "Over simulated links, in virtual time.",
}
"""The groups of columns, with a description. A study can name a whole group."""
USUAL = ("game", "storage", "deltas")
"""The groups that are measured by default: they do not depend on the day, and measuring them is quick."""
COSTLY = ("gc", "packs")
"""The groups that take a second or more of each game."""


def _row(name: str) -> Callable[[PlayedOnce], Value]:
    return lambda played: getattr(played.game, name)


def _count(name: str) -> Callable[[PlayedOnce], Value]:
    return lambda played: played.game.counts[name]


def _points(seat: int) -> Callable[[PlayedOnce], Value]:
    def value(played: PlayedOnce) -> Value:
        points = played.game.points.split()
        return int(points[seat]) if seat < len(points) else None

    return value


def _won(seat: int) -> Callable[[PlayedOnce], Value]:
    def value(played: PlayedOnce) -> Value:
        return int(played.game.winner == COLOURS[seat]) if seat < played.game.players else None

    return value


def _winner_points(played: PlayedOnce) -> Value:
    return max(map(int, played.game.points.split()))


def _of_network(name: str) -> Callable[[PlayedOnce], Value]:
    return lambda played: None if played.network is None else FIGURES[name](played.network)


_OF_GAMES = (
    ("game", "winner", "", "The colour of the winner; empty if nobody won.", False),
    ("game", "points", "", "Points at the end, by seat, separated by blanks.", False),
    ("game", "head", "", "The object id of the last commit.", False),
    ("game", "closed", "", "Whose hidden cards are not open at the end, and why; empty if all are open.", False),
    ("game", "actions", "", "Actions of the game, replies among them.", True),
    ("game", "commits", "", "Commits: the root, and one for each action.", True),
    ("game", "turns", "", "Rolls of the dice.", True),
    ("game", "findings", "", "Findings of the simulation: wrong refusals, mistakes of policies.", True),
    ("storage", "disk_bytes", "B", "`.git` as `du` counts it.", True),
    ("storage", "file_bytes", "B", "All files of `.git`.", True),
    ("storage", "pack_bytes", "B", "Packs.", True),
    ("storage", "index_bytes", "B", "Indexes of packs.", True),
    ("deltas", "diff_bytes", "B", "Sum over all commits of `git diff <parent> <commit> | wc -c`.", True),
    ("deltas", "empty_diffs", "", "Actions whose `git diff` is empty.", True),
    ("deltas", "changed_object_count", "", "Sum over all commits of the objects that the parent lacks.", True),
    ("deltas", "pack_bytes_alone", "B", "Sum over all commits of a pack for a peer that has the parent.", True),
    ("gc", "gc_disk_bytes", "B", "`disk_bytes` after `git gc`.", True),
    ("gc", "gc_file_bytes", "B", "`file_bytes` after `git gc`.", True),
    ("gc", "gc_pack_bytes", "B", "`pack_bytes` after `git gc`.", True),
    ("packs", "hand_overs", "", "Hand-overs: the actions of one player in a row.", True),
    ("packs", "sent_bytes", "B", "What Git sends for all hand-overs.", True),
    ("time", "elapsed_s", "s", "From the first to the last action, all peers together.", True),
    ("time", "computing_s", "s", "The part of `elapsed_s` that is not `synchronizing_s`.", True),
    ("time", "synchronizing_s", "s", "Looking for and checking others' commits.", True),
    ("time", "waiting_s", "s", "Waiting, summed over separate peers.", True),
    ("time", "choose_s", "s", "Choosing, by the policies.", True),
    ("time", "apply_s", "s", "Applying own actions.", True),
    ("time", "check_s", "s", "Checking invariants of own actions.", True),
    ("time", "write_s", "s", "Writing own commits.", True),
    ("time", "syncs", "", "Synchronizations of all peers.", True),
    ("time", "syncs_with_news", "", "Synchronizations that brought a commit.", True),
    ("time", "sync_with_news_s", "s", "Time of these.", True),
    ("time", "sync_without_news_s", "s", "Time of the others.", True),
    ("time", "tries", "", "Tries out of turn, all refused.", True),
    ("time", "fetches", "", "Fetches of separate peers.", True),
    ("time", "bytes_received", "B", "What separate peers received.", True),
)
_DIVIDED = {
    "storage": (
        *("disk_bytes_per_commit", "file_bytes_per_commit", "pack_bytes_per_commit"),
        *("file_bytes_per_player", "file_bytes_per_turn"),
    ),
    "gc": ("gc_file_bytes_per_commit", "gc_pack_bytes_per_commit"),
    "deltas": (
        *("diff_bytes_per_action", "empty_diff_share", "changed_objects_per_action", "pack_bytes_alone_per_action"),
    ),
    "packs": ("sent_bytes_per_action", "sent_bytes_per_hand_over"),
    "time": (
        *("computing_s_per_action", "synchronizing_s_per_action", "waiting_s_per_action", "choose_s_per_action"),
        *("apply_s_per_action", "check_s_per_action", "write_s_per_action"),
    ),
    "game": ("actions_per_turn",),
    "network": ("all_bytes_per_turn",),
}
"""The measures that are others divided, by group; their names say by what."""
_TIMED = {
    "hand_over": "hand-overs: from publishing an action until the next player knows it",
    "turn": "turns: from one end of a turn to the next",
    "everybody_knows": "spreading: from publishing an action until all players know it",
    "staleness": "the age of what spectators see",
}
_OF_NETWORKS = (
    ("virtual_s", "s", "How long the game took."),
    ("transfer_s", "s", "Fetches and pushes, summed over players."),
    ("looking_s", "s", "Polling others for news, summed over players."),
    ("down_s", "s", "How long programs were down, summed over players."),
    ("looks", "", "Polls for news, by all players."),
    ("wasted_looks", "", "Polls that found nothing new."),
    ("fetched_bytes", "B", "What fetches of players brought."),
    ("pushes", "", "Pushes of all players."),
    ("told", "", "Messages about moved refs that players got without asking."),
    ("told_bytes", "B", "Size of these messages, with their commits."),
    ("faults", "", "Faults that happened."),
    ("all_fetches", "", "Fetches over all links, also by spectators."),
    ("all_bytes", "B", "Sent over all links, also to spectators."),
)


def _all() -> Iterator[StudyColumn]:
    for group, name, unit, definition, is_number in _OF_GAMES:
        yield StudyColumn(name, group, unit, definition, _row(name), is_number)
    yield StudyColumn("winner_points", "game", "", "The most points that a seat has at the end.", _winner_points)
    for group, names in _DIVIDED.items():
        yield from map(_divided_column, names, repeat(group))
    processor = "Processor time of all processes that played the game."
    yield StudyColumn("processor_s", "time", "s", processor, lambda played: played.processor_s)
    yield from map(_divided_column, ("processor_s_per_action", "processor_s_per_turn"), repeat("time"))
    for seat, colour in enumerate(COLOURS):
        points, won = f"Points of seat {seat + 1} at the end.", f"1 if seat {seat + 1} won, else 0."
        yield StudyColumn(f"points_{colour}", "seats", "", points, _points(seat), row="Points at the end.")
        yield StudyColumn(f"won_{colour}", "seats", "", won, _won(seat), row="1 if this seat won, else 0.")
    for name in COUNTS:
        definition, row = _spelled_count(name)
        yield StudyColumn(name, "counts", "", definition, _count(name), row=row)
    for what in TIMES:
        told = _TIMED[what]
        row = f"Number, median, percentiles 95 and 99 of {told}."
        yield StudyColumn(f"{what}_count", "network", "", f"Number of {told}.", _of_network(f"{what}_count"), row=row)
        for share in (50, 95, 99):
            name, definition = f"{what}_p{share}_s", f"Percentile {share} of {told}."
            yield StudyColumn(name, "network", "s", definition, _of_network(name), row=row)
    for name, unit, definition in _OF_NETWORKS:
        yield StudyColumn(name, "network", unit, definition, _of_network(name))
    yield _divided_column("all_bytes_per_action", "network")


_BY = {"commit": "commits", "action": "actions", "turn": "turns", "hand_over": "hand_overs", "player": "players"}


def divided(name: str) -> Callable[[PlayedOnce], Value]:
    """The value of one measure divided by another, such as ``file_bytes_per_commit``; None where that is 0."""
    of, by = _parts(name)

    def value(played: PlayedOnce) -> Value:
        whole, count = COLUMNS[of].value(played), getattr(played.game, _BY[by])
        assert not isinstance(whole, str)
        if by == "player" and played.game.topology != "shared":
            count = 1  # the size is that of one player's repository
        return whole / count if whole is not None and count else None

    return value


def _parts(name: str) -> tuple[str, str]:
    """The measure that is divided, and what it is divided by."""
    if name == "empty_diff_share":
        return "empty_diffs", "action"
    of, _, by = name.rpartition("_per_")
    return of.replace("changed_objects", "changed_object_count"), by


def _divided_column(name: str, group: str) -> StudyColumn:
    of, by = _parts(name)
    words = by.replace("hand_over", "hand-over")
    definition, row = f"`{of}` {'an' if by == 'action' else 'a'} {words}.", f"Divided by {words}s."
    if name == "empty_diff_share":
        definition = row = "The share of actions whose `git diff` is empty."
    elif by == "player":
        definition = row = "`file_bytes` for each player: a part of a shared repository, or what each keeps."
    unit = "s" if of.endswith("_s") else "B" if "bytes" in of else ""
    return StudyColumn(name, group, unit, definition, divided(name), row=row)


def _spelled_count(name: str) -> tuple[str, str]:
    """The definition of a count, and the text of the page for all counts of its kind."""
    kind, separator, what = name.partition("_")
    if separator and kind == "dice":
        return f"Rolls of {what}.", "Rolls of this sum."
    if separator and kind == "gained":
        words = "that the bank gave out for rolls and the set-up."
        return f"Cards of {what} {words}", f"Cards of this resource {words}"
    if separator and kind == "bought":
        row = "Development cards of this kind that were bought; `sealed`: opened to nobody."
        return f"Development cards {what} that were bought.", row
    return f"Actions {name}.", "Actions of this kind: a column for each action."


COLUMNS: dict[str, StudyColumn] = {column.name: column for column in _all()}
"""All columns by name, in the order of the page of columns."""


def possible_values(name: str) -> Interval:
    """The least and the largest value that a measure can have: a share is at most 1."""
    return Interval(0.0, 1.0) if name.endswith("_share") or name.startswith("won_") else FROM_ZERO


def figure_of(name: str) -> Callable[[GameRow], float | None]:
    """The function that returns a measure of a game from its row: a column, or one divided by another."""
    value = COLUMNS[name].value if name in COLUMNS else divided(name)
    return lambda row: value(PlayedOnce(row))  # type: ignore[return-value]


def columns_named(name: str) -> tuple[StudyColumn, ...]:
    """The column of this name, or all of the group of this name."""
    if name in GROUPS:
        return tuple(column for column in COLUMNS.values() if column.group == name)
    return (COLUMNS[name],)


_MOST_NAMES = 8
"""The most names in one row of the page; of more names, it has the first and the last."""


def _names(columns: Sequence[StudyColumn]) -> str:
    names = [f"`{one.name}`" for one in columns]
    return ", ".join(names if len(names) <= _MOST_NAMES else [names[0], "...", names[-1]])


def columns_page() -> str:
    """Names, units and definitions of all columns, as Markdown."""
    lines = [
        "# Columns of a study",
        "",
        "Choose the measures of a study from these columns, one by one or by group:",
        '`measures = ["game", "gc_file_bytes"]`.',
        "",
        "In `games.csv` the measures follow the factors, `cell`, `seed` and `game`. Where a game has no value, it is",
        "empty. Times (`_s`) are in seconds, sizes (`bytes`) in bytes, and all other numbers are counts or shares.",
        "All but the group `time` are the same on every machine, `storage` and `deltas` on the conditions given there.",
    ]
    for group, words in GROUPS.items():
        lines += ["", f"## {group}", words, "", "| column | what |", "| --- | --- |"]
        rows: dict[str, list[StudyColumn]] = {}
        for one in columns_named(group):
            rows.setdefault(one.row or one.definition, []).append(one)
        lines += [f"| {_names(same)} | {told} |" for told, same in rows.items()]
    return "\n".join(lines) + "\n"
