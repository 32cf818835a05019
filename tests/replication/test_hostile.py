"""Hostile players: whatever Red or Blue puts into their repository, the others refuse it, say why, and play on.

Red ---> Blue, Green        Red writes, the others look
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import pytest

from catan_p2p.game.actions import Action, AnswerTrade, ConcludeTrade, Discard, EmptyTrade, RollDice
from catan_p2p.game.actions.discard import owed
from catan_p2p.game.cards import pack, unpack
from catan_p2p.game.rules import apply
from catan_p2p.game.state import State
from catan_p2p.log import reading
from catan_p2p.log.commit import Commit, Signature, action_message
from catan_p2p.log.refs import HEADS
from catan_p2p.log.signing import signer
from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.log.transport.git_remote import GitRemote
from catan_p2p.log.transport.queries import DirectRemote
from catan_p2p.log.transport.serve import RepositoryServer
from catan_p2p.log.transport.worker_remote import WorkerRemote
from catan_p2p.replication.replica import Neighbour, Replica
from catan_p2p.tables.joining import join_game
from catan_p2p.tables.seat import SeatSettings
from catan_p2p.tables.status import read_status
from tests.log.storage.repositories import commit_at
from tests.replication.conftest import Deal
from tests.replication.tables import (
    KEYS,
    git,
    is_sound,
    make_seats,
    neighbour,
    open_replica,
    opened,
    play_rounds,
    point,
    refused,
    use_remote,
    write_commit,
    write_object,
    write_tree,
)
from tests.typed import Typed

pytestmark = [pytest.mark.long, pytest.mark.sampled(8, together=True)]

RED = "refs/heads/Red_0"


class Forger:
    """Writes commits into a player's repository as if there were no rules."""

    def __init__(self, folder: Path, colour: str = "Red") -> None:
        self.path = folder / colour
        self.colour = colour
        with open_replica(self.path) as replica:
            self.graph = replica.graph
            self.signs = replica.is_signed

    @classmethod
    def after_a_look(cls, folder: Path, colour: str) -> "Forger":
        """One who has seen what the others have published."""
        forger = cls(folder, colour)
        with open_replica(forger.path) as replica:
            look_twice(replica)
            forger.graph = replica.graph
        return forger

    def put(self, kind: str, data: bytes) -> ObjectId:
        return write_object(self.path, kind, data)

    def draft(self, action: Action, after: State | None = None) -> Commit:
        """The commit of an action, in order but for its signature; an illegal one leaves the state as it is."""
        state = apply(self.graph.before(action), action) if after is None else after
        step = self.graph.write(action, state, 1735690000, self.put)  # type: ignore[arg-type]
        return commit_at(self.path, step.commit)._replace(signature=None)

    def roll(self, dice: int = 8) -> Commit:
        return self.draft(RollDice(1, dice))

    def lie(self, action: Action) -> ObjectId:
        """Write an action that is not enabled, after which everything is as before."""
        return self.write(self.draft(action, self.graph.before(action)))

    def write(self, commit: Commit, key: str | None = None) -> ObjectId:
        if self.signs:
            commit = signer(KEYS[key or self.colour])(commit)
        return write_commit(self.path, commit)

    def publish(self, commit: ObjectId, ref: str | None = None) -> None:
        point(self.path, ref or f"refs/heads/{self.colour}_0", commit)

    def reply(self, commit: ObjectId, base: ObjectId | None = None) -> None:
        """Publish a commit as the reply to what everybody replies to now, or to another commit."""
        kind = "loss" if self.graph.state.tp == "Discarding" else "answer"
        self.publish(commit, f"refs/heads/{base or self.graph.head}_{kind}_{self.colour}_0")


@contextmanager
def looking(path: Path, transport: str = "path") -> Iterator[Replica]:
    """An honest peer that sees Red through a transport."""
    red = path.parent / "Red"
    with RepositoryServer(red, "127.0.0.1", 0) as server, open_replica(path) as replica:
        one = neighbour(replica, "Red")
        if transport == "git":
            one.remote = WorkerRemote(server.url, replica.store.folder, path)
        elif transport == "fetch":
            own = replica.store.folder
            one.remote = DirectRemote(GitRemote(red.as_uri(), own, own / "catan-p2p" / "incoming" / "Red"))
        try:
            yield replica
        finally:
            one.remote.close()


def look_twice(replica: Replica) -> None:
    """See what others hold, and then the replies to it: a look asks only for the replies that are due as it begins."""
    replica.synchronize()
    replica.synchronize()


TRANSPORTS = ("path", "git", "fetch")
everywhere = pytest.mark.parametrize("transport", TRANSPORTS)
both_games = pytest.mark.parametrize("position", ["roll", "roll-signed"])


