"""The columns of a study's table of games: name, unit, definition, and where the value comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from catan_p2p.log.refs import COLOURS
from catan_p2p.metrics.games import MeasuredGame
from catan_p2p.metrics.network import TIMES
from catan_p2p.metrics.rows import COUNTS, GameRow
from catan_p2p.metrics.totals import FIGURES

Value = int | float | str | None


@dataclass(frozen=True, slots=True)
class PlayedOnce:
    """All that is known of a game when its row is made; ``processor_s`` is that of its processes on this machine."""

    measured: MeasuredGame
    processor_s: float

    @property
    def game(self) -> GameRow:
        """Its row as the verb ``metrics`` has it."""
        return self.measured.game


@dataclass(frozen=True, slots=True)
class StudyColumn:
    """A column: ``unit`` is empty for words and plain numbers; ``value`` is None where a game has none."""

    name: str
    group: str
    unit: str
    definition: str
    value: Callable[[PlayedOnce], Value]
    is_number: bool = True


GROUPS: dict[str, str] = {
    "game": "How the game went. The same on every machine.",
    "seats": "How each seat did, by its colour; empty for seats that there are not. The same on every machine.",
    "counts": "What happened how often. The same on every machine.",
    "storage": "What `.git` takes as the game ends. The same on every machine with the same zlib, but for separate "
    "peers and `disk_bytes`.",
    "deltas": "What commits change. The same on every machine with the same Git.",
    "gc": "What `.git` takes after `git gc` of a copy: a second or so a game.",
    "packs": "What Git sends to one peer at hand-overs, each in a pack of its own: seconds a game.",
    "time": "What it took on the machine that played it: other times on another day. Over simulated links it is "
    "virtual.",
    "network": "Over simulated links, in virtual time. The same on every machine.",
    "relay": "What a relay did that several tables share (`network.tables` above 1). The same on every machine.",
}
"""The groups of columns, each of which a study can name as a whole."""
USUAL = ("game", "storage", "deltas")
"""What is measured if nothing is said: nothing of it depends on the day, and none of it takes long."""
COSTLY = ("gc", "packs")


def _row(name: str) -> Callable[[PlayedOnce], Value]:
    return lambda played: getattr(played.game, name)


def _figure(name: str) -> Callable[[PlayedOnce], Value]:
    figure = FIGURES[name]
    return lambda played: figure(played.game)


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
    def value(played: PlayedOnce) -> Value:
        network = played.measured.network
        return None if network is None else network.figures.get(name)

    return value


def _of_times(what: str, name: str) -> Callable[[PlayedOnce], Value]:
    def value(played: PlayedOnce) -> Value:
        network = played.measured.network
        times = {} if network is None else network.times(what)
        return times.get(name) if times.get("count") or name == "count" else None

    return value


def _an_action(value: Callable[[PlayedOnce], Value]) -> Callable[[PlayedOnce], Value]:
    def per_action(played: PlayedOnce) -> Value:
        found = value(played)
        return None if found is None or isinstance(found, str) else found / played.game.actions

    return per_action


def _all_bytes(played: PlayedOnce) -> Value:
    return None if played.measured.network is None else played.measured.network.bytes


def _all_fetches(played: PlayedOnce) -> Value:
    return None if played.measured.network is None else played.measured.network.fetches


def _faults(played: PlayedOnce) -> Value:
    network = played.measured.network
    return None if network is None else len(network.figures["faults"])


_OF_GAMES = (
    ("game", "winner", "", "The colour of the winner; empty if nobody won.", False),
    ("game", "points", "", "Points at the end, by seat, with blanks between.", False),
    ("game", "head", "", "The object id of the last commit.", False),
    ("game", "closed", "", "Whose hidden cards are not open at the end, and why; empty if all are.", False),
    ("game", "actions", "", "Actions of the game, replies among them.", True),
    ("game", "commits", "", "Commits: the root, and one for each action.", True),
    ("game", "turns", "", "Rolls of the dice.", True),
    ("game", "findings", "", "Findings of the simulation: refusals that should not be, mistakes of policies.", True),
    ("storage", "disk_bytes", "B", "`.git` as `du` counts it: blocks of all files and folders.", True),
    ("storage", "file_bytes", "B", "Lengths of all files of `.git`.", True),
    ("storage", "pack_bytes", "B", "Packs alone.", True),
    ("storage", "index_bytes", "B", "Indexes of packs alone.", True),
    ("deltas", "diff_bytes", "B", "Sum over all commits of `git diff <parent> <commit> | wc -c`.", True),
    ("deltas", "empty_diffs", "", "Actions whose `git diff` is empty.", True),
    ("deltas", "changed_object_count", "", "Sum over all commits of the objects that are not the parent's.", True),
    ("deltas", "pack_bytes_alone", "B", "Sum over all commits of a pack for one who has the parent.", True),
    ("gc", "gc_disk_bytes", "B", "`disk_bytes` after `git gc`.", True),
    ("gc", "gc_file_bytes", "B", "`file_bytes` after `git gc`.", True),
    ("gc", "gc_pack_bytes", "B", "`pack_bytes` after `git gc`.", True),
    ("packs", "hand_overs", "", "Hand-overs: the actions of one player in a row.", True),
    ("packs", "sent_bytes", "B", "What Git sends to one peer for all hand-overs.", True),
    ("time", "elapsed_s", "s", "From the first to the last action, all peers together.", True),
    ("time", "computing_s", "s", "What of it was not spent on synchronizing.", True),
    ("time", "synchronizing_s", "s", "What of it was spent on looking for and checking others' commits.", True),
    ("time", "waiting_s", "s", "What separate peers waited, summed over them.", True),
    ("time", "choose_s", "s", "What policies took to choose.", True),
    ("time", "apply_s", "s", "What applying own actions took.", True),
    ("time", "check_s", "s", "What checking invariants of own actions took.", True),
    ("time", "write_s", "s", "What writing own commits took.", True),
    ("time", "syncs", "", "Synchronizations of all peers.", True),
    ("time", "syncs_with_news", "", "Those that brought a commit.", True),
    ("time", "sync_with_news_s", "s", "What those took.", True),
    ("time", "sync_without_news_s", "s", "What the others took.", True),
    ("time", "tries", "", "Tries out of turn, all refused.", True),
    ("time", "fetches", "", "Fetches of separate peers.", True),
    ("time", "bytes_received", "B", "What separate peers received.", True),
)
_OF_FIGURES = {
    "disk_bytes_per_commit": ("storage", "B", "`disk_bytes` a commit."),
    "file_bytes_per_commit": ("storage", "B", "`file_bytes` a commit."),
    "pack_bytes_per_commit": ("storage", "B", "`pack_bytes` a commit."),
    "gc_file_bytes_per_commit": ("gc", "B", "`gc_file_bytes` a commit."),
    "gc_pack_bytes_per_commit": ("gc", "B", "`gc_pack_bytes` a commit."),
    "diff_bytes_per_action": ("deltas", "B", "`diff_bytes` an action."),
    "empty_diff_share": ("deltas", "", "The share of actions whose `git diff` is empty."),
    "changed_objects_per_action": ("deltas", "", "`changed_object_count` an action."),
    "pack_bytes_alone_per_action": ("deltas", "B", "`pack_bytes_alone` an action."),
    "sent_bytes_per_action": ("packs", "B", "`sent_bytes` an action."),
    "sent_bytes_per_hand_over": ("packs", "B", "`sent_bytes` a hand-over."),
    "computing_s_per_action": ("time", "s", "`computing_s` an action."),
    "synchronizing_s_per_action": ("time", "s", "`synchronizing_s` an action."),
    "waiting_s_per_action": ("time", "s", "`waiting_s` an action."),
    "choose_s_per_action": ("time", "s", "`choose_s` an action."),
    "apply_s_per_action": ("time", "s", "`apply_s` an action."),
    "check_s_per_action": ("time", "s", "`check_s` an action."),
    "write_s_per_action": ("time", "s", "`write_s` an action."),
}
_TIMED = {
    "hand_over": "hand-overs: from publishing an action until the player of the next one knows it",
    "turn": "turns: from one end of a turn to the next",
    "everybody_knows": "spreading: from publishing an action until every player knows it",
    "staleness": "the age of what spectators see",
}
_OF_NETWORKS = (
    ("virtual_s", "s", "How long the game took."),
    ("transfer_s", "s", "What players spent on fetches and pushes, summed over them."),
    ("looking_s", "s", "What players spent on looking for news, summed over them."),
    ("down_s", "s", "How long players' programs were not there, summed over them."),
    ("looks", "", "Looks for news of all players."),
    ("wasted_looks", "", "Looks that found what was known."),
    ("fetched_bytes", "B", "What players' fetches brought."),
    ("pushes", "", "Pushes of all players."),
    ("told", "", "Messages of what had moved that players were told without asking."),
    ("told_bytes", "B", "What these messages took, commits included."),
)


def _all() -> Iterator[StudyColumn]:
    for group, name, unit, definition, is_number in _OF_GAMES:
        yield StudyColumn(name, group, unit, definition, _row(name), is_number)
    yield StudyColumn("winner_points", "game", "", "The most points that a seat has at the end.", _winner_points)
    for name, (group, unit, definition) in _OF_FIGURES.items():
        yield StudyColumn(name, group, unit, definition, _figure(name))
    per_player = "`file_bytes` a player of the game: of a shared repository the part of each, else what each keeps."
    yield StudyColumn("file_bytes_per_player", "storage", "B", per_player, lambda played: _per_player(played.game))
    processor = "Processor time of all processes that played the game."
    yield StudyColumn("processor_s", "time", "s", processor, lambda played: played.processor_s)
    an_action = _an_action(lambda played: played.processor_s)
    yield StudyColumn("processor_s_per_action", "time", "s", "`processor_s` an action.", an_action)
    for name, group, unit, value in _TURNS:
        yield StudyColumn(f"{name}_per_turn", group, unit, f"`{name}` a turn.", _per_turn(value))
    for seat, colour in enumerate(COLOURS):
        yield StudyColumn(f"points_{colour}", "seats", "", f"Points of seat {seat + 1} at the end.", _points(seat))
        yield StudyColumn(f"won_{colour}", "seats", "", f"1 if seat {seat + 1} won, else 0.", _won(seat))
    for name in COUNTS:
        yield StudyColumn(name, "counts", "", _spelled_count(name), _count(name))
    for what in TIMES:
        told = _TIMED[what]
        yield StudyColumn(f"{what}_count", "network", "", f"Number of {told}.", _of_times(what, "count"))
        for share in (50, 95, 99):
            definition = f"Percentile {share} of {told}."
            yield StudyColumn(f"{what}_p{share}_s", "network", "s", definition, _of_times(what, f"p{share}_s"))
    for name, unit, definition in _OF_NETWORKS:
        yield StudyColumn(name, "network", unit, definition, _of_network(name))
    for name, definition, is_number in _OF_RELAYS:
        yield StudyColumn(f"relay_{name}", "relay", "", definition, _of_relay(name), is_number)
    yield StudyColumn("faults", "network", "", "Faults that happened.", _faults)
    yield StudyColumn("all_fetches", "network", "", "Fetches over all links, of spectators too.", _all_fetches)
    yield StudyColumn("all_bytes", "network", "B", "What was sent over all links, to spectators too.", _all_bytes)
    yield StudyColumn("all_bytes_per_action", "network", "B", "`all_bytes` an action.", _an_action(_all_bytes))


def _per_turn(value: Callable[[PlayedOnce], Value]) -> Callable[[PlayedOnce], Value]:
    def per_turn(played: PlayedOnce) -> Value:
        found = value(played)
        return None if found is None or isinstance(found, str) else found / played.game.turns

    return per_turn


def _of_relay(name: str) -> Callable[[PlayedOnce], Value]:
    def value(played: PlayedOnce) -> Value:
        network = played.measured.network
        return None if network is None else network.relay.get(name)

    return value


_OF_RELAYS = (
    ("processor_share", "The share of the time of its cores that it worked.", True),
    ("refs_share", "The share of that work that was listing refs.", True),
    ("link_share", "The share of the time that its link was busy, up or down, whichever is more.", True),
    ("connections_share", "The mean share of its connections that were in use.", True),
    ("queue_mean", "Processes that wanted to run, in the mean.", True),
    ("queue_longest", "Processes that wanted to run, at the most.", True),
    ("served", "Visits that were served.", True),
    ("refused", "Visits that were refused since all connections were in use.", True),
    ("unheard", "Attempts to connect that were not answered.", True),
    ("limit", "What was full: `none`, `processor`, `refs`, `link` or `connections`.", False),
)
_TURNS: tuple[tuple[str, str, str, Callable[[PlayedOnce], Value]], ...] = (
    ("actions", "game", "", _row("actions")),
    ("file_bytes", "storage", "B", _row("file_bytes")),
    ("processor_s", "time", "s", lambda played: played.processor_s),
    ("all_bytes", "network", "B", _all_bytes),
)


def _per_player(row: GameRow) -> float:
    return row.file_bytes / row.players if row.topology == "shared" else float(row.file_bytes)


def _spelled_count(name: str) -> str:
    kind, separator, what = name.partition("_")
    if separator and kind == "dice":
        return f"Rolls of {what}."
    if separator and kind == "gained":
        return f"Cards of {what} that the bank gave out for rolls and the set-up."
    if separator and kind == "bought":
        return f"Development cards {what} that were bought."
    return f"Actions {name}."


COLUMNS: dict[str, StudyColumn] = {column.name: column for column in _all()}
"""All columns by name, in the order of the page of columns."""


def columns_named(name: str) -> tuple[StudyColumn, ...]:
    """The column of this name, or all of the group of this name."""
    if name in GROUPS:
        return tuple(column for column in COLUMNS.values() if column.group == name)
    return (COLUMNS[name],)


def columns_page() -> str:
    """Names, units and definitions of all columns, as Markdown."""
    lines = [
        "# Columns of a study",
        "",
        "`catan-p2p study --columns` prints this page. The table of games, `games.csv`, has a column for each factor,",
        "then `cell`, `seed` and `game`, which tell the game, then the measures that the study's file names, one by",
        "one or by group. A game has no value where it has nothing of the kind.",
    ]
    for group, words in GROUPS.items():
        lines += ["", f"## {group}", words, "", "| column | unit | what |", "| --- | --- | --- |"]
        lines += [f"| `{one.name}` | {one.unit} | {one.definition} |" for one in columns_named(group)]
    return "\n".join(lines) + "\n"
