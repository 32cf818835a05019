"""Hostile votes: whatever Green signs to be rid of Red, or to keep the others waiting, is refused by its reason.

Logs in memory, judged by the graph that every peer has; at the end real repositories, for who is charged, and that play
goes on. Without the check that a test is about, the commit in it is taken in.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest

from catan_p2p.game.actions import Action, Claim, Excuse, Vote
from catan_p2p.game.actions.absence import excuser, is_owing
from catan_p2p.game.rules import apply, awaited, broken_guards, decisions, draw
from catan_p2p.game.state import State
from catan_p2p.log.ballot import VotingRound
from catan_p2p.log.commit import Signature, entry_message
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.reading import new_commits
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.verdict import CommitRejected, LoggedStep
from catan_p2p.log.votes import excusable, is_testified
from catan_p2p.replication.replica import Replica
from catan_p2p.replication.voting import VotingDuty
from catan_p2p.tables.status import read_status
from tests.log.table import LogTable
from tests.replication.tables import make_seats, opened, play_rounds, point, use_remote, write_object

LEAVING = "thesis; Leaving = yes"
RED, BLUE, GREEN, ORANGE = 1, 2, 3, 4


class AwaitedTable(LogTable):
    """A game that stops where the others wait for Red; ``graph`` is what an honest player holds."""

    def __init__(
        self, players: int = 3, nonce: str = "test", stop: Callable[[State], bool] | None = None, seed: int = 2
    ) -> None:
        super().__init__(players, nonce=nonce, rules=LEAVING)
        self.play_until(stop or (lambda state: state.tp == "DiceRoll" and state.ap == RED), seed=seed)

    def at(self, commits: int) -> CommitGraph:
        """What somebody else holds who has so many commits."""
        return self.replay(commits)

    def vote(self, voter: int, absent: int = RED, says: str = "yes", *, base: ObjectId | None = None) -> ObjectId:
        """A vote as its player would write it, on the newest commit or another of the line; nobody holds it yet."""
        graph = self.graph
        round = graph.line.round_of(absent) if base is None else VotingRound(base, "turn", absent)
        names = graph.root if says == "no" else None
        vote = Vote(voter, absent, "yes" if says == "yes" else "no")
        return graph.write_vote(round, vote, 2000, self.objects.add, names).commit

    def held(self, *votes: ObjectId) -> None:
        """Let the honest player take votes in."""
        for vote in votes:
            assert self.judged(vote) is None

    def written(
        self, action: Action, graph: CommitGraph | None = None, votes: tuple[ObjectId, ...] | None = None
    ) -> LoggedStep:
        """An action as its player writes it on what they hold; ``votes`` are merged instead of those they hold."""
        graph = graph or self.graph
        before = graph.before(action)
        is_lawful = not broken_guards(before, action)
        step = graph.write(action, apply(before, action) if is_lawful else before, 3000, self.objects.add)
        if votes is None:
            return step
        parents = (*(parent for parent in step.parents if parent not in graph.ballot.loose), *votes)
        return step._replace(commit=self.forge(step, parents=parents), parents=parents)

    def judged(self, head: ObjectId, graph: CommitGraph | None = None) -> CommitRejected | None:
        """What is wrong with a commit and what it leads to that is new; what is right is taken in."""
        graph = graph or self.graph
        commits = new_commits(head, graph, self.objects.read)
        if isinstance(commits, CommitRejected):
            return commits
        for commit, _ in commits:
            verdict = self.check(graph, commit)
            if isinstance(verdict, CommitRejected):
                return verdict
            graph.add(verdict)
        return None

    def reason(self, head: ObjectId) -> str:
        """Why the honest player refuses a commit, who holds after that what they held before."""
        before = (self.graph.head, self.graph.state, len(self.graph))
        bad = self.judged(head)
        assert bad is not None, "it was taken in"
        assert (self.graph.head, self.graph.state, len(self.graph)) == before
        return " ".join((bad.reason, *bad.guards))

    def excused(self) -> bool:
        """Whether the vote comes to its end: Blue excuses Red with all votes that are held."""
        return self.judged(self.written(Excuse(BLUE, RED)).commit) is None and self.state.away[0]


def test_who_has_all_votes_excuses() -> None:
    table = AwaitedTable()
    table.held(table.vote(BLUE), table.vote(GREEN))
    assert table.excused()
    table.play_until(lambda state: state.tp == "Building")
    assert RED not in awaited(table.state)


def test_a_vote_by_a_stranger() -> None:
    table = AwaitedTable()
    vote = table.vote(GREEN)
    step = table.check(table.at(len(table.steps)), vote)
    assert isinstance(step, LoggedStep)
    blue = table.game.seats[BLUE - 1]
    for author in (Signature("Eve", "eve@example.org", 2000), Signature(blue.name, blue.email, 2000)):
        assert table.reason(table.forge(step, author=author)) == "author"
    message = entry_message(step.entry)
    for seat in ("0", "4", "-1", "player_3"):
        assert table.reason(table.forge(step, message=message.replace("Player: 3", f"Player: {seat}"))) == "format"
    table.held(table.vote(BLUE))
    assert table.reason(table.written(Excuse(BLUE, RED)).commit) == "votes"
    table.held(vote)
    assert table.excused()


def test_a_vote_for_another_commit_does_not_count() -> None:
    # Red was awaited some turns ago, too. Green may have thought so, and was not heard until now: that is no lie.
    table = AwaitedTable()
    long_ago = table.graph.head
    table.play_until(lambda state: state.tp == "DiceRoll" and state.ap == GREEN)
    table.play_until(lambda state: state.tp == "DiceRoll" and state.ap == RED)
    late, blue = table.vote(GREEN, base=long_ago), table.vote(BLUE)
    table.held(late, blue)
    assert not excusable(table.graph.ledger)
    assert table.reason(table.written(Excuse(BLUE, RED)).commit) == "votes"


def test_a_vote_where_the_player_was_not_awaited() -> None:
    table = AwaitedTable()
    bases = [step.commit for step in table.steps if RED not in awaited(step.state)]
    assert table.reason(table.vote(GREEN, base=bases[-1])) == "guard VO6 awaited"
    assert table.reason(table.vote(GREEN, BLUE)) == "guard VO6 awaited"
    assert table.reason(table.vote(RED, GREEN)) == "guard VO6 awaited"


def test_a_vote_that_hangs_on_what_is_not_of_the_line() -> None:
    table = AwaitedTable()
    vote, first = table.vote(GREEN), table.vote(BLUE)
    table.held(first)
    step = table.check(table.graph, vote)
    assert isinstance(step, LoggedStep)
    head, earlier = table.graph.head, table.steps[-2].commit
    for parents in ((first,), (head, first), (head, earlier), (head, head), (head, table.root)):
        assert table.reason(table.forge(step, parents=parents)) == "parents", parents
    assert table.reason(table.forge(step, parents=())) == "game"
    assert table.reason(table.forge(step, tree=table.steps[-2].tree.root)) == "tree"


def test_a_vote_replayed_from_another_game() -> None:
    table, other = AwaitedTable(), AwaitedTable(nonce="another")
    vote = other.vote(GREEN)
    table.objects.kept |= other.objects.kept
    assert table.reason(vote) == "game"
    table.held(table.vote(BLUE))
    excuse = table.written(Excuse(BLUE, RED), votes=tuple(sorted((vote, *table.graph.ballot.loose)))).commit
    assert table.reason(excuse) == "game"


def until_blue_has_built_on(table: AwaitedTable) -> ObjectId:
    """Red has their turn after all, and Blue goes on from it; the commit after which Red was awaited."""
    base = table.graph.head
    table.play_until(lambda state: table.graph.head != base and table.steps[-1].action.player == BLUE)
    return base


def test_a_vote_after_the_fact() -> None:
    # Blue has gone on from what Red did, and says afterwards to have promised not to.
    table = AwaitedTable()
    base = until_blue_has_built_on(table)
    vote = table.vote(BLUE, base=base)
    bad = table.judged(vote)
    assert bad is not None
    assert (bad.reason, bad.commit, bad.other) == ("vote", vote, table.graph.head)


def test_a_vote_after_the_excuse() -> None:
    table = AwaitedTable(4)
    base = table.graph.head
    table.held(table.vote(BLUE), table.vote(GREEN), table.vote(ORANGE))
    assert table.excused()
    assert table.reason(table.vote(GREEN)) == "guard VO6 awaited"
    assert table.reason(table.vote(RED, BLUE)) == "guard VO3 seat"
    assert table.reason(table.vote(GREEN, says="no", base=base)) == "fork"
    assert table.reason(table.written(Excuse(BLUE, RED)).commit) == "guard EX3 seat"


@pytest.mark.parametrize("lacking", [BLUE, GREEN, ORANGE])
def test_an_excuse_with_a_vote_missing(lacking: int) -> None:
    table = AwaitedTable(4)
    votes = {voter: table.vote(voter) for voter in (BLUE, GREEN, ORANGE)}
    some = tuple(sorted(vote for voter, vote in votes.items() if voter != lacking))
    table.held(*some)
    assert table.reason(table.written(Excuse(BLUE, RED)).commit) == "votes"
    table.held(votes[lacking])
    assert table.reason(table.written(Excuse(BLUE, RED), votes=some).commit) == "votes"
    assert table.excused()


def test_an_excuse_that_merges_a_vote_twice_or_out_of_order() -> None:
    table = AwaitedTable()
    blue, green = sorted((table.vote(BLUE), table.vote(GREEN)))
    table.held(blue, green)
    for votes in ((blue, green, green), (blue, blue, green), (green, blue), (blue, blue)):
        assert table.reason(table.written(Excuse(BLUE, RED), votes=votes).commit) == "parents"
    assert table.excused()


def test_an_excuse_that_merges_a_no() -> None:
    table = AwaitedTable()
    table.held(table.vote(BLUE), table.vote(GREEN, says="no"))
    assert table.reason(table.written(Excuse(BLUE, RED)).commit) == "votes"


def test_excusing_oneself() -> None:
    table = AwaitedTable()
    table.held(table.vote(BLUE), table.vote(GREEN))
    assert table.reason(table.vote(RED)) == "guard VO4 other"
    assert table.reason(table.written(Excuse(RED, RED)).commit) == "guard EX5 other"
    assert table.reason(table.written(Excuse(GREEN, RED)).commit) == "guard PE2 next"
    assert table.excused()


def test_excusing_who_is_not_awaited() -> None:
    table = AwaitedTable(4)
    table.held(table.vote(BLUE), table.vote(GREEN), table.vote(ORANGE))
    assert table.reason(table.written(Excuse(RED, GREEN)).commit) == "votes"
    assert table.reason(table.written(Excuse(BLUE, GREEN)).commit) == "guard PE2 next"


def two_owe(state: State) -> bool:
    return state.tp == "Discarding" and is_owing(state, RED) and is_owing(state, GREEN) and not is_owing(state, BLUE)


def test_excusing_two_at_once() -> None:
    # Red and Green owe a discard; neither can be excused while the other owes theirs, and each has a vote on the other.
    table = AwaitedTable(4, stop=two_owe, seed=1)
    assert two_owe(table.state)
    table.held(*(table.vote(voter, absent) for absent in (RED, GREEN) for voter in (BLUE, ORANGE)))
    for absent, guard in ((RED, "EX6 replies"), (GREEN, "PE3 replies")):
        excuse = Excuse(excuser(table.state, absent), absent)
        assert table.reason(table.written(excuse).commit) == f"guard {guard}"


def test_votes_against_a_player_whose_action_everybody_has() -> None:
    # Blue and Green say yes to going on without what they hold: the excuse continues a commit that Red has continued.
    table = AwaitedTable()
    base = len(table.steps)
    table.play_until(lambda state: len(table.steps) == base + 1)
    liars = table.at(base)
    votes = [table.vote(voter, base=liars.head) for voter in (BLUE, GREEN)]
    table.held(*votes)
    assert not excusable(table.graph.ledger)
    for vote in votes:
        assert table.judged(vote, liars) is None
    assert table.reason(table.written(Excuse(BLUE, RED), liars).commit) == "parents"


def test_saying_both_yes_and_no() -> None:
    for first, second in (("yes", "no"), ("no", "yes")):
        table = AwaitedTable()
        said = table.vote(GREEN, says=first)
        table.held(said)
        other = table.vote(GREEN, says=second)
        bad = table.judged(other)
        assert bad is not None
        assert (bad.reason, bad.commit, bad.other) == ("fork", other, said)


def test_a_no_to_what_there_is_not_yet_makes_nobody_a_liar() -> None:
    # Blue says yes, Green says no although Red has done nothing. Red acts, and merges both; Blue goes on from that.
    table = AwaitedTable()
    start = len(table.steps)
    blue, green = table.vote(BLUE), table.vote(GREEN, says="no")
    table.held(blue, green)
    base = until_blue_has_built_on(table)
    orange = table.at(start)
    assert table.judged(blue, orange) is None
    assert table.judged(table.graph.head, orange) is None
    late = table.at(start)
    assert table.judged(table.graph.head, late) is None
    assert table.judged(blue, late) is None
    assert table.graph.head in orange and base in orange


def test_accepting_the_absent_players_action_after_a_yes() -> None:
    # Blue says yes, and goes on from what Red does then although nobody else has said to have it.
    table = AwaitedTable()
    start = len(table.steps)
    base = until_blue_has_built_on(table)
    green = table.at(start)
    yes = table.vote(BLUE, base=base)
    assert table.judged(yes, green) is None
    bad = table.judged(table.graph.head, green)
    assert bad is not None
    assert (bad.reason, bad.commit, bad.other) == ("vote", table.graph.head, yes)


def _back(table: AwaitedTable, yes: ObjectId, voter: int = BLUE, names: ObjectId | None = None) -> ObjectId:
    """A no that builds on a yes."""
    graph = table.at(len(table.steps))
    round = graph.line.round_of(RED)
    assert table.judged(yes, graph) is None
    vote = Vote(voter, RED, "no")
    return graph.write_vote(round, vote, 3500, table.objects.add, names or table.root).commit


@pytest.mark.parametrize("says", ["yes", "no"])
def test_only_a_yes_is_taken_back(says: str) -> None:
    table = AwaitedTable()
    first = table.vote(BLUE, says=says)
    table.held(first)
    last = _back(table, first) if says == "yes" else first
    table.held(last)
    assert table.reason(_back(table, last)) == "parents"


def test_a_vote_with_strange_parents_after_an_own_action() -> None:
    table = AwaitedTable()
    base = until_blue_has_built_on(table)
    while table.graph.line.next[base].player != BLUE:
        base = table.graph.line.next[base].commit
    vote = table.graph.write_vote(VotingRound(base, "turn", RED), Vote(BLUE, RED, "yes"), 2000, table.objects.add)
    assert table.reason(table.forge(vote, parents=(base, table.root))) == "parents"


def test_a_yes_that_is_taken_back_excuses_nobody() -> None:
    table = AwaitedTable()
    blue = table.vote(BLUE)
    table.held(blue, table.vote(GREEN))
    excuse = table.written(Excuse(BLUE, RED)).commit
    table.held(no := _back(table, blue))
    assert not excusable(table.graph.ledger)
    bad = table.judged(excuse)
    assert bad is not None
    assert (bad.reason, bad.commit, bad.other) == ("vote", excuse, no)


def test_an_excuse_after_taking_the_yes_back_and_taking_in_what_was_done() -> None:
    table = AwaitedTable()
    start = len(table.steps)
    blue = table.vote(BLUE)
    table.held(blue, table.vote(GREEN))
    excuse = table.written(Excuse(BLUE, RED)).commit
    no = _back(table, blue)
    table.held(no)
    table.play_until(lambda state: len(table.steps) == start + 1)
    bad = table.judged(excuse)
    assert bad is not None
    assert (bad.reason, bad.other) == ("vote", no)


def test_taking_a_yes_back_after_the_excuse() -> None:
    table = AwaitedTable()
    blue = table.vote(BLUE)
    table.held(blue, table.vote(GREEN))
    no = _back(table, blue)
    assert table.excused()
    bad = table.judged(no)
    assert bad is not None
    assert (bad.reason, bad.commit, bad.other) == ("vote", no, table.graph.head)


def test_only_who_would_excuse_takes_a_yes_back_once_and_their_own() -> None:
    table = AwaitedTable()
    blue, green = table.vote(BLUE), table.vote(GREEN)
    table.held(blue, green)
    bad = table.judged(_back(table, green, GREEN))
    assert bad is not None
    assert (bad.reason, bad.other) == ("fork", green)
    first, second = _back(table, blue), _back(table, blue, names=table.steps[0].commit)
    step = table.check(table.graph, first)
    assert isinstance(step, LoggedStep)
    for parents in ((green,), (blue, green), (table.graph.head, blue)):
        assert table.reason(table.forge(step, parents=parents)) == "parents", parents
    assert table.reason(table.forge(step, tree=table.steps[-2].tree.root)) == "tree"
    message = entry_message(step.entry)
    assert table.reason(table.forge(step, message=message.replace("Absent: 1", "Absent: 3"))) == "parents"
    table.held(first)
    bad = table.judged(second)
    assert bad is not None
    assert (bad.reason, bad.other) == ("fork", first)


def test_building_without_the_no_that_takes_the_own_yes_back() -> None:
    # Blue takes the yes back, and goes on as if they had never said it: nobody could check that in Blue's log.
    table = AwaitedTable()
    blue = table.vote(BLUE)
    no = _back(table, blue)
    table.held(blue)
    table.play_until(lambda state: BLUE in awaited(state))
    table.held(no)
    action = draw(table.state, decisions(table.state, BLUE)[0], Random(1))
    commit = table.written(action, votes=()).commit
    bad = table.judged(commit)
    assert bad is not None
    assert (bad.reason, bad.commit, bad.other) == ("vote", commit, blue)
    table.held(table.written(action).commit)


def test_a_promise_of_ones_own_holds() -> None:
    table = AwaitedTable()
    start = len(table.steps)
    table.play_until(lambda state: len(table.steps) == start + 1)
    mine = table.at(start)
    mine.bind(GREEN)
    assert table.judged(table.vote(GREEN, base=mine.head), mine) is None
    bad = table.judged(table.steps[-1].commit, mine)
    assert bad is not None
    assert bad.reason == "promised"
    no = table.vote(BLUE, says="no", base=mine.head)
    assert table.judged(no, mine) is None
    assert table.judged(table.steps[-1].commit, mine) is None


def test_a_claim_while_three_are_left() -> None:
    table = AwaitedTable()
    assert table.reason(table.written(Claim(BLUE, RED)).commit) == "guard CL3 players"


# Real repositories: who is charged, and that play goes on


def until_awaited(replicas: Sequence[Replica], player: int) -> None:
    """Play until everybody waits for a player's roll."""
    play_rounds(replicas, lambda one: one.graph.state.tp == "DiceRoll" and one.graph.state.ap == player)
    for replica in replicas:
        replica.synchronize()
        replica.store.publish()