def by(colour: str, time_s: int = 1735690000) -> dict[str, Any]:
    """Author and committer of a commit, as that player would be."""
    signature = Signature(f"{colour}_0", f"{colour}_0@catan-p2p.invalid", time_s)
    return {"author": signature, "committer": signature}


def with_the_signature_of_another(red: Forger) -> ObjectId:
    other = commit_at(red.path, red.write(red.roll(9))).signature
    return write_commit(red.path, red.roll()._replace(signature=other))


def with_its_signature_spelled_otherwise(red: Forger) -> ObjectId:
    good = commit_at(red.path, red.write(red.roll()))
    assert good.signature is not None
    lines = good.signature.splitlines()
    lines[1:3] = [lines[1][:-1], lines[1][-1] + lines[2]]
    return write_commit(red.path, good._replace(signature="\n".join(lines) + "\n"))


def first_of_red(path: Path) -> ObjectId:
    return ObjectId(git(path, "rev-list", "--author=Red_0", "Red_0").split()[0])


def rewritten(red: Forger) -> ObjectId:
    old = commit_at(red.path, first_of_red(red.path))
    return red.write(old._replace(**by("Red", old.author.time_s + 7200), signature=None))


def of_another_game(red: Forger) -> ObjectId:
    other = make_seats(red.path.parent.parent / "another", 3, seed=77)[0]
    git(red.path, "fetch", "-q", str(other), "refs/heads/Red_0")
    return ObjectId(git(other, "rev-parse", "Red_0"))


def replayed(red: Forger) -> Commit:
    rolled = git(red.path, "rev-list", "--author=Red_0", "--grep=roll_dice", "Red_0").split()[0]
    return commit_at(red.path, rolled)._replace(parents=(red.graph.head,))


def with_all_commits_as_parents(red: Forger) -> ObjectId:
    parents = tuple(ObjectId(line) for line in git(red.path, "rev-list", "Red_0").split())
    return red.write(red.roll()._replace(parents=parents))


def of_a_future_format(red: Forger) -> ObjectId:
    return write_commit(red.path, red.roll().encode().replace(b"\ncommitter", b"\nfuture 2\ncommitter", 1))


def of_a_future_action(red: Forger) -> ObjectId:
    message = action_message(RollDice(1, 8)).replace("roll_dice", "roll_three_dice")
    return red.write(red.roll()._replace(message=message))


GARBAGE = {
    "empty": b"",
    "words": b"garbage",
    "zeros": b"\0" * 300,
    "bytes": b"\xff\xfe" * 40,
    "no id": b"tree x\n\nx",
    "no parent": b"tree " + b"0" * 40 + b"\n\nnew_game\n",
}
OPEN, WITH_KEYS = ("roll",), ("roll-signed",)
BOTH = OPEN + WITH_KEYS
PATH = TRANSPORTS[:1]
FORGERIES: dict[str, tuple[Sequence[str], Sequence[str], str, Callable[[Forger], ObjectId]]] = {
    "an illegal move": (BOTH, TRANSPORTS, "guard", lambda red: red.lie(EmptyTrade(1))),
    "the tree of another move": (
        BOTH,
        TRANSPORTS,
        "tree",
        lambda red: red.write(red.roll()._replace(tree=red.roll(9).tree)),
    ),
    "another author": (OPEN, PATH, "author", lambda red: red.write(red.roll()._replace(**by("Blue")))),
    "no signature": (WITH_KEYS, TRANSPORTS, "signature", lambda red: write_commit(red.path, red.roll())),
    "signed by somebody else": (WITH_KEYS, PATH, "signature", lambda red: red.write(red.roll(), key="Green")),
    "the signature of another": (WITH_KEYS, PATH, "signature", with_the_signature_of_another),
    "a signature in another spelling": (WITH_KEYS, PATH, "signature", with_its_signature_spelled_otherwise),
    "signed without need": (
        OPEN,
        PATH,
        "signature",
        lambda red: write_commit(red.path, signer(KEYS["Red"])(red.roll())),
    ),
    "history rewritten": (BOTH, TRANSPORTS, "fork", rewritten),
    "another game": (OPEN, TRANSPORTS, "game", of_another_game),
    "replayed": (OPEN, PATH, "tree", lambda red: red.write(replayed(red))),
    "replayed without the key": (WITH_KEYS, PATH, "signature", lambda red: write_commit(red.path, replayed(red))),
    "a wide merge": (OPEN, TRANSPORTS, "parents", with_all_commits_as_parents),
    "a header of the future": (OPEN, PATH, "format", of_a_future_format),
    "an action of the future": (OPEN, PATH, "format", of_a_future_action),
    **{
        f"garbage: {name}": (OPEN, PATH, "format", lambda red, data=data: write_commit(red.path, data))
        for name, data in GARBAGE.items()
    },
}
"""By name: in which positions and by which transports it is tried, why it is refused, and what Red writes."""


