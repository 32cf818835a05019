"""Real repositories follow the specification: every step that TLC generates, they take, and refs are compared after it.

The fetch of any part of a log, a crash between writing objects, moving a ref and publishing, and the restart are steps
like any other.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from catan_p2p.game.constants import Rules
from catan_p2p.log import authorship
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.line import GameLine
from catan_p2p.log.storage.writer import StoreWriter
from catan_p2p.replication.core.refusals import RefusalLog
from catan_p2p.replication.core.replica_state import ReplicaState
from catan_p2p.replication.replica import Replica
from tests.spec_replication import behaviours as spec_rules
from tests.spec_replication.behaviours import Behaviour, generate
from tests.spec_replication.liars import run_with_liar
from tests.spec_replication.table import DISCARDS, OFFERS, RULE_BOOK, follow, make_template

pytestmark = [pytest.mark.long, pytest.mark.sampled(18, together=True)]


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Behaviour]]:
    """Two players' repositories at the beginning, and what is to happen to them."""
    return make_template(tmp_path_factory.mktemp("two") / "template", 2), generate(2, 15, seed=1, length=110)


def drive(tmp_path: Path, template: Path, behaviours: list[Behaviour]) -> dict[str, int]:
    """Drive repositories through behaviours; how often each kind of step was taken."""
    taken: dict[str, int] = {}
    for number, behaviour in enumerate(behaviours):
        follow(template, tmp_path / str(number), behaviour)
        for step in behaviour:
            taken[step.name] = taken.get(step.name, 0) + 1
    return taken


KINDS = ("Sit", "Play", "Record", "Publish", "TakeIn", "Keep", "Remove", "Crash", "Restart")


@pytest.fixture(scope="module")
def three_trading(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Behaviour]]:
    """Three players' repositories at the beginning of a game in which they trade, and what is to happen to them."""
    template = make_template(tmp_path_factory.mktemp("three") / "template", 3, OFFERS)
    return template, generate(3, 10, seed=2, length=160, rules=spec_rules.OFFERS)


def answers(behaviours: list[Behaviour]) -> int:
    """How many recorded answers there are."""
    recorded = (step.recorded for behaviour in behaviours for step in behaviour)
    return sum(one is not None and bool({"accept", "reject"} & set(one.game[-1])) for one in recorded)


class Drive(NamedTuple):
    """Behaviours that repositories follow."""

    players: int
    count: int
    seed: int
    length: int
    rules: Mapping[str, object]
    """Constants of the specification, as ``generate`` takes them."""
    ours: Rules
    kinds_least: int
    """How often each kind of step is taken at least."""
    answers_least: int
    """How many answers are recorded at least."""


DRIVES = {
    "two": Drive(2, 15, 1, 110, {}, DISCARDS, 6, 0),
    "three": Drive(3, 10, 1, 140, {}, DISCARDS, 6, 0),
    "three with offers": Drive(3, 10, 2, 160, spec_rules.OFFERS, OFFERS, 6, 21),
    "two by the rule book": Drive(2, 6, 2, 130, spec_rules.RULE_BOOK, RULE_BOOK, 0, 11),
}


@pytest.mark.needs("spec")
@pytest.mark.parametrize("name", DRIVES)
def test_repositories_follow_behaviours_of_the_specification(tmp_path: Path, name: str) -> None:
    case = DRIVES[name]
    behaviours = generate(case.players, case.count, case.seed, case.length, rules=case.rules)
    template = make_template(tmp_path / "template", case.players, case.ours)
    taken = drive(tmp_path, template, behaviours)
    assert len(behaviours) == case.count
    assert min(taken.get(kind, 0) for kind in KINDS) >= case.kinds_least
    assert answers(behaviours) >= case.answers_least


FORGE = {"Lies": '{"forge"}', "MaxLies": 2}

