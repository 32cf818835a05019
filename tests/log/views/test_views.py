"""Who is present, as commits say it: parties that hear one another late, one of whom may lie, and what each refuses."""

from __future__ import annotations

import sys
from collections.abc import Collection
from dataclasses import replace
from types import FrameType

import pytest

from catan_p2p.game.actions import Call, Reveal
from catan_p2p.game.constants import Player, Rules
from catan_p2p.game.rule_names import rules_named
from catan_p2p.log.commit import decode_commit
from catan_p2p.log.game import FormatError, game_files, parse_game
from catan_p2p.log.graph import CommitGraph, DueMessage
from catan_p2p.log.nodes import LineNode, ReplyNode
from catan_p2p.log.reading import read_root
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.valid_commits import next_seat
from catan_p2p.log.verdict import CommitRejected
from catan_p2p.log.views.deciding import conflict
from catan_p2p.log.views.messages import message_text, read_message, split_after, with_after
from catan_p2p.log.views.nodes import Node, VoteNode
from catan_p2p.replication.prospects import is_left_out, newest_at
from tests.log.views.table import ViewPlayer, ViewTable
from tests.log.views.world import ViewWorld
from tests.seat_keys import PUBLIC_KEYS, sign_as_author

STEPS = 600


def rules_of(players: int, seed: int) -> Rules:
    """Standard rules that players may leave, by turns with joint chance."""
    return replace(rules_named("standard", players), chance=("actor", "joint")[seed % 2], leaving=True)