@pytest.mark.parametrize(
    ("name", "position", "transport"),
    [
        (name, position, transport)
        for name, (positions, transports, _, _) in FORGERIES.items()
        for position in positions
        for transport in transports
    ],
)
def test_a_forgery_is_refused_for_its_reason(deal: Deal, name: str, position: str, transport: str) -> None:
    """The peer keeps its state, keeps the commit as evidence, and stays sound."""
    *_, reason, forge = FORGERIES[name]
    red = Forger(deal(position))
    path, mine = red.path.parent / "Blue", first_of_red(red.path)
    red.publish(bad := forge(red))
    with looking(path, transport) as replica:
        before = replica.graph.head, replica.graph.state
        replica.synchronize()
        assert refused(replica, "Red") == {reason}
        assert (replica.graph.head, replica.graph.state) == before
        assert bad not in replica.graph
        replica.synchronize()
        assert replica.refusals == 1, "a head that was refused is left alone until it moves"
    status = read_status(path)
    (line,) = status.refusals
    assert (line["reason"], line["commit"]) == (reason, bad)
    assert {ref.rpartition("/")[2] for ref in status.evidence} == ({bad, mine} if reason == "fork" else {bad})
    assert line["other"] == (mine if reason == "fork" else None)
    assert line["guards"] == (["ET1 phase"] if reason == "guard" else [])
    assert is_sound(path)


@everywhere
@both_games
def test_a_valid_commit_of_a_forger_is_accepted_so_the_forger_forges_well(
    deal: Deal, position: str, transport: str
) -> None:
    red = Forger(deal(position))
    red.publish(commit := red.write(red.roll()))
    with looking(red.path.parent / "Blue", transport) as blue:
        blue.synchronize()
        assert blue.graph.head == commit
        assert blue.graph.state.tp == "Trading"
        assert blue.refusals == 0
    assert is_sound(red.path.parent / "Blue")


def test_another_players_log_extended_in_a_signed_game(deal: Deal) -> None:
    """Blue writes a move of Red on top of Blue's own log; Green looks."""
    blue = Forger(deal("roll-signed"), "Blue")
    blue.publish(bad := blue.write(blue.draft(RollDice(1, 8))))
    with opened([blue.path.parent / "Green"]) as (green,):
        green.synchronize()
        assert refused(green, "Blue") == {"signature"}
        assert bad not in green.graph
    assert "Blue/" + bad in read_status(blue.path.parent / "Green").evidence


def test_every_verb_that_refuses_a_commit_says_which_of_whom_and_why(deal: Deal, typed: Typed) -> None:
    """``turn`` and ``vote`` ended with code 1 or 2 without a word of it, and ``peer`` only counted."""
    red, blue = Forger(folder := deal("roll-signed")), folder / "Blue"
    red.publish(bad := red.lie(EmptyTrade(1)))
    for code, *words in ((1, "turn"), (1, "peer", "--stop-after", "1"), (2, "vote"), (1, "turn", "--json")):
        told = typed(code, words[0], blue, *words[1:]).err
        (line,) = [line for line in told.splitlines() if line.startswith("refused (")]
        assert line.startswith(f"refused (guard): {bad} of Red, seen at Red as ")
        assert line in typed(1, "status", blue).out.splitlines()


def test_another_players_log_extended_in_a_game_without_keys(deal: Deal) -> None:
    """Nobody can tell who wrote it, so it waits for Red's own log; when that says otherwise, one of the two lies."""
    folder = deal("roll")
    blue = Forger(folder, "Blue")
    blue.publish(bad := blue.write(blue.draft(RollDice(1, 8))))
    with opened([folder / "Green"]) as (green,):
        green.synchronize()
        assert bad not in green.graph
        assert "only in Blue's log" in (neighbour(green, "Blue").source.withheld or "")
    red = Forger(folder)
    red.publish(good := red.write(red.roll(9)))
    with opened([folder / "Green"]) as (green,):
        green.synchronize()
        assert good in green.graph
        assert refused(green, "Blue") == {"fork"}
    assert read_status(folder / "Green").evidence.keys() == {f"Red/{commit}" for commit in (good, bad)}
    assert charged(folder / "Green") == set()


