"""Who was left out asks to come back, the others decide it, and the line records it: what each of them refuses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from catan_p2p.game.actions import ComeBack, Excuse, ProposeTrade
from catan_p2p.game.constants import Player
from catan_p2p.game.rules import any_offer, decisions, effect
from catan_p2p.log.commit import decode_commit
from catan_p2p.log.game import FormatError
from catan_p2p.log.graph import DueMessage
from catan_p2p.log.nodes import DueRecord
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.views.deciding import returning, value_of
from catan_p2p.log.views.messages import message_text, read_message
from catan_p2p.log.views.nodes import VoteNode
from catan_p2p.log.views.view import View, ViewValue
from catan_p2p.replication.prospects import is_left_out
from tests.log.views.table import ViewPlayer, ViewTable
from tests.log.views.test_views import forged, play, refused, rules_of, stopped
from tests.log.views.world import ViewWorld

STEPS = 1_500


def with_one_out(players: int = 4, returns: int = 2, parties: tuple[tuple[Player, ...], ...] = ()) -> ViewTable:
    """A table that has gone on without a party, which hears everything again."""
    table = ViewTable(players, replace(rules_of(players, 0), returns=returns), parties, seed=3)
    table.play(40)
    stopped(table)
    table.settle()
    return with_all_there(table)


def with_all_there(table: ViewTable) -> ViewTable:
    """All are up again, and have heard everything."""
    table.down.clear()
    for one in table.players:
        for commit in max(table.players, key=lambda one: one.graph.view.number).graph.nodes:
            one.hear(commit)
    table.play(1)
    return table


def returning_world(seed: int, *, lies: bool) -> ViewWorld:
    """Players who stop again and again, in the middle of a game in which they may come back."""
    players = 3 + seed % 3
    parties = [(1, 3)] if players > 3 and seed % 4 == 0 else []
    table = ViewTable(players, replace(rules_of(players, seed), returns=3), parties, seed)
    table.play(60)
    world = ViewWorld(table, seed, liar=sorted(table.parties)[seed // 4 % len(table.parties)] if lies else 0)
    world.stops, world.hears, world.patience = 0.01, 0.9, 0.1
    return world


@pytest.mark.long
@pytest.mark.sampled(20)
@pytest.mark.parametrize(("lies", "seed"), [(lies, seed) for lies in (False, True) for seed in range(100)])
def test_whoever_was_left_out_and_is_up_is_back_in_the_end(lies: bool, seed: int) -> None:
    world = returning_world(seed, lies=lies)
    play(world, STEPS)
    decided = [value for one in world.honest for values in one.graph.changes.decisions.values() for value in values]
    assert seed or any(value.back for value in decided)


def left_out(table: ViewTable) -> ViewPlayer:
    (party,) = {*table.parties} - {*table.players[0].graph.view.present}
    return table.parties[party]


def play_until_it_may_ask(table: ViewTable) -> ViewPlayer:
    while not left_out(table).duty.may_come_back:
        table.play(1)
    return left_out(table)


def asked(table: ViewTable) -> tuple[ViewPlayer, ObjectId]:
    """The party that was left out first, and its request, which nobody else has heard."""
    one = away(table)[0]
    while not one.duty.may_come_back:
        table.play(1)
    return one, one.sign(DueMessage("request"))


@pytest.fixture
def table() -> ViewTable:
    return with_one_out()


def test_whoever_was_left_out_asks_all_vote_at_once_and_the_line_records_it(table: ViewTable) -> None:
    back = play_until_it_may_ask(table)
    table.settle(waited=False)
    one, view = table.players[0], back.graph.view
    assert view.value.back == ((back.party, back.graph.changes.requests[view.before.id][back.party]),)  # type: ignore[union-attr]
    assert view.value.out == () and {*view.present} == {1, 2, 3, 4}
    assert one.graph.pending(one.graph.line_node(one.graph.newest), view) == (DueRecord(back.player, True),)
    # People are told at once.
    assert one.play.state.away[back.player - 1] and not is_left_out(one.play, back.player)
    table.play(1)
    record = one.graph.line_node(one.graph.newest).step
    assert record is not None and isinstance(record.action, ComeBack) and record.action.absent == back.player
    assert not one.play.state.away[back.player - 1]
    while back.party not in back.duty.awaited():
        table.play(1)
    table.play(20)


def test_a_party_comes_back_with_all_its_seats() -> None:
    table = with_one_out(5, parties=((1, 4),))
    while left_out(table).party != 1:
        play_until_it_may_ask(table)
        table.settle(waited=False)
        table.play(2)
        stopped(table)
        table.settle()
        with_all_there(table)
    back, second = play_until_it_may_ask(table), table.players[3]
    assert second.duty.may_come_back and second.duty.request() is None
    assert "votes: player 4 asks" in refused(second, second.written(DueMessage("request")))
    table.settle(waited=False)
    node = back.graph.line_node(back.graph.newest)
    assert back.graph.pending(node, back.graph.view) == (DueRecord(1, True), DueRecord(4, True))
    table.play(2)
    assert not any(back.play.state.away)


def with_two_out(players: int = 5) -> ViewTable:
    """A table that has gone on without two, who hear everything again."""
    table = with_one_out(players)
    stopped(table)
    table.settle()
    return with_all_there(table)


def away(table: ViewTable) -> list[ViewPlayer]:
    return [one for one in table.parties.values() if one.party not in one.graph.view.present]


def both_brought_back(table: ViewTable) -> list[ViewPlayer]:
    """Two who were left out, whom one decision has brought back; the line has not recorded it."""
    while not all(one.duty.may_come_back for one in away(table)):
        table.play(1)
    both = away(table)
    for one in both:
        table.tell(one.sign(DueMessage("request")))
    table.settle(waited=False)
    return both


def test_two_who_were_left_out_come_back_together() -> None:
    table = with_two_out()
    both = both_brought_back(table)
    assert table.players[0].graph.view.value.returning == tuple(one.party for one in both)
    table.play(2)
    assert not any(table.players[0].play.state.away)


def test_a_decision_that_leaves_somebody_out_brings_nobody_back() -> None:
    table = with_one_out(5)
    one, request = asked(table)
    table.tell(request)
    silent = stopped(table)
    assert silent is not one
    table.settle()
    view = table.up()[0].graph.view
    assert view.value.out == (silent.party,) and view.value.back == ()
    # It asks again in the new view.
    table.play(1)
    while not one.duty.may_come_back:
        table.play(1)
    again = one.sign(DueMessage("request"))
    table.tell(again)
    table.settle(waited=False)
    assert one.party in table.up()[0].graph.view.present


def test_whoever_is_left_out_before_the_record_of_their_return_has_both_recorded(table: ViewTable) -> None:
    back = play_until_it_may_ask(table)
    table.settle(waited=False)
    node, number = table.players[0].graph.line_node(table.players[0].graph.newest), back.party
    view = table.players[0].graph.view
    out = view.after(ViewValue(node.head, view.value.replies, (number,), ()))
    assert back.graph.pending(node, out) == (DueRecord(back.player, True), DueRecord(back.player, False))
    assert out.present == tuple(party for party in (1, 2, 3, 4) if party != number)


def test_a_third_comes_back_where_one_of_two_is_silent_who_is_left_out_then() -> None:
    table = with_one_out(3)
    back = play_until_it_may_ask(table)
    silent = stopped(table)
    (other,) = (one for one in table.players if one not in (silent, back))
    table.tell(back.sign(DueMessage("request")))
    # Whoever is awaited does not begin, and whoever is left has to wait for them.
    assert other.duty.due() is None
    table.settle()
    assert other.graph.view.value.returning == (back.party,) and other.graph.view.value.out == ()
    table.settle()
    assert other.graph.view.value.out == (silent.party,) and {*other.graph.view.present} == {back.party, other.party}
    table.play(2)
    assert other.play.state.present == other.graph.view.present
    table.play(10)


def test_nobody_asks_before_the_line_has_recorded_who_is_back() -> None:
    table = with_two_out()
    first, second = away(table)
    while not (first.duty.may_come_back and second.duty.may_come_back):
        table.play(1)
    table.tell(first.sign(DueMessage("request")))
    second.is_up = False
    table.settle(waited=False)
    second.is_up = True
    for one in table.up():
        second.hear(one.graph.chain_ends[one.player])
    assert second.graph.view.value.returning == (first.party,)
    assert not second.duty.may_come_back
    table.play(1)
    assert second.duty.may_come_back


def test_who_is_back_counts_as_present_and_no_more_as_left_out_last() -> None:
    root = ObjectId("1" * 40)
    view = View.first(root, (1, 2, 3)).after(ViewValue(root, (), (2,), ()))
    assert view.electorate == (1, 2, 3) and view.last_out == (2,)
    back = view.after(ViewValue(root, (), (), (), ((2, ObjectId("2" * 40)),)))
    assert back.present == (1, 2, 3) and back.last_out == ()
    other = view.after(ViewValue(root, (), (), (), ((2, ObjectId("3" * 40)),)))
    assert back.id != other.id


# What is refused


def test_a_request_says_what_it_may(table: ViewTable) -> None:
    one, request = asked(table)
    view, parts = one.graph.view.number, decode_commit(table.objects.read(request)[1])
    text = parts.message.rpartition("After: ")[0]
    assert text == f"request player_{one.party}\n\nAction: request\nPlayer: {one.party}\nView: {view}\n"
    other = next(other for other in table.players if other is not one)
    wrong = text.replace(f"View: {view}", f"View: {view + 1}")
    assert "asks in view" in refused(other, forged(table, request, text=wrong))
    root = decode_commit(table.objects.read(table.root)[1]).tree
    assert "tree: " in refused(other, forged(table, request, tree=root))
    assert "for no reason" in refused(other, forged(table, request, parents=(*parts.parents, table.root)))
    assert f"votes: player {other.party} asks" in refused(other, other.written(DueMessage("request")))


def test_a_party_asks_once_in_a_view(table: ViewTable) -> None:
    one, _ = asked(table)
    assert one.duty.request() is None
    assert "promise: its player has asked in this view" in refused(one, one.written(DueMessage("request")))


def test_nobody_asks_where_nobody_may_come_back() -> None:
    table = with_one_out(returns=0)
    table.play(30)
    one = left_out(table)
    assert one.duty.request() is None
    assert refused(one, one.written(DueMessage("request"))) == "excused: nobody comes back at this table"


def awaited_at(table: ViewTable) -> ViewPlayer:
    (party,) = table.players[0].duty.awaited()
    return table.parties[party]


def votes_with(request: ObjectId, voter: ViewPlayer) -> VoteNode:
    """A party's vote that merges a request."""
    voter.hear(request)
    vote = voter.graph.nodes[voter.sign(DueMessage("vote", 1, requests=(request,)))]
    assert isinstance(vote, VoteNode)
    return vote


