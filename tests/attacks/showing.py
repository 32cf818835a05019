"""Names and messages of others that would act on the terminal, or look like words of the program."""

import io
import sys
from collections.abc import Sequence
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from pathlib import Path

from catan_p2p.cli.main import main
from catan_p2p.game.actions import RollDice
from catan_p2p.log.commit import LATEST_S
from catan_p2p.log.game import FormatError, game_files, new_game, parse_game
from catan_p2p.safe_text import shown
from catan_p2p.tables.chat_writing import say
from tests.attacks.registry import attack
from tests.attacks.streams import daemon
from tests.attacks.table import deal
from tests.log.storage.repositories import commit_at
from tests.log.transport.hostile_daemon import line
from tests.replication.tables import make_seats, open_replica, play_rounds, point, use_remote, write_commit

SHOWN = "shown"
NASTY = "\x1b[2J\x1b]0;title\x07\r\x9b31m\u202e\u2066\x7f in order"
"""ESC with a CSI, an OSC with BEL, CR, a CSI of C1, two marks that turn text around, DEL."""


def _told(arguments: Sequence[str], code: int | None = None) -> str:
    """All that a verb prints, which ends with this exit code, or with any."""
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        ended = main([*arguments])
    assert code in (None, ended), out.getvalue()
    return out.getvalue()


def _is_harmless(text: str) -> None:
    assert "in order" in text, text
    assert r"\x1b[2J" in text, text
    assert all(part.isprintable() for part in text.split("\n")), repr(text)
    assert not any(part.startswith(" in order") for part in text.split("\n"))


def _signed_by_nasty(folder: Path) -> Path:
    """Red's repository with a commit whose author has a nasty name."""
    red = deal(folder) / "Red"
    with open_replica(red, alone=True) as replica:
        graph = replica.graph
        action = RollDice(1, 8)
        from catan_p2p.game.rules import apply
        from tests.replication.tables import write_object

        state = apply(graph.state, action)
        step = graph.write(action, state, 1735690000, lambda kind, data: write_object(red, kind, data))
    good = commit_at(red, step.commit)
    author = good.author._replace(name=NASTY.replace("\n", ""))
    point(red, "refs/heads/Red_0", write_commit(red, good._replace(author=author, committer=author)))
    return red


# Without shown in the verbs and in their output each of these reaches the terminal as it is.
@attack("escape sequences in an author's name: `verify`", SHOWN)
def escapes_to_verify(folder: Path) -> None:
    _is_harmless(_told(["verify", str(_signed_by_nasty(folder))]))


@attack("the same: `log`", SHOWN)
def escapes_to_log(folder: Path) -> None:
    _is_harmless(_told(["log", str(_signed_by_nasty(folder))]))


@attack("the same: `peer` and `status`", SHOWN)
def escapes_to_status(folder: Path) -> None:
    _signed_by_nasty(folder)
    blue = folder / "Blue"
    _told(["peer", str(blue), "--stop-after", "2", "--alone"])
    _is_harmless(_told(["status", str(blue)]))


@attack("escape sequences in a server's error: `peer`", SHOWN)
def escapes_to_peer(folder: Path) -> None:
    blue = deal(folder) / "Blue"
    with daemon(lambda connection: connection.sendall(line(f"ERR {NASTY}\n"))) as url:
        use_remote(blue, "Green", url)
        _is_harmless(_told(["peer", str(blue), "--stop-after", "6", "--alone"]))


@attack("the same: `join`", SHOWN)
def escapes_to_join(folder: Path) -> None:
    folder.mkdir()
    with daemon(lambda connection: connection.sendall(line(f"ERR {NASTY}\n"))) as url:
        _is_harmless(_told(["join", url, str(folder / "new"), "--as", "Blue"]))


@attack("escape sequences in a player's name in the root", "refused")
def escapes_in_names(folder: Path) -> None:
    from catan_p2p.game.constants import Constants

    files = game_files(new_game(0, Constants()))
    for nasty in NASTY.replace("\n", ""):
        if not nasty.isprintable():
            try:
                parse_game({**files, "players": f"1 Red - Red{nasty}\n2 Blue - Blue_0\n"}, 0)
            except FormatError as error:
                assert shown(str(error)) == str(error)
            else:
                raise AssertionError(f"{nasty!r} is taken for a part of a name")
    assert sys.stdout is not None


# With datetime.fromtimestamp in the place of shown_date each of these verbs ends with a traceback.
@attack(
    "dates in the year 33658, and back, in commits and chat: 16 uses of verbs",
    "shown as the end of 9999",
    tries=16,
)
def dates_outside_the_calendar(folder: Path) -> None:
    red, blue = make_seats(folder, rules="thesis; Leaving = yes")

    def clock(height: int) -> int:
        return LATEST_S if height % 3 != 1 or height > 20 else height

    with ExitStack() as opened:
        replicas = [opened.enter_context(open_replica(path, clock)) for path in (red, blue)]
        play_rounds(replicas, lambda replica: len(replica.graph) > 30)
        for replica in replicas:
            replica.store.publish()
    say(red, "hello", LATEST_S)
    assert " since 9999-12-31" in _told(["status", str(red)])
    assert "9999-12-31 23:59 Red hello" in _told(["say", str(red)])
    for verb in (["status", "--json"], ["say", "--json"], ["log"], ["verify"], ["stats"]):
        _told([*verb, str(red)], 0)
    for form in ("catan", "sgn", "json"):
        _told(["export", str(red), "-o", str(folder / f"game.{form}")], 0)
        _told(["import", str(folder / f"game.{form}"), "-o", str(folder / form)], 0)
        _told(["log", str(folder / form)], 0)