@pytest.mark.parametrize("ref", ["refs/heads/Blue_0", "refs/remotes/Red/Red_0"])
def test_nobody_is_framed_in_a_game_without_keys(deal: Deal, ref: str, typed: Typed) -> None:
    """Blue makes up a move of Red's that contradicts the one that Green has, and claims to have seen it."""
    folder = deal("roll")
    blue, red = Forger(folder, "Blue"), Forger(folder)
    red.publish(red.write(red.roll(9)))
    with opened([folder / "Green"]) as (green,):
        green.synchronize()
        blue.publish(blue.write(blue.draft(RollDice(1, 8))), ref)
        green.synchronize()
        assert refused(green, "Blue") == {"fork"}
        assert "without keys nobody can tell whether Red or Blue lies" in typed(1, "status", folder / "Green").out
        red.publish(red.write(red.roll(6)))
        green.synchronize()
    assert charged(folder / "Green") == {"Red"}, "what Red's own repository holds is Red's own doing"


def charged(path: Path) -> set[str]:
    """Whom a player charges with something, and is certain about it."""
    return {line["colour"] for line in read_status(path).refusals if line["certain"]}


def test_what_was_withheld_is_taken_once_its_author_has_published_it(deal: Deal) -> None:
    folder = deal("roll")
    blue = Forger(folder, "Blue")
    blue.publish(commit := blue.write(blue.draft(RollDice(1, 8))))
    with opened([folder / "Green"]) as (green,):
        green.synchronize()
        assert commit not in green.graph
        git(folder / "Red", "fetch", "-q", str(folder / "Blue"), "refs/heads/Blue_0")
        point(folder / "Red", RED, commit)
        green.synchronize()
        assert commit in green.graph
        assert neighbour(green, "Blue").source.withheld is None


@everywhere
@both_games
def test_a_log_that_goes_back(deal: Deal, position: str, transport: str) -> None:
    red = Forger(deal(position))
    head = ObjectId(git(red.path, "rev-parse", "Red_0"))
    earlier = ObjectId(git(red.path, "rev-parse", "Red_0~2"))
    red.publish(earlier)
    with looking(red.path.parent / "Blue", transport) as blue:
        blue.synchronize()
        assert refused(blue, "Red") == {"branch"}
        assert head in blue.graph
        red.publish(head)
        blue.synchronize()
        assert neighbour(blue, "Red").trouble is None
        assert refused(blue, "Red") == set()
    assert git(red.path.parent / "Blue", "rev-parse", "refs/remotes/Red/Red_0") == head


@both_games
def test_two_continuations_shown_to_two_peers_are_evident_to_both(deal: Deal, position: str, tmp_path: Path) -> None:
    """
    Red (one way)     ---> Blue
                            |     then Blue and Green look at each other
    Red (another way) ---> Green
    """
    folder = deal(position)
    one = Forger(folder)
    other_folder = tmp_path / "other"
    other_folder.mkdir()
    git(tmp_path, "clone", "-q", "--mirror", str(folder / "Red" / ".git"), str(other_folder / "Red" / ".git"))
    one.publish(first := one.write(one.draft(RollDice(1, 8))))
    second = one.write(one.draft(RollDice(1, 9)))
    git(folder / "Red", "push", "-q", str(other_folder / "Red" / ".git"), f"+{second}:{RED}")
    use_remote(folder / "Green", "Red", str(other_folder / "Red"))
    with opened([folder / "Blue", folder / "Green"]) as (blue, green):
        for replica in (blue, green):
            replica.synchronize()  # before either has told the other what it was shown
        for _ in range(2):
            for replica in (blue, green):
                replica.synchronize()
                replica.store.publish()
        assert first in blue.graph and second not in blue.graph
        assert second in green.graph and first not in green.graph
    both = {f"Red/{first}", f"Red/{second}"}
    for name in ("Blue", "Green"):
        status = read_status(folder / name)
        assert set(status.evidence) == both
        assert {line["reason"] for line in status.refusals} == {"fork"}
        assert charged(folder / name) == ({"Red"} if position == "roll-signed" else set())
        assert is_sound(folder / name)


def look_often(replica: Replica, at: Neighbour) -> None:
    for _ in range(6):
        at.backoff._next = 0.0
        replica.synchronize()


def test_a_commit_that_is_not_there_is_awaited_and_not_refused(deal: Deal) -> None:
    red = Forger(deal("roll"))
    commit = red.write(red.roll())
    file = red.path / ".git" / "objects" / commit[:2] / commit[2:]
    hidden = file.rename(red.path / "hidden")
    red.publish(commit)
    with looking(red.path.parent / "Blue") as blue:
        one = neighbour(blue, "Red")
        look_often(blue, one)
        assert "missing" in (one.trouble or "")
        assert one.is_waiting
        assert one.backoff.wait_s > 1, "it is asked for less and less often"
        assert commit not in blue.graph
        hidden.rename(file)
        one.backoff._next = 0.0
        blue.synchronize()
        assert blue.graph.head == commit
        assert one.trouble is None
        assert not one.is_waiting
        assert blue.refusals == 0
        assert blue.rejected == {}
    assert read_status(red.path.parent / "Blue").refusals == ()