LIES: dict[str, tuple[dict[str, object], Rules]] = {
    "a log continued in two ways": ({"MaxLies": 1}, DISCARDS),
    "two discards": ({"MaxLies": 2, "LiesAreReplies": "TRUE"}, DISCARDS),
    "two answers": ({"MaxLies": 2, "LiesAreReplies": "TRUE", **spec_rules.OFFERS}, OFFERS),
    "moves of others": (FORGE, DISCARDS),
    "moves of others, without signatures": ({**FORGE, "Signed": "FALSE"}, DISCARDS),
    "discards of others, without signatures": ({**FORGE, "Signed": "FALSE", "LiesAreReplies": "TRUE"}, DISCARDS),
    "answers of others, without signatures": (
        {**FORGE, "Signed": "FALSE", "LiesAreReplies": "TRUE", **spec_rules.OFFERS},
        OFFERS,
    ),
}
"""What player 2 lies about: the constants of the specification, and our rules."""


def drive_with_liar(tmp_path: Path, kind: str, count: int, seed: int, length: int) -> int:
    """Drive honest repositories through behaviours with a liar; how many lies there were."""
    constants, rules = LIES[kind]
    signed = constants.get("Signed") != "FALSE"
    template = make_template(tmp_path / "template", 3, rules, signed=signed)
    behaviours = generate(3, count, seed, length, crashes=2, rules={"Liars": "{2}", **constants})
    return sum(
        run_with_liar(template, tmp_path / str(number), 2, behaviour, signed=signed)
        for number, behaviour in enumerate(behaviours)
    )


QUICK_LIES = ("a log continued in two ways", "two discards", "moves of others, without signatures")


@pytest.mark.needs("spec")
@pytest.mark.parametrize("kind", QUICK_LIES)
def test_honest_repositories_follow_behaviours_with_a_liar_and_name_the_lie(tmp_path: Path, kind: str) -> None:
    assert drive_with_liar(tmp_path, kind, 6, seed=3, length=150) >= 2


def _believes_anybody(replica: Replica, *args: Any, right: Any = Replica.__init__, **others: Any) -> None:
    right(replica, *args, **others)
    replica.core.held.is_signed = True


BELIEVED: dict[str, tuple[str, Any, str, Any]] = {
    "signatures are not checked": ("moves of others", authorship, "unsigned", lambda *args: None),
    "without signatures, anybody is believed": (
        "moves of others, without signatures",
        Replica,
        "__init__",
        _believes_anybody,
    ),
    "without signatures, anybody is charged": (
        "moves of others, without signatures",
        RefusalLog,
        "_charge",
        lambda *args, right=RefusalLog._charge: replace(right(*args), is_certain=True),
    ),
    "without signatures, anybody is charged for a reply": (
        "discards of others, without signatures",
        RefusalLog,
        "_charge",
        lambda *args, right=RefusalLog._charge: replace(right(*args), is_certain=True),
    ),
}
"""Mistakes in the program that concern what is made up: the kind of lie, and what is replaced by what."""


@pytest.mark.needs("spec")
def test_nobody_is_charged_with_what_a_liar_made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    test_a_mistake_about_what_is_made_up_is_noticed(tmp_path, "without signatures, anybody is charged", monkeypatch)


