"""The validated graph: it takes in what the rules allow and refuses everything else by its reason."""

from collections.abc import Callable
from itertools import permutations
from random import Random

import pytest

from catan_p2p.game import actions as a
from catan_p2p.game.rules import apply, awaited, broken_guards, decisions, draw, enabled
from catan_p2p.game.state import State
from catan_p2p.log.commit import Signature, action_message, decode_commit
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.state_files import files_of_state
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.verdict import CommitRejected, LoggedStep
from tests.log.table import LogTable


@pytest.fixture
def game() -> LogTable:
    """A two-player game, thirty actions after the set-up."""
    logged = LogTable()
    logged.play_until(lambda state: state.tp == "DiceRoll")
    count = len(logged.steps)
    logged.play_until(lambda state: len(logged.steps) >= count + 30 and state.tp == "Building")
    return logged


FOUND: dict[tuple[str, int, int, str], int] = {}
"""The seeds of games that were looked for before."""


def waiting_for(phase: str, awaiting: int, games: int, players: int, rules: str) -> LogTable:
    """A game right after the action with which a phase begins in which so many players have to reply."""
    sought = phase, awaiting, players, rules
    for seed in range(FOUND.get(sought, 0), games):
        logged = LogTable(players, rules=rules)
        logged.play_until(lambda state: state.is_over or (state.tp == phase and len(awaited(state)) == awaiting), seed)
        if logged.state.tp == phase:
            FOUND[sought] = seed
            return logged
    raise AssertionError(f"no such {phase} in {games} games")


def seven(players: int, owing: int) -> LogTable:
    """A game right after a roll of seven for which so many players owe a discard."""
    return waiting_for("Discarding", owing, 200, players, "thesis")


def discard_of(logged: LogTable, player: int, seed: int = 0) -> a.Discard:
    choices = decisions(logged.graph.before(a.Discard(player, 0)), player)
    action = Random(seed).choice(choices)
    assert isinstance(action, a.Discard)
    return action


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_whole_game_is_accepted_and_ends_in_the_same_state(players: int) -> None:
    logged = LogTable(players)
    logged.play_until(lambda state: state.is_over or len(logged.steps) > 600, seed=players)
    graph = logged.replay(len(logged.steps))
    assert graph.head == logged.graph.head
    assert graph.state == logged.state
    assert graph.turns == logged.graph.turns
    assert len(graph) == len(logged.steps) + 1


def test_the_same_game_has_the_same_ids() -> None:
    heads = set()
    for _ in range(2):
        logged = LogTable(3)
        logged.play_until(lambda state, logged=logged: len(logged.steps) > 300, seed=8)
        heads.add(logged.graph.head)
    assert len(heads) == 1


# Refusals, each by its reason


def refused(logged: LogTable, commit: ObjectId, upto: int = -1) -> CommitRejected:
    """The verdict of a peer that has everything but the last step (or has ``upto`` steps)."""
    verdict = logged.check(logged.replay(upto if upto >= 0 else len(logged.steps) + upto), commit)
    assert isinstance(verdict, CommitRejected), verdict
    return verdict


def test_a_changed_tree_is_refused(game: LogTable) -> None:
    other = game.steps[-3].tree.root
    assert refused(game, game.forge(game.steps[-1], tree=other)).reason == "tree"


def test_a_foreign_author_is_refused(game: LogTable) -> None:
    step = game.steps[-1]
    stranger = Signature("Eve", "eve@example.org", step.time_s)
    other_seat = game.game.seats[2 - step.action.player]
    other = Signature(other_seat.name, other_seat.email, step.time_s)
    for author in (stranger, other):
        assert refused(game, game.forge(step, author=author)).reason == "author"
        assert refused(game, game.forge(step, committer=author)).reason == "author"


def test_a_skipped_action_is_refused(game: LogTable) -> None:
    assert refused(game, game.steps[-1].commit, len(game.steps) - 2).reason == "parents"


def test_a_wrong_parent_is_refused(game: LogTable) -> None:
    last = game.steps[-1]
    for parents in ((game.steps[-3].commit,), (*last.parents, game.root), (game.root,), last.parents * 2):
        assert refused(game, game.forge(last, parents=parents)).reason in ("parents", "fork")