def test_a_commit_with_the_bytes_of_another_is_listed_if_it_stays_so(deal: Deal) -> None:
    red = Forger(deal("roll"))
    commit, other = (red.write(red.draft(RollDice(1, number))) for number in (8, 9))
    objects = red.path / ".git" / "objects"
    (objects / commit[:2] / commit[2:]).chmod(0o644)
    (objects / commit[:2] / commit[2:]).write_bytes((objects / other[:2] / other[2:]).read_bytes())
    red.publish(commit)
    with looking(red.path.parent / "Blue") as blue:
        one = neighbour(blue, "Red")
        blue.synchronize()
        assert "does not match its id" in (one.trouble or "")
        assert blue.refusals == 0, "it may be about to be repaired"
        look_often(blue, one)
        assert not one.is_waiting
        assert blue.refusals == 1
    assert [line["reason"] for line in read_status(red.path.parent / "Blue").refusals] == ["damaged"]


@pytest.mark.parametrize("transport", ["git", "fetch"])
def test_a_daemon_that_lacks_objects_is_only_trouble(deal: Deal, transport: str) -> None:
    red = Forger(deal("roll"))
    draft = red.roll()
    red.publish(commit := red.write(draft))
    (red.path / ".git" / "objects" / draft.tree[:2] / draft.tree[2:]).unlink()
    with looking(red.path.parent / "Blue", transport) as blue:
        blue.synchronize()
        assert neighbour(blue, "Red").trouble
        assert commit not in blue.graph
    assert is_sound(red.path.parent / "Blue")


@everywhere
def test_a_giant_commit(deal: Deal, transport: str) -> None:
    red = Forger(deal("roll"))
    draft = red.roll()
    red.publish(bad := red.write(draft._replace(message=draft.message + "X: " + "y" * (1 << 20) + "\n")))
    with looking(red.path.parent / "Blue", transport) as blue:
        blue.synchronize()
        assert refused(blue, "Red") == {"size"}
        assert bad not in blue.graph
    assert is_sound(red.path.parent / "Blue")


def folder_bytes(path: Path) -> int:
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())


def assert_leaves_tree_alone(red: Forger, tree: ObjectId, transport: str, most_bytes: int) -> None:
    """Blue refuses a commit of Red with this tree, and takes less than so many bytes."""
    red.publish(red.write(red.roll()._replace(tree=tree)))
    blue_path = red.path.parent / "Blue"
    before = folder_bytes(blue_path)
    with looking(blue_path, transport) as blue:
        blue.synchronize()
        assert refused(blue, "Red") == {"size" if transport == "git" else "tree"}
    assert folder_bytes(blue_path) - before < most_bytes
    assert is_sound(blue_path)


@everywhere
def test_a_giant_file_is_not_taken(deal: Deal, transport: str) -> None:
    red = Forger(deal("roll"))
    giant = write_object(red.path, "blob", bytes(range(256)) * (1 << 14))
    assert_leaves_tree_alone(red, write_tree(red.path, {"giant": ("100644", giant)}), transport, 1 << 20)


@everywhere
def test_a_giant_tree_is_not_taken(deal: Deal, transport: str) -> None:
    red = Forger(deal("roll"))
    blob = write_object(red.path, "blob", b"")
    tree = write_tree(red.path, {f"file{i:06}": ("100644", blob) for i in range(5_000)})
    assert_leaves_tree_alone(red, tree, transport, 100_000)


