"""Public views as Git repositories: one commit per event, whose subject is the event in words.

The files below ``state/`` hold what is certain, and the file ``open`` what is not. The file ``header`` and the
trailers ``Line`` of the commits hold the lines of the notation, from which the view is read again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from catan_p2p.game.board import format_tiles, format_wharfs
from catan_p2p.game.rule_names import rules_named
from catan_p2p.log.commit import Commit, Signature, decode_commit, root_message
from catan_p2p.log.game import FormatError, Seat, format_rules, name_problem
from catan_p2p.log.reading import find_root, tree_entries
from catan_p2p.log.refs import HEADS, LogBranch, local_ref, parse_branch
from catan_p2p.log.state_files import files_of_state
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectId, ObjectMissing, StoreError
from catan_p2p.log.storage.store import GitStore
from catan_p2p.notation.errors import FINDING_KINDS, FindingKind, NotationFinding
from catan_p2p.notation.formats import LINES
from catan_p2p.notation.repair import ViewStep, forced
from catan_p2p.notation.repository.game import finish, new_store, seats
from catan_p2p.notation.repository.view import FileView
from catan_p2p.notation.tables import VIEW_FORMATS, ViewFormat, table_for
from catan_p2p.view.events import Event, GameStarted, Participant
from catan_p2p.view.knowledge import PublicKnowledge

VIEW_FORMAT = "public view 1"
"""The content of a view's file ``format``, where a game has the version of its log format."""

_LINE = "Line: "
_MAX_STEPS = 200_000


def write_view(path: Path, view: FileView, nonce: str, steps: Iterable[ViewStep] | None = None) -> None:
    """Write a public view's repository atomically; ``StoreError`` if it cannot be written.

    ``steps`` replaces the view's own steps, so that a long view can be streamed. The findings are in the newest commit
    alone, so that the earlier commits stay the same when a view grows.
    """
    taken = seats(view.start.players)
    branches = [LogBranch(seat.colour, 0) for seat in taken]
    with new_store(path, branches[0]) as store:
        once = {name: store.add("blob", text.encode()) for name, text in _files_of(view, taken).items()}
        message = root_message(0, len(taken), nonce)
        spell = LINES[view.format].speller(view.start)
        parents, seat, time_s, last = tuple[ObjectId, ...](), taken[0], view.started_s, view.first
        for step in view.steps if steps is None else steps:
            parents = (_commit(store, _put_position(store, once, last), parents, seat, time_s, message),)
            seat, time_s, last = taken[step.event.player - 1], step.time_s, step.after
            lines = "".join(f"{_LINE}{line}\n" for line in spell(step.event))
            message = f"{seat.colour} {view.words(step)}\n\n{lines}"
        found = "".join(f"{f.line},{f.column},{f.kind},{f.message}\n" for f in view.findings)
        newest = once | {"findings": store.add("blob", found.encode())}
        head = _commit(store, _put_position(store, newest, last), parents, seat, time_s, message)
        for branch in branches:
            store.record(local_ref(branch), head, None)
        finish(store, branches[last.state.ap - 1])


def _commit(
    store: GitStore, tree: ObjectId, parents: tuple[ObjectId, ...], seat: Seat, time_s: int, message: str
) -> ObjectId:
    author = Signature(seat.name, seat.email, max(0, time_s))
    return store.add("commit", Commit(tree, parents, author, author, message).encode())


def _files_of(view: FileView, seats: Sequence[Seat]) -> dict[str, str]:
    """The files that are the same in all commits."""
    map = view.start.map
    rows = zip(seats, view.start.players, strict=True)
    return {
        "format": f"{VIEW_FORMAT}\n",
        "rules": format_rules(view.first.rules),
        # the name as the file has it, unless it would break the line or cannot be shown
        "players": "".join(
            f"{player.seat} {seat.colour} - {seat.name if name_problem(player.name) else player.name}\n"
            for seat, player in rows
        ),
        "map/tiles": format_tiles(map.tiles),
        "map/wharfs": format_wharfs(map.wharfs),
        "source": f"format = {view.format}\nrules = {view.rules}\nplayers = {len(seats)}\n",
        "header": "".join(f"{line}\n" for line in LINES[view.format].start_lines(view.start)),
        "findings": "",
    }


def _put_position(store: GitStore, once: dict[str, ObjectId], position: PublicKnowledge) -> ObjectId:
    texts = files_of_state(position.known_state())
    texts["open"] = "".join(
        f"{f'player_{fact.player}' if fact.player else 'bank'} {fact}\n" for fact in position.open_facts()
    )
    files = once | {path: store.add("blob", text.encode()) for path, text in texts.items()}
    return _put_tree(store, files)


def _put_tree(store: GitStore, files: dict[str, ObjectId]) -> ObjectId:
    """Write the tree of these files, given by path below it."""
    folders: dict[str, dict[str, ObjectId]] = {}
    entries: list[tuple[str, bytes]] = []
    for path, oid in files.items():
        name, separator, below = path.partition("/")
        if separator:
            folders.setdefault(name, {})[below] = oid
        else:
            entries.append((name, f"100644 {name}\0".encode() + bytes.fromhex(oid)))
    # Git sorts a folder as if its name ended in "/".
    for name, members in folders.items():
        entries.append((f"{name}/", f"40000 {name}\0".encode() + bytes.fromhex(_put_tree(store, members))))
    return store.add("tree", b"".join(entry for _, entry in sorted(entries)))


