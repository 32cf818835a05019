"""Peers over one real repository: each sees others' moves when it synchronizes, and writes its own log only."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from catan_p2p.game import actions as a
from catan_p2p.game.constants import Constants, Player, profile
from catan_p2p.game.randomness import SeededRandomness, logical_clock
from catan_p2p.game.state import State
from catan_p2p.log.game import new_game
from catan_p2p.log.history import begin
from catan_p2p.log.refs import HEADS, local_ref
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.verdict import LoggedStep
from catan_p2p.players.random_player import RandomPolicy
from catan_p2p.replication.core.commit_author import GaveUp
from catan_p2p.replication.peer import Peer
from catan_p2p.simulation.game import create_game
from tests.log.storage.repositories import git
from tests.replication.peers import PeerTable
from tests.virtual_time import VirtualTime

Peers = PeerTable[Peer]


def make_game(path: Path, players: int, rules: str = "thesis") -> Path:
    """The repository of a new game, for all its players."""
    create_game(path, new_game(0, Constants(profile(rules, players), player_count=players)), "test")
    return path


def peer_of(store: GitStore, player: Player, seed: int = 2) -> Peer:
    root = next(iter(store.list_refs(HEADS).values()))
    return Peer(store, begin("", root, store.read), player, RandomPolicy(), SeededRandomness(seed, 0), logical_clock)


@pytest.fixture
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Peers]:
    """A store with a peer for each player, who share it."""
    players, seed, rules = getattr(request, "param", (3, 2, "thesis"))
    with GitStore.open(make_game(tmp_path / "Catan_0", players, rules)) as store:
        yield PeerTable([peer_of(store, player, seed) for player in range(1, players + 1)])


@pytest.fixture
def store(table: Peers) -> GitStore:
    return table.peers[0].store


def log_of(peer: Peer) -> str:
    return local_ref(peer.game.branch(peer.player))


def test_a_move_is_seen_only_after_it_is_published_and_synchronized(table: Peers) -> None:
    red, blue, _ = table.peers
    (step,) = red.act()
    assert step.commit not in blue.graph
    assert blue.synchronize() == 1
    assert blue.graph.head == step.commit
    assert blue.graph.state == red.graph.state
    assert blue.synchronize() == 0


LAG_S = 0.5


def test_nothing_is_looked_at_where_nothing_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, path = VirtualTime(), tmp_path / "Catan_0"
    make_game(path, players=2)
    with GitStore.open(path, lag_s=LAG_S, time=clock) as store:
        red, blue = peer_of(store, 1), peer_of(store, 2)
        read = store.read_ref
        asked: list[str] = []
        monkeypatch.setattr(store, "read_ref", lambda ref: (asked.append(ref), read(ref))[1])
        assert blue.synchronize() == 0
        assert asked == [local_ref(blue.game.branch(1))]
        assert blue.synchronize() == 0
        assert (len(asked), len(blue.syncs)) == (1, 1)
        red.act()
        assert blue.synchronize() == 1
        assert (len(asked), len(blue.syncs)) == (2, 2)


def test_a_move_in_another_process_is_seen_once_the_lag_is_over(tmp_path: Path) -> None:
    clock, path = VirtualTime(), tmp_path / "Catan_0"
    make_game(path, players=2)
    with (
        GitStore.open(path, lag_s=LAG_S, time=clock) as here,
        GitStore.open(path, writer="elsewhere") as there,
    ):
        blue, red = peer_of(here, 2), peer_of(there, 1)
        assert [blue.synchronize(), blue.synchronize()] == [0, 0]
        (step,) = red.act()
        clock.now += 2 * LAG_S
        assert blue.synchronize() == 1
        assert blue.graph.head == step.commit
        (answer, *_) = blue.act()
        here.publish(now=True)
        assert red.synchronize() >= 1, "and a store without a lag sees it at once"
        assert answer.commit in red.graph


def test_what_a_full_disk_held_back_is_carried_out_though_nothing_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "Catan_0"
    make_game(path, players=2)
    with GitStore.open(path, lag_s=LAG_S, time=VirtualTime()) as store:
        red = peer_of(store, 1)
        red.synchronize()
        with monkeypatch.context() as patch:
            patch.setattr(store, "publish", lambda: (_ for _ in ()).throw(StoreError("the disk is full")))
            with pytest.raises(StoreError, match="full"):
                red.act()
        moves = store.moves_shown
        red.synchronize()
        assert store.moves_shown != moves


def test_unpublished_actions_are_not_seen_by_others(table: Peers, store: GitStore) -> None:
    peer = table.play(lambda peer: peer.graph.state.tp == "DiceRoll" and peer.is_awaited, before_acting=True)
    steps = peer.act()
    assert steps
    if peer.is_awaited:
        other = table.peers[peer.player % 3]
        assert other.synchronize() == 0
        assert store.read_ref(log_of(peer)) != steps[-1].commit
        assert store.own_ref(log_of(peer)) == steps[-1].commit


def test_a_peer_acts_only_when_it_is_awaited(table: Peers) -> None:
    assert table.peers[1].act() == []
    assert table.peers[0].act() != []
    assert table.peers[0].act() == []


def test_only_its_player_moves_a_log(table: Peers, store: GitStore) -> None:
    for _ in range(60):
        for peer in table.peers:
            peer.synchronize()
            before = store.list_refs(HEADS)
            peer.act()
            after = store.list_refs(HEADS)
            colour = peer.game.seats[peer.player - 1].colour
            assert all(colour in ref for ref in before.keys() ^ after.keys())
            assert all(colour in ref for ref in before.keys() & after.keys() if before[ref] != after[ref])


def test_every_log_grows_by_fast_forward_only(table: Peers, store: GitStore) -> None:
    heads: dict[str, str] = {}
    for _ in range(40):
        for peer in table.peers:
            peer.synchronize()
            peer.act()
        for player in (1, 2, 3):
            ref = log_of(table.peers[player - 1])
            head = store.read_ref(ref)
            assert head is not None
            if ref in heads and heads[ref] != head:
                git(store.folder, "merge-base", "--is-ancestor", heads[ref], head)
            heads[ref] = head


def test_a_forged_commit_is_refused_the_ref_is_left_and_play_goes_on(table: Peers, store: GitStore) -> None:
    for _ in range(8):
        table.round()
    store.publish()
    awaited = next(peer for peer in table.peers if peer.is_awaited)
    forger = next(peer for peer in table.peers if peer is not awaited)
    other = next(peer for peer in table.peers if peer not in (awaited, forger))
    for peer in table.peers:
        peer.synchronize()
    before = other.graph.state
    forged = other.graph.write(a.BuildRoad(forger.player, 1), before, 5, store.add)
    ref = log_of(forger)
    good = store.own_ref(ref)
    store.record(ref, forged.commit, good)
    store.publish()
    assert other.synchronize() == 0
    assert other.rejected[forged.commit].reason == "guard"
    assert other.graph.state == before
    assert other.synchronize() == 0
    assert awaited.synchronize() == 0
    while awaited.is_awaited:
        assert awaited.act() != []
    assert other.synchronize() > 0


@pytest.mark.parametrize("table", [(4, 5, "thesis")], indirect=True)
def test_discards_of_a_seven_are_branches_of_their_own_until_the_merge_is_known(table: Peers, store: GitStore) -> None:
    def two_owe(peer: Peer) -> bool:
        return peer.graph.state.tp == "Discarding" and sum(map(bool, peer.graph.state.lim)) >= 2

    peer = table.play(two_owe, before_acting=True)
    roll, active = peer.graph.head, peer.graph.state.ap
    owing = [seat for seat, limit in enumerate(peer.graph.state.lim, 1) if limit]
    steps: list[LoggedStep] = []
    for player in reversed(owing):
        table.peers[player - 1].synchronize()
        steps += table.peers[player - 1].act()
    losses = {step.commit: step for step in steps if isinstance(step.action, a.Discard)}
    branches = {ref: head for ref, head in store.list_refs(HEADS).items() if "_loss_" in ref}
    assert set(branches.values()) <= set(losses)
    assert all(step.parents == (roll,) for step in losses.values())
    table.peers[active - 1].synchronize()
    moved = table.peers[active - 1].act()
    merge = next(step for step in [*steps, *moved] if isinstance(step.action, a.MoveBandit))
    assert merge.parents[0] == roll
    assert len(merge.parents) == 1 + len(owing)
    while table.peers[active - 1].graph.state.tp != "DiceRoll":
        table.peers[active - 1].act()
    for other in table.peers:
        other.synchronize()
        other.act()
    store.publish()
    assert not [ref for ref in store.list_refs(HEADS) if str(roll) in ref]


@pytest.mark.sampled(3)
@pytest.mark.long
@pytest.mark.parametrize("table", [(4, 5, "brief")], indirect=True)
@pytest.mark.parametrize("order", [(2, 3, 4), (4, 2, 3)])
def test_answers_to_an_offer_are_branches_of_their_own_until_the_merge_is_known(
    table: Peers, store: GitStore, order: tuple[Player, ...]
) -> None:
    def all_are_asked(peer: Peer) -> bool:
        return peer.player == 1 and peer.graph.state.ans == ("none", "asked", "asked", "asked")

    red = table.play(all_are_asked)
    offer = red.graph.head
    for other in table.peers[1:]:
        other.synchronize()
    answers: list[LoggedStep] = []
    for player in order:
        assert table.peers[player - 1].is_awaited, "none sees another's answer"
        answers += table.peers[player - 1].act()
    assert all(isinstance(step.action, a.AnswerTrade) and step.parents == (offer,) for step in answers)
    branches = {ref: head for ref, head in store.list_refs(HEADS).items() if "_answer_" in ref}
    assert branches == {
        f"refs/heads/{offer}_answer_{red.game.seats[step.action.player - 1].colour}_0": step.commit for step in answers
    }
    assert not red.is_awaited
    red.synchronize()
    assert red.is_awaited
    merge = red.act()[0]
    assert isinstance(merge.action, a.ConcludeTrade | a.WithdrawTrade)
    assert merge.parents == (offer, *(step.commit for step in sorted(answers, key=lambda step: step.action.player)))
    while red.is_awaited:
        red.act()
    for other in table.peers:
        other.synchronize()
        other.act()
    store.publish()
    assert not [ref for ref in store.list_refs(HEADS) if str(offer) in ref]


class _Forgetful:
    """An effect that takes no payment for a road: it breaks the conservation of resource cards."""

    def __init__(self, right: Any) -> None:
        self.right = right
        self.calls = 0

    def __call__(self, state: State, action: a.Action) -> State:
        self.calls += 1
        after: State = self.right(state, action)
        return after._replace(bnk=state.bnk)


def test_a_broken_invariant_is_a_finding_and_play_goes_on_from_the_last_good_action(
    table: Peers, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = a.KIND_OF[a.BuildRoad]
    buggy = _Forgetful(kind.effect)
    monkeypatch.setitem(a.KIND_OF, a.BuildRoad, replace(kind, effect=buggy))
    table.play(lambda peer: any(other.findings for other in table.peers) and peer.is_awaited, before_acting=True)
    assert buggy.calls > 0
    finding = next(finding for peer in table.peers for finding in peer.findings)
    assert (finding.kind, finding.name) == ("invariant", "ConservationOfResourceCards")
    assert isinstance(finding.action, a.BuildRoad)
    peer = table.peers[finding.player - 1]
    assert finding.commit in peer.graph
    before = len(peer.graph)
    for _ in range(30):
        table.round()
    assert len(peer.graph) > before


def test_a_peer_whose_every_choice_breaks_an_invariant_gives_up(table: Peers, monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in a.ACTIONS:
        monkeypatch.setitem(a.KIND_OF, kind.cls, replace(kind, effect=lambda state, action: state._replace(ba=1)))
    with pytest.raises(GaveUp, match="BanditOnLand"):
        table.peers[0].act()


def test_tries_out_of_turn_are_refused_and_counted(table: Peers, monkeypatch: pytest.MonkeyPatch) -> None:
    blue = table.peers[1]
    blue.try_every_action(Random(1))
    assert blue.tries == len(a.ACTIONS)
    assert blue.findings == []
    kind = a.KIND_OF[a.MoveBandit]
    monkeypatch.setitem(a.KIND_OF, a.MoveBandit, replace(kind, broken=lambda state, action: ()))
    monkeypatch.setitem(a.KIND_OF, a.MoveBandit, replace(a.KIND_OF[a.MoveBandit], effect=lambda state, action: state))
    blue.try_every_action(Random(1))
    assert [(finding.kind, finding.name) for finding in blue.findings] == [("not_refused", "MoveBandit")]


def test_every_action_and_every_synchronization_is_timed(table: Peers) -> None:
    for _ in range(20):
        table.round()
    for peer in table.peers:
        own = [timing.commit for timing in peer.timings]
        assert own
        assert all(commit in peer.graph for commit in own)
        assert len(peer.syncs) >= 20
    assert sum(len(peer.timings) for peer in table.peers) >= len(table.peers[0].graph) - 1