def test_a_deep_history(deal: Deal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_NEW_COMMITS", 50)
    red = Forger(deal("roll"))
    lines = []
    for i in range(60):
        lines += ["commit refs/heads/deep", f"mark :{i + 1}", "committer R <r@x.y> 1735690000 +0000", "data 1", "x"]
        lines += [f"from :{i}" if i else f"from {red.graph.head}", ""]
    git(red.path, "fast-import", "--quiet", data="\n".join(lines).encode())
    point(red.path, RED, bad := ObjectId(git(red.path, "rev-parse", "deep")))
    with looking(red.path.parent / "Blue") as blue:
        blue.synchronize()
        assert refused(blue, "Red") == {"size"}
        assert bad not in blue.graph


def test_strange_names_of_refs_are_ignored(deal: Deal) -> None:
    folder = deal("roll")
    red = Forger(folder)
    head = ObjectId(git(folder / "Red", "rev-parse", "Red_0"))
    for name in ("Red_00", "Purple_0", "Red_0_loss", "a b", "Red_0.lock", "-x", "0" * 40 + "_loss_Red_0", "ö"):
        (folder / "Red" / ".git" / HEADS / name).write_text(f"{head}\n")
    (folder / "Red" / ".git" / HEADS / "loop").write_text("ref: refs/heads/loop\n")
    (folder / "Red" / ".git" / HEADS / "up").symlink_to(folder)
    red.publish(commit := red.write(red.roll()))
    with looking(folder / "Blue") as blue:
        blue.synchronize()
        assert blue.graph.head == commit
        assert blue.refusals == 0
        blue.store.publish()
    assert set(git(folder / "Blue", "for-each-ref", "--format=%(refname)").split()) == {
        "refs/heads/Blue_0",
        "refs/remotes/Green/Green_0",
        "refs/remotes/Green/Red_0",
        "refs/remotes/Red/Red_0",
        "refs/remotes/Red/Green_0",
    }


# Replies: discards and answers


def wrong_cards(state: State, player: int, by: int) -> int:
    """A discard of ``by`` more cards than are due."""
    hand = list(unpack(state.h[player - 1].rc))
    due, out = owed(state, player) + by, [0] * 5
    for kind in range(5):
        out[kind] = min(hand[kind], due)
        due -= out[kind]
    return pack(out)


def discard(player: int, by: int) -> Callable[[State], Action]:
    return lambda state: Discard(player, wrong_cards(state, player, by))


@pytest.mark.parametrize(
    ("position", "colour", "action", "reason", "guards"),
    [
        ("discard", "Blue", discard(2, -1), "guard", ["DI3 amount"]),
        ("discard-signed", "Blue", discard(2, -1), "guard", ["DI3 amount"]),
        ("discard-signed", "Blue", discard(1, 0), "signature", []),
        ("offer-signed", "Blue", lambda _: AnswerTrade(3, "accept"), "signature", []),
        ("offer-signed", "Red", lambda _: AnswerTrade(1, "accept"), "guard", ["AT2 asked"]),
    ],
    ids=["too few cards", "too few cards, signed", "somebody else's cards", "in the name of another", "to oneself"],
)
def test_a_reply_that_is_none(
    deal: Deal, position: str, colour: str, action: Callable[[State], Action], reason: str, guards: list[str]
) -> None:
    folder = deal(position)
    liar = Forger.after_a_look(folder, colour)
    bad = liar.lie(action(liar.graph.state))
    if colour == "Red":
        liar.publish(bad)
    else:
        liar.reply(bad)
    with opened([folder / "Green"]) as (green,):
        look_twice(green)
        assert refused(green, colour) == {reason}
        assert green.graph.replies == {}
    assert read_status(folder / "Green").refusals[0]["guards"] == guards


def test_a_discard_after_the_bandit_has_moved(deal: Deal) -> None:
    folder = deal("discard-signed")
    paths = [folder / name for name in ("Red", "Blue", "Green")]
    blue = Forger(folder, "Blue")
    with opened(paths) as replicas:
        replicas[1].synchronize()
        roll = replicas[1].graph.head
        blue.graph = replicas[1].graph
        action = Discard(2, wrong_cards(blue.graph.state, 2, 0))
        late = blue.draft(action)
        play_rounds(replicas, lambda replica: len(replica.graph) > len(blue.graph) + 5 or replica.graph.head != roll)
        play_rounds(replicas, lambda replica: all(roll in one.graph and one.graph.head != roll for one in replicas))
    bad = blue.write(late._replace(**by("Blue", 1735699999)))
    point(folder / "Blue", f"refs/heads/{roll}_loss_Blue_0", bad)
    with opened([folder / "Green"]) as (green,):
        one = neighbour(green, "Blue")
        one.source.seen.clear()
        green.synchronize()
        assert refused(green, "Blue") == {"late"}
    assert f"Blue/{bad}" in read_status(folder / "Green").evidence


@pytest.mark.parametrize("position", ["offer", "offer-signed"])
def test_an_answer_of_a_forger_that_is_valid_is_accepted(deal: Deal, position: str) -> None:
    blue = Forger.after_a_look(deal(position), "Blue")
    blue.reply(commit := blue.write(blue.draft(AnswerTrade(2, "accept"))))
    with opened([blue.path.parent / "Green"]) as (green,):
        look_twice(green)
        assert green.graph.replies[2].commit == commit
        assert green.refusals == 0


@pytest.mark.parametrize("position", ["offer", "offer-signed"])
def test_two_answers_shown_to_two_peers_are_evident_to_both(deal: Deal, position: str, tmp_path: Path) -> None:
    """
    Blue (accept) ---> Red      Blue (reject) ---> Green
                        |                            |      Red concludes with Blue; Green looks at Red
    """
    blue = Forger.after_a_look(deal(position), "Blue")
    folder, offer = blue.path.parent, blue.graph.head
    other = tmp_path / "other" / "Blue"
    other.parent.mkdir()
    git(tmp_path, "clone", "-q", "--mirror", str(folder / "Blue" / ".git"), str(other / ".git"))
    accepted = blue.write(blue.draft(AnswerTrade(2, "accept")))
    rejected = blue.write(blue.draft(AnswerTrade(2, "reject")))
    blue.reply(accepted)
    git(folder / "Blue", "push", "-q", str(other / ".git"), f"{rejected}:refs/heads/{offer}_answer_Blue_0")
    use_remote(folder / "Green", "Blue", str(other))
    with opened([folder / "Red", folder / "Green"]) as (red, green):
        for replica in (red, green):
            look_twice(replica)  # before either has told the other what it was shown
        for _ in range(2):
            for replica in (red, green):
                replica.synchronize()
                if replica is green:
                    replica.act()
                replica.store.publish()
        assert accepted in red.graph and rejected not in red.graph
        assert rejected in green.graph and accepted not in green.graph
        assert refused(red, "Green") == {"fork"}, "seen in Green's copy while the offer still stands"
        red.act()
        red.store.publish()
        assert red.graph.head != offer, "Red has all answers that Red knows of, and goes on"
        look_again(green)
        look_again(red)
    status = read_status(folder / "Green")
    assert {f"Blue/{accepted}", f"Blue/{rejected}"} <= set(status.evidence)
    assert {line["reason"] for line in status.refusals if line["commit"] in (accepted, rejected)} == {"fork"}
    assert is_sound(folder / "Green")


def look_again(replica: Replica) -> None:
    for one in replica.neighbours:
        one.source.seen.clear()
        one.strays_at = one.backoff._next = 0.0
    replica.synchronize()
    replica.store.publish()


@pytest.mark.parametrize(
    ("answers", "partner", "reason", "guards"),
    [
        ((), 2, "guard", ["CT3 answers", "CT4 accepted"]),
        (("accept",), 2, "guard", ["CT3 answers"]),
        (("reject", "accept"), 2, "guard", ["CT4 accepted"]),
        (("accept", "accept"), 1, "guard", ["CT4 accepted"]),
        (("reject", "accept"), 3, "parents", []),
    ],
    ids=[
        "nobody has answered",
        "one has not",
        "the partner has refused",
        "the partner is who offers",
        "one is left out",
    ],
)
def test_a_conclusion_that_is_none(
    deal: Deal, answers: tuple[Literal["accept", "reject"], ...], partner: int, reason: str, guards: list[str]
) -> None:
    """Red concludes what is not agreed, or merges only Green's answer."""
    folder = deal("offer-signed")
    for player, answer in zip((2, 3), answers, strict=False):
        one = Forger.after_a_look(folder, ("Blue", "Green")[player - 2])
        one.reply(one.write(one.draft(AnswerTrade(player, answer))))
    red = Forger.after_a_look(folder, "Red")
    assert len(red.graph.replies) == len(answers)
    offer, action = red.graph.head, ConcludeTrade(1, partner)
    if reason == "guard":
        red.publish(red.lie(action))
    else:
        draft = red.draft(action)
        red.publish(red.write(draft._replace(parents=(draft.parents[0], draft.parents[2]))))
    with opened([folder / "Green"]) as (green,):
        green.synchronize()
        look_again(green)
        assert refused(green, "Red") == {reason}
        assert green.graph.head == offer
    assert read_status(folder / "Green").refusals[0]["guards"] == guards


def test_an_answer_after_the_offer_was_settled(deal: Deal) -> None:
    folder = deal("offer-signed")
    paths = [folder / name for name in ("Red", "Blue", "Green")]
    blue = Forger.after_a_look(folder, "Blue")
    offer = blue.graph.head
    draft = blue.draft(AnswerTrade(2, "accept"))
    with opened(paths) as replicas:
        play_rounds(replicas, lambda _: all(offer in one.graph and one.graph.head != offer for one in replicas))
    bad = blue.write(draft._replace(**by("Blue", 1735699999)))
    with opened([folder / "Green"]) as (green,):
        green.synchronize()
        blue.reply(bad, offer)
        green.synchronize()
        assert refused(green, "Blue") == set(), "branches that do not count any more are looked at now and then only"
        neighbour(green, "Blue").strays_at -= 10.0
        green.synchronize()
        assert refused(green, "Blue") == {"late"}, "although nothing else is new"
    status = read_status(folder / "Green")
    assert f"Blue/{bad}" in status.evidence
    (line,) = status.refusals
    assert f"Blue/{line['other']}" in status.evidence, "the answer that Blue gave in time"


# What is no commit of this format


@everywhere
def test_a_file_in_the_place_of_a_commit(deal: Deal, transport: str) -> None:
    folder = deal("roll")
    point(folder / "Red", "refs/heads/Red_0", write_object(folder / "Red", "blob", b"not a commit"))
    with looking(folder / "Blue", transport) as blue:
        before = blue.graph.head
        blue.synchronize()
        assert blue.graph.head == before
        assert refused(blue, "Red") == {"format"} or neighbour(blue, "Red").trouble
    assert is_sound(folder / "Blue")


def test_garbage_in_the_place_of_a_ref(deal: Deal) -> None:
    folder = deal("roll")
    (folder / "Red" / ".git" / RED).write_bytes(b"\xff" * 5000)
    with looking(folder / "Blue") as blue:
        assert blue.synchronize() == 0


def test_a_game_of_a_future_format_cannot_be_joined(deal: Deal, tmp_path: Path) -> None:
    folder = deal("roll")
    red = folder / "Red"
    root = git(red, "rev-list", "--max-parents=0", "Red_0")
    entries = {}
    for line in git(red, "ls-tree", root).splitlines():
        mode, _, rest = line.partition(" ")
        entries[rest.partition("\t")[2]] = mode.lstrip("0"), ObjectId(rest.split()[1])
    entries["format"] = "100644", write_object(red, "blob", b"3\n")
    point(red, RED, write_commit(red, commit_at(red, root)._replace(tree=write_tree(red, entries))))
    for ref in git(red, "for-each-ref", "--format=%(refname)", "refs/remotes").split():
        git(red, "update-ref", "-d", ref)
    with pytest.raises(StoreError, match="version '3' of the log format, this program reads 1"):
        join_game(str(red), tmp_path / "new", SeatSettings("Blue", 1))
    assert not (tmp_path / "new").exists()


@both_games
def test_play_goes_on_once_the_hostile_player_has_come_to_reason(deal: Deal, position: str) -> None:
    folder = deal(position)
    red = Forger(folder)
    head = ObjectId(git(folder / "Red", "rev-parse", "Red_0"))
    red.publish(red.lie(EmptyTrade(1)))
    with opened([folder / "Blue", folder / "Green"]) as others:
        for replica in others:
            replica.synchronize()
            assert refused(replica, "Red") == {"guard"}
    red.publish(head)
    with opened([folder / name for name in ("Red", "Blue", "Green")]) as replicas:
        length = len(replicas[0].graph)
        play_rounds(replicas, lambda replica: len(replica.graph) > length + 30)


def test_status_tells_what_was_refused(deal: Deal, typed: Typed) -> None:
    red = Forger(deal("roll"))
    red.publish(bad := red.lie(EmptyTrade(1)))
    blue = red.path.parent / "Blue"
    with looking(blue) as replica:
        replica.synchronize()
        replica.store.publish()
    told = typed(1, "status", blue).out
    assert f"refused (guard): {bad} of Red" in told
    assert f"kept as evidence: Red/{bad}" in told
    assert "waiting for Red" in told
    found = json.loads(typed(1, "status", blue, "--json").out)
    assert found["refusals"][0]["commit"] == bad
    assert found["waiting_for"] == ["Red"]
    assert {one["colour"]: one["behind"] for one in found["players"]}.keys() == {"Red", "Green"}


@pytest.mark.processes
def test_rubbish_without_end_fills_neither_disk_nor_memory(deal: Deal, monkeypatch: pytest.MonkeyPatch) -> None:
    from catan_p2p.log import evidence

    monkeypatch.setattr(evidence, "MAX_EVIDENCE_COMMITS", 5)
    monkeypatch.setattr(evidence, "MAX_REFUSAL_LINES", 8)
    red = Forger(deal("roll"))
    draft = red.draft(EmptyTrade(1), red.graph.state)
    with looking(red.path.parent / "Blue") as blue:
        for i in range(12):
            red.publish(red.write(draft._replace(**by("Red", 1735690000 + i))))
            blue.synchronize()
            blue.store.publish()
        assert blue.refusals == 12
    status = read_status(red.path.parent / "Blue")
    assert len(status.evidence) == 5
    assert len(status.refusals) == 8
