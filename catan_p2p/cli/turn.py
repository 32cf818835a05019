"""``catan-p2p turn``: synchronize a seat once, for games that last days, and say whether it is the player's turn."""

import argparse
import os
import subprocess
from pathlib import Path
from typing import Any

from catan_p2p.cli import values
from catan_p2p.cli.output import FINDING, FINE, emit, emit_json, say, tell
from catan_p2p.cli.visiting import may_give_up
from catan_p2p.game.rules import awaited
from catan_p2p.log.evidence import refusal_in_words
from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.replication.play import unheard
from catan_p2p.replication.prospects import Standing, awaited_in, back_in_words, is_left_out, newest_at
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.sync_once import VISIT_S, visit
from catan_p2p.replication.voting import VotingDuty
from catan_p2p.sessions.visiting import take_turns, visited_computers, visited_seat
from catan_p2p.tables.foreign_commits import describe_displaced
from catan_p2p.tables.repair import heal
from catan_p2p.tables.seat import private_folder

AWAITED = FINE
NOT_AWAITED = 3
OVER = 4
_NOTIFIED_FILE = "notified"


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "turn",
        help="synchronize once, and say whether it is your turn",
        description="Fetch what the others have done, validate it, pass on your own commits, and say whether it is "
        "your turn in the game in DIR. The verb decides nothing for you. It does what needs no decision, such as "
        "revealing a share of a draw or declining an offer that you plainly cannot pay, and takes the turns of the "
        "computer players that you host. For games that last days, let the system run it now and then.",
        epilog="Exit codes: 0 it is your turn, or you can answer an offer, 3 it is not, 4 the game is over and "
        "needs nothing more, 1 nobody could be reached, a commit was refused or the game cannot go on, 2 wrong usage "
        "or something that cannot be read or written.",
    )
    parser.add_argument("path", type=values.path, metavar="DIR", help="your repository")
    parser.add_argument(
        "--notify",
        metavar="COMMAND",
        help="a shell command to run once each time it becomes your turn; it finds a message in CATAN_P2P_MESSAGE, "
        "and the repository in CATAN_P2P_DIR",
    )
    parser.add_argument("--no-chat", action="store_true", help="ignore chat")
    parser.add_argument(
        "--within",
        type=values.seconds,
        default=VISIT_S,
        metavar="SECONDS",
        help=f"how long to wait for the others' repositories (default: {VISIT_S:g})",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(func=run)


@may_give_up
def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    for done in heal(args.path):
        say(f"mended: {done}")
    with visited_seat(args.path, has_chat=not args.no_chat) as replica:
        called = replica.game.called
        replica.tell_refusal = lambda one: say(refusal_in_words(one.as_json(), called))
        if replica.chat is not None:
            replica.chat.tell = lambda message: tell(f"{called[message.colour]} says: {message.text}")
        was_left_out = is_left_out(replica.graph, replica.player)
        new = visit(replica, args.within)
        with visited_computers(args.path, has_chat=not args.no_chat) as computers:
            while take_turns(computers, args.within):
                new += visit(replica, args.within)
        for one in replica.store.displaced:
            say(describe_displaced(one))
        since_s, found = newest_at(replica.graph, replica.store.read), VotingDuty(replica).prospects()
        is_news = was_left_out and not is_left_out(replica.graph, replica.player)
        back = back_in_words(replica.graph, replica.player, replica.store.read, is_news=is_news)
        standing = Standing(replica.graph, replica.player, since_s, found, back)
        code, words = _code(replica), _words(replica, standing)
        if args.json:
            emit_json(_as_json(replica, new, standing))
        else:
            emit(words)
        options = {one.in_words([*called.values()]): one for one in standing.prospects if one.is_possible}
        for sentence in standing.sentences():
            option = options.get(sentence)
            how = "" if option is None else f": catan-p2p vote {args.path}{' --claim' * option.is_claim}"
            tell(f"{sentence}{how}")
        for neighbour in replica.neighbours:
            if neighbour.note is not None:
                say(f"{called[neighbour.colour]}: {neighbour.note}")
        if replica.relay is not None and not replica.has_pushed_all:
            say(f"not everything could be pushed: {replica.relay.trouble or 'the relay does not answer'}")
        if replica.is_awaited and args.notify is not None:
            _notify(args.notify, args.path, replica.graph.head, words)
    return code


def _code(replica: Replica) -> int:
    unreached = all(one.trouble is not None and not one.is_waiting for one in replica.neighbours)
    if replica.refusals or unreached:
        return FINDING
    if replica.graph.state.is_over:  # what is left, programs do: they sign the end and open the cards
        return NOT_AWAITED if awaited(replica.graph.state) else OVER
    return AWAITED if replica.is_awaited else NOT_AWAITED


def _words(replica: Replica, standing: Standing) -> str:
    own, rest = [*replica.game.called.values()][replica.player - 1], standing.waiting(unheard(replica))
    if replica.graph.state.is_over or not replica.is_awaited:
        return rest
    # At a table with table talk nobody waits for an answer.
    return f"{own} is awaited" if replica.player in awaited_in(replica.graph) else f"{own} can answer an offer; {rest}"


def _as_json(replica: Replica, new: int, standing: Standing) -> dict[str, Any]:
    state = replica.graph.state
    return {
        "awaited": replica.is_awaited and not state.is_over,
        "over": state.is_over,
        "ended": state.is_over and not awaited(state),
        "head": replica.graph.head,
        "actions": replica.graph.action_count,
        "new": new,
        "refusals": replica.refusals,
        "pushed": replica.has_pushed_all,
        **standing.as_json(),
    }


def _notify(command: str, path: Path, head: str, words: str) -> None:
    """Run the command, unless it has succeeded for this very commit; ``StoreError`` if it fails."""
    file = private_folder(path) / _NOTIFIED_FILE
    with disk.explained("read", file):
        if (disk.read(file) or b"").strip() == head.encode():
            return
    environment = os.environ | {"CATAN_P2P_MESSAGE": words, "CATAN_P2P_DIR": str(path.absolute())}
    done = subprocess.run(command, shell=True, env=environment, stdin=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        raise StoreError(f"--notify: the command ended with code {done.returncode}; it is tried again next time")
    with disk.explained("write", file):
        file.write_text(f"{head}\n", "ascii")