def test_who_is_awaited_begins_the_change_and_all_others_follow(table: ViewTable) -> None:
    one, request = asked(table)
    table.tell(request)
    first = awaited_at(table)
    others = [other for other in table.players if other not in (one, first)]
    # Another may hold an older commit of the line, where the game grants what it does not grant any more.
    assert all(other.duty.due() is None for other in others)
    due = first.duty.due()
    assert due == DueMessage("vote", 1, requests=(request,))
    node = votes_with(request, first)
    assert node.requests == {one.party: request}
    for other in others:
        other.hear(node.link.commit)
        assert other.duty.due() == due
    parents, at = node.link.parents, node.link.parents.index(request)
    twice = forged(table, node.link.commit, parents=(*parents[:at], request, *parents[at:]))
    assert refused(others[0], twice).startswith("parents: ")


def test_whose_requests_prove_a_fork_is_not_brought_back(table: ViewTable) -> None:
    one = play_until_it_may_ask(table)
    twin = ViewPlayer(table, one.player)
    for commit in one.graph.nodes:
        twin.hear(commit)
    first, second, votes = one.sign(DueMessage("request")), twin.sign(DueMessage("request")), list[VoteNode]()
    listener = ViewPlayer(table, awaited_at(table).player)
    for commit in (*one.graph.nodes, second):
        listener.hear(commit)
    # Whoever holds both begins nothing because of one of them.
    assert listener.graph.forkers and listener.duty.due() is None
    voters = [other for other in table.players if other is not one]
    for voter, request in zip(voters, (first, second, second), strict=True):
        votes.append(votes_with(request, voter))
        one.hear(votes[-1].link.commit)
    values = [found[0] for found in (value_of(one.graph, votes[1:]), value_of(one.graph, votes)) if found is not None]
    assert [value.returning for value in values] == [(one.party,), ()]


