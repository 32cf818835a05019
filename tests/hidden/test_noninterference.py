"""Two games that differ only in cards which a third player may not see look the same to that player.

Red and Blue put hands and deck in another order in the second game, so other cards are stolen. Nobody decides by them.
All else is the same, so whatever others get may differ in nothing but numbers that are drawn: commitments, ciphertexts,
proofs, and the ids that follow from them. Others get what Green's repository and the verbs say, all that ever comes to
a relay and in which order, what a spectator sees by its URL, ``page``, and the rows of ``metrics``. What Green's key
opens is not looked at.
"""

import csv
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, redirect_stderr, redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import NamedTuple
from unittest.mock import patch
from zlib import crc32

import pytest

from catan_p2p.cli.main import main
from catan_p2p.game.actions import Action, Call, EmptyBuild, EmptyTrade, ShowPoint, TradeFourToOne
from catan_p2p.game.actions.parts import COST_DEV_CARD
from catan_p2p.game.cards import RESOURCES, count, covers
from catan_p2p.game.constants import Player
from catan_p2p.game.randomness import SeededRandomness, logical_clock
from catan_p2p.game.rules import decisions
from catan_p2p.game.state import State
from catan_p2p.log.commit import decode_commit
from catan_p2p.log.game import GameDefinition
from catan_p2p.log.known_cards import KnownCards
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.transport.mirror import BranchMirror
from catan_p2p.log.transport.serve import RepositoryServer
from catan_p2p.players.policies import POLICIES
from catan_p2p.replication.own_cards import OwnCards
from catan_p2p.replication.peer import COURSE
from catan_p2p.replication.replica import Replica
from catan_p2p.sealing.transcript import ProofTranscript
from catan_p2p.sessions.seat_driver import opener_for
from catan_p2p.tables.opening import opened_seat
from catan_p2p.tables.seat import read_secret, read_settings
from tests.chance.apart import look
from tests.replication.relays import bare, meet_at
from tests.replication.tables import all_objects, git, make_seats
from visualizer.data.feed import read_whole
from visualizer.data.hidden_game import HiddenGame
from visualizer.pictures.picture import picture
from visualizer.view import RecordingView

RULES = "thesis; Leaving = yes; Chance = joint"
TURNS = 10


def bought_by_trade(state: State, player: Player) -> TradeFourToOne | None:
    """A card for the next development card that the player has not got, for four of which they have enough."""
    hand = state.h[player - 1].rc
    spare = [one for one in RESOURCES if count(hand, one) >= 4 + count(COST_DEV_CARD, one)]
    lacking = [one for one in RESOURCES if count(hand, one) < count(COST_DEV_CARD, one)]
    return TradeFourToOne(player, spare[0], lacking[0]) if spare and lacking else None


def decided(replica: Replica, *, leaks: bool) -> Action | None:
    """What a player does who goes by what everybody sees: buys a card that known cards pay for, and builds nothing.

    Whoever ``leaks`` decides all else by what they hold.
    """
    state, me = replica.graph.state, replica.player
    own = replica._own
    assert own is not None
    if state.tp in COURSE or own.course(replica.graph.line) is not None:
        return None
    if state.tp == "Trading":
        return bought_by_trade(state, me) or EmptyTrade(me)
    if state.tp == "Building" and covers(state.h[me - 1].rc, COST_DEV_CARD):
        return Call(me, "BuyDevCard")
    plain = [one for one in decisions(state, me) if not isinstance(one, ShowPoint)]
    if leaks:
        return max(plain, key=lambda one: crc32(f"{one} {hidden_cards(replica)}".encode()))
    return next((one for one in plain if isinstance(one, EmptyBuild)), plain[0])


def has_decision(replica: Replica) -> bool:
    """Whether what is awaited can be decided by what everybody sees: a discard of sealed cards cannot."""
    state = replica.graph.state
    return state.tp in COURSE or not replica.is_awaited or bool(decisions(state, replica.player))


class Played(NamedTuple):
    """A game, and what there is of it."""

    green: Path
    relay: Path
    came: list[dict[str, str]]
    """What the refs of the relay were, after each look or action of anybody after which they were others."""
    held: list[object]
    """By player the cards that others do not see."""


@contextmanager
def drawing(is_other: bool) -> Iterator[None]:
    """In the other game Red and Blue draw the opposite orders. Thefts take the first card."""
    order, drawn = ProofTranscript.order, ProofTranscript.drawn

    def ordered(self: ProofTranscript, key: bytes, count: int) -> tuple[int, ...]:
        seat = self._text.split("\n")[3]
        found = order(self, key, count)
        return found[::-1] if is_other and seat in "12" else found

    def fixed(self: ProofTranscript, key: bytes, word: str, number: int = 0) -> int:
        return 0 if word == "place" and "\nchoice\n" in self._text else drawn(self, key, word, number)

    with patch.object(ProofTranscript, "order", ordered), patch.object(ProofTranscript, "drawn", fixed):
        yield


