"""Real repositories follow the votes of the specification: every step that TLC generates, they take.

After each, what every peer holds, how it has ended for them, and what they would do next is what the specification
says: votes and late actions race, are heard in any order, and everybody may be killed.
"""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from catan_p2p.log import votes
from catan_p2p.log.ballot import Ballot
from catan_p2p.replication.core.left_behind import LeftBehind
from catan_p2p.replication.core.looking import SourceLooks
from catan_p2p.replication.core.replica_state import ReplicaState
from tests.spec_replication.leaving import Step, follow, generate, make_template
from tests.spec_replication.test_behaviours import MISTAKES as OTHERS

pytestmark = [pytest.mark.needs("spec"), pytest.mark.long, pytest.mark.sampled(6, together=True)]

KINDS = ("Act", "Yes", "No", "Build", "Excuse", "Hear", "Accept", "Follow", "Crash", "Restart")


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[list[Step]]]:
    """Three players' repositories before the vote, and what is to happen to them."""
    return make_template(tmp_path_factory.mktemp("votes") / "template", 3), generate(3, 6, seed=3)


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four players' repositories before the vote."""
    return make_template(tmp_path_factory.mktemp("votes") / "template", 4)


def drive(template: Path, path: Path, behaviours: list[list[Step]], liars: tuple[int, ...] = ()) -> Counter[str]:
    """Drive repositories through behaviours; how often each kind of step was taken, and how often honest ones split."""
    taken: Counter[str] = Counter()
    for number, behaviour in enumerate(behaviours):
        taken["split"] += follow(template, path / str(number), behaviour, liars)
        taken.update(step.name for step in behaviour)
    return taken


def test_three_repositories_follow_the_votes_of_the_specification(
    tmp_path: Path, three: tuple[Path, list[list[Step]]]
) -> None:
    template, behaviours = three
    taken = drive(template, tmp_path, behaviours)
    assert len(behaviours) == 6
    assert min(taken[name] for name in KINDS) > 0, taken


def test_four_repositories_follow_the_votes_of_the_specification(tmp_path: Path, four: Path) -> None:
    taken = drive(four, tmp_path, generate(4, 2, seed=1))
    assert min(taken[name] for name in ("Act", "Yes", "Hear", "Accept", "Build")) > 1, taken


def test_honest_repositories_follow_votes_with_a_liar_among_the_voters(tmp_path: Path, four: Path) -> None:
    # Green says both yes and no, which leaves two honest players apart, who can both prove whose doing it is.
    taken = drive(four, tmp_path, generate(4, 3, seed=7, Liars="{3}")[-1:], (3,))
    assert taken["Lie"] == 2
    assert taken["split"] == 1


MISTAKES: dict[str, tuple[Any, str, Any]] = {
    "a promise binds nobody": (Ballot, "binds", lambda ballot, round: False),
    "a no ends no promise": (Ballot, "is_refused", lambda ballot, round: False),
    "one yes is enough": (Ballot, "is_agreed", lambda ballot, round, voters, merged: bool(ballot.of(round))),
    "nobody testifies": (votes, "doubted", lambda ledger, player: iter(())),
    "who would excuse is bound, too": (votes, "excuser", lambda ledger, round: 0),
    "anybody takes a yes back": (votes, "excuser", lambda ledger, round: ledger.ballot.me),
    "votes on what is over are not looked for": (SourceLooks, "_is_stray", lambda *args: False),
    "who was excused stays where they are": (LeftBehind, "move_over", lambda *args: False),
    "whose commit rests on a testimony is a liar": (votes, "is_testified", lambda ledger, round, but=0: False),
    "a vote is removed before its merge": (
        ReplicaState,
        "tidy",
        OTHERS["a temporary branch is removed before its merge"][2],
    ),
}
"""Mistakes in the program: what is replaced by what."""


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_about_votes_is_noticed(
    tmp_path: Path, three: tuple[Path, list[list[Step]]], mistake: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner, name, wrong = MISTAKES[mistake]
    assert hasattr(owner, name)
    monkeypatch.setattr(owner, name, wrong)
    with pytest.raises(Exception, match=r".") as noticed:
        drive(three[0], tmp_path, three[1])
    assert not isinstance(noticed.value, (AttributeError, TypeError)), noticed.value


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10, 20))
@pytest.mark.parametrize(("players", "liars"), [(3, ()), (4, ()), (4, (2,)), (4, (3,)), (4, (4,))])
def test_repositories_follow_many_votes(tmp_path: Path, players: int, liars: tuple[int, ...], seed: int) -> None:
    template = make_template(tmp_path / "template", players)
    names = f"{{{', '.join(map(str, liars))}}}"
    drive(template, tmp_path, generate(players, 20, seed, Liars=names), liars)