def test_one_accomplice_brings_no_forker_back_whom_another_voter_can_prove(table: ViewTable) -> None:
    one = play_until_it_may_ask(table)
    twin = ViewPlayer(table, one.player)
    for commit in one.graph.nodes:
        twin.hear(commit)
    first, second, accomplice = one.sign(DueMessage("request")), twin.sign(DueMessage("request")), awaited_at(table)
    votes = [votes_with(first, accomplice)]
    for voter in table.players:
        if voter not in (one, accomplice):
            for commit in (first, second, votes[0].link.commit):
                voter.hear(commit)
            votes.append(voter.graph.nodes[voter.sign(voter.due())])  # type: ignore[arg-type]
            accomplice.hear(votes[-1].link.commit)
    found = value_of(accomplice.graph, votes)
    assert found is not None and found[0].returning == ()


def test_a_request_of_an_earlier_view_is_not_merged() -> None:
    table = with_one_out(5)
    one, request = asked(table)
    table.tell(request)
    stopped(table)
    table.settle()
    table.play(1)
    stopped(table)
    voter = next(other for other in table.up() if other is not one)
    vote = voter.written(DueMessage("vote", 1, requests=(request,)))
    assert refused(voter, vote).startswith("parents: ")


def grants(one: ViewPlayer) -> bool:
    """Whether the game would grant a request of a player at the newest commit of the line."""
    valid = one.graph
    return returning(valid, valid.newest, valid.replies(), valid.view, {one.party: valid.root}) != ()


