"""Kills at every call that changes files, of verbs that make something; then the same command is typed again.

    python -m tests.cli.kills [--only NAME] [--sample N] [--seed S]

Each verb runs through the real command line in a process forked from this one. Before a call that opens a file for
writing, renames, links, removes or syncs one, makes a folder or starts a process, and after it has started one, the
process is killed with all that it has started. The command that is typed again must go on to the end that it has
without a kill, or say how to go on, and what is left beside must be gone.
"""

import argparse
import builtins
import io
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from catan_p2p.cli import main as program
from catan_p2p.game.rules import awaited
from catan_p2p.game.state import State
from catan_p2p.log.audit import audit
from catan_p2p.log.commit import decode_commit
from catan_p2p.log.folders import is_repository
from catan_p2p.log.keys import read_private_key, spell_public_key
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.log.transport.serve import RepositoryServer
from catan_p2p.log.views.messages import split_after
from catan_p2p.replication.replica import Replica
from catan_p2p.tables import waiting_room
from catan_p2p.tables.chat_writing import read_chat, say
from catan_p2p.tables.seat import read_settings
from catan_p2p.tables.status import read_status
from catan_p2p.tables.waiting_folder import room_folder
from tests.replication.peers import PeerTable
from tests.replication.relays import bare, meet_at
from tests.replication.tables import all_objects, git, is_sound, make_seats, open_replica, opened, play_rounds

WITHIN_S = 240.0
HIDDEN_RULES = "thesis; Leaving = yes; Chance = joint"
SHORT_HIDDEN_RULES = f"{HIDDEN_RULES}; PointsToWin = 3"
CHANGING = ("rename", "replace", "mkdir", "unlink", "remove", "rmdir", "link", "fsync", "fdatasync", "ftruncate")
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT
NOBODY_THERE = ("Connection refused", "the host does not answer", "ended the connection", "Connection reset")
HOW = ("go on with: ", "continue it with --resume", "the game is over: ")


@dataclass(frozen=True)
class Sweep:
    """A command, what is there before it, who runs beside it, and what must be there at the end."""

    name: str
    prepare: Callable[[Path], object]
    command: Callable[[Path], list[str]]
    check: Callable[[Path], None]
    beside: Callable[[Path], list[str]] | None = None
    codes: tuple[int, ...] = (0,)
    closes_when: Callable[[Path], bool] | None = None
    """Of a verb with a window: when somebody closes it."""
    serves: bool = False
    """Whether Red's repository is served once it is made, as by a peer that goes on."""