@pytest.mark.soak
@pytest.mark.needs("spec")
@pytest.mark.parametrize("mistake", BELIEVED)
def test_a_mistake_about_what_is_made_up_is_noticed(
    tmp_path: Path, mistake: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind, owner, name, wrong = BELIEVED[mistake]
    monkeypatch.setattr(owner, name, wrong)
    with pytest.raises(AssertionError):
        drive_with_liar(tmp_path, kind, 6, seed=3, length=150)


def _removes_at_once(held: ReplicaState) -> None:
    for ref in held.own_replies():
        held.forget(ref)


MISTAKES: dict[str, tuple[type, str, Any]] = {
    "a temporary branch is removed before its merge": (ReplicaState, "tidy", _removes_at_once),
    "a temporary branch is never removed": (ReplicaState, "tidy", lambda held: None),
    "what was taken in is not kept": (ReplicaState, "record", lambda held, ref, head: None),
    "nothing is remembered after a restart": (Replica, "resume", lambda replica: None),
    "a killed writer's journal is forgotten": (StoreWriter, "_replay", lambda writer, records: writer._journal.reset()),
    "a branch is published only in memory": (StoreWriter, "publish", lambda writer, **how: None),
    "a reply sees other replies": (CommitGraph, "before", lambda graph, action: graph.state),
    "a merge leaves the replies out": (
        GameLine,
        "prepare",
        lambda line, *given, right=GameLine.prepare: right(line, *given)._replace(parents=(line.head,)),
    ),
}
"""Mistakes in the program: what is replaced by what."""


def check_noticed(monkeypatch: pytest.MonkeyPatch, mistake: str, follow: Callable[[], object]) -> None:
    """With the mistake in the program, the repositories do not follow."""
    owner, name, wrong = MISTAKES[mistake]
    monkeypatch.setattr(owner, name, wrong)
    with pytest.raises(Exception, match=r".") as noticed:
        follow()
    assert not isinstance(noticed.value, (AttributeError, TypeError)), noticed.value


@pytest.mark.needs("spec")
@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_the_program_is_noticed(
    tmp_path: Path, two: tuple[Path, list[Behaviour]], mistake: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_noticed(monkeypatch, mistake, lambda: drive(tmp_path, two[0], two[1]))


CONCERNING_ANSWERS = (
    "a temporary branch is removed before its merge",
    "a reply sees other replies",
    "a merge leaves the replies out",
)


@pytest.mark.needs("spec")
@pytest.mark.parametrize("mistake", CONCERNING_ANSWERS)
def test_a_mistake_with_answers_is_noticed(
    tmp_path: Path, three_trading: tuple[Path, list[Behaviour]], mistake: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_noticed(monkeypatch, mistake, lambda: drive(tmp_path, three_trading[0], three_trading[1]))


@pytest.mark.soak
@pytest.mark.needs("spec")
@pytest.mark.parametrize("seed", range(100, 115))
def test_two_repositories_follow_many_behaviours(tmp_path: Path, seed: int) -> None:
    drive(tmp_path, make_template(tmp_path / "template", 2), generate(2, 20, seed, length=130))


@pytest.mark.soak
@pytest.mark.needs("spec")
@pytest.mark.parametrize("seed", range(200, 210))
def test_three_repositories_follow_many_behaviours(tmp_path: Path, seed: int) -> None:
    drive(tmp_path, make_template(tmp_path / "template", 3), generate(3, 20, seed, length=160))


@pytest.mark.soak
@pytest.mark.needs("spec")
@pytest.mark.parametrize("seed", range(300, 306))
def test_three_repositories_follow_many_behaviours_with_offers(tmp_path: Path, seed: int) -> None:
    behaviours = generate(3, 20, seed, length=170, rules=spec_rules.OFFERS)
    drive(tmp_path, make_template(tmp_path / "template", 3, OFFERS), behaviours)


@pytest.mark.soak
@pytest.mark.needs("spec")
@pytest.mark.parametrize("seed", range(400, 406))
def test_two_repositories_follow_many_behaviours_by_the_rule_book(tmp_path: Path, seed: int) -> None:
    behaviours = generate(2, 20, seed, length=160, rules=spec_rules.RULE_BOOK)
    drive(tmp_path, make_template(tmp_path / "template", 2, RULE_BOOK), behaviours)


@pytest.mark.soak
@pytest.mark.needs("spec")
@pytest.mark.parametrize("seed", range(500, 504))
@pytest.mark.parametrize("kind", LIES)
def test_honest_repositories_follow_many_behaviours_with_a_liar(tmp_path: Path, kind: str, seed: int) -> None:
    assert drive_with_liar(tmp_path, kind, 20, seed, length=160) > 2