def play(folder: Path, is_other: bool, *, leaks: bool = False) -> Played:
    """A game of so many turns, or the other one."""
    folder.mkdir(parents=True)
    paths = make_seats(folder, 3, 4, rules=RULES, signed=True, hands="hidden")
    relay, came = bare(folder / "relay"), list[dict[str, str]]()
    for path in paths:
        meet_at(path, str(relay))

    def pass_on(replica: Replica) -> None:
        assert replica.relay is not None and replica.relay.flush(replica.store, replica.graph)
        if (refs := refs_of(relay)) != (came[-1] if came else {}):
            came.append(refs)

    with drawing(is_other), ExitStack() as stack:
        opener = opener_for(frozenset(paths))
        seats = [(path, read_settings(path), POLICIES["builder"](), SeededRandomness, logical_clock) for path in paths]
        replicas = [stack.enter_context(opened_seat(*seat, opener=opener)) for seat in seats]
        for replica in replicas:
            assert replica.relay is not None
            replica.relay.meeting.least_s = 0.0
        for _ in range(1000):
            if replicas[0].graph.turns >= TURNS or not all(map(has_decision, replicas)):
                break
            for replica in replicas:
                look(replica)
                if replica.is_awaited:
                    action = decided(replica, leaks=leaks)
                    if action is None:
                        replica.act_one()
                    else:
                        replica.carry_out(action)
                pass_on(replica)
        for _ in range(3):
            for replica in replicas:
                look(replica)
                replica.fast_forward()
                pass_on(replica)
        held = [*map(hidden_cards, replicas)]
    return Played(paths[2], relay, came, held)


def refs_of(repository: Path) -> dict[str, str]:
    """Where each ref of a repository is."""
    lines = git(repository, "for-each-ref", "--format=%(refname) %(objectname)").splitlines()
    return dict(line.split(" ") for line in lines)


def hidden_cards(replica: Replica) -> object:
    """The cards of a player that others do not see."""
    own, sealed_cards = replica._own, replica.graph.line.hearing_all().sealed_cards
    assert own is not None and sealed_cards is not None
    hidden_hand = sealed_cards.of(replica.player)
    return own.cards(sealed_cards), own.development_cards(sealed_cards, (*hidden_hand.held, *hidden_hand.bought))


def names_of(folder: Path) -> dict[str, str]:
    """A name for each commit, by who wrote it how high over the root, and what it does: its id follows from seals."""
    commits = {oid: decode_commit(data) for oid, kind, data in all_objects(folder) if kind == "commit"}
    height: dict[str, int] = {}

    def high(oid: str) -> int:
        if oid not in height:
            height[oid] = 1 + max((high(parent) for parent in commits[oid].parents), default=0)
        return height[oid]

    found = {}
    for oid, commit in sorted(commits.items(), key=lambda item: high(item[0])):
        found[oid] = f"<{height[oid]} {commit.author.name} {commit.message.partition(chr(10))[0]}>"
    assert len(set(found.values())) == len(found)
    return found


_DIGITS = 7
"""No id is told with fewer digits."""


