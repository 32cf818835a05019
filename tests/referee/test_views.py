"""The referee judges games with views beside the program: all that liars and late players sign, and changed commits."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from catan_p2p.log.commit import Commit, decode_commit
from catan_p2p.log.game import game_files
from catan_p2p.log.judging import judge
from catan_p2p.log.storage.objects import ObjectId, object_id
from catan_p2p.log.verdict import CommitRejected
from catan_p2p.log.views.messages import split_after, with_after
from tests.log.views.table import ViewTable
from tests.log.views.test_returns import returning_world
from tests.log.views.test_views import world_of
from tests.referee import referee
from tests.referee.views import ViewsLog
from tests.seat_keys import sign_as_author

STEPS = 1_500


class BothJudges:
    """One graph and one referee that hear everything, in the order in which it was signed."""

    def __init__(self, table: ViewTable) -> None:
        self.table, self.graph = table, table.fresh_graph().valid
        self.log = ViewsLog(table.root, referee.Game(game_files(table.game)))
        self.judged: Counter[str] = Counter()
        self.heard: list[ObjectId] = [table.root]

    def judge(self, commit: ObjectId, data: bytes) -> bool:
        """Judge a commit by both, which must agree; whether it is valid."""
        node = judge(self.graph, commit, data)
        reason = node.reason if isinstance(node, CommitRejected) else ""
        try:
            told = self.log.judge(commit, data)
            why = ""
        except referee.Refused as refused:
            why = f"{refused.reason}: {refused.detail}"
        assert bool(reason) == bool(why), f"{data.decode()}\nprogram: {node if reason else 'valid'}; referee: {why}"
        self.judged[reason or "valid"] += 1
        if isinstance(node, CommitRejected):
            return False
        self.graph.add(node)
        self.log.take(told)
        self.heard.append(commit)
        return True


def changed(commit: Commit, heard: list[ObjectId], rng: Random) -> Commit:
    """A commit with one change that somebody with the key could make."""
    text, after = split_after(commit.message)
    parents, message = list(commit.parents), commit.message
    match rng.randrange(6):
        case 0:
            parents.insert(rng.randrange(len(parents) + 1), rng.choice(heard))
        case 1:
            parents.pop(rng.randrange(len(parents)))
        case 2:
            rng.shuffle(parents)
        case 3:
            parents[rng.randrange(len(parents))] = rng.choice(heard)
        case 4:
            message = with_after(text, rng.choice(heard))
        case _:
            lines = text.split("\n")
            number = [i for i, line in enumerate(lines) if line.startswith(("Round: ", "View: ", "Waits: "))]
            if number:
                at = rng.choice(number)
                lines[at] = f"{lines[at].partition(':')[0]}: {rng.choice(('0', '1', '2', '3', '-', '1 2', '2 3'))}"
            assert after is not None
            message = with_after("\n".join(lines), after)
            message = message.replace(message.split("\n")[0], _subject(message), 1)
    return commit._replace(parents=tuple(parents), message=message)


def _subject(message: str) -> str:
    """The subject that fits a message's round."""
    subject = message.split("\n")[0]
    rounds = [line.removeprefix("Round: ") for line in message.split("\n") if line.startswith("Round: ")]
    return f"{subject.partition(' round ')[0]} round {rounds[0]}" if rounds else subject


@pytest.mark.long
@pytest.mark.sampled(10)
@pytest.mark.parametrize("seed", range(100))
def test_both_judges_agree_on_all_that_liars_sign_and_on_changed_commits(seed: int) -> None:
    world = (world_of if seed < 60 else returning_world)(seed, lies=seed % 3 > 0)
    for _ in range(STEPS):
        world.step()
    world.quiet()
    table, rng = world.table, Random(seed)
    both, signed = BothJudges(table), sorted_commits(table)
    for commit, data in signed:
        assert both.judge(commit, data), data.decode()
        for _ in range(2):
            bad = sign_as_author(changed(decode_commit(data), both.heard, rng)).encode()
            if (mutant := object_id("commit", bad)) not in both.graph:
                both.judge(mutant, bad)
    assert both.judged["valid"] > 25
    assert len(both.judged) > 3
    assert "signature" not in both.judged


def sorted_commits(table: ViewTable) -> list[tuple[ObjectId, bytes]]:
    """What the players have signed, parents first."""
    found: dict[ObjectId, bytes] = {}
    for one in table.players:
        for commit, node in one.graph.nodes.items():
            if node.link.parents:
                found.setdefault(commit, table.objects.read(commit)[1])
    heights = {commit: node.link.height for one in table.players for commit, node in one.graph.nodes.items()}
    return sorted(found.items(), key=lambda item: (heights[item[0]], item[0]))