class Counter:
    """Counts the calls that change files, and kills this process, and what it has started, at one of them."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.count = 0

    def point(self) -> None:
        self.count += 1
        if self.count == self.at:
            os.killpg(0, signal.SIGKILL)

    def install(self) -> None:
        for name in CHANGING:
            if hasattr(os, name):
                setattr(os, name, self._counted(getattr(os, name), lambda *args, **kwargs: True))
        os.open = self._counted(os.open, lambda path, flags, *args, **kwargs: flags & WRITING)  # type: ignore[assignment]
        is_writing = lambda file, mode="r", *args, **kwargs: bool(set(mode) & set("wax+"))  # noqa: E731
        builtins.open = io.open = self._counted(io.open, is_writing)  # type: ignore[assignment]
        start = subprocess.Popen.__init__

        def started(process: Any, *args: Any, **kwargs: Any) -> None:
            self.point()
            start(process, *args, **kwargs)
            self.point()
            if self.count + 1 == self.at:
                time.sleep(0.003)  # what was started is in the middle of its work
            self.point()

        subprocess.Popen.__init__ = started  # type: ignore[method-assign]

    def _counted(self, call: Callable[..., Any], counts: Callable[..., object]) -> Callable[..., Any]:
        def counted(*args: Any, **kwargs: Any) -> Any:
            if counts(*args, **kwargs):
                self.point()
            return call(*args, **kwargs)

        return counted


def begin(folder: Path, command: Sequence[str], name: str, at: int = 0, sweep: Sweep | None = None) -> int:
    """Run a command in a process of its own, killed at a point, or never; returns its id."""
    sys.stdout.flush()
    child = os.fork()
    if child:
        return child
    os.setpgid(0, 0)
    code = 99
    try:
        for number, ending in ((1, "out"), (2, "err")):
            os.dup2(os.open(folder / f"{name}.{ending}", os.O_WRONLY | os.O_CREAT | os.O_APPEND), number)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        waiting_room._FOLDER_S = waiting_room._SERVER_S = 0.02
        if sweep is not None and sweep.closes_when is not None:
            os.environ |= {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
            threading.Thread(target=_close_window, args=(folder, sweep.closes_when), daemon=True).start()
        counter = Counter(at)
        counter.install()
        try:
            code = program.main(command)
        except SystemExit as error:
            code = int(error.code or 0)
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
        if not at:
            (folder / f"{name}.points").write_text(str(counter.count))
    except BaseException:  # noqa: BLE001 - told in the file of errors
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _close_window(folder: Path, is_time: Callable[[Path], bool]) -> None:
    """Close the window as a person does, again and again until it is closed."""
    import pygame

    while not is_time(folder):
        time.sleep(0.05)
    while True:
        with suppress(pygame.error):
            pygame.event.post(pygame.event.Event(pygame.QUIT))
        time.sleep(0.2)


def ended(child: int, within_s: float = WITHIN_S) -> int:
    """The exit code of a process, negative if it was killed."""
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    raise AssertionError("it goes on for ever")


def companion(folder: Path, command: Sequence[str]) -> int:
    """Somebody who waits for the invitation and joins by it, or opens a table."""
    child = os.fork()
    if child:
        return child
    while "{invitation}" in command:
        told = [file.read_text() for name in ("command", "again") if (file := folder / f"{name}.out").exists()]
        line = next((line for text in told for line in text.splitlines() if "#" in line), None)
        if line is not None:
            command = [line if word == "{invitation}" else word for word in command]
        time.sleep(0.01)
    # Whose host was killed just now, types it again.
    while True:
        running = begin(folder, command, "beside")
        (folder / "beside.pid").write_text(str(running))
        code = ended(running)
        if code != 2 or not _is_gone(folder / "beside.err"):
            os._exit(code & 0xFF)
        (folder / "beside.err").unlink()


def _is_gone(told: Path) -> bool:
    return any(words in told.read_text() for words in NOBODY_THERE)


def server(folder: Path) -> int:
    """Serves Red's repository once the table is left."""
    child = os.fork()
    if child:
        return child
    while room_folder(folder / "red").exists() or not (folder / "red").exists():
        time.sleep(0.01)
    while True:
        with suppress(StoreError), RepositoryServer(folder / "red", "127.0.0.1", port_of(folder)):
            threading.Event().wait()
        time.sleep(0.01)  # the host has not let go of the address yet


def invitation_of(folder: Path) -> str:
    """The invitation that whoever runs beside has printed."""
    told, deadline = folder / "beside.out", time.monotonic() + WITHIN_S
    while time.monotonic() < deadline:
        if told.exists() and (line := told.read_text().strip()):
            return line
        time.sleep(0.01)
    raise AssertionError((folder / "beside.err").read_text())