def test_a_request_is_made_before_the_game_grants_it_and_begins_nothing_until_then(table: ViewTable) -> None:
    one = left_out(table)
    while not one.duty.may_come_back or grants(one):
        table.play(1)
    due = one.duty.request()
    assert due is not None
    table.tell(one.sign(due))
    assert all(other.duty.due() is None for other in table.up())
    # Once the game grants it, all vote.
    while not grants(one):
        table.play(1)
    table.settle(waited=False)
    assert one.party in table.players[0].graph.view.present


def test_nobody_asks_once_the_game_is_over(table: ViewTable) -> None:
    one = play_until_it_may_ask(table)
    while not one.play.state.is_over:
        table.play(1)
    assert one.duty.request() is None


def decided(table: ViewTable) -> ViewPlayer:
    """A table that has decided that a party comes back; whoever records it."""
    play_until_it_may_ask(table)
    table.settle(waited=False)
    return next(one for one in table.players if one.actions())


def test_the_record_is_the_one_that_was_decided_by_whoever_acts_next(table: ViewTable) -> None:
    recorder = decided(table)
    (record,) = recorder.actions()
    assert isinstance(record, ComeBack)
    before = recorder.play.state
    others = [one for one in table.players if one is not recorder and one.party != record.absent]

    def written(one: ViewPlayer, action: ComeBack | Excuse) -> ObjectId:
        after = effect(before, action)
        return one.play.write(action, after, table.tick(), table.objects.add).commit

    other = written(others[0], ComeBack(others[0].player, record.absent))
    assert f"player {recorder.player} records the decision" in refused(recorder, other)
    excuse = written(recorder, Excuse(recorder.player, others[0].player))
    other = table.write(table.next_action(recorder.player, graph=recorder.play), graph=recorder.play).commit
    for wrong in (excuse, other):
        assert f"expected the return of player {record.absent}" in refused(recorder, wrong)


