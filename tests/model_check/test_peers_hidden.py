"""The peers of games with hidden hands, as people play them: TLC follows them, and refuses whatever was changed."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from catan_p2p.cli.main import main
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.model_check.peers import Event, PeerTrace, check_peers, read_peers
from catan_p2p.replication.replica import Replica
from tests.log.storage.repositories import commits_at, git, main_line, write_commit
from tests.model_check.changed_events import refused_at
from tests.model_check.guard_mutations import quick_tlc
from tests.model_check.test_trace_repositories import changed_tree
from tests.replication.tables import make_seats, opened, play_rounds

pytestmark = [pytest.mark.needs("spec"), pytest.mark.long, pytest.mark.sampled(4, together=True)]

_FOLDER = TemporaryDirectory(prefix="catan-peers-hidden-")
RULES = "brief; PointsToWin = 4; HandLimit = 4; DevCardPool = 6 0 0 4 4"
FIVE = "standard; PointsToWin = 3; SpecialBuilding = yes; OffersPerTurn = 5; ProposalsPerTurn = 5"
KINDS = {"Shuffle", "Discard", "MoveBandit", "BuyDevCard", "Surrender", "ShowPoint", "OpenAll"}


def play(folder: Path, players: int, rules: str, seed: int, until: Callable[[Replica], bool]) -> list[Path]:
    """The repositories of a game with hidden hands, played until something holds for one of them."""
    paths = make_seats(folder, players, seed, signed=True, rules=rules, chance="joint", hands="hidden")
    with opened(paths) as replicas:
        play_rounds(replicas, until)
    return paths


def is_opened(replica: Replica) -> bool:
    """Whether a peer knows that all cards are opened."""
    return replica.graph.state.is_over and not any(replica.graph.state.due)


def has(commits: int) -> Callable[[Replica], bool]:
    return lambda replica: len(replica.graph) >= commits


@cache
def recorded() -> PeerTrace:
    """A game of three: 3 takes sealed cards by a monopoly, 1 wins by a point; all open."""
    return read_peers(play(Path(_FOLDER.name), 3, RULES, 8, is_opened))


@pytest.mark.parametrize(
    ("players", "rules", "until"),
    [
        pytest.param(3, RULES, has(70), id="three, under way"),
        pytest.param(4, "standard", has(90), id="talk", marks=pytest.mark.soak),
        pytest.param(4, RULES, is_opened, id="four", marks=pytest.mark.soak),
        pytest.param(5, FIVE, is_opened, id="five", marks=pytest.mark.soak),
        pytest.param(3, "thesis; PointsToWin = 3", is_opened, id="no signed end", marks=pytest.mark.soak),
        pytest.param(
            4, RULES, lambda replica: replica.graph.state.tp == "Signing", id="unsigned", marks=pytest.mark.soak
        ),
    ],
)
def test_a_game_is_followed(players: int, rules: str, until: Callable[[Replica], bool], tmp_path: Path) -> None:
    peers = read_peers(play(tmp_path, players, rules, 7, until))
    found = check_peers(peers.events, peers.game.constants, quick_tlc(), signed=True)
    assert found == (True, 0, ""), peers.told(found.reached)


def test_check_trace_takes_the_repositories_of_a_hidden_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "Catan_0"
    folder.mkdir()
    *_, green = play(folder, 3, RULES, 7, has(25))
    assert main(["check-trace", str(folder)]) == 0
    assert "3 repositories, a behaviour of the replication" in capsys.readouterr().out
    line = main_line(green, "Green_0")
    at = max(i for i, parts in enumerate(commits_at(green, line)) if parts.author.name == "Green_0")
    last, before = commits_at(green, [line[at], line[at - 1]])
    for tree, told in (
        (before.tree, "not a behaviour of the replication: Green cannot record {bad} "),
        (changed_tree(green, last.tree, "state/game/dice", "0\n\n"), "{bad} refused after"),
    ):
        bad = write_commit(green, last._replace(tree=ObjectId(tree)))
        git(green, "update-ref", "refs/heads/Green_0", bad)
        assert main(["check-trace", str(folder)]) == 1
        assert told.format(bad=bad[:10]) in capsys.readouterr().out


# A change of each kind

Changed = tuple[list[Event], int]
"""A changed trace, and the event that is to be refused."""
Change = Callable[[list[Event]], Changed]
Wanted = Callable[[Event], bool]


def is_an(action: str, *values: object) -> Wanted:
    """An action with some values that it has, in any place."""
    return lambda event: event[0] == "Act" and event[5][0] == action and {*values} <= {*event[5][1:]}


def replies(action: str, merges: int = 1) -> Wanted:
    """A commit that merges replies, so many at least, with one such an action before it."""
    return lambda event: event[0] == "Act" and event[5][0] == action and len(event[4]) >= merges


def of(kind: str, player: int = 0) -> Wanted:
    return lambda event: event[0] == kind and player in (0, event[1])


def place(events: Sequence[Event], wanted: Wanted, skip: int = 0) -> int:
    return [at for at, event in enumerate(events) if wanted(event)][skip]


def changed(wanted: Wanted, change: Callable[[Any], Event], skip: int = 0) -> Change:
    """Another event in the place of one, which is refused."""

    def made(events: list[Event]) -> Changed:
        at = place(events, wanted, skip)
        return [*events[:at], change(events[at]), *events[at + 1 :]], at

    return made


def action(wanted: Wanted, change: Callable[..., tuple[Any, ...]], skip: int = 0) -> Change:
    """Another action in the message of a commit."""
    return changed(wanted, lambda event: (*event[:5], change(*event[5]), *event[6:]), skip)


def by(player: int, wanted: Wanted, skip: int = 0) -> Change:
    """The same commit by another player."""

    def other(event: Event) -> Event:
        kind, _, number, on, merges, (name, _, *values), seen = event
        return kind, player, number, on, merges, (name, player, *values), seen

    return changed(wanted, other, skip)


def tree(wanted: Wanted, name: str, change: Callable[..., tuple[Any, ...]], skip: int = 0) -> Change:
    """Something else in the tree of a commit: another value of a component that the commit changes."""

    def has(event: Event) -> bool:
        return wanted(event) and any(one[0] == name for one in event[6][0])

    def other(event: Event) -> Event:
        (seen,) = event[6]
        at = next(at for at, one in enumerate(seen) if one[0] == name)
        return *event[:6], [[*seen[:at], (name, *change(*seen[at][1:])), *seen[at + 1 :]]]

    return changed(has, other, skip)


def besides(wanted: Wanted, *seen: Any, skip: int = 0) -> Change:
    """Another change in the tree of a commit."""
    return changed(wanted, lambda event: (*event[:6], [[*event[6][0], seen]]), skip)


def more(seat: int, count: int = 1) -> Callable[[tuple[int, ...]], tuple[Any, ...]]:
    """More of something that is counted by seat, or by kind."""
    return lambda counts: (tuple(n + count * (at == seat) for at, n in enumerate(counts, 1)),)


def left_out(wanted: Wanted, skip: int = 0) -> Change:
    """A commit that nobody has made: the others continue what it continued."""

    def made(events: list[Event]) -> Changed:
        at = place(events, wanted, skip)
        gone, base = events[at][2], events[at][3]
        rest, hears = [events[at]], True
        for event in events[at + 2 :]:  # it is shown at once
            if event[0] == "TakeIn" and event[2] == gone:
                hears = rest[-1][:2] == event[:2]
            elif not (event[0] == "Keep" and not hears):
                rest.append(event)
                hears = True
        return [*events[:at], *(_renumbered(one, gone, base) for one in rest[1:])], at

    return made


def _renumbered(event: Event, gone: int, base: int, after: int | None = None, by: int = -1) -> Event:
    """The event with other numbers of the commits after one, and ``base`` in the place of one that is gone."""

    def number(old: int) -> int:
        return base if old == gone else old + by * (old > (gone if after is None else after))

    match event:
        case ("Act", player, own, on, merges, *rest):
            return "Act", player, number(own), number(on), [number(one) for one in merges], *rest
        case ("TakeIn", player, taken):
            return "TakeIn", player, number(taken)
    return event


def refused_next(change: Change, wanted: Wanted) -> Change:
    """The same, but what is refused is the next such event."""

    def made(events: list[Event]) -> Changed:
        after, at = change(events)
        return after, next(i for i in range(at, len(after)) if wanted(after[i]))

    return made


def unmerged(wanted: Wanted, skip: int = 0) -> Change:
    """A reply that its player has made is not merged."""
    return changed(wanted, lambda event: (*event[:4], event[4][1:], *event[5:]), skip)


def again(wanted: Wanted, skip: int = 0) -> Change:
    """A reply is made twice."""

    def made(events: list[Event]) -> Changed:
        at = place(events, wanted, skip)
        kind, player, number, *rest = events[at]
        return [*events[: at + 1], (kind, player, number + 1, *rest), *events[at + 1 :]], at + 1

    return made


def not_shown(wanted: Wanted, skip: int = 0) -> Change:
    """A commit that its player does not show: who takes it in first is refused."""

    def made(events: list[Event]) -> Changed:
        at = place(events, wanted, skip)
        rest = [*events[: at + 1], *events[at + 2 :]]
        return rest, next(i for i, event in enumerate(rest) if event[0] == "TakeIn" and event[2] == events[at][2])

    return made


def sooner(wanted: Wanted, before: Wanted, skip: int = 0) -> Change:
    """An event comes before the last such one."""

    def made(events: list[Event]) -> Changed:
        at = place(events, wanted, skip)
        first = max(i for i, event in enumerate(events[:at]) if before(event))
        return [*events[:first], events[at], *events[first:at], *events[at + 1 :]], first

    return made


THEFT, BOUGHT = is_an("MoveBandit", "sealed"), is_an("BuyDevCard", "sealed")
ANSWER = replies("MoveBandit")

CHANGES: dict[str, Change] = {
    # the game
    "another roll": action(is_an("RollDice"), lambda name, player, dice: (name, player, 14 - dice), 2),
    "the tree has another roll": tree(is_an("RollDice"), "dice", lambda dice: (dice - 1,), 3),
    "a card too many": tree(is_an("RollDice", 4), "RC", lambda seat, cards: (seat, *more(5)(cards))),
    "a card that nobody has paid": tree(is_an("BuildRoad"), "bank RC", more(1, -1)),
    "another owner of a village": tree(is_an("SetupPhaseTwo"), "s", lambda at, owner, kind: (at, owner % 3 + 1, kind)),
    "another owner of a road": tree(is_an("BuildRoad"), "r", lambda at, owner: (at, owner % 3 + 1), 1),
    "another place": action(is_an("SetupPhaseOne"), lambda name, seat, at, road: (name, seat, at - 1, road), 1),
    "a piece besides": besides(is_an("EmptyBuild"), "r", 1, 3, skip=3),
    "the stolen card is named": action(THEFT, lambda *values: (*values[:-1], "Ore")),
    "the stolen card stays": tree(THEFT, "sealed", more(3, -1)),
    "a sealed card too many": tree(is_an("Discard"), "sealed", more(2)),
    "a bought card is named": action(BOUGHT, lambda *values: (*values[:-1], "Knight")),
    "a card is bought for another": tree(BOUGHT, "bought", lambda counts: (counts[::-1],)),
    "a bought card is never held": tree(is_an("EmptyBuild", 3), "held", more(3, -1)),
    "a point of another pile": action(is_an("ShowPoint"), lambda name, seat, pile: (name, seat, "held")),
    "a monopoly of something else": action(is_an("PlayMonopoly"), lambda name, seat, what: (name, seat, "Ore")),
    "a card of a monopoly is kept": action(is_an("Surrender"), lambda name, seat, cards: (name, seat, (0, 0, 0, 0, 0))),
    "more than is held for a monopoly": action(
        is_an("Surrender"), lambda name, seat, cards: (name, seat, (0, 0, 4, 0, 0))
    ),
    "another victim": action(is_an("Call", "MoveBandit"), lambda *values: (*values[:-1], 1)),
    "another draw": action(is_an("Call", "RollDice"), lambda name, seat, *_: (name, seat, "BuyDevCard", 0, 0), 1),
    # steps and seats
    "no shuffle": refused_next(left_out(is_an("Shuffle"), 1), is_an("Shuffle")),
    "no call": refused_next(left_out(is_an("Call"), 5), is_an("Reveal")),
    "no end of a turn": refused_next(left_out(is_an("EmptyBuild"), 2), is_an("Call")),
    "no monopoly": refused_next(left_out(is_an("PlayMonopoly")), is_an("Surrender")),
    "another seat shuffles": by(3, is_an("Shuffle", 2)),
    "another seat rolls": by(1, is_an("RollDice", 2)),
    "the caller reveals": by(1, is_an("Reveal", 2)),
    "another answers for the victim": by(1, is_an("Reveal", 2), 4),
    # replies
    "a pledge is not merged": unmerged(is_an("Shuffle")),
    "a share is not merged": unmerged(replies("RollDice"), 2),
    "a share of a purchase is not merged": unmerged(replies("BuyDevCard")),
    "an answer to a theft is not merged": unmerged(ANSWER),
    "a discard is not merged": unmerged(is_an("Call", "MoveBandit"), 1),
    "a surrender is not merged": unmerged(is_an("Call", "BuyDevCard"), 1),
    "a second pledge": again(is_an("Pledge", 3)),
    "a second answer": again(is_an("Reveal", 2), 4),
    "a second surrender": again(is_an("Surrender")),
    "a second opening": again(is_an("OpenAll"), 1),
    # what the peers know
    "a commit on another": changed(is_an("Shuffle"), lambda event: (*event[:3], event[3] - 1, *event[4:]), 1),
    "a roll before its shares": sooner(replies("RollDice"), is_an("Reveal"), 3),
    "an opening before the end": sooner(is_an("OpenAll"), is_an("ShowPoint")),
    "a commit before it is heard of": sooner(is_an("Call"), of("TakeIn"), 4),
    "a log that is not shown": not_shown(is_an("Call"), 4),
    "a reply that is not shown": not_shown(is_an("Surrender")),
    "a reply that goes too early": sooner(of("Remove", 1), of("Keep", 1), 1),
    "a reply that somebody does not hold": changed(of("Stands", 1), lambda event: (*event[:3], [170], *event[4:])),
    "a reply that nobody has shown": changed(of("Stands", 2), lambda event: (*event[:3], [110], *event[4:])),
    "a head that is not held": changed(of("Stands", 3), lambda event: (*event[:2], 167, [], *event[4:])),
    "an opening that is gone": changed(of("Stands", 1), lambda event: (*event[:5], 0, [event[4], 0])),
}
"""By what it is."""


def test_whatever_was_changed_is_refused() -> None:
    peers = recorded()
    events = [*peers.events]
    assert {event[5][0] for event in events if event[0] == "Act"} > KINDS
    made = {name: change(events) for name, change in CHANGES.items()}
    traces = {name: after for name, (after, _) in made.items()}
    found = refused_at(events, peers.game.constants, {"nothing": events, **traces}, quick_tlc(), signed=True)
    assert found == {"nothing": None, **{name: at for name, (_, at) in made.items()}}