def test_a_commit_without_parents_begins_another_game(game: LogTable) -> None:
    assert refused(game, game.forge(game.steps[-1], parents=())).reason == "game"
    other = LogTable(nonce="another")
    assert logged_root_verdict(game, other).reason == "game"


def logged_root_verdict(game: LogTable, other: LogTable) -> CommitRejected:
    verdict = other.check(game.graph, other.root)
    assert isinstance(verdict, CommitRejected)
    return verdict


def test_an_action_that_is_not_enabled_is_refused_with_its_guards(game: LogTable) -> None:
    before = game.state
    player = before.ap
    road = next(
        action for at in range(1, 73) if "BR6 network" in broken_guards(before, action := a.BuildRoad(player, at))
    )
    step = game.graph.write(road, before, 2000, game.objects.add)
    verdict = refused(game, step.commit, len(game.steps))
    assert verdict.reason == "guard"
    assert "BR6 network" in verdict.guards
    assert "BR6 network" in str(verdict)


def test_another_continuation_of_the_same_commit_is_a_fork_with_both_ids(game: LogTable) -> None:
    fork = next(i for i, step in enumerate(game.steps) if isinstance(step.action, a.RollDice) and step.action.dice != 7)
    graph = game.replay(fork)
    roll = game.steps[fork].action
    other = a.RollDice(roll.player, 6 if roll.dice != 6 else 8)  # type: ignore[attr-defined]
    step = graph.write(other, apply(graph.state, other), 1, game.objects.add)
    verdict = refused(game, step.commit, fork + 1)
    assert verdict.reason == "fork"
    assert verdict.other == game.steps[fork].commit


def test_a_replayed_commit_is_a_fork_or_misplaced(game: LogTable) -> None:
    old = game.steps[-8]
    again = game.forge(old, committer=decode_commit(game.objects.read(old.commit)[1]).committer._replace(time_s=5))
    assert refused(game, again).reason == "fork"


def test_a_message_that_is_none_is_refused(game: LogTable) -> None:
    for message in ("", "hello\n", "new_game Catan_0\n\nAction: new_game\nGame: 0\nPlayers: 2\nNonce: test\n"):
        assert refused(game, game.forge(game.steps[-1], message=message)).reason == "format"


def test_a_refused_commit_leaves_the_graph_as_it_was(game: LogTable) -> None:
    graph = game.replay(len(game.steps) - 1)
    before = (graph.head, graph.state, len(graph))
    game.check(graph, game.forge(game.steps[-1], tree=game.root))
    assert (graph.head, graph.state, len(graph)) == before
    assert isinstance(game.check(graph, game.steps[-1].commit), LoggedStep)


# The seven


def check_any_order(logged: LogTable, count: int, replies: list[LoggedStep], to: ObjectId, merge: LoggedStep) -> None:
    """From the steps before, the replies to a commit may come in any order, and the merge leads to the same state."""
    for order in permutations(replies):
        graph = logged.replay(count)
        for reply in (*order, merge):
            assert reply is merge or reply.parents == (to,)
            step = logged.check(graph, reply.commit)
            assert isinstance(step, LoggedStep), step
            graph.add(step)
        assert graph.state == logged.state
        assert graph.replies == {}


def test_discards_are_concurrent_and_any_order_leads_to_the_same_merge() -> None:
    logged = seven(4, owing=3)
    roll, count = logged.graph.head, len(logged.steps)
    owing = awaited(logged.state)
    for player in owing:
        logged.take(discard_of(logged, player))
    bandit = draw(logged.state, decisions(logged.state, logged.state.ap)[0], Random(1))
    assert isinstance(bandit, a.MoveBandit)
    merge = logged.take(bandit)
    losses = logged.steps[count:-1]
    assert merge.parents == (roll, *(loss.commit for loss in losses))
    check_any_order(logged, count, losses, roll, merge)