def test_nobody_comes_back_without_a_decision(table: ViewTable) -> None:
    one = play_until_it_may_ask(table)
    other = next(other for other in table.players if other.player == other.play.state.to_act)
    action = ComeBack(other.player, one.player)
    commit = other.play.write(action, effect(other.play.state, action), table.tick(), table.objects.add).commit
    assert refused(other, commit) == "votes: expected no record, since nothing was decided"


def proposals(one: ViewPlayer) -> list[ProposeTrade]:
    return [found for found in decisions(one.play.state, one.player) if isinstance(found, ProposeTrade)]


def test_the_record_merges_the_replies_that_were_decided_and_no_others(table: ViewTable) -> None:
    one = play_until_it_may_ask(table)
    while not (one.duty.may_come_back and any(proposals(other) for other in table.players if other is not one)):
        table.play(1)
    recorder = decided(table)
    other = next(other for other in table.players if other is not one and proposals(other))
    offer = any_offer(other.play.state, proposals(other)[0], table.rng)
    reply = table.write(offer, time_s=table.tick(), graph=other.play).commit
    # A vote before the record does without it, too.
    waited = ViewPlayer(table, other.player)
    waited.hear(reply)
    vote = waited.graph.nodes[waited.sign(DueMessage("vote", 1))]
    assert isinstance(vote, VoteNode) and dict(vote.replies) == {}
    table.tell(reply)
    table.play(1)
    record = recorder.graph.line_node(recorder.graph.newest)
    assert reply not in record.link.parents and record.step is not None and isinstance(record.step.action, ComeBack)
    parents = (record.link.parents[0], reply, *record.link.parents[1:])
    assert "replies that were not decided" in refused(recorder, forged(table, record.head, parents=parents))


def test_requests_have_one_spelling() -> None:
    text = "request player_2\n\nAction: request\nPlayer: 2\nView: 1\n"
    message = read_message(text)
    assert message is not None and message_text(message) == text
    for wrong in (f"{text}Round: 0\n", f"{text}Waits: -\n", text.replace("player_2", "player_2 round 0")):
        with pytest.raises(FormatError, match="canonical"):
            read_message(wrong)


def test_nobody_is_left_out_where_none_would_be_left_to_record_it() -> None:
    table = with_two_out(4)
    both = both_brought_back(table)
    first, second = sorted(
        (one for one in table.parties.values() if one not in both), key=lambda one: not one.actions()
    )
    table.down.add(first.party)
    table.settle()
    table.down.add(second.party)
    with pytest.raises(AssertionError, match="a change without end"):
        table.settle()
    assert table.up()[0].graph.view.value.out == (first.party,)
    table.down.discard(second.party)
    table.settle()
    table.play(1)


def test_an_action_in_an_old_view_allows_no_second_request() -> None:
    table = ViewTable(4, replace(rules_of(4, 0), returns=2), (), seed=3)
    table.play(40)
    down = stopped(table)
    table.settle()
    twin = ViewPlayer(table, down.player)
    for commit in max(table.players, key=lambda one: one.graph.view.number).graph.nodes:
        twin.hear(commit)
    asked = twin.sign(DueMessage("request"))
    action = table.write(down.actions()[0], time_s=table.tick(), graph=down.play).commit
    parents = decode_commit(table.objects.read(action)[1]).parents
    twin.add(forged(table, action, after=asked, parents=(*parents, asked)))
    assert "has asked in this view" in refused(twin, twin.written(DueMessage("request")))
