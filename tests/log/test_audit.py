"""Auditing: every finished game passes, every damaged copy is refused at the commit that was damaged."""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import pytest

from catan_p2p.game.actions import Action, AnswerTrade, BuildRoad, ConcludeTrade, Discard, OfferTrade, RollDice
from catan_p2p.log.audit import audit
from catan_p2p.log.commit import Commit, Signature
from catan_p2p.log.history import LoggedAction, load_history
from catan_p2p.log.refs import COLOURS
from catan_p2p.log.storage.objects import ObjectId
from tests.log.storage.repositories import commit_at, copy_of, git, main_line, played, rewrite_from, write_commit

pytestmark = [pytest.mark.long, pytest.mark.sampled(2, together=True)]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(tmp_path_factory.mktemp("games"), players=3)


def position(game: Path, wanted: Callable[[object], bool], skip: int = 5) -> int:
    """The position on the main line of the commit of some wanted action."""
    actions = {logged.commit: logged.action for logged in load_history(game).actions}
    found = [i for i, commit in enumerate(main_line(game, "Red_0")) if commit in actions and wanted(actions[commit])]
    return found[skip]


def test_a_finished_game_is_in_order(game: Path) -> None:
    verdict = audit(game)
    assert verdict.is_fine
    assert verdict.history is not None
    assert verdict.history.last.is_over
    assert verdict.ignored_refs == ()


def test_every_log_ends_at_the_same_commit_and_no_temporary_branch_is_left(game: Path) -> None:
    heads = git(game, "for-each-ref", "--format=%(refname) %(objectname)").split("\n")
    assert [line.split()[0] for line in heads] == ["refs/heads/Blue_0", "refs/heads/Green_0", "refs/heads/Red_0"]
    assert len({line.split()[1] for line in heads}) == 1


def damaged_tree(game: Path, commit: ObjectId, path: str, text: str) -> ObjectId:
    """The commit's tree with another text in one file."""
    blob = git(game, "hash-object", "-w", "--stdin", data=text.encode())
    *folders, name = path.split("/")
    trees = [f"{commit}^{{tree}}"]
    for folder in folders:
        trees.append(f"{trees[-1]}:{folder}" if ":" not in trees[-1] else f"{trees[-1]}/{folder}")
    entry = f"100644 blob {blob}\t{name}"
    for at, below in zip(reversed(trees), reversed([*folders, name]), strict=True):
        lines = git(game, "ls-tree", at).split("\n")
        kept = [line if line.split("\t")[1] != below else entry for line in lines]
        tree = git(game, "mktree", data=("\n".join(kept) + "\n").encode())
        parent = at.rpartition("/")[2].rpartition(":")[2]
        entry = f"040000 tree {tree}\t{parent}"
    return ObjectId(tree)


def change(game: Path, to: Path, at: int, **parts: object) -> tuple[Path, ObjectId]:
    copy = copy_of(game, to)
    commit = commit_at(copy, main_line(copy, "Red_0")[at])
    return copy, rewrite_from(copy, "Red_0", at, commit._replace(**parts))  # type: ignore[arg-type]


def expect(copy: Path, commit: ObjectId, *reasons: str) -> None:
    verdict = audit(copy)
    assert not verdict.is_fine
    first = verdict.rejected[0]
    assert (first.commit, first.reason in reasons) == (commit, True), first


def test_a_changed_hand_file_is_found(game: Path, tmp_path: Path) -> None:
    copy = copy_of(game, tmp_path / "copy")
    at = position(game, lambda action: isinstance(action, BuildRoad))
    commit = main_line(copy, "Red_0")[at]
    text = "Lumber 9\nBrick 9\nWool 9\nGrain 9\nOre 9\n"
    tree = damaged_tree(copy, commit, "state/game/player_hands/player_1/resource_cards", text)
    assert git(copy, "show", f"{tree}:state/game/player_hands/player_1/resource_cards") == text.strip()
    expect(copy, rewrite_from(copy, "Red_0", at, commit_at(copy, commit)._replace(tree=tree)), "tree")


def test_a_skipped_action_is_found(game: Path, tmp_path: Path) -> None:
    copy = copy_of(game, tmp_path / "copy")
    at = position(game, lambda action: isinstance(action, RollDice) and action.dice != 7)
    expect(copy, rewrite_from(copy, "Red_0", at, None), "guard")