def test_a_discard_changes_its_own_hand_and_the_bank_only() -> None:
    logged = seven(3, owing=2)
    before = logged.graph.before(discard_of(logged, awaited(logged.state)[0]))
    for player in awaited(logged.state):
        step = logged.take(discard_of(logged, player))
        changed = changed_files(before, step)
        assert changed == {"state/game/bank/resource_cards", f"state/game/player_hands/player_{player}/resource_cards"}


def changed_files(before: State, step: LoggedStep) -> set[str]:
    old, new = files_of_state(before), files_of_state(step.state)
    return {path for path in old if old[path] != new[path]}


def test_the_bandit_waits_for_every_discard() -> None:
    logged = seven(3, owing=2)
    first, _ = awaited(logged.state)
    logged.take(discard_of(logged, first))
    ap = logged.state.ap
    early = a.MoveBandit(ap, 1, 0, "none")
    step = logged.graph.write(early, logged.state, 1, logged.objects.add)
    verdict = refused(logged, step.commit, len(logged.steps))
    assert verdict.reason == "guard"
    assert "MB3 discards" in verdict.guards


def merged_seven() -> tuple[LogTable, int, list[LoggedStep], LoggedStep]:
    logged = seven(2, owing=2)
    count = len(logged.steps)
    for player in awaited(logged.state):
        logged.take(discard_of(logged, player))
    merge = logged.take(draw(logged.state, decisions(logged.state, logged.state.ap)[0], Random(1)))
    return logged, count, logged.steps[count:-1], merge


def test_a_merge_that_leaves_out_a_discard_or_swaps_them_is_refused() -> None:
    logged, _, losses, merge = merged_seven()
    roll = merge.parents[0]
    for parents in (
        (roll,),
        (roll, losses[0].commit),
        (roll, losses[1].commit, losses[0].commit),
        (losses[0].commit, losses[1].commit),
        (roll, losses[0].commit, losses[0].commit),
        (roll, losses[0].commit, losses[1].commit, logged.root),
    ):
        assert refused(logged, logged.forge(merge, parents=parents)).reason == "parents"


def test_a_discard_after_the_merge_is_late() -> None:
    logged, count, losses, _ = merged_seven()
    graph = logged.replay(count)
    other = next(action for action in decisions(graph.state, losses[0].action.player) if action != losses[0].action)
    step = graph.write(other, apply(graph.state, other), 7, logged.objects.add)
    verdict = logged.check(logged.graph, step.commit)
    assert isinstance(verdict, CommitRejected)
    assert (verdict.reason, verdict.other) == ("late", losses[0].commit)


def test_two_discards_of_one_player_for_one_seven_are_a_fork() -> None:
    logged, count, losses, _ = merged_seven()
    graph = logged.replay(count + 1)
    player = losses[0].action.player
    roll_graph = logged.replay(count)
    other = next(action for action in decisions(roll_graph.state, player) if action != losses[0].action)
    step = roll_graph.write(other, apply(roll_graph.state, other), 7, logged.objects.add)
    verdict = logged.check(graph, step.commit)
    assert isinstance(verdict, CommitRejected)
    assert (verdict.reason, verdict.other) == ("fork", losses[0].commit)


def test_a_discard_of_the_wrong_size_or_of_another_player_is_refused() -> None:
    logged = seven(3, owing=2)
    player = awaited(logged.state)[0]
    idle = next(seat for seat in (1, 2, 3) if seat not in awaited(logged.state))
    right = discard_of(logged, player)
    for action, guard in ((a.Discard(player, right.cards & ~0x7F), "DI3 amount"), (a.Discard(idle, 0), "DI2 owes")):
        if action == right:
            continue
        step = logged.graph.write(action, logged.state, 1, logged.objects.add)
        verdict = refused(logged, step.commit, len(logged.steps))
        assert verdict.reason == "guard"
        assert guard in verdict.guards
    step = logged.take(right)
    seat = logged.game.seats[idle - 1]
    thief = Signature(seat.name, seat.email, step.time_s)
    assert refused(logged, logged.forge(step, author=thief, committer=thief)).reason == "author"


def test_all_discards_after_one_roll_have_the_same_height_and_the_merge_the_next() -> None:
    logged, _, losses, merge = merged_seven()
    heights = [logged.graph.height(loss.commit) for loss in losses]
    assert heights == [logged.graph.height(merge.parents[0]) + 1] * 2
    assert logged.graph.height(merge.commit) == heights[0] + 1