@contextmanager
def prepared(sweep: Sweep) -> Iterator[tuple[Path, int | None]]:
    """A folder in which all is as it is before the command, and who acts beside it; whoever serves ends with it."""
    with tempfile.TemporaryDirectory(prefix="catan-p2p-kill-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        os.environ["CATAN_P2P_HOME"] = str(folder / "home")  # else another who plays the same game could change it
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            sweep.prepare(folder)
        other = None if sweep.beside is None else companion(folder, sweep.beside(folder))
        serving = server(folder) if sweep.serves else None
        try:
            yield folder, other
        finally:
            _stop(serving)


def trial(sweep: Sweep, at: int) -> bool:
    """Kill a command at a point and type it again; whether it got as far. Raises if it does not go on."""
    with prepared(sweep) as (folder, other):
        try:
            command = sweep.command(folder)
            code = ended(begin(folder, command, "command", at, sweep))
            was_killed = code == -signal.SIGKILL
            if was_killed:
                code = ended(begin(folder, command, "again", 0, sweep))
            told = "".join(file.read_text() for file in sorted(folder.glob("*.err")))
            assert "Traceback" not in told, told
            goes_on = any(words in told for words in HOW) and was_killed and code == 2
            assert code in sweep.codes or goes_on, f"exit code {code}: {told}"
            if other is not None:
                beside = ended(other)
                other = None
                assert beside == 0, (beside, (folder / "beside.err").read_text())
            sweep.check(folder)
            left = [path.name for path in folder.iterdir() if path.name.startswith(".")]
            assert left == [], left
        except AssertionError as error:
            said = "".join(f"{file.name}: {file.read_text()}" for file in sorted(folder.glob("*.err")))
            raise AssertionError(f"{error}; {said}; {sorted(path.name for path in folder.iterdir())}") from error
        finally:
            _stop(other)
            if other is not None and (folder / "beside.pid").exists():
                with suppress(ProcessLookupError):
                    os.killpg(int((folder / "beside.pid").read_text()), signal.SIGKILL)
        return was_killed


def _stop(child: int | None) -> None:
    if child is not None:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def points(sweep: Sweep) -> int:
    """How many points a command has that nobody kills."""
    with prepared(sweep) as (folder, other):
        code = ended(begin(folder, sweep.command(folder), "command", 0, sweep))
        assert code in sweep.codes, (folder / "command.err").read_text()
        assert other is None or ended(other) == 0, (folder / "beside.err").read_text()
        sweep.check(folder)
        return int((folder / "command.points").read_text())


# What there is before, and at the end


def _nothing(folder: Path) -> None:
    """Nothing is there."""


def _is_fine(path: Path) -> None:
    found = audit(path)
    assert found.is_fine, found
    read_status(path)


def _both_sit(folder: Path) -> None:
    red, blue = folder / "red", folder / "blue"
    for path in (red, blue):
        _is_fine(path)
        assert git(path, "verify-commit", "HEAD", check=False) == ""
        assert git(path, "config", "gpg.ssh.allowedSignersFile") == str(path / ".git/catan-p2p/allowed_signers")
    assert read_status(red).graph.root == read_status(blue).graph.root
    assert not (folder / ".blue.table").exists()
    refs = git(folder / "relay", "for-each-ref", "--format=%(refname)").split()
    assert refs == ["refs/heads/Red_0", "refs/tables/0/Blue", "refs/tables/0/terms"], refs


def _host(folder: Path, name: str = "red") -> list[str]:
    table_options = ["--players", "Red,Blue", "--rules", "thesis", "--start", "no"]
    return ["host", str(folder / name), "--relay", str(folder / "relay"), *table_options]


def _join(folder: Path, invitation: str = "{invitation}") -> list[str]:
    return ["join", invitation, str(folder / "blue"), "--as", "Blue", "--start", "no"]


def _free_port(folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        (folder / "port").write_text(str(free.getsockname()[1]))


def port_of(folder: Path) -> int:
    """Where the host of a table without a relay is."""
    return int((folder / "port").read_text())


def _host_directly(folder: Path) -> list[str]:
    table_options = ["--players", "Red,Blue", "--rules", "thesis", "--start", "no"]
    return ["host", str(folder / "red"), "--listen", f"127.0.0.1:{port_of(folder)}", *table_options]


def _join_directly(folder: Path, invitation: str = "{invitation}") -> list[str]:
    return [*_join(folder, invitation), "--listen", "127.0.0.1:1"]


def _both_sit_directly(folder: Path) -> None:
    _is_fine(folder / "red")
    _is_fine(folder / "blue")
    assert read_status(folder / "red").graph.root == read_status(folder / "blue").graph.root
    assert read_settings(folder / "red").remotes == {"Blue": "git://127.0.0.1:1/"}
    assert read_settings(folder / "blue").remotes == {"Red": f"git://127.0.0.1:{port_of(folder)}/"}
    assert not room_folder(folder / "red").exists() and not room_folder(folder / "blue").exists()


def _one_seat(folder: Path) -> None:
    program.main(["new-game", str(folder / "red"), "--players", "Red,Blue"])


def _seats(folder: Path) -> None:
    make_seats(folder, rules="thesis; Leaving = yes")


def _played(folder: Path) -> None:
    _seats(folder)
    with opened([folder / "Red", folder / "Blue"]) as replicas:
        play_rounds(replicas, lambda replica: len(replica.graph) > 8)
        for replica in replicas:
            replica.store.publish()


def _red_plays_on(folder: Path) -> None:
    _is_fine(folder / "Red")
    with open_replica(folder / "Red", alone=True) as red:
        red.synchronize()
    _is_fine(folder / "Red")


def _red_awaits_blue(folder: Path) -> None:
    _seats(folder)
    with opened([folder / "Red", folder / "Blue"]) as replicas:
        play_rounds(replicas, lambda replica: replica.graph.state.tp == "DiceRoll" and replica.graph.state.ap == 2)
        for replica in replicas:
            replica.synchronize()
            replica.store.publish()


def _hidden_seats(folder: Path, rules: str = HIDDEN_RULES, seed: int = 9) -> None:
    make_seats(folder, 3, seed, rules=rules, signed=True, hands="hidden")


def hidden_relay(folder: Path, rules: str = HIDDEN_RULES, seed: int = 9) -> None:
    _hidden_seats(folder, rules, seed)
    relay = bare(folder / "relay")
    for path in _seats_in(folder):
        meet_at(path, str(relay))


def _seats_in(folder: Path) -> list[Path]:
    return [folder / colour for colour in ("Red", "Blue", "Green")]


def is_robbed(state: State) -> bool:
    return state.tp == "Drawing" and state.call.victim == 1 and state.due[0]


def _is_asked_for_share(state: State) -> bool:
    return state.tp == "Drawing" and state.call.what == "BuyDevCard" and state.due[0]


def _is_to_shuffle(state: State) -> bool:
    return state.tp == "Shuffling" and state.hid.deck == "first" and state.to_act == 1


def is_to_shuffle_rest(state: State) -> bool:
    return state.tp == "Shuffling" and state.hid.deck == "rest" and state.to_act == 1


def is_to_sign_end(state: State) -> bool:
    return state.tp == "Signing" and state.due[0]


def is_to_open_cards(state: State) -> bool:
    return state.tp == "top" and 1 in awaited(state)


def hidden_until(
    is_so: Callable[[State], bool], table: Callable[[Path], None] = _hidden_seats, *, is_left: bool = False
) -> Callable[[Path], None]:
    """A game of hidden hands up to where Red owes something; Red's cards are noted. Green may have left before."""

    def prepare(folder: Path) -> None:
        table(folder)
        with opened(_seats_in(folder)) as replicas:
            for replica in replicas:
                if replica.relay is not None:
                    replica.relay.meeting.least_s = 0.0
            if is_left:
                _go_on_without_green(replicas)
            _play_until(replicas[: 2 if is_left else 3], is_so)
            (folder / "cards").write_text(_own_cards(replicas[0]))

    return prepare


def _play_until(replicas: Sequence[Replica], is_so: Callable[[State], bool]) -> None:
    """All look, act and pass on in turn until something is so for Red, and all others know as much."""
    for _ in range(5000):
        for replica in replicas:
            replica.synchronize()
            if is_so(replicas[0].graph.state):
                return
            replica.act()
            replica.store.publish()
            if replica.relay is not None:
                assert replica.relay.flush(replica.store, replica.graph), replica.relay.trouble
    raise AssertionError("it did not come to that")


def _wait_for_green(replicas: Sequence[Replica]) -> PeerTable[Replica]:
    """Green is awaited in the middle of the game, for as long as the others wait."""
    _play_until(replicas, lambda state: state.tp == "Building")
    _play_until(replicas[:2], lambda state: awaited(state) == (3,))
    table = PeerTable(replicas[:2])
    for _ in range(30):
        for voting in table.voting.values():
            voting.look()
        table.time.sleep(25.0)
    return table


def _change_until(*steps: int) -> Callable[[Path], None]:
    """A game of three in which Green is awaited, and the others do in turn what is due: Red, the first, or Blue."""

    def prepare(folder: Path) -> None:
        make_seats(folder, 3, 9, rules="thesis; Leaving = yes")
        with opened(_seats_in(folder)) as replicas:
            table = _wait_for_green(replicas)
            for step in steps:
                replicas[step].synchronize()
                for _ in range(30):
                    if table.voting[replicas[step]].go_on(1.0):
                        break
                    table.time.sleep(1.0)
                else:
                    raise AssertionError("nothing is due")

    return prepare


def _has_signed(colour: str, *kinds: str) -> Callable[[Path], None]:
    """The player has signed all of this, nothing in two ways, and the other hears of it."""

    def check(folder: Path) -> None:
        told = _told_once(folder, by=colour)
        assert {*kinds} <= {*told.values()}, told
        _hears(folder, told, "Red" if colour == "Blue" else "Blue")

    return check


def _go_on_without_green(replicas: Sequence[Replica]) -> None:
    """Green is awaited in the middle of the game, and is left out."""
    _wait_for_green(replicas).play(lambda _: all(one.graph.state.away[2] for one in replicas[:2]), 1.0, acts=False)


def _own_cards(replica: Replica) -> str:
    """All that Red holds, as only Red can tell."""
    own, sealed_cards = replica._own, replica.graph.line.hearing_all().sealed_cards
    assert own is not None and sealed_cards is not None
    hidden_hand = sealed_cards.of(replica.player)
    known = replica.graph.state.h[replica.player - 1].rc
    development = own.development_cards(sealed_cards, (*hidden_hand.held, *hidden_hand.bought))
    return f"{known + own.cards(sealed_cards)} {development}"


def _told_once(folder: Path, *, may_open: bool = False, by: str = "Red") -> dict[str, str]:
    """What a player has signed, and what that is: all is sound, nobody has forked, or told a key early."""
    for path in (folder / "Red", folder / "Blue"):
        _is_fine(path)
    if (folder / "relay").exists():
        assert is_sound(folder / "relay")
    written: dict[tuple[str, str], dict[str, str]] = {}
    for path in (path for path in folder.iterdir() if is_repository(path)):
        for oid, kind, data in all_objects(path):
            if kind != "commit":
                continue
            commit = decode_commit(data)
            action = commit.message.partition(" ")[0]
            assert may_open or action != "open_all", f"{path}: a key is told"
            if (after := split_after(commit.message)[1]) is not None:
                written.setdefault((commit.author.name, after), {})[oid] = action
    twice = {where: made for where, made in written.items() if len(made) > 1}
    assert not twice, twice
    return {oid: action for (name, _), made in written.items() if name == f"{by}_0" for oid, action in made.items()}


def _hears(folder: Path, told: Collection[str], colour: str) -> None:
    with open_replica(folder / colour, alone=True) as replica:
        for _ in range(3):
            replica.synchronize()
        assert all(oid in replica.graph for oid in told), f"{colour} lacks what the other has done"


def red_keeps_cards(folder: Path) -> None:
    """Red has done what was owed, once; the cards are those from before, and nobody has told a key."""
    told = _told_once(folder)
    with open_replica(folder / "Red", alone=True) as red:
        red.synchronize()
        assert not red.graph.state.due[0] and not (red.graph.state.tp == "Shuffling" and red.graph.state.to_act == 1)
        assert _own_cards(red) == (folder / "cards").read_text()
    _hears(folder, told, "Blue")


def red_ends_game(folder: Path) -> None:
    """Red has signed the end, or opened the cards, once; they are those from before."""
    told = _told_once(folder, may_open=True)
    with open_replica(folder / "Red", alone=True) as red:
        red.synchronize()
        assert red.graph.state.is_over and 1 not in awaited(red.graph.state)
        assert _own_cards(red) == (folder / "cards").read_text()
    _hears(folder, told, "Blue")


def _claimed(folder: Path) -> None:
    _is_fine(folder / "Red")
    assert read_status(folder / "Red").graph.state.is_over


def _said(folder: Path) -> None:
    _is_fine(folder / "Red")
    texts = [message.text for message in read_chat(folder / "Red")]
    assert texts in (["first", "hello"], ["first", "hello", "hello"]), texts


def _turn_of(colour: str) -> Callable[[Path], list[str]]:
    return lambda folder: ["turn", str(folder / colour)]


def _says(folder: Path) -> None:
    _seats(folder)
    say(folder / "Red", "first")


def _exported(folder: Path) -> None:
    _played(folder)
    program.main(["export", str(folder / "Red"), "-o", str(folder / "given.sgn")])


def _same_file(folder: Path) -> None:
    assert (folder / "out.sgn").read_bytes() == (folder / "given.sgn").read_bytes()


def _has_key(folder: Path) -> None:
    key = spell_public_key(read_private_key(folder / "key"))
    assert (folder / "key.pub").read_text() == f"ssh-ed25519 {key}\n"


def _simulated(folder: Path) -> None:
    results = folder / "out" / "games.jsonl"
    if not results.exists() or not results.read_text().endswith("\n"):
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()) as told:
            code = program.main(["simulate", "--resume", str(folder / "out")])
        assert code == 0, told.getvalue()
    found = audit(folder / "out" / "Catan_0")
    assert found.is_fine, found


SWEEPS = (
    Sweep("host", _nothing, _host, _both_sit, _join),
    Sweep("join INVITATION", _nothing, lambda f: _join(f, invitation_of(f)), _both_sit, _host),
    Sweep("host --listen", _free_port, _host_directly, _both_sit_directly, _join_directly, serves=True),
    Sweep(
        "join INVITATION --listen",
        _free_port,
        lambda f: _join_directly(f, invitation_of(f)),
        _both_sit_directly,
        _host_directly,
        serves=True,
    ),
    Sweep(
        "join URL",
        _one_seat,
        lambda f: ["join", str(f / "red"), str(f / "blue"), "--as", "Blue"],
        lambda f: _is_fine(f / "blue"),
    ),
    Sweep(
        "new-game",
        _nothing,
        lambda f: ["new-game", str(f / "red"), "--players", "Red,Blue"],
        lambda f: _is_fine(f / "red"),
    ),
    Sweep("new-key", _nothing, lambda f: ["new-key", str(f / "key")], _has_key),
    Sweep("peer", _seats, lambda f: ["peer", str(f / "Red"), "--alone", "--stop-after", "0.3"], _red_plays_on),
    Sweep("turn", _played, lambda f: ["turn", str(f / "Red")], _red_plays_on, codes=(0, 3)),
    *(
        Sweep(f"turn, {name}", prepare, lambda f: ["turn", str(f / "Red")], red_keeps_cards, codes=(0, 3))
        for name, prepare in {
            "robbed": hidden_until(is_robbed),
            "a share for a buyer": hidden_until(_is_asked_for_share),
            "a shuffle": hidden_until(_is_to_shuffle),
            "a shuffle of the rest": hidden_until(is_to_shuffle_rest, is_left=True),
            "robbed, at a relay": hidden_until(is_robbed, hidden_relay),
            "robbed, without a player": hidden_until(is_robbed, is_left=True),
        }.items()
    ),
    Sweep(
        "play, robbed",
        hidden_until(is_robbed, hidden_relay),
        lambda f: ["play", str(f / "Red"), "--no-chat", "--alone"],
        red_keeps_cards,
        closes_when=lambda f: any((f / "relay" / "refs" / "heads").glob("*_chance_Red_0")),
    ),
    Sweep("vote", _red_awaits_blue, lambda f: ["vote", str(f / "Red"), "--claim"], _claimed),
    Sweep("vote, of three", _change_until(0), lambda f: ["vote", str(f / "Blue")], _has_signed("Blue", "vote")),
    *(
        Sweep(f"turn, {name}", _change_until(*steps), _turn_of(colour), _has_signed(colour, *kinds), codes=(0, 3))
        for name, colour, steps, kinds in (
            ("a proposal", "Blue", (1, 0), ("propose", "accept")),
            ("an excuse", "Red", (1, 0, 1), ("accept", "excuse")),
        )
    ),
    Sweep("say", _says, lambda f: ["say", str(f / "Red"), "hello"], _said),
    Sweep("export", _exported, lambda f: ["export", str(f / "Red"), "-o", str(f / "out.sgn")], _same_file),
    Sweep(
        "import",
        _exported,
        lambda f: ["import", str(f / "given.sgn"), "-o", str(f / "game")],
        lambda f: audit(f / "game") and None,
    ),
    Sweep(
        "simulate",
        _nothing,
        lambda f: ["simulate", "--policy", "builder", "--seed", "3", "--out", str(f / "out")],
        _simulated,
    ),
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="the verb with this name")
    parser.add_argument("--sample", type=int, help="so many points of each verb (default: all)")
    parser.add_argument("--seed", type=int, default=0, help="which points are taken")
    parser.add_argument("--at", type=int, help="this point only")
    parser.add_argument("--least", type=int, default=1, help="no point before this one")
    args = parser.parse_args()
    failures = 0
    print("| command | points | kills | did not go on |\n| --- | --- | --- | --- |", flush=True)
    program.make_parser()  # loads all verbs once
    for sweep in SWEEPS:
        if args.only not in ("", sweep.name):
            continue
        count = points(sweep)
        chosen = [*range(args.least, count + 1)] if args.at is None else [args.at]
        if args.sample is not None and args.sample < len(chosen):
            chosen = sorted(random.Random(f"{sweep.name} {args.seed}").sample(chosen, args.sample))
        kills = stuck = 0
        for at in chosen:
            try:
                kills += trial(sweep, at)
            except Exception as error:  # noqa: BLE001 - counted, and told
                kills += 1
                stuck += 1
                print(f"{sweep.name}, point {at}: {error!r}", file=sys.stderr, flush=True)
                if args.at is not None:
                    traceback.print_exc()
        failures += stuck
        print(f"| `{sweep.name}` | {count} | {kills} | {stuck} |", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