def test_a_foreign_author_is_found(game: Path, tmp_path: Path) -> None:
    eve = Signature("Eve", "eve@example.org", 5)
    at = position(game, lambda action: isinstance(action, BuildRoad))
    expect(*change(game, tmp_path / "copy", at, author=eve), "author")


def test_a_wrong_parent_is_found(game: Path, tmp_path: Path) -> None:
    at = position(game, lambda action: isinstance(action, BuildRoad))
    line = main_line(game, "Red_0")
    expect(*change(game, tmp_path / "one", at, parents=(line[at - 1], line[at - 3])), "parents")
    expect(*change(game, tmp_path / "other", at, parents=(line[at - 3],)), "guard")


def test_a_swapped_tree_is_found(game: Path, tmp_path: Path) -> None:
    at = position(game, lambda action: isinstance(action, BuildRoad))
    other: Commit = commit_at(game, main_line(game, "Red_0")[at + 7])
    expect(*change(game, tmp_path / "copy", at, tree=other.tree), "tree")


def test_a_changed_message_is_found(game: Path, tmp_path: Path) -> None:
    at = position(game, lambda action: isinstance(action, RollDice) and action.dice != 7)
    message = commit_at(game, main_line(game, "Red_0")[at]).message
    for other in (message + "Signed-off-by: me\n", message.replace("Dice: ", "Dice:  "), "hello\n"):
        expect(*change(game, tmp_path / f"copy{len(other)}", at, message=other), "format")


def test_a_fork_between_two_branches_is_found(game: Path, tmp_path: Path) -> None:
    copy = copy_of(game, tmp_path / "copy")
    at = position(game, lambda action: isinstance(action, RollDice) and action.dice != 7)
    line = main_line(copy, "Red_0")
    commit = commit_at(copy, line[at])
    later = commit._replace(committer=commit.committer._replace(time_s=99))
    forked = git(copy, "hash-object", "-w", "-t", "commit", "--stdin", data=later.encode())
    git(copy, "update-ref", "refs/heads/Blue_0", forked)
    verdict = audit(copy)
    assert {(bad.reason, frozenset({bad.commit, bad.other})) for bad in verdict.rejected} == {
        ("fork", frozenset({forked, line[at]}))
    }