# The offer


def offered(players: int, asked: int) -> LogTable:
    """A standard game right after an offer that so many players are asked to answer."""
    return waiting_for("Offering", asked, 50, players, "brief")


def answered(*answers: str) -> tuple[LogTable, int, list[LoggedStep]]:
    """An offer that those who are asked have answered, in the order of seats."""
    logged = offered(4, asked=len(answers))
    count = len(logged.steps)
    for player, answer in zip(awaited(logged.state), answers, strict=True):
        logged.take(a.AnswerTrade(player, answer))  # type: ignore[arg-type]
    return logged, count, logged.steps[count:]


@pytest.mark.parametrize("is_concluded", [True, False])
def test_answers_are_concurrent_and_any_order_leads_to_the_same_merge(is_concluded: bool) -> None:
    logged, count, answers = answered("accept", "reject", "accept")
    offer, active = answers[0].parents[0], logged.state.ap
    partner = answers[2].action.player
    merge = logged.take(a.ConcludeTrade(active, partner) if is_concluded else a.WithdrawTrade(active))
    assert merge.parents == (offer, *(answer.commit for answer in answers))
    check_any_order(logged, count, answers, offer, merge)


def test_an_answer_changes_the_answers_only() -> None:
    logged = offered(3, asked=2)
    before = logged.graph.before(a.AnswerTrade(awaited(logged.state)[0], "accept"))
    for player in awaited(logged.state):
        assert changed_files(before, logged.take(a.AnswerTrade(player, "reject"))) == {"state/game/answers"}


def test_all_answers_to_one_offer_have_the_same_height_and_the_merge_the_next() -> None:
    logged, _, answers = answered("reject", "reject")
    merge = logged.take(a.WithdrawTrade(logged.state.ap))
    heights = [logged.graph.height(answer.commit) for answer in answers]
    assert heights == [logged.graph.height(merge.parents[0]) + 1] * 2
    assert logged.graph.height(merge.commit) == heights[0] + 1


def test_the_active_player_waits_for_every_answer() -> None:
    logged = offered(3, asked=2)
    first, _ = awaited(logged.state)
    logged.take(a.AnswerTrade(first, "accept"))
    active = logged.state.ap
    for action, guard in ((a.ConcludeTrade(active, first), "CT3 answers"), (a.WithdrawTrade(active), "WT3 answers")):
        step = logged.graph.write(action, logged.state, 1, logged.objects.add)
        verdict = refused(logged, step.commit, len(logged.steps))
        assert (verdict.reason, verdict.guards) == ("guard", (guard,))


def test_a_conclusion_that_leaves_out_an_answer_or_swaps_them_is_refused() -> None:
    logged, _, answers = answered("accept", "reject")
    offer = answers[0].parents[0]
    merge = logged.take(a.ConcludeTrade(logged.state.ap, answers[0].action.player))
    for parents in (
        (offer,),
        (offer, answers[0].commit),
        (offer, answers[1].commit),
        (offer, answers[1].commit, answers[0].commit),
        (answers[0].commit, answers[1].commit),
        (offer, answers[0].commit, answers[1].commit, logged.root),
    ):
        assert refused(logged, logged.forge(merge, parents=parents)).reason == "parents"


def test_a_conclusion_with_one_who_refused_or_was_not_asked_is_refused() -> None:
    logged, count, answers = answered("accept", "reject")
    active = logged.state.ap
    seats = {step.action.player for step in answers} | {active}
    idle = next(seat for seat in (1, 2, 3, 4) if seat not in seats)
    for partner in (answers[1].action.player, idle, active):
        wrong = logged.graph.write(a.ConcludeTrade(active, partner), logged.state, 1, logged.objects.add)
        verdict = refused(logged, wrong.commit, count + 2)
        assert (verdict.reason, verdict.guards) == ("guard", ("CT4 accepted",))


