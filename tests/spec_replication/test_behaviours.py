"""Real repositories follow the specification: every step that TLC generates, they take, and refs are compared after it.

The fetch of any part of a log, a crash between writing objects, moving a ref and publishing, and the restart are steps
like any other.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
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
from tests.for_each import with_soak
from tests.spec_replication import behaviours as spec_rules
from tests.spec_replication.behaviours import Behaviour, generate
from tests.spec_replication.driver import DISCARDS, OFFERS, RULE_BOOK, BehaviourDriver, driven, make_template
from tests.spec_replication.liars import run_with_liar

pytestmark = [pytest.mark.long, pytest.mark.sampled(18, together=True)]


KINDS = ("Sit", "Play", "Record", "Publish", "TakeIn", "Keep", "Remove", "Crash", "Restart")


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


MANY = {
    f"{name}, seed {seed}": DRIVES[name]._replace(count=20, seed=seed, length=length, kinds_least=0, answers_least=0)
    for name, seeds, length in (
        ("two", range(100, 115), 130),
        ("three", range(200, 210), 160),
        ("three with offers", range(300, 306), 170),
        ("two by the rule book", range(400, 406), 160),
    )
    for seed in seeds
}


@cache
def behaviours_of(name: str) -> list[Behaviour]:
    case = (DRIVES | MANY)[name]
    return generate(case.players, case.count, case.seed, case.length, rules=case.rules)


def template_of(folder: Path, name: str) -> Path:
    """The players' repositories at the beginning."""
    case = (DRIVES | MANY)[name]
    return make_template(folder / "template", case.players, case.ours)


def drive(folder: Path, template: Path, name: str) -> dict[str, int]:
    """Drive repositories through behaviours; how often each kind of step was taken."""
    taken: dict[str, int] = {}
    for number, behaviour in enumerate(behaviours_of(name)):
        with driven(BehaviourDriver(template, folder / str(number)), behaviour):
            for step in behaviour:
                taken[step.name] = taken.get(step.name, 0) + 1
    return taken


@pytest.mark.needs("spec")
@pytest.mark.parametrize("name", with_soak(DRIVES, MANY))
def test_repositories_follow_behaviours_of_the_specification(tmp_path: Path, name: str) -> None:
    case = (DRIVES | MANY)[name]
    taken = drive(tmp_path, template_of(tmp_path, name), name)
    assert len(behaviours_of(name)) == case.count
    assert min(taken.get(kind, 0) for kind in KINDS) >= case.kinds_least
    assert answers(behaviours_of(name)) >= case.answers_least


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
@pytest.mark.parametrize(
    ("kind", "count", "seed", "length", "least"),
    with_soak(
        [(kind, 6, 3, 150, 2) for kind in QUICK_LIES],
        [(kind, 20, seed, 160, 3) for kind in LIES for seed in range(500, 504)],
    ),
)
def test_honest_repositories_follow_behaviours_with_a_liar_and_name_the_lie(
    tmp_path: Path, kind: str, count: int, seed: int, length: int, least: int
) -> None:
    assert drive_with_liar(tmp_path, kind, count, seed, length) >= least


def _believes_anybody(replica: Replica, *args: Any, right: Any = Replica.__init__, **others: Any) -> None:
    right(replica, *args, **others)
    replica.core.held.is_signed = True


CHARGED = "without signatures, anybody is charged"
BELIEVED: dict[str, tuple[str, Any, str, Any]] = {
    "signatures are not checked": ("moves of others", authorship, "unsigned", lambda *args: None),
    "without signatures, anybody is believed": (
        "moves of others, without signatures",
        Replica,
        "__init__",
        _believes_anybody,
    ),
    CHARGED: (
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
@pytest.mark.parametrize("mistake", with_soak([CHARGED], [one for one in BELIEVED if one != CHARGED]))
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


CONCERNING_ANSWERS = (
    "a temporary branch is removed before its merge",
    "a reply sees other replies",
    "a merge leaves the replies out",
)


@pytest.mark.needs("spec")
@pytest.mark.parametrize(
    ("name", "mistake"),
    [*(("two", mistake) for mistake in MISTAKES), *(("three with offers", one) for one in CONCERNING_ANSWERS)],
)
def test_a_mistake_in_the_program_is_noticed(
    tmp_path: Path, name: str, mistake: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    template, (owner, attribute, wrong) = template_of(tmp_path, name), MISTAKES[mistake]
    monkeypatch.setattr(owner, attribute, wrong)
    with pytest.raises(Exception, match=r".") as noticed:
        drive(tmp_path, template, name)
    assert not isinstance(noticed.value, (AttributeError, TypeError)), noticed.value