def test_a_missing_object_is_found(game: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    git(game, "clone", "--quiet", "--no-local", str(game), str(copy))
    git(copy, "fetch", "--quiet", "--update-head-ok", "origin", "+refs/heads/*:refs/heads/*")
    packs = list((copy / ".git/objects/pack").glob("*.pack"))
    moved = [pack.rename(tmp_path / pack.name) for pack in packs]
    for pack in moved:
        git(copy, "unpack-objects", "-q", data=pack.read_bytes())
    blob = git(copy, "rev-parse", "HEAD:state/game/bandit")
    (copy / ".git/objects" / blob[:2] / blob[2:]).unlink()
    verdict = audit(copy)
    assert verdict.damage is not None
    assert blob in verdict.damage


def test_a_strange_branch_is_told_and_not_looked_at(game: Path, tmp_path: Path) -> None:
    copy = copy_of(game, tmp_path / "copy")
    git(copy, "update-ref", "refs/heads/master", main_line(copy, "Red_0")[3])
    verdict = audit(copy)
    assert verdict.is_fine
    assert verdict.ignored_refs == ("refs/heads/master",)


def test_a_branch_of_another_game_or_player_is_refused(game: Path, tmp_path: Path) -> None:
    copy = copy_of(game, tmp_path / "copy")
    for name in ("Red_1", "Orange_0"):
        git(copy, "update-ref", f"refs/heads/{name}", "Red_0")
    assert {bad.reason for bad in audit(copy).rejected} == {"branch"}


def test_a_future_format_version_is_refused_by_its_number(game: Path, tmp_path: Path) -> None:
    copy = copy_of(game, tmp_path / "copy")
    root = main_line(copy, "Red_0")[0]
    tree = damaged_tree(copy, root, "format", "3\n")
    new_root = git(
        copy, "hash-object", "-w", "-t", "commit", "--stdin", data=commit_at(copy, root)._replace(tree=tree).encode()
    )
    for branch in ("Red_0", "Blue_0", "Green_0"):
        git(copy, "update-ref", f"refs/heads/{branch}", new_root)
    verdict = audit(copy)
    assert verdict.history is None
    assert verdict.rejected[0].reason == "version"
    assert "version '3'" in verdict.rejected[0].detail


def check_merged(path: Path, kind: type[Action]) -> None:
    """Replies of a kind follow what they reply to, and one commit merges each."""
    history = load_history(path)
    parents = {logged.commit: logged.parents for logged in history.actions}
    replies = [logged for logged in history.actions if isinstance(logged.action, kind)]
    assert replies
    for reply in replies:
        merges = [commit for commit, its in parents.items() if reply.commit in its]
        assert len(merges) == 1
        assert parents[merges[0]][0] == reply.parents[0]


def test_discards_hang_on_their_roll_and_are_merged(tmp_path: Path) -> None:
    check_merged(played(tmp_path, players=4, seed=1, policy="random", rules="thesis; PointsToWin = 5"), Discard)


# A standard game


@pytest.fixture(scope="module")
def traded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished game with offers."""
    return played(tmp_path_factory.mktemp("traded"), players=3, seed=1, policy="random", rules="brief; PointsToWin = 6")


class Trade(NamedTuple):
    """An offer that all others have answered, at a position of the main line, and how it ended."""

    at: int
    offer: LoggedAction
    answers: tuple[LoggedAction, ...]
    end: LoggedAction


@lru_cache(maxsize=4)
def trades(game: Path) -> list[Trade]:
    """All trades, the last one first: so that little has to be written anew after it."""
    actions = {logged.commit: logged for logged in load_history(game).actions}
    line = main_line(game, "Red_0")
    return [
        Trade(at, actions[line[at]], answers, actions[line[at + 1]])
        for at in reversed(range(1, len(line) - 1))
        if isinstance(actions[line[at]].action, OfferTrade)
        if (answers := tuple(actions[parent] for parent in actions[line[at + 1]].parents[1:]))
    ]


def concluded(game: Path, *answers: str) -> Trade:
    """A trade that was concluded after these answers, in the order of seats."""
    return next(
        trade
        for trade in trades(game)
        if isinstance(trade.end.action, ConcludeTrade) and [one.action.answer for one in trade.answers] == [*answers]  # type: ignore[attr-defined]
    )


def test_a_finished_standard_game_is_in_order_and_leaves_no_temporary_branch(traded: Path) -> None:
    verdict = audit(traded)
    assert verdict.is_fine
    assert verdict.history is not None and verdict.history.last.is_over
    refs = git(traded, "for-each-ref", "--format=%(refname)").split()
    assert refs == ["refs/heads/Blue_0", "refs/heads/Green_0", "refs/heads/Red_0"]
    assert len(trades(traded)) > 20


def test_a_changed_offer_is_found(traded: Path, tmp_path: Path) -> None:
    trade = trades(traded)[0]
    message = commit_at(traded, trade.offer.commit).message
    give = next(line for line in message.splitlines() if line.startswith("Give: "))
    other = "Give: 1 Lumber, 1 Brick" if "Lumber" not in give else "Give: 1 Wool, 1 Ore"
    expect(*change(traded, tmp_path / "told", trade.at, message=message.replace(give, other)), "guard", "tree")
    copy = copy_of(traded, tmp_path / "written")
    text = "give 1 Lumber\nreceive 4 Ore\n"
    tree = damaged_tree(copy, trade.offer.commit, "state/game/offer", text)
    expect(copy, rewrite_from(copy, "Red_0", trade.at, commit_at(copy, trade.offer.commit)._replace(tree=tree)), "tree")


def test_a_changed_answer_file_is_found(traded: Path, tmp_path: Path) -> None:
    trade = concluded(traded, "accept", "reject")
    copy = copy_of(traded, tmp_path / "copy")
    tree = damaged_tree(
        copy, trade.offer.commit, "state/game/answers", "player_1 none\nplayer_2 accept\nplayer_3 accept\n"
    )
    expect(copy, rewrite_from(copy, "Red_0", trade.at, commit_at(copy, trade.offer.commit)._replace(tree=tree)), "tree")


def test_a_conclusion_that_leaves_out_an_answer_is_found(traded: Path, tmp_path: Path) -> None:
    trade = concluded(traded, "accept", "reject")
    offer, accepted, rejected = trade.end.parents
    for name, parents in (("first", (offer, accepted)), ("second", (offer, rejected)), ("both", (offer,))):
        copy, wrong = change(traded, tmp_path / name, trade.at + 1, parents=parents)
        expect(copy, wrong, "guard")


def test_a_conclusion_with_one_who_refused_is_found(traded: Path, tmp_path: Path) -> None:
    trade = concluded(traded, "accept", "reject")
    refused = trade.answers[1].action.player
    message = commit_at(traded, trade.end.commit).message
    accepted = f"Partner: {trade.answers[0].action.player}\n"
    assert accepted in message
    wrong = message.replace(accepted, f"Partner: {refused}\n")
    expect(*change(traded, tmp_path / "copy", trade.at + 1, message=wrong), "guard")


def answer_beside(copy: Path, trade: Trade, player: int, answer: str) -> tuple[ObjectId, str]:
    """Another commit that answers the offer of a trade, well made from one that is there; its branch."""
    source = commit_at(copy, trade.answers[0].commit)
    name = f"{COLOURS[player - 1]}_0"
    person = Signature(name, f"{name}@catan-p2p.invalid", 1900000000)
    message = f"answer_trade player_{player}\n\nAction: answer_trade\nPlayer: {player}\nAnswer: {answer}\n"
    commit = write_commit(copy, source._replace(author=person, committer=person, message=message))
    return commit, f"refs/heads/{trade.offer.commit}_answer_{name}"


def test_a_late_answer_is_found_and_the_one_that_was_merged_named(traded: Path, tmp_path: Path) -> None:
    trade = concluded(traded, "accept", "reject")
    copy = copy_of(traded, tmp_path / "copy")
    late, ref = answer_beside(copy, trade, trade.answers[0].action.player, "reject")
    git(copy, "update-ref", ref, late)
    (bad,) = audit(copy).rejected
    assert (bad.reason, bad.commit, bad.other) == ("late", late, trade.answers[0].commit)


def test_an_answer_of_a_player_who_was_not_asked_is_found(traded: Path, tmp_path: Path) -> None:
    """The logs end at an offer that one of two others was asked about; the other answers, too."""
    trade = next(trade for trade in trades(traded) if len(trade.answers) == 1)
    idle = ({1, 2, 3} - {trade.offer.action.player, trade.answers[0].action.player}).pop()
    copy = copy_of(traded, tmp_path / "copy")
    for name in ("Red_0", "Blue_0", "Green_0"):
        git(copy, "update-ref", f"refs/heads/{name}", trade.offer.commit)
    unasked, ref = answer_beside(copy, trade, idle, "accept")
    git(copy, "update-ref", ref, unasked)
    (bad,) = audit(copy).rejected
    assert (bad.reason, bad.commit, bad.guards) == ("guard", unasked, ("AT2 asked",))


def test_two_answers_of_one_player_are_found_with_both_ids(traded: Path, tmp_path: Path) -> None:
    trade = concluded(traded, "accept", "reject")
    player = trade.answers[0].action.player
    copy = copy_of(traded, tmp_path / "copy")
    for name in ("Red_0", "Blue_0", "Green_0"):
        git(copy, "update-ref", f"refs/heads/{name}", trade.offer.commit)
    other, ref = answer_beside(copy, trade, player, "reject")
    git(copy, "update-ref", ref, other)
    seat = next(seat for seat in (1, 2, 3) if seat not in (player, trade.offer.action.player))
    git(copy, "update-ref", f"refs/heads/{COLOURS[seat - 1]}_0", trade.answers[0].commit)
    verdicts = audit(copy).rejected
    assert {(bad.reason, frozenset({bad.commit, bad.other})) for bad in verdicts} == {
        ("fork", frozenset({other, trade.answers[0].commit}))
    }


def test_answers_hang_on_their_offer_and_are_merged(traded: Path) -> None:
    check_merged(traded, AnswerTrade)
