"""Real repositories follow what the specification says of a proven liar: every step that TLC generates, they take.

After each, what every peer holds, whose votes it has heard, which side survives, whether it excuses the liar next, what
it keeps of what it has dropped and whom it charges is what the specification says. Now and then a peer is killed and
started again between two steps, which the specification does not see.
"""

from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from catan_p2p.game.constants import Player
from catan_p2p.log import settled_votes, votes
from catan_p2p.log.ballot import VotingRound
from catan_p2p.log.proof import ProofCharge
from catan_p2p.log.settled_votes import SettledVotes
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.replication.core import fork_settlement
from catan_p2p.replication.core.fork_settlement import ForkSettlement
from catan_p2p.replication.core.voter import VoteWriter
from tests.spec_replication.settling import Step, follow, generate, make_fork, make_replies

pytestmark = [pytest.mark.needs("spec"), pytest.mark.long, pytest.mark.sampled(9)]

KINDS = ("See", "Act", "ActAgain", "Vote", "Hear", "MoveOver", "TakeOver", "Settle", "Follow")


class Case(NamedTuple):
    """The repositories of a game in which somebody lies next, and what is to come of it."""

    template: Path
    behaviours: list[list[Step]]


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Case]:
    """Two continuations shown to two or three others, and two replies."""
    folder = tmp_path_factory.mktemp("lies")
    return {
        "fork of three": Case(make_fork(folder / "three", 3), generate(3, 10, seed=1)),
        "fork of four": Case(make_fork(folder / "four", 4), generate(4, 8, seed=1)[5:]),
        "replies": Case(make_replies(folder / "replies", 3), generate(3, 8, seed=1, are_replies=True)[5:]),
    }


def drive(case: Case, path: Path) -> Counter[str]:
    """Drive repositories through behaviours; how often each kind of step was taken."""
    taken: Counter[str] = Counter()
    for number, behaviour in enumerate(case.behaviours):
        follow(case.template, path / str(number), behaviour, number)
        taken.update(step.name for step in behaviour)
    return taken


@pytest.mark.parametrize("name", ["fork of three", "fork of four", "replies"])
def test_repositories_settle_as_the_specification_says(tmp_path: Path, cases: dict[str, Case], name: str) -> None:
    taken = drive(cases[name], tmp_path)
    assert min(taken[kind] for kind in KINDS) > 0, taken


def _too_early(
    right: Any, settling: SettledVotes, round: VotingRound, voters: Collection[Player], merger: Player
) -> Any:
    charged = settling.charges(round).keys()
    return right(settling, round, voters if len(charged) < 2 else charged, merger)


def _the_other(right: Any, charges: dict[Player, ProofCharge], merger: Player) -> ObjectId | None:
    kept: ObjectId | None = right(charges, merger)
    return next((charge.holds for charge in charges.values() if charge.holds != kept), kept)


def _names_the_lie_only(right: Any, voter: VoteWriter, round: VotingRound) -> ProofCharge | None:
    charge: ProofCharge | None = right(voter, round)
    if charge is None or charge.holds is None:
        return charge
    return charge._replace(newest=charge.holds, height=voter._held.graph.height(charge.holds))


def _lacking(right: Any, settling: SettledVotes, absent: Player, merged: Any, held: Any, at: Any) -> bool:
    heights = {
        charge.newest: charge.height for round in settling.rounds() for charge in settling.charges(round).values()
    }
    return bool(right(settling, absent, merged, held, heights.get))


FORK, FORK_OF_FOUR, REPLIES = "fork of three", "fork of four", "replies"

MISTAKES: dict[str, tuple[str, Any, str, Any]] = {
    "a vote on a lie binds nobody": (FORK, SettledVotes, "binds", lambda right, *args: False),
    "two votes of three settle it": (FORK_OF_FOUR, SettledVotes, "weigh", _too_early),
    "the other side survives": (FORK, settled_votes, "survivor", _the_other),
    "nobody moves over": (FORK, votes, "overruled", lambda right, ledger: None),
    "what survives is waited for": (
        FORK,
        ForkSettlement,
        "_take_survivors",
        lambda right, fork_settlement: None,
    ),
    "a vote names the lie only": (FORK, VoteWriter, "_charge_for", _names_the_lie_only),
    "who settles may lack what a voter holds": (FORK, SettledVotes, "is_agreed", _lacking),
    "it does not matter who merges replies": (
        REPLIES,
        SettledVotes,
        "weigh",
        lambda right, settling, round, voters, merger: right(settling, round, voters, 0),
    ),
    "own votes that were merged are not shown again": (
        FORK,
        ForkSettlement,
        "_show_own_again",
        lambda right, *args: None,
    ),
    "others' votes that were merged are forgotten": (
        FORK_OF_FOUR,
        ForkSettlement,
        "_keep_votes_again",
        lambda right, *args: None,
    ),
    "a restart forgets the lie": (FORK, ForkSettlement, "recall", lambda right, *args: None),
    "what is dropped is not kept": (
        FORK_OF_FOUR,
        fork_settlement,
        "abandoned_ref",
        lambda right, commit: f"refs/dropped/{commit}",
    ),
    "who only hears of a lie keeps no proof": (FORK, ForkSettlement, "keep_proof", lambda right, *args: None),
}
"""Mistakes in the program: which case shows them, and what is replaced by what."""


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_about_lies_is_noticed(
    tmp_path: Path, cases: dict[str, Case], mistake: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, owner, function, wrong = MISTAKES[mistake]
    right = getattr(owner, function)
    monkeypatch.setattr(owner, function, lambda *args: wrong(right, *args))
    with pytest.raises(Exception, match=r".") as noticed:
        drive(cases[name], tmp_path)
    assert not isinstance(noticed.value, (AttributeError, TypeError)), noticed.value


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10, 20))
@pytest.mark.parametrize("are_replies", [False, True], ids=["fork", "replies"])
@pytest.mark.parametrize("players", [3, 4])
def test_many_lies_are_settled_as_the_specification_says(
    tmp_path: Path, players: int, are_replies: bool, seed: int
) -> None:
    template = (make_replies if are_replies else make_fork)(tmp_path / "template", players)
    drive(Case(template, generate(players, 20, seed, are_replies=are_replies)), tmp_path)