def world_of(seed: int, *, lies: bool) -> ViewWorld:
    players = 3 + seed % 4
    # Some play two seats, as the host of a computer player.
    parties = [(1, 3), (2, players)][: 1 + seed // 12 % 2] if players > 4 and seed % 3 == 0 else []
    table = ViewTable(players, rules_of(players, seed), parties, seed)
    # Until Catan.tla lets two leave who both owe their pledges, nobody does.
    while table.parties[1].play.state.tp == "Pledging":
        table.play(1)
    return ViewWorld(table, seed, liar=sorted(table.parties)[seed // 4 % len(table.parties)] if lies else 0)


def play(world: ViewWorld, steps: int = STEPS) -> None:
    """Play at random, then until nothing is due: all who are up hold one line, and play goes on."""
    for _ in range(steps):
        world.step()
    world.check()
    world.quiet()
    world.check()
    up = [one for one in world.honest if one.is_up]
    assert len({one.graph.view.id for one in up}) == 1
    present = [one for one in up if one.party in one.graph.view.present]
    assert len({one.graph.newest for one in present}) == 1
    if len(present) > 1:
        assert any(one.actions() for one in present)
    # Whoever is left out, and may come back here, is back.
    assert not [one for one in up if one.duty.may_come_back and not one.graph.forkers]


@pytest.mark.long
@pytest.mark.sampled(20)
@pytest.mark.parametrize(
    ("lies", "seed"), [*((False, seed) for seed in range(200)), *((True, seed) for seed in range(400))]
)
def test_whoever_is_late_or_stops_and_whatever_a_liar_signs_twice_all_come_to_one_line(lies: bool, seed: int) -> None:
    play(world_of(seed, lies=lies))


# One table after the other


@pytest.fixture
def table() -> ViewTable:
    """Four parties, in the middle of a game."""
    table = ViewTable(4, rules_of(4, 0), seed=3)
    table.play(40)
    return table


def stopped(table: ViewTable) -> ViewPlayer:
    """The party that is awaited, which has stopped."""
    (silent,) = table.parties[1].duty.awaited()
    table.parties[silent].is_up = False
    return table.parties[silent]


def test_whoever_is_silent_is_left_out_and_the_line_records_it(table: ViewTable) -> None:
    silent = stopped(table)
    table.settle()
    one = table.up()[0]
    assert one.graph.view.value.out == (silent.party,)
    # People are told at once, and the wait for whoever records it begins with the decision.
    assert is_left_out(one.play, silent.party) and not one.play.state.away[silent.party - 1]
    assert newest_at(one.play, table.objects.read) == table.time_s
    table.play(1)
    assert one.play.state.away[silent.party - 1]
    assert one.graph.pending(one.graph.nodes[one.graph.newest], one.graph.view) == ()  # type: ignore[arg-type]
    table.play(20)


def test_whose_vote_is_only_slow_is_waited_for_before_they_are_left_out(table: ViewTable) -> None:
    silent = stopped(table)
    voters = table.up()
    for one in voters:
        table.tell(one.sign(one.due([silent.party])))
    coordinator = table.parties[one.duty.change.coordinator(1)]
    assert coordinator is not silent
    assert coordinator.duty.due(is_grace_over=False) is None
    proposal = coordinator.duty.due(is_grace_over=True)
    assert proposal is not None
    assert proposal.kind == "propose"
    silent.is_up = True
    for commit in [one.graph.chain_ends[one.party] for one in voters]:
        silent.hear(commit)
    coordinator.hear(silent.sign(silent.due()))
    proposal = coordinator.duty.due(is_grace_over=False)
    assert proposal is not None
    assert len(proposal.votes) == 4


def test_whoever_is_back_before_the_proposal_stays(table: ViewTable) -> None:
    silent = stopped(table)
    voter = table.up()[0]
    vote = voter.sign(voter.due([silent.party]))
    table.tell(vote)
    silent.is_up = True
    silent.hear(vote)
    table.tell(silent.act(silent.actions()[0]))
    for _ in range(60):
        if not any(one.actions() for one in table.parties.values()):
            table.settle(waited=False)  # the voter, who has signed that it does nothing more, is awaited
        table.play(1)
    assert table.parties[1].graph.view.number == 1
    assert all(one.graph.view.present == (1, 2, 3, 4) for one in table.parties.values())


def test_what_is_asked_at_each_action_takes_no_longer_after_many_changes(table: ViewTable) -> None:
    calls = list[int]()
    for _ in range(12):
        begin_again(table)
        table.play(6)
        calls.append(max(calls_of(one) for one in table.parties.values()))
    assert table.parties[1].graph.view.number == 12
    assert max(calls) <= 1.2 * calls[0]


def begin_again(table: ViewTable) -> None:
    """All vote to go on without whoever is awaited, who votes as well: a new view begins, with everybody."""
    graph, awaited = table.parties[1].graph, table.parties[1].duty.awaited()
    number = graph.view.number
    while graph.view.number == number:
        for one in sorted(table.parties.values(), key=lambda one: one.party in awaited):
            due = one.duty.due(awaited, is_grace_over=False)
            if due is not None and graph.view.number == number:
                table.tell(one.sign(due))


def calls_of(one: ViewPlayer) -> int:
    """How many functions of the graph and the duty a party calls for what it asks at each action."""
    count = 0

    def profile(frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        count += event == "call" and "/views/" in frame.f_code.co_filename.replace("view_duty", "/views/")

    sys.setprofile(profile)
    try:
        one.duty.due()
        one.actions()
        conflict(one.graph)
        one.play._decision()
    finally:
        sys.setprofile(None)
    return count


def test_a_party_of_several_seats_leaves_with_all_of_them() -> None:
    table = ViewTable(4, rules_of(4, 0), parties=[(1, 3)], seed=5)
    table.play(30)
    while table.parties[1].duty.awaited() != {1}:
        table.play(1)
    table.parties[1].is_up = False
    table.settle()
    table.play(2)
    assert table.up()[0].play.state.present == (2, 4)


def test_two_of_five_may_be_silent_at_once() -> None:
    table = ViewTable(5, rules_of(5, 1), seed=1)
    table.play(60)
    while len(table.parties[1].duty.awaited()) < 2:
        table.play(1)
    for party in sorted(table.parties[1].duty.awaited())[:2]:
        table.parties[party].is_up = False
    for _ in range(4):
        table.settle()
        if len(table.up()[0].graph.view.present) == 3:
            break
        table.play(1)
    assert len(table.up()[0].graph.view.present) == 3
    table.play(30)


def test_two_of_four_that_are_silent_hold_play_up_until_one_is_back(table: ViewTable) -> None:
    stopped(table)
    other = table.up()[0]
    other.is_up = False
    for _ in range(20):
        table._sign_one(True, True)
    assert all(one.graph.view.number == 0 for one in table.up())
    other.is_up = True
    for commit in [*table.up()[1].graph.nodes]:
        other.hear(commit)
    table.settle()
    table.play(10)


def change_once(table: ViewTable, waited: Collection[Player]) -> None:
    """All vote, each when it has waited for these parties, and do at once what is due without waiting."""
    number, up = table.parties[1].graph.view.number, table.up()
    for is_over in (False, True) * 5:
        for one in up:
            while signed := [other.sign(due) for other in up if (due := other.duty.due()) is not None]:
                for commit in signed:
                    table.tell(commit)
            if table.parties[1].graph.view.number > number:
                return
            if (due := one.duty.due(waited, is_round_over=is_over)) is not None:
                table.tell(one.sign(due))
    raise AssertionError("nothing is decided")


def test_where_all_owe_a_reply_and_all_vote_play_waits_for_them() -> None:
    table = ViewTable(3, rules_of(3, 1), seed=3)
    assert table.parties[1].duty.awaited() == {1, 2, 3}
    for _ in range(3):
        for one in table.up():
            table.tell(one.sign(DueMessage("vote", 1, tuple(sorted({1, 2, 3} - {one.party})))))
        change_once(table, (1, 2, 3))
        assert table.parties[1].graph.view.value.out == ()
    table.play(20)


def test_whoever_is_awaited_only_since_another_replied_stays_by_a_vote() -> None:
    table = ViewTable(3, rules_of(3, 1), seed=3)

    def drawing() -> tuple[Player, ...]:
        state = table.parties[1].play.state
        return (state.caller, *sorted(table.parties[1].duty.awaited())) if state.tp == "Drawing" else ()

    while len(drawing()) != 2 or len({*drawing()}) != 2:
        table.play(1)
    caller, owing = drawing()
    table.tell(table.parties[owing].sign(DueMessage("vote", 1)))
    change_once(table, (owing,))
    assert table.parties[1].graph.view.begins_again_at(table.parties[1].graph.newest)
    table.tell(table.parties[caller].sign(DueMessage("vote", 1, (owing,))))
    table.tell(table.parties[owing].act(Reveal(owing)))
    assert table.parties[1].duty.awaited() == {caller}
    change_once(table, (caller,))
    assert table.parties[1].graph.view.number == 2 and not table.parties[1].graph.view.value.out
    table.play(20)


def test_whoever_has_replied_since_the_view_began_is_kept_by_their_vote() -> None:
    """They are awaited again, for the bandit: a reply is no vote instead of an action."""
    table = ViewTable(4, "thesis; HandLimit = 1", seed=3)
    one = table.parties[1]
    while one.play.state.tp != "Discarding" or not {one.play.state.ap} < one.duty.awaited():
        table.play(1)
    roller = table.parties[one.play.state.ap]
    change_once(table, (roller.party,))
    assert one.graph.view.begins_again_at(one.graph.newest)
    while one.duty.awaited() != {roller.party}:
        table.tell(next(one.act(action) for one in table.up() for action in one.actions()))
    for each in table.up():
        table.tell(each.sign(DueMessage("vote", 1, () if each is roller else (roller.party,))))
    change_once(table, ())
    assert one.graph.view.number == 2 and one.graph.view.value.out == ()


@pytest.mark.parametrize("players", [3, 4, 5])
def test_whoever_votes_at_once_and_never_acts_is_left_out(players: int) -> None:
    table = ViewTable(players, rules_of(players, 0), seed=3)
    table.play(40)
    (idle,) = table.parties[1].duty.awaited()
    for _ in range(players):
        table.tell(table.parties[idle].sign(DueMessage("vote", 1)))
        change_once(table, (idle,))
        if table.parties[1].graph.view.value.out:
            break
    assert table.parties[1].graph.view.value.out == (idle,)
    table.play(20)


def test_however_often_somebody_votes_instead_of_acting_they_can_be_left_out(
    table: ViewTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each such vote is joined at once, and ends in a change that leaves nobody out: these do not run out."""
    for name in ("log.views.rules", "replication.core.view_duty"):
        monkeypatch.setattr(f"catan_p2p.{name}.MAX_CHANGES", 2)
    (liar,) = table.parties[1].duty.awaited()
    for _ in range(4):
        while table.parties[1].duty.awaited() != {liar}:
            table.play(1)
        table.tell(table.parties[liar].sign(DueMessage("vote", 1)))
        change_once(table, ())
        table.play(1)
    assert table.parties[1].graph.view.number == 4
    table.play(1)
    silent = stopped(table)
    table.settle()
    assert table.up()[0].graph.view.value.out == (silent.party,)


def test_nothing_is_decided_where_two_are_present(table: ViewTable) -> None:
    for _ in range(2):
        while {one.party for one in table.up()}.isdisjoint(table.up()[0].duty.awaited()):
            table.play(1)
        silent = table.parties[min(table.up()[0].duty.awaited())]
        silent.is_up = False
        table.settle()
        table.play(3)
    one = table.up()[0]
    assert len(one.graph.view.present) == 2
    assert one.duty.due(one.duty.awaited()) is None


# Two decisions, by a liar who is one of three or five


def agree(group: list[ViewPlayer], silent: set[int]) -> None:
    """These parties hear one another, and sign what is due until the view has changed; they wait for the silent."""
    before = group[0].graph.view.number
    for _ in range(100):
        one, due = next(
            ((one, due) for one in group if (due := one.duty.due(one.duty.awaited() & silent)) is not None),
            (group[0], None),
        )
        if due is None or group[0].graph.view.number > before:
            return
        hear(group, one.sign(due))


def hear(group: list[ViewPlayer], commit: ObjectId) -> None:
    for one in group:
        one.hear(commit)


def divided(players: int) -> tuple[ViewTable, list[ViewPlayer], list[ViewPlayer]]:
    """Two sides, each of which has left out somebody of the other: the liar, who proposes, has two peers."""
    table = ViewTable(players, rules_of(players, 0), seed=players)
    table.play(40)
    liar, twin = table.parties[2], ViewPlayer(table, 2)
    last = 3 if players == 3 else 4
    while table.parties[1].duty.awaited() != {last}:
        table.play(1)
    for commit in liar.graph.nodes:
        twin.hear(commit)
    one = [table.parties[party] for party in ((1,) if players == 3 else (1, 3))]
    other = [table.parties[party] for party in ((3,) if players == 3 else (4, 5))]
    agree([liar, *one], {last})
    assert all(last in party.graph.view.value.out for party in one)
    while actor := next((party for party in [*other, twin] if party.actions()), None):
        hear([*other, twin], actor.act(actor.actions()[0]))
    agree([twin, *other], {party.party for party in one})
    assert all(party.graph.view.value.out for party in other)
    return table, one, other


@pytest.mark.parametrize("players", [3, 5])
def test_two_decisions_are_settled_among_those_who_have_not_lied(players: int) -> None:
    table, one, other = divided(players)
    for commit in [*one[0].graph.nodes, *other[0].graph.nodes]:
        hear([*one, *other], commit)
    assert all(conflict(party.graph) is not None for party in [*one, *other])
    table.parties[2].is_up = False
    table.settle(waited=False)
    assert len({party.graph.view.id for party in [*one, *other]}) == 1
    assert len({party.graph.newest for party in [*one, *other]}) == 1
    assert all(conflict(party.graph) is None for party in [*one, *other])
    if players == 5:
        assert 2 not in one[0].graph.view.present
        table.play(30)


def test_a_share_told_for_a_call_that_is_undone_is_not_told_for_another() -> None:
    table = ViewTable(5, rules_of(5, 1), seed=1)
    actions = [(one, action) for one in table.players for action in one.actions()]
    while not any(isinstance(action, Call) and one.party != 2 for one, action in actions):
        table.play(1)
        actions = [(one, action) for one in table.players for action in one.actions()]
    caller, call = next((one, action) for one, action in actions if isinstance(action, Call))
    teller = next(one for one in table.players if one is not caller and one.party != 2)
    others = [one for one in table.players if one not in (caller, teller)]
    hear([teller], caller.act(call))
    told = teller.act(Reveal(teller.player))
    agree(others, {caller.party})
    assert others[0].graph.view.value.out == (caller.party,) and told not in others[0].graph
    caller.is_up = False
    for commit in others[0].graph.nodes:
        teller.hear(commit)
    shares = list[str | None]()
    while len(shares) < 2:
        table.play(1)
        steps = [node.step for node in teller.graph.nodes.values() if isinstance(node, LineNode | ReplyNode)]
        shares = [step.entry.share for step in steps if step is not None and step.action == Reveal(teller.player)]
    assert len({*shares}) == len(shares)


# What is refused, by what it links to


def refused(one: ViewPlayer, commit: ObjectId) -> str:
    """Why a party refuses a commit."""
    verdict = one.judged(commit)
    assert isinstance(verdict, CommitRejected), verdict
    return f"{verdict.reason}: {verdict.detail}"


def forged(table: ViewTable, commit: ObjectId, **changes: object) -> ObjectId:
    """A commit like another one but for some parts; ``after`` changes the trailer."""
    parts = decode_commit(table.objects.read(commit)[1])
    if (after := changes.pop("after", None)) is not None:
        changes["message"] = with_after(split_after(parts.message)[0], after)  # type: ignore[arg-type]
    if (message := changes.pop("text", None)) is not None:
        changes["message"] = with_after(str(message), split_after(parts.message)[1])  # type: ignore[arg-type]
    return table.objects.add("commit", sign_as_author(parts._replace(**changes)).encode())  # type: ignore[arg-type]


def act_of_next(table: ViewTable) -> tuple[ViewPlayer, ObjectId]:
    """An action of the line by whoever is next, which nobody has heard, and the party."""
    while (one := table.parties[min(table.parties[1].duty.awaited())]).actions()[0].reply is not None:
        table.play(1)
    copy = ViewPlayer(table, one.party)
    copy.hear(one.graph.newest)
    for reply in one.graph.replies().values():
        copy.hear(reply)
    return one, copy.act(copy.actions()[0])


def test_the_previous_commit_of_the_party_is_named(table: ViewTable) -> None:
    one, commit = act_of_next(table)
    end = one.graph.chain_ends[one.player]
    assert split_after(decode_commit(table.objects.read(commit)[1]).message)[1] == end
    earlier = one.graph.chains.before(end)
    assert "but it links to something else by the same player" in refused(one, forged(table, commit, after=earlier))
    foreign = next(other.graph.chain_ends[other.party] for other in table.parties.values() if other is not one)
    assert "by another player" in refused(one, forged(table, commit, after=foreign))
    assert "does not link to" in refused(one, forged(table, commit, after=ObjectId("1" * 40)))


def test_a_parent_that_says_nothing_is_refused(table: ViewTable) -> None:
    one, commit = act_of_next(table)
    parents = decode_commit(table.objects.read(commit)[1]).parents
    assert "for no reason" in refused(one, forged(table, commit, parents=(*parents, one.graph.root)))


def test_two_commits_after_one_prove_a_fork_to_whoever_has_both(table: ViewTable) -> None:
    one, commit = act_of_next(table)
    second = forged(table, commit, author=decode_commit(table.objects.read(commit)[1]).author._replace(time_s=7))
    listener = next(other for other in table.parties.values() if other is not one)
    listener.hear(commit)
    assert listener.graph.forkers == {}
    listener.hear(second)
    assert listener.graph.forkers == {one.party: (commit, second)}
    assert listener.graph.newest == commit  # the one heard first


def voted(table: ViewTable) -> tuple[ViewPlayer, ObjectId]:
    """A party that has voted on whoever is silent, and its vote."""
    silent = stopped(table)
    voter = table.up()[0]
    due = voter.due([silent.party])
    return voter, voter.sign(due)


def test_after_a_vote_nothing_more_of_the_view_is_signed(table: ViewTable) -> None:
    silent = stopped(table)
    follower = next(one for one in table.up())
    vote = follower.sign(follower.due([silent.party]))
    silent.hear(vote)
    table.tell(silent.act(silent.actions()[0]))
    while follower.party not in table.up()[1].duty.awaited():
        for one in [*table.up(), silent]:
            if one is not follower and one.actions():
                commit = one.act(one.actions()[0])
                table.tell(commit)
                silent.hear(commit)
                break
    assert follower.actions() == []
    before = follower.play.state
    from catan_p2p.game.rules import decisions, draw, effect

    seat = follower.player
    action = draw(before, decisions(before, seat)[0], table.rng)
    commit = follower.play.write(action, effect(before, action), table.tick(), table.objects.add).commit
    assert refused(silent, commit) == "promise: its player has voted in this view, and signs nothing more of it"


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("Round: 1", "Round: 2", "no more than half have voted in round 1"),
        ("Round: 1", "Round: 0", "round 0"),
        ("View: 0", "View: 1", "from view 1"),
        ("Waits: ", "Waits: 1 2 3 ", "its voter cannot have waited for those"),
    ],
)
def test_a_vote_says_what_it_may(table: ViewTable, old: str, new: str, why: str) -> None:
    voter, vote = voted(table)
    text = split_after(decode_commit(table.objects.read(vote)[1]).message)[0]
    waits = text.partition("Waits: ")[2].strip()
    if old == "Waits: ":
        old, new = f"Waits: {waits}", "Waits: " + " ".join(sorted({"1", "2", "3", "4"} - {waits}))
    changed = text.replace(old, new).replace("round 1\n", f"round {new[-1]}\n" if "Round" in new else "round 1\n")
    listener = next(one for one in table.up() if one is not voter)
    assert why in refused(listener, forged(table, vote, text=changed))


def test_a_vote_keeps_the_tree_of_what_its_voter_holds(table: ViewTable) -> None:
    voter, vote = voted(table)
    root = decode_commit(table.objects.read(table.root)[1]).tree
    listener = next(one for one in table.up() if one is not voter)
    assert "tree: " in refused(listener, forged(table, vote, tree=root))


def test_a_vote_merges_only_what_it_says_or_proves(table: ViewTable) -> None:
    voter, vote = voted(table)
    parents = decode_commit(table.objects.read(vote)[1]).parents
    listener = next(one for one in table.up() if one is not voter)
    others = [table.root, *(one.graph.chain_ends[one.party] for one in table.up() if one is not voter)]
    for other in sorted({*others} - {*parents}):
        for merged in ((*parents, other), (parents[0], other, *parents[1:])):
            assert refused(listener, forged(table, vote, parents=merged)).startswith(("parents: it merges", "chain: "))


def test_only_the_coordinator_proposes_and_with_more_than_half(table: ViewTable) -> None:
    voter, vote = voted(table)
    table.tell(vote)
    node = voter.graph.nodes[vote]
    listener = next(one for one in table.up() if one is not voter)
    text = message_text(read_message("propose player_1 round 1\n\nAction: propose\nPlayer: 1\nView: 0\nRound: 1\n"))  # type: ignore[arg-type]
    for party in table.parties.values():
        own = text.replace("player_1", f"player_{party.party}").replace("Player: 1", f"Player: {party.party}")
        author = decode_commit(table.objects.read(party.graph.chain_ends[party.party])[1]).author
        end = party.graph.chain_ends[party.party]
        parents = (vote,) if party.party == voter.party else (vote, end)
        proposal = table.objects.add(
            "commit",
            sign_as_author(
                decode_commit(table.objects.read(vote)[1])._replace(
                    parents=parents, author=author, committer=author, message=with_after(own, end)
                )
            ).encode(),
        )
        coordinates = node.change.coordinator(1) == party.party  # type: ignore[union-attr]
        why = "the votes that it merges give no value" if coordinates else "coordinates round 1"
        assert why in refused(listener, proposal)


def test_rounds_and_changes_have_an_end_that_nobody_exceeds(table: ViewTable, monkeypatch: pytest.MonkeyPatch) -> None:
    def limit(name: str, most: int) -> None:
        monkeypatch.setattr(f"catan_p2p.log.views.rules.{name}", most)
        monkeypatch.setattr(f"catan_p2p.replication.core.view_duty.{name}", most)

    silent = stopped(table)
    voters = [one for one in table.up() if one.duty.change.coordinator(1) != one.party]
    voters.append(next(one for one in table.up() if one not in voters))
    for one in voters[:2]:
        table.tell(one.sign(DueMessage("vote", 1, (silent.party,))))
    limit("MAX_CHANGES", 0)
    assert voters[2].duty.due([silent.party]) is None
    vote = voters[2].written(DueMessage("vote", 1))
    assert refused(voters[2], vote) == "votes: view 0 is the last one"
    limit("MAX_CHANGES", 1)
    assert voters[2].duty.due([silent.party]) is not None
    table.tell(voters[2].sign(DueMessage("vote", 1, (silent.party,))))
    limit("MAX_ROUNDS", 1)
    assert voters[0].duty.due(is_round_over=True) is None
    votes = tuple(voters[0].graph.changes.votes[voters[0].duty.change][1].values())
    second = voters[0].written(DueMessage("vote", 2, votes=votes))
    assert "round 2" in refused(voters[0], second)
    limit("MAX_ROUNDS", 2)
    voters[0].judged(second)
    assert voters[0].duty.due(is_round_over=True) is not None


def test_a_liar_alone_cannot_vote_on_and_on(table: ViewTable) -> None:
    """In a thousand rounds, or again and again in one: whatever they sign stays two commits of one chain."""
    silent = stopped(table)
    liar = next(one for one in table.up() if one is not silent)
    first = liar.sign(DueMessage("vote", 1, (silent.party,)))
    again = liar.written(DueMessage("vote", 1))
    assert "already signed something in round 1" in refused(liar, again)
    for round in (2, 3, 1000):
        vote = liar.graph.nodes[first]
        assert isinstance(vote, VoteNode)
        later = liar.written(DueMessage("vote", round, votes=(vote,)))
        assert refused(liar, later).startswith(("votes: no more than half", "parents"))


def test_an_excuse_needs_a_decision(table: ViewTable) -> None:
    from catan_p2p.game.actions import Excuse
    from catan_p2p.game.rules import effect

    silent = stopped(table)
    one = table.up()[0]
    before = one.play.state
    action = Excuse(next_seat(before, [one for one in before.present if one != silent.party]), silent.party)
    author = table.parties[action.player]
    commit = author.play.write(action, effect(before, action), 9, table.objects.add).commit
    assert "expected no record, since nothing was decided" in refused(one, commit)


def test_all_judge_alike_in_any_order(table: ViewTable) -> None:
    stopped(table)
    table.settle()
    table.play(10)
    commits: dict[ObjectId, Node] = {}
    for one in table.up():
        commits.update(one.graph.nodes)
    order = sorted(commits)
    late = ViewPlayer(table, table.up()[0].party)
    for commit in order:
        late.hear(commit)
    assert {commit: node.link for commit, node in late.graph.nodes.items()}.keys() == commits.keys()
    assert late.graph.newest == table.up()[0].graph.newest
    assert late.graph.view.id == table.up()[0].graph.view.id


# Files and messages


def test_the_root_says_who_plays_together_and_which_are_computers() -> None:
    table = ViewTable(4, rules_of(4, 0), parties=[(1, 3)])
    files = game_files(table.game)
    assert files["format"] == "2\n"
    assert files["players"].splitlines()[2] == f"3 Green {PUBLIC_KEYS['Green']} 1 Green_0"
    assert parse_game(files, 0) == table.game
    for wrong in ("2* Green_0", "4 Green_0", "Green_0"):
        lines = files["players"].splitlines()
        lines[1], lines[2] = "2 Blue - 1 Blue_0", f"3 Green - {wrong}"
        with pytest.raises(FormatError, match="players, line 3"):
            parse_game({**files, "players": "\n".join(lines) + "\n"}, 0)


def test_the_root_says_which_graph_reads_the_game() -> None:
    table = ViewTable(3, rules_of(3, 0))
    assert isinstance(read_root(table.root, table.objects.read), CommitGraph)


def test_messages_have_one_spelling() -> None:
    text = "vote player_2 round 3\n\nAction: vote\nPlayer: 2\nView: 1\nRound: 3\nWaits: 1 4\n"
    message = read_message(text)
    assert message is not None
    assert message_text(message) == text
    for wrong in (
        text.replace("Waits: 1 4\n", ""),
        text.replace("1 4", "4 1"),
        text.replace("round 3", "round 4"),
        text.replace("1 4", "1 1"),
    ):
        with pytest.raises(FormatError, match="canonical"):
            read_message(wrong)
