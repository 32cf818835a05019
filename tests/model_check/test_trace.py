"""Recorded games and TLC: accepted whatever the order of discards, refused where something was changed.

TLC decides; the mirror only words the refusal.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from catan_p2p.game import actions as a
from catan_p2p.game.board.openings import beginners_opening
from catan_p2p.game.cards import pack, unpack
from catan_p2p.game.state import State
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.model_check.recording import LineStep, RecordedGame, RecordedStep, read_recording
from catan_p2p.model_check.tlc import TlcProgram
from catan_p2p.model_check.trace import TraceRefusal, check_recording, trace_module
from tests.log.storage.repositories import commit_at, copy_of, git, main_line, played, rewrite_from
from tests.model_check.recordings import random_recording
from tests.typed import Typed

pytestmark = [pytest.mark.needs("spec"), pytest.mark.long, pytest.mark.sampled(6, together=True)]


@pytest.fixture(scope="module", params=[2, 3, 4])
def game(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(tmp_path_factory.mktemp("games"), players=request.param, seed=3)


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> RecordedGame:
    """A four-player game that has a seven with several discards."""
    for seed in range(20):
        path = played(tmp_path_factory.mktemp("games"), players=4, seed=seed)
        found = read_recording(path)
        if any(len(entry.replies) >= 2 for entry in found.entries):
            return found
    raise AssertionError("no seven with two discards in 20 games")


def shortened(recording: RecordedGame, at: int) -> RecordedGame:
    """Up to the entry at this index, and a few more."""
    return replace(recording, entries=recording.entries[: at + 3])


def index_of(recording: RecordedGame, wanted: Callable[[LineStep], bool], skip: int = 0) -> int:
    return [i for i, entry in enumerate(recording.entries) if wanted(entry)][skip]


def changed(recording: RecordedGame, at: int, **changes: object) -> RecordedGame:
    """Another action or state in the step of one entry."""
    entries = list(recording.entries)
    entries[at] = entries[at]._replace(step=entries[at].step._replace(**changes))  # type: ignore[arg-type]
    return shortened(replace(recording, entries=tuple(entries)), at)


def is_a(kind: type[a.Action]) -> Callable[[LineStep], bool]:
    return lambda entry: isinstance(entry.step.action, kind)


def expect(tlc: TlcProgram, recording: RecordedGame, at: int, *guards: str) -> TraceRefusal:
    """TLC refuses the entry at this index and nothing before it."""
    refusal = check_recording(recording, tlc)
    assert refusal is not None
    assert refusal.commit == recording.entries[at].step.commit, refusal
    assert refusal.accepted == sum(1 + len(entry.replies) for entry in recording.entries[:at]) + len(
        recording.entries[at].replies
    )
    for guard in guards:
        assert guard in refusal.guards
    return refusal


def test_a_game_of_every_size_is_a_behaviour_of_the_specification(game: Path, tlc: TlcProgram) -> None:
    recording = read_recording(game)
    assert recording.unreadable is None
    assert recording.step_count == int(git(game, "rev-list", "--count", "Red_0")) - 1
    assert check_recording(recording, tlc) is None


def test_every_order_of_concurrent_discards_is_taken(recording: RecordedGame, tlc: TlcProgram) -> None:
    at = index_of(recording, lambda entry: len(entry.replies) >= 2)
    entry = recording.entries[at]
    turned = [*recording.entries[:at], entry._replace(replies=entry.replies[::-1])]
    assert check_recording(replace(recording, entries=tuple(turned)), tlc) is None


FIELDS: dict[str, Callable[[State], State]] = {
    "tp": lambda state: state._replace(tp="Building" if state.tp != "Building" else "Trading"),
    "dice": lambda state: state._replace(dice=5 if state.dice != 5 else 6),
    "ba": lambda state: state._replace(ba=state.ba + 1),
    "lr": lambda state: state._replace(lr=1 if state.lr != 1 else 2),
    "la": lambda state: state._replace(la=1 if state.la != 1 else 2),
    "SU ap": lambda state: state._replace(su_ap=2),
    "RC of 2": lambda state: state._replace(
        h=(state.h[0], state.h[1]._replace(rc=state.h[1].rc + pack((0, 0, 1, 0, 0))), *state.h[2:])
    ),
    "UC of 1": lambda state: state._replace(
        h=(state.h[0]._replace(uc=state.h[0].uc + pack((0, 0, 0, 1, 0))), *state.h[1:])
    ),
    "bank RC": lambda state: state._replace(bnk=state.bnk._replace(rc=state.bnk.rc ^ 1)),
    "bank DC": lambda state: state._replace(bnk=state.bnk._replace(dc=state.bnk.dc ^ 1)),
    "b of 3": lambda state: state._replace(b=(*state.b[:2], state.b[2]._replace(road=0), *state.b[3:])),
    "r of 70": lambda state: state._replace(r=(state.r[0] ^ 1 << 70, *state.r[1:])),
}


@pytest.mark.parametrize("field", sorted(FIELDS))
def test_one_changed_field_is_refused_at_its_commit_and_named(
    recording: RecordedGame, tlc: TlcProgram, field: str
) -> None:
    at = index_of(recording, is_a(a.EmptyTrade), skip=4)
    state = FIELDS[field](recording.entries[at].step.state)
    refusal = expect(tlc, changed(recording, at, state=state), at)
    assert field in refusal.detail
    assert refusal.guards == ()


def test_a_wrong_player_is_refused(recording: RecordedGame, tlc: TlcProgram) -> None:
    at = index_of(recording, is_a(a.EmptyTrade), skip=3)
    action = recording.entries[at].step.action
    other = a.EmptyTrade(action.player % 4 + 1)
    expect(tlc, changed(recording, at, action=other), at, "ET2 turn")


def test_a_skipped_action_is_refused(recording: RecordedGame, tlc: TlcProgram) -> None:
    at = index_of(recording, is_a(a.RollDice), skip=3)
    entries = recording.entries[:at] + recording.entries[at + 1 : at + 4]
    refusal = check_recording(replace(recording, entries=entries), tlc)
    assert refusal is not None
    assert refusal.commit == recording.entries[at + 1].step.commit
    assert any(guard.endswith("phase") for guard in refusal.guards)


def test_another_parameter_is_refused(recording: RecordedGame, tlc: TlcProgram) -> None:
    at = index_of(recording, is_a(a.BuildRoad))
    action = recording.entries[at].step.action
    assert isinstance(action, a.BuildRoad)
    far = next(point for point in (1, 30, 72) if point != action.at)
    expect(tlc, changed(recording, at, action=a.BuildRoad(action.player, far)), at)


def with_replies(recording: RecordedGame, at: int, replies: tuple[RecordedStep, ...]) -> RecordedGame:
    entries = list(recording.entries)
    entries[at] = entries[at]._replace(replies=replies)
    return shortened(replace(recording, entries=tuple(entries)), at)


def test_a_missing_discard_is_refused_at_the_bandit(recording: RecordedGame, tlc: TlcProgram) -> None:
    at = index_of(recording, lambda entry: len(entry.replies) >= 2)
    assert isinstance(recording.entries[at].step.action, a.MoveBandit)
    kept = recording.entries[at].replies[:-1]
    refusal = check_recording(with_replies(recording, at, kept), tlc)
    assert refusal is not None
    assert refusal.commit == recording.entries[at].step.commit
    assert "MB3 discards" in refusal.guards


def test_a_discard_of_other_cards_or_another_size_is_refused(recording: RecordedGame, tlc: TlcProgram) -> None:
    at = index_of(recording, lambda entry: len(entry.replies) >= 2)
    first, *rest = recording.entries[at].replies
    assert isinstance(first.action, a.Discard)
    more = [*unpack(first.action.cards)]
    more[0] += 1
    wrong = first._replace(action=a.Discard(first.action.player, pack(more)))
    refusal = check_recording(with_replies(recording, at, (wrong, *rest)), tlc)
    assert refusal is not None
    assert refusal.commit == first.commit
    assert "DI3 amount" in refusal.guards


def test_the_verb_accepts_a_game_and_names_what_is_wrong_with_another(tmp_path: Path, typed: Typed) -> None:
    game = played(tmp_path / "games", seed=3)
    assert "a behaviour of the specification" in typed(0, "check-trace", game).out
    copy = copy_of(game, tmp_path / "copy")
    line = main_line(copy, "Red_0")
    commit = commit_at(copy, line[30])
    bad = rewrite_from(copy, "Red_0", 30, commit._replace(tree=commit_at(copy, line[10]).tree))
    told = typed(1, "check-trace", copy).out
    assert bad[:10] in told
    assert "refused after 29 steps" in told


def test_a_message_that_cannot_be_read_is_refused_at_its_commit(tmp_path: Path, tlc: TlcProgram) -> None:
    game = played(tmp_path, seed=3)
    line = main_line(game, "Red_0")
    bad = rewrite_from(game, "Red_0", 12, commit_at(game, line[12])._replace(message="hello\n"))
    refusal = check_recording(read_recording(game), tlc)
    assert refusal is not None
    assert (refusal.commit, refusal.accepted) == (bad, 11)


def test_a_folder_that_is_no_game_is_told(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    with pytest.raises(StoreError, match="not a game"):
        read_recording(tmp_path)


def test_the_trace_tells_each_step_by_what_changed(recording: RecordedGame) -> None:
    module = trace_module(recording)
    assert module.count("act |->") == recording.step_count
    assert len(module) < 250 * recording.step_count


@pytest.mark.soak
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(5))
def test_random_games_are_behaviours_of_the_specification(
    tmp_path: Path, tlc: TlcProgram, players: int, seed: int
) -> None:
    path = played(tmp_path, players=players, seed=seed, policy="random")
    assert check_recording(read_recording(path), tlc) is None


# The rule book's rules


@pytest.fixture(scope="module")
def standard() -> RecordedGame:
    """The beginning of a game of five players, with offers that several answer and special building phases."""
    return random_recording(5, 2, 400, "brief")


def offered(recording: RecordedGame, kind: type[a.Action]) -> int:
    """The index of an entry with two answers before it."""
    return index_of(recording, lambda entry: isinstance(entry.step.action, kind) and len(entry.replies) >= 2)


def test_games_by_the_rule_book_are_behaviours_of_the_specification(standard: RecordedGame, tlc: TlcProgram) -> None:
    kinds = {type(entry.step.action) for entry in standard.entries}
    assert {a.RollForStart, a.OfferTrade, a.ConcludeTrade, a.WithdrawTrade} <= kinds
    assert any(entry.step.state.tp == "SpecialBuilding" for entry in standard.entries)
    assert check_recording(standard, tlc) is None
    opening = beginners_opening(("Red", "Blue", "Orange"))
    assert check_recording(random_recording(3, 1, 120, "brief", opening), tlc) is None


def test_every_order_of_concurrent_answers_is_taken(standard: RecordedGame, tlc: TlcProgram) -> None:
    at = offered(standard, a.ConcludeTrade)
    entry = standard.entries[at]
    turned = [*standard.entries[:at], entry._replace(replies=entry.replies[::-1])]
    assert check_recording(replace(standard, entries=tuple(turned)), tlc) is None


def test_a_trade_with_one_who_did_not_accept_is_refused(standard: RecordedGame, tlc: TlcProgram) -> None:
    at = offered(standard, a.ConcludeTrade)
    action = standard.entries[at].step.action
    other = next(
        reply.action.player
        for reply in standard.entries[at].replies
        if isinstance(reply.action, a.AnswerTrade) and reply.action.answer == "reject"
    )
    expect(tlc, changed(standard, at, action=a.ConcludeTrade(action.player, other)), at, "CT4 accepted")


@pytest.mark.parametrize(
    ("kind", "guard"),
    [(a.ConcludeTrade, "CT3 answers"), pytest.param(a.WithdrawTrade, "WT3 answers", marks=pytest.mark.soak)],
)
def test_a_missing_answer_is_refused_at_the_end_of_the_offer(
    standard: RecordedGame, tlc: TlcProgram, kind: type[a.Action], guard: str
) -> None:
    at = offered(standard, kind)
    refusal = check_recording(with_replies(standard, at, standard.entries[at].replies[1:]), tlc)
    assert refusal is not None
    assert refusal.commit == standard.entries[at].step.commit
    assert guard in refusal.guards


def test_a_second_answer_and_one_that_nobody_asked_for_are_refused(standard: RecordedGame, tlc: TlcProgram) -> None:
    at = offered(standard, a.WithdrawTrade)
    first, *rest = standard.entries[at].replies
    again = first._replace(commit="f" * 40)
    refusal = check_recording(with_replies(standard, at, (first, *rest, again)), tlc)
    assert refusal is not None
    assert (refusal.commit, refusal.guards) == (again.commit, ("AT2 asked",))
    offerer = standard.entries[at].step.action.player
    own = first._replace(action=a.AnswerTrade(offerer, "accept"))
    refusal = check_recording(with_replies(standard, at, (own, *rest)), tlc)
    assert refusal is not None
    assert (refusal.commit, refusal.guards) == (own.commit, ("AT2 asked",))


@pytest.mark.soak
def test_an_answer_that_changes_more_than_itself_is_refused(standard: RecordedGame, tlc: TlcProgram) -> None:
    at = offered(standard, a.WithdrawTrade)
    first, *rest = standard.entries[at].replies
    wrong = first._replace(state=first.state._replace(dice=first.state.dice + 1))
    refusal = check_recording(with_replies(standard, at, (wrong, *rest)), tlc)
    assert refusal is not None
    assert (refusal.commit, refusal.guards) == (wrong.commit, ())
    assert "dice" in refusal.detail


def test_an_offer_of_like_for_like_is_refused(standard: RecordedGame, tlc: TlcProgram) -> None:
    at = index_of(standard, is_a(a.OfferTrade))
    action = standard.entries[at].step.action
    assert isinstance(action, a.OfferTrade)
    more = a.OfferTrade(action.player, action.give, action.receive + action.give)
    expect(tlc, changed(standard, at, action=more), at, "OT6 differ")


@pytest.mark.soak
def test_another_who_begins_is_refused(standard: RecordedGame, tlc: TlcProgram) -> None:
    at = index_of(standard, lambda entry: entry.step.state.sup == "PhaseOne")
    state = standard.entries[at].step.state
    other = state.first % 5 + 1
    refusal = expect(tlc, changed(standard, at, state=state._replace(first=other)), at)
    assert "first" in refusal.detail


STANDARD_FIELDS: dict[str, Callable[[State], State]] = {
    "pd": lambda state: state._replace(pd=1 - state.pd),
    "sb": lambda state: state._replace(sb=state.sb + 1),
    "offer": lambda state: state._replace(offer=state.offer._replace(give=state.offer.give + pack((1, 0, 0, 0, 0)))),
    "ans": lambda state: state._replace(ans=("asked", *state.ans[1:])),
    "rolls": lambda state: state._replace(rolls=(2, *state.rolls[1:])),
}


@pytest.mark.parametrize(
    "field", ["ans", *(pytest.param(name, marks=pytest.mark.soak) for name in sorted(STANDARD_FIELDS) if name != "ans")]
)
def test_a_changed_field_of_the_rule_book_is_refused_and_named(
    standard: RecordedGame, tlc: TlcProgram, field: str
) -> None:
    at = index_of(standard, is_a(a.WithdrawTrade), skip=1)
    state = STANDARD_FIELDS[field](standard.entries[at].step.state)
    assert field in expect(tlc, changed(standard, at, state=state), at).detail


@pytest.mark.soak
@pytest.mark.parametrize("players", range(2, 7))
def test_random_games_by_the_rule_book_are_behaviours_of_the_specification(tlc: TlcProgram, players: int) -> None:
    for seed in range(3):
        assert check_recording(random_recording(players, seed, 1500, "brief"), tlc) is None
