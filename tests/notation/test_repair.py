"""Lines that a spectator took back but that stayed in the file: the later line counts."""

from itertools import pairwise

from catan_p2p.game.constants import PROFILES
from catan_p2p.notation import Event, NotationFinding, ViewStep, catanlog, judged, table_for
from catan_p2p.notation.tables import ViewFormat
from tests.for_each import for_each
from tests.notation import samples
from tests.notation.stories import SETUP


def repaired(body: str, format: ViewFormat = "catan") -> tuple[list[ViewStep], list[NotationFinding]]:
    start = samples.start(2)
    reader = catanlog.CatanlogBodyReader(start)
    lines = (SETUP + body).splitlines()
    events: list[Event] = [event for number, line in enumerate(lines, 1) for event in reader.take(line, number)]
    findings: list[NotationFinding] = []
    steps = list(judged(start, events, table_for(start, format), PROFILES["brief"], findings.append))
    return steps, findings


def kept(body: str) -> list[int]:
    """The numbers of the lines of a body that count; whatever else is wrong with them is no repair."""
    steps, findings = repaired(body)
    assert all(finding.kind in ("repair", "rules", "cards") for finding in findings)
    first = len(SETUP.splitlines())
    left_out = {finding.line - first for finding in findings if finding.kind == "repair"}
    counted = [step.event.line - first for step in steps if step.event.line > first]
    assert left_out.isdisjoint(counted)
    assert sorted([*left_out, *counted]) == list(range(1, len(body.splitlines()) + 1))
    return counted


UNDONE = [
    ("two rolls", "red rolls 4\nred rolls 5\nred ends turn after 9s\n", [2, 3]),
    ("two ends", "red rolls 4\nred ends turn after 5s\nred ends turn after 9s\nblue rolls 9\n", [1, 3, 4]),
    (
        "an end that came too early",
        "red rolls 4\nred ends turn after 5s\nred buys dev card\nred ends turn after 9s\nblue rolls 9\n",
        [1, 3, 4, 5],
    ),
    (
        "another robbery",
        "red rolls 7\nred moves robber to 1, steals from blue\nred ends turn after 5s\n"
        "red moves robber to 12, steals from blue\nred ends turn after 9s\nblue rolls 3\n",
        [1, 4, 5, 6],
    ),
    (
        "a roll that became a seven",
        "red rolls 8\nred rolls 7\nred moves robber to 1, steals from blue\nred ends turn after 9s\n",
        [2, 3, 4],
    ),
    (
        "a road twice",
        "red rolls 4\nred buys road, builds at (10 NE)\nred buys road, builds at (10 NE)\nred ends turn after 9s\n",
        [1, 3, 4],
    ),
    (
        "the next player had rolled already",
        "red rolls 8\nred ends turn after 5s\nblue rolls 7\n"
        "red buys road, builds at (10 NE)\nred ends turn after 9s\nblue rolls 3\n",
        [1, 4, 5, 6],
    ),
]


@for_each(("what", "body", "counts"), UNDONE, ids=[what for what, _, _ in UNDONE])
def test_the_later_line_counts(what: str, body: str, counts: list[int]) -> None:
    assert kept(body) == counts


@for_each("format", ["catanatron", "colonist", "soclog", "lmu"])
@for_each(("what", "body", "counts"), UNDONE, ids=[what for what, _, _ in UNDONE])
def test_what_a_program_wrote_has_happened(what: str, body: str, counts: list[int], format: ViewFormat) -> None:
    steps, findings = repaired(body, format=format)
    assert {finding.kind for finding in findings} <= {"rules", "cards"}
    assert any(finding.kind == "rules" for finding in findings)
    assert len(steps) == len((SETUP + body).splitlines())


def test_a_settlement_of_the_set_up_that_was_moved() -> None:
    start = samples.start(2)
    reader = catanlog.CatanlogBodyReader(start)
    lines = SETUP.splitlines()
    lines.insert(0, "red buys settlement, builds at (1 N)")
    events: list[Event] = [event for number, line in enumerate(lines, 1) for event in reader.take(line, number)]
    findings: list[NotationFinding] = []
    steps = list(judged(start, events, table_for(start, "catan"), PROFILES["thesis"], findings.append))
    assert [(finding.line, finding.kind) for finding in findings] == [(1, "repair")]
    assert steps[0].event.line == 2
    assert steps[-1].after.points(1) == 2


def test_cards_that_are_missing_are_no_reason_to_undo_anything() -> None:
    """Real files leave out trades, so what cannot be paid was not taken back."""
    steps, findings = repaired("red rolls 8\nred ends turn after 5s\nblue rolls 3\nblue buys city, builds at (1 SE)\n")
    assert [finding.kind for finding in findings] == ["rules", "cards"]
    assert "cannot pay" in findings[0].message
    assert len(steps) == len(SETUP.splitlines()) + 4


def test_another_players_lines_are_not_undone() -> None:
    body = "red rolls 8\nred ends turn after 5s\nblue rolls 9\nblue buys dev card\nred ends turn after 7s\n"
    _, findings = repaired(body)
    assert all(finding.kind in ("rules", "cards") for finding in findings)


def test_findings_say_which_line_takes_back() -> None:
    _, findings = repaired("red rolls 4\nred rolls 5\n")
    assert [str(finding) for finding in findings] == ["line 13, column 1: left out: line 14 takes it back"]


def test_positions_go_on_from_what_counts() -> None:
    steps, _ = repaired("red rolls 4\nred rolls 3\nred ends turn after 9s\nblue rolls 3\n")
    for before, after in pairwise(steps):
        assert before.after == after.before


def test_a_file_in_order_is_left_as_it_is() -> None:
    events = samples.read_back(samples.written(samples.random_events(3, 5, 300), "catan"), "catan")
    findings: list[NotationFinding] = []
    start = events[0]
    steps = list(judged(start, events[1:], table_for(start, "catan"), PROFILES["thesis"], findings.append))  # type: ignore[arg-type]
    assert not findings
    assert [step.event for step in steps] == events[1:]