def lie(liar: Replica, base: ObjectId, action: Action, votes: Sequence[ObjectId] = ()) -> ObjectId:
    """A commit of the liar's that continues ``base``, whatever they have done since; it is in their repository."""
    path = liar.store.folder.parent
    graph = liar.graph.at_root()
    for head in (base, *votes):
        commits = new_commits(head, graph, liar.store.read)
        assert not isinstance(commits, CommitRejected)
        for commit, data in commits:
            step = graph.check(commit, data)
            assert isinstance(step, LoggedStep), step
            graph.add(step)
    graph.bind(0)
    before = graph.before(action)
    return graph.write(action, apply(before, action), 4000, lambda kind, data: write_object(path, kind, data)).commit


def charged(replica: Replica) -> set[str]:
    """Who is on a player's list of refusals."""
    replica.store.publish()
    return {line["colour"] for line in read_status(replica.store.folder.parent).refusals}


def test_a_claim_of_a_game_that_has_gone_on(tmp_path: Path) -> None:
    # Blue has answered what Red did, and then claims the game at a commit after which Red was awaited.
    with opened(make_seats(tmp_path, 2, 7, rules=LEAVING, signed=True)) as (red, blue):
        until_awaited((red, blue), RED)
        base = red.graph.head
        play_rounds((red, blue), lambda one: is_testified(one.graph.ledger, VotingRound(base, "turn", RED)))
        blue.store.publish()
        red.synchronize()
        before = red.graph.head
        point(tmp_path / "Blue", "refs/heads/Blue_0", lie(blue, base, Claim(BLUE, RED)))
        red.synchronize()
        assert red.graph.head == before
        assert not red.graph.state.is_over
        assert charged(red) == {"Blue"}