class Reader:
    """Tells what somebody reads: names for ids, sizes for numbers that are drawn."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._names = {oid[:_DIGITS]: (oid, name) for oid, name in names_of(folder).items()}

    def _named(self, found: re.Match[str]) -> str:
        oid, name = self._names.get(found[0][:_DIGITS], ("", ""))
        return name if oid.startswith(found[0]) else found[0]

    def plain(self, text: str) -> str:
        text = text.replace(str(self._folder.parent), "FOLDER")
        text = re.sub(r'(?m)(^Seal: |"Seal": "|\bSeal=)([^";\n]*)', lambda found: f"Seal: {len(found[2])}", text)
        text = re.sub(r"(?ms)^gpgsig .*?END SSH SIGNATURE-----$", "signature", text)
        return re.sub(rf"[0-9a-f]{{{_DIGITS},40}}", self._named, text)

    def objects(self, folder: Path) -> Iterator[tuple[str, str]]:
        for oid, kind, data in all_objects(folder):
            text = self.plain(data.decode("utf-8" if kind == "commit" else "latin-1"))
            yield self.plain(oid), f"{kind} {text}"

    def said(self, *command: str) -> tuple[str, str]:
        """What a verb prints."""
        with redirect_stdout(StringIO()) as printed, redirect_stderr(printed):
            main([*command])
        return self.plain(" ".join(command)), self.plain(printed.getvalue())


def looked_at(game: Played) -> Iterator[tuple[str, str]]:
    """Everything in the repository of another player, and what verbs say of it."""
    reader, folder = Reader(game.green), game.green
    yield from reader.objects(folder)
    for line in git(folder, "for-each-ref").splitlines():
        yield "ref", reader.plain(line)
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "objects" not in path.parts:
            yield reader.plain(str(path)), ""
    for verb in (["log"], ["log", "--json"], ["status"], ["status", "--json"], ["verify"]):
        yield reader.said(verb[0], str(folder), *verb[1:])


def relayed(game: Played) -> Iterator[tuple[str, str]]:
    """Everything that has ever come to the relay, and in which order."""
    reader = Reader(game.relay)
    yield from reader.objects(game.relay)
    for number, refs in enumerate(game.came):
        yield f"{number:05}", "\n".join(sorted(reader.plain(f"{ref} {head}") for ref, head in refs.items()))


def watched(game: Played) -> Iterator[tuple[str, str]]:
    """What a spectator sees who has no more than the URL of the relay: step by step, and as a picture."""
    reader, folder = Reader(game.relay), game.relay.with_name("watched")
    rmtree(folder, ignore_errors=True)
    with RepositoryServer(game.relay, "127.0.0.1", 0) as server:
        mirror = BranchMirror(f"git://127.0.0.1:{server.port}/", folder)
        with closing(mirror):
            mirror.fetch()
    yield from reader.objects(mirror.folder)
    recording, situation = read_whole(mirror.folder)
    for number, step in enumerate(recording.steps):
        yield f"{number:05}", reader.plain(repr(step))
    assert all(step.known.is_open for step in recording.steps[-3:])
    for number in range(0, len(recording), 20):
        view = RecordingView(index=number)
        yield f"picture {number:05}", reader.plain(repr(picture(recording, view, situation, (1280, 800), _measure)))


def _measure(text: str, size: float, bold: bool = False) -> float:
    """As wide as its letters are many: an id is as wide as another."""
    return len(text) * size


def paged(game: Played) -> Iterator[tuple[str, str]]:
    """The file that ``page`` makes of another player's repository."""
    reader, file = Reader(game.green), game.green.with_name("page.html")
    yield reader.said("page", str(game.green), "--out", str(file))
    yield "page", reader.plain(file.read_text(encoding="utf-8"))


def measured(game: Played) -> Iterator[tuple[str, str]]:
    """The rows that ``metrics`` makes of another player's repository, but for times and for sizes of deflated bytes."""
    reader, tables = Reader(game.green), game.green.with_name("tables")
    yield reader.said("metrics", str(game.green), "--out", str(tables), "--quick")
    for name in ("games.csv", "actions.csv"):
        with (tables / name).open(encoding="utf-8", newline="") as file:
            for number, row in enumerate(csv.DictReader(file)):
                for column, value in row.items():
                    if not column.endswith("_s") and column not in DEFLATED:
                        yield f"{name} {number:05} {column}", reader.plain(value)


DEFLATED = ("disk_bytes", "file_bytes", "pack_bytes", "index_bytes", "pack_bytes_alone", "branches")
"""Sizes of what is random, deflated, and a digest of ids."""
OBSERVERS: dict[str, Callable[[Played], Iterator[tuple[str, str]]]] = {
    "another player": looked_at,
    "a relay": relayed,
    "a spectator": watched,
    "page": paged,
    "metrics": measured,
}


_FOLDER = TemporaryDirectory(prefix="catan-noninterference-")


@cache
def played(*, leaks: bool = False) -> tuple[Played, Played]:
    """Two games that differ in what others do not see; with ``leaks`` their players decide by what they hold."""
    folder = Path(_FOLDER.name) / ("leaking" if leaks else "games")
    one, other = (play(folder / str(is_other) / "table", is_other, leaks=leaks) for is_other in (False, True))
    assert leaks or all(one.held[player] != other.held[player] for player in (0, 1)), "what is hidden is the same"
    return one, other


@pytest.mark.long
@pytest.mark.sampled(3)
@pytest.mark.parametrize("observer", OBSERVERS)
def test_nobody_else_can_tell_hidden_cards_apart(observer: str) -> None:
    for one, other in zip(*(sorted(OBSERVERS[observer](game)) for game in played()), strict=True):
        assert one == other


@pytest.mark.long
@pytest.mark.sampled(3)
@pytest.mark.parametrize("observer", OBSERVERS)
def test_every_observer_notices_what_is_done_by_a_hand(observer: str) -> None:
    one, other = (sorted(OBSERVERS[observer](game)) for game in played(leaks=True))
    assert one != other


@pytest.mark.long
@pytest.mark.parametrize("observer", ["a spectator", "page"])
def test_who_is_shown_a_hand_is_noticed(observer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the key of Red."""
    begin, games = HiddenGame.__init__, played()
    secret = read_secret(games[0].green.with_name("Red"))

    def beginning(self: HiddenGame, game: GameDefinition, root: ObjectId, seat: Path | None) -> None:
        begin(self, game, root, seat)
        self._known = KnownCards({1: OwnCards(root, 1, secret)})

    monkeypatch.setattr(HiddenGame, "__init__", beginning)
    found = []
    for is_other, game in enumerate(games):
        with drawing(bool(is_other)):
            found.append(sorted(OBSERVERS[observer](game)))
    assert found[0] != found[1]