def is_view(path: Path) -> bool:
    """Whether the repository at a path is a public view; ``StoreError`` if there is no repository."""
    with GitStore.open(path, writer=None) as store:
        return _find_view(store) is not None


def load_view(path: Path) -> FileView:
    """The public view in the repository at ``path``; ``StoreError`` if there is none, or it is damaged."""
    with GitStore.open(path, writer=None) as store:
        try:
            found = _find_view(store)
            if found is None:
                raise StoreError(f"{path}: not a public view")
            return _read_view(store, *found)
        except (FormatError, ObjectMissing, ObjectDamaged, ValueError, LookupError) as error:
            raise StoreError(f"{path}: the public view cannot be read: {error}") from None


def _find_view(store: GitStore) -> tuple[ObjectId, ObjectId] | None:
    """The newest commit of a view and the tree of its root, None if this is not a view."""
    for ref, head in store.list_refs(HEADS).items():
        if isinstance(parse_branch(ref.removeprefix(HEADS)), LogBranch):
            root = find_root(head, store.read)
            if not isinstance(root, str):
                return None
            tree = decode_commit(store.read(root)[1]).tree
            entry = tree_entries(tree, store.read).get("format")
            is_view = entry is not None and store.read(entry[1])[1].decode() == f"{VIEW_FORMAT}\n"
            return (head, tree) if is_view else None
    return None


def _read_view(store: GitStore, head: ObjectId, root_tree: ObjectId) -> FileView:
    entries = tree_entries(root_tree, store.read)
    texts = {name: store.read(entries[name][1])[1].decode() for name in ("source", "rules", "header", "players")}
    newest = tree_entries(decode_commit(store.read(head)[1]).tree, store.read)
    texts["findings"] = store.read(newest["findings"][1])[1].decode()
    source = dict(line.split(" = ", 1) for line in _lines(texts["source"]))
    format, rules, count = _format_named(source["format"]), source["rules"], int(source["players"])
    if rules.startswith("standard") and "TableTalk" not in rules + texts["rules"]:
        rules = "brief" + rules.removeprefix("standard")  # written before the standard rules had table talk
    root, commits = _line_of_commits(store, head)
    notation = LINES[format]
    start: GameStarted = notation.read_start(iter(enumerate(_lines(texts["header"]), 1)))
    start = replace(start, players=_participants(texts["players"], count, start))
    reader = notation.body_reader(start)
    events = [_read_event(reader, commit.message) for _, commit in commits]
    table = table_for(start, format)
    steps = tuple(
        step._replace(time_s=commit.author.time_s, commit=oid)
        for step, (oid, commit) in zip(forced(start, events, table, rules_named(rules, count)), commits, strict=True)
    )
    findings = tuple(map(_parse_finding, _lines(texts["findings"])))
    return FileView(start, format, rules, steps, findings, root)


def _line_of_commits(store: GitStore, head: ObjectId) -> tuple[ObjectId, list[tuple[ObjectId, Commit]]]:
    """The root commit, and all commits after it, oldest first."""
    commits: list[tuple[ObjectId, Commit]] = []
    while len(commits) < _MAX_STEPS:
        commit = decode_commit(store.read(head)[1])
        if not commit.parents:
            return head, commits[::-1]
        commits.append((head, commit))
        head = commit.parents[0]
    raise FormatError(f"more than {_MAX_STEPS} commits")


def _read_event(reader: Any, message: str) -> Event:
    lines = [line.removeprefix(_LINE) for line in _lines(message) if line.startswith(_LINE)]
    events = [event for number, line in enumerate(lines, 1) for event in reader.take(line, number)]
    events += reader.rest()
    if len(events) != 1:
        raise FormatError(f"a commit tells {len(events)} events, expected one")
    event: Event = events[0]
    return event


def _participants(text: str, count: int, start: GameStarted) -> tuple[Participant, ...]:
    """The players in the order of play: with the header's names if it has them, which it lists by seat."""
    told = {player.seat: player for player in start.players}
    players = []
    for line in _lines(text):
        seat, colour, _, name = line.split(" ", 3)
        players.append(told[int(seat)] if told else Participant(int(seat), name, colour.lower()))
    if len({player.seat for player in players}) != count or len(players) != count or len(told) not in (0, count):
        raise FormatError(f"{len(players)} players, expected {count}")
    return tuple(players)


def _parse_finding(line: str) -> NotationFinding:
    row, column, kind, message = line.split(",", 3)
    return NotationFinding(int(row), int(column), FINDING_KINDS[FINDING_KINDS.index(cast(FindingKind, kind))], message)


def _format_named(name: str) -> ViewFormat:
    return VIEW_FORMATS[VIEW_FORMATS.index(cast(ViewFormat, name))]


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n") if text else []