def test_an_answer_of_a_player_who_is_not_asked_is_refused() -> None:
    logged = offered(4, asked=2)
    for player in set(range(1, 5)) - set(awaited(logged.state)):
        step = logged.graph.write(a.AnswerTrade(player, "accept"), logged.state, 1, logged.objects.add)
        verdict = refused(logged, step.commit, len(logged.steps))
        assert (verdict.reason, verdict.guards) == ("guard", ("AT2 asked",))


def test_two_answers_of_one_player_are_a_fork_and_after_the_conclusion_late_each_with_both_ids() -> None:
    logged, count, answers = answered("accept", "accept")
    player = answers[0].action.player
    before = logged.replay(count)
    other = a.AnswerTrade(player, "reject")
    step = before.write(other, apply(before.state, other), 7, logged.objects.add)
    logged.take(a.ConcludeTrade(logged.state.ap, player))
    for upto, reason in ((count + 1, "fork"), (count + 2, "fork"), (count + 3, "late")):
        verdict = refused(logged, step.commit, upto)
        assert (verdict.reason, verdict.other) == (reason, answers[0].commit)


def test_a_changed_offer_is_refused() -> None:
    logged = offered(3, asked=2)
    offer = logged.steps[-1]
    assert isinstance(offer.action, a.OfferTrade)
    before = logged.replay(len(logged.steps) - 1)
    more = next(
        action
        for action in enabled(before.state, offer.action.player)
        if isinstance(action, a.OfferTrade) and action.give != offer.action.give
    )
    changed = apply(before.state, more)
    tree = before.write(more, changed, 1, logged.objects.add).tree.root
    assert refused(logged, logged.forge(offer, tree=tree)).reason == "tree"
    assert refused(logged, logged.forge(offer, message=action_message(more))).reason == "tree"


@pytest.mark.long
def test_in_a_standard_game_no_mutant_of_a_commit_is_accepted() -> None:
    logged, _, _ = answered("accept", "reject", "accept")
    logged.take(a.WithdrawTrade(logged.state.ap))
    rng = Random(1)
    for i, step in enumerate(logged.steps):
        for mutation in MUTATIONS:
            mutant = logged.forge(step, **mutation(logged, step, rng))
            if mutant != step.commit:
                assert isinstance(logged.check(logged.replay(i), mutant), CommitRejected)


@pytest.mark.parametrize("players", [2, 5, 6])
def test_a_whole_standard_game_is_accepted_and_ends_in_the_same_state(players: int) -> None:
    logged = LogTable(players, rules="brief")
    logged.play_until(lambda state: state.is_over or len(logged.steps) > 1500, players, order=max)
    graph = logged.replay(len(logged.steps))
    assert (graph.head, graph.state, graph.turns) == (logged.graph.head, logged.state, logged.graph.turns)
    rolls = sum(isinstance(step.action, a.RollDice) for step in logged.steps)
    assert graph.turns == rolls
    assert graph.line.turns_ended in (rolls, rolls - 1), "a special building phase is no turn"


def test_a_graph_knows_exactly_what_it_took_in(game: LogTable) -> None:
    graph: CommitGraph = game.replay(5)
    assert game.root in graph
    assert all(step.commit in graph for step in game.steps[:5])
    assert game.steps[5].commit not in graph
    with pytest.raises(KeyError):
        graph.height(game.steps[5].commit)


MUTATIONS: list[Callable[[LogTable, LoggedStep, Random], dict[str, object]]] = [
    lambda game, step, rng: {"tree": rng.choice(game.steps).tree.root},
    lambda game, step, rng: {"parents": (rng.choice(game.steps).commit,)},
    lambda game, step, rng: {"message": decode_commit(game.objects.read(rng.choice(game.steps).commit)[1]).message},
    lambda game, step, rng: {"author": Signature(rng.choice(["Red_0", "Blue_0", "Red_1"]), "x@y", step.time_s)},
]


@pytest.mark.parametrize("mutation", range(len(MUTATIONS)))
def test_no_mutant_of_a_commit_is_accepted(game: LogTable, mutation: int) -> None:
    rng = Random(mutation)
    for i, step in enumerate(game.steps):
        mutant = game.forge(step, **MUTATIONS[mutation](game, step, rng))
        if mutant != step.commit:
            assert isinstance(game.check(game.replay(i), mutant), CommitRejected)