def excuse_all(replicas: Sequence[Replica], player: int) -> None:
    """Let these vote until a player is excused."""
    for _ in range(6):
        for replica in replicas:
            replica.synchronize()
            VotingDuty(replica).go_on(None if replica.graph.state.away[player - 1] else 0.0)
    assert all(replica.graph.state.away[player - 1] for replica in replicas)


@pytest.mark.long
def test_who_watches_follows_the_others_and_charges_nobody(tmp_path: Path) -> None:
    # Red's action reaches only Green, who is excused and not asked; the others go on without Red.
    with opened(make_seats(tmp_path, 4, 7, rules=LEAVING, signed=True)) as replicas:
        red, blue, green, orange = replicas
        until_awaited(replicas, GREEN)
        excuse_all((red, blue, orange), GREEN)
        until_awaited((red, blue, orange), RED)
        green.synchronize()
        assert green.graph.state.away[GREEN - 1]
        log, shown = tmp_path / "Red" / ".git" / "refs" / "heads" / "Red_0", red.graph.head
        late = red.act(len(red.graph))
        red.store.publish()
        green.synchronize()
        assert late[-1].commit in green.graph
        point(tmp_path / "Red", "refs/heads/Red_0", shown)
        use_remote(tmp_path / "Green", "Red", str(tmp_path / "Nowhere"))
        excuse_all((blue, orange), RED)
        assert log.read_text().strip() == shown
        green.synchronize()
        assert green.graph.head == blue.graph.head
        assert [charged(one) for one in (blue, green, orange)] == [set()] * 3


def test_saying_yes_to_one_and_no_to_another_is_charged_and_play_goes_on(tmp_path: Path) -> None:
    with opened(make_seats(tmp_path, 3, 7, rules=LEAVING, signed=True)) as replicas:
        red, blue, green = replicas
        until_awaited(replicas, RED)
        base = red.graph.head
        yes = VotingDuty(green).vote(RED, "yes")
        green.store.publish()
        blue.synchronize()
        no = lie(green, base, Vote(GREEN, RED, "no"))
        point(tmp_path / "Green", f"refs/heads/{base}_turn1_Green_0", no)
        blue.synchronize()
        assert charged(blue) == {"Green"}
        assert yes.commit in blue.graph
        excuse_all((blue,), RED)
        blue.store.publish()
        red.synchronize()
        assert red.graph.head == blue.graph.head
        assert "Blue" not in charged(red)
