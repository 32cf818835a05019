"""Imported games as Git repositories, the same that their peers would have written."""

import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from catan_p2p.game.constants import Constants
from catan_p2p.game.rules import apply
from catan_p2p.log.commit import LATEST_S, decode_commit, trailers_of
from catan_p2p.log.game import GameDefinition, Seat, default_name, name_problem
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.history import GameHistory
from catan_p2p.log.ledger import Ledger
from catan_p2p.log.opened_hands import OpenedGame
from catan_p2p.log.refs import COLOURS, LogBranch, branch_name, local_ref
from catan_p2p.log.root import root_commit
from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.log.storage.store import GitStore
from catan_p2p.notation.catanlog.header import VERSION
from catan_p2p.notation.players import has_chosen_name, is_text
from catan_p2p.notation.repository.from_game import FileFacts, TimedAction
from catan_p2p.notation.repository.view import started_s
from catan_p2p.view.events import GameStarted, Participant

_FACTS = {
    "seats": re.compile("[1-6](?: [1-6])*"),
    "version": re.compile(r"[0-9A-Za-z.+-]{1,32}"),
    "microseconds": re.compile("[0-9]{1,6}"),
}
"""The facts of a file that the nonce of its game keeps, each as ``; NAME VALUE``."""
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")


def write_game(path: Path, start: GameStarted, constants: Constants, played: Iterable[TimedAction], nonce: str) -> None:
    """Write a game's repository atomically, each branch at its newest commit; ``StoreError`` if that fails."""
    game = GameDefinition(constants, 0, seats(start.players))
    nonce += "".join(f"; {name} {value}" for name, value in _facts_of(start, constants))
    with new_store(path, game.branch(1)) as store:
        root, tree = root_commit(game, nonce, _bounded(started_s(start)), store.add)
        graph = CommitGraph(Ledger.begin(game, root, tree))
        for step in played:
            # concurrent replies do not see each other
            after = apply(graph.before(step.action), step.action)
            graph.add(graph.write(step.action, after, _bounded(step.time_s), store.add, shows=step.shows))
        for player in constants.players:
            store.record(local_ref(game.branch(player)), graph.head, None)
        for reply in graph.replies.values():
            branch = game.branch_for(graph.head, reply.action)
            store.record(local_ref(branch), reply.commit, None)
        finish(store, game.branch(graph.state.ap))


def _bounded(time_s: int) -> int:
    """The nearest date that a commit can have."""
    return min(max(time_s, 0), LATEST_S)


def game_started_s(store: GitStore | OpenedGame, history: GameHistory) -> int:
    """The date of a game's root commit, in seconds since 1970."""
    return decode_commit(store.read(history.root)[1]).author.time_s


def _facts_of(start: GameStarted, constants: Constants) -> Iterator[tuple[str, str]]:
    numbers = [player.seat for player in start.players]
    if numbers != list(constants.players):
        yield "seats", " ".join(map(str, numbers))
    if start.version not in (None, VERSION) and _FACTS["version"].fullmatch(start.version or ""):
        yield "version", start.version
    if start.started is not None and start.started.microsecond:
        yield "microseconds", str(start.started.microsecond)


def file_facts(store: GitStore | OpenedGame, history: GameHistory) -> FileFacts:
    """The facts of the imported file that the root commit's nonce keeps; invalid ones are dropped."""
    nonce = trailers_of(decode_commit(store.read(history.root)[1]).message).get("Nonce", "")
    told = dict(part.split(" ", 1) for part in nonce.split("; ")[1:] if " " in part)
    found = {name: told[name] for name, shape in _FACTS.items() if name in told and shape.fullmatch(told[name])}
    numbers = tuple(map(int, found.get("seats", "").split()))
    is_whole = len(set(numbers)) == len(numbers) == history.game.constants.player_count
    return FileFacts(numbers if is_whole else (), found.get("version"), int(found.get("microseconds", "0")))


def seats(players: Sequence[Participant]) -> tuple[Seat, ...]:
    """Seats in the order of play; a colour that a log cannot have becomes a free one, and a name the default one."""
    wanted = [player.colour.capitalize() for player in players]
    free = [colour for colour in COLOURS if colour not in wanted]
    colours = [colour if colour in COLOURS else free.pop(0) for colour in wanted]
    return tuple(
        Seat(colour, player.name if _can_keep_name(player) else default_name(colour, 0), None)
        for colour, player in zip(colours, players, strict=True)
    )


def _can_keep_name(player: Participant) -> bool:
    is_chosen = has_chosen_name(player) and is_text(player.name)
    return _NAME.fullmatch(player.name) is not None or (is_chosen and name_problem(player.name) is None)


@contextmanager
def new_store(path: Path, branch: LogBranch) -> Iterator[GitStore]:
    """A new store, built beside ``path`` and renamed to it once everything is written."""
    beside = path.with_name(f".{path.name}.new")
    with disk.explained("make the repository", path):
        if path.exists():
            raise StoreError(f"{path}: already exists")
        if beside.exists():
            shutil.rmtree(beside)
        disk.make_folder(path.parent)
    try:
        with GitStore.create(beside, branch=branch_name(branch)) as store:
            yield store
        with disk.explained("make the repository", path):
            beside.rename(path)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise


def finish(store: GitStore, branch: LogBranch) -> None:
    """Pack all objects and check a branch out, as peers do at the end of a game."""
    store.fold()
    store.check_out(local_ref(branch))
