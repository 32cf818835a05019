"""Whole games of hidden hands as logs: what liars write is refused, and the key alone opens the own cards."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from catan_p2p.game.actions import Call, MoveBandit, Pledge, Reveal, ShowPoint, Shuffle
from catan_p2p.game.cards import total
from catan_p2p.game.chance import seed_secret
from catan_p2p.log.commit import decode_commit, entry_message
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.history import load_history
from catan_p2p.log.judging import judge
from catan_p2p.log.ledger import Ledger
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.valid_commits import ValidCommits
from catan_p2p.log.verdict import CommitRejected, LoggedStep
from catan_p2p.log.views.nodes import Node
from catan_p2p.replication.own_cards import OwnCards
from catan_p2p.sealing.deck import share_message
from catan_p2p.sealing.transcript import ProofContext
from catan_p2p.simulation.game import RunawayGame, SimulationSettings, game_folder, play_game

SEED = 11


class Written(NamedTuple):
    """A commit of a played game, what was known before it, and the graph of the whole game."""

    graph: CommitGraph
    ledger: Ledger
    step: LoggedStep
    data: bytes


@cache
def played(rules: str = "brief", players: int = 3, most: int = 420) -> tuple[Written, ...]:
    """The first commits of a game, in order, at most a few more than ``most``."""
    settings = SimulationSettings(
        players=players, seed=SEED, policies=("builder",), rules=rules, chance="joint", hands="hidden", max_actions=most
    )
    with TemporaryDirectory() as folder:
        with suppress(RunawayGame):
            play_game(Path(folder), 0, settings)
        path = game_folder(Path(folder), 0)
        history = load_history(path, may_be_hidden=True)
        graph, found = history.graph.at_root(), list[Written]()
        with GitStore.open(path, writer=None) as store:
            for logged in history.actions:
                data = store.read(logged.commit)[1]
                ledger, step = graph.ledger, graph.check(logged.commit, data)
                assert isinstance(step, LoggedStep), step
                found.append(Written(graph, ledger, step, data))
                graph.add(step)
    return tuple(found)


def telling(kind: type) -> Iterator[Written]:
    """The commits of a kind of action that tell of hidden cards."""
    return (one for one in played() if isinstance(one.step.action, kind) and one.step.entry.seal)


def changed(one: Written, **changes: object) -> Node | CommitRejected:
    """The judgement of the same commit with another message."""
    parts = decode_commit(one.data)
    entry = one.step.entry._replace(**changes)
    data = parts._replace(message=entry_message(entry)).encode()
    return judge(one.graph.valid, "f" * 40, data)


TELLING = (Pledge, Shuffle, Call, Reveal, MoveBandit)


@pytest.mark.parametrize("kind", TELLING)
def test_without_its_proof_or_with_more_a_commit_is_refused(kind: type) -> None:
    some = list(telling(kind))[:4]
    assert some
    for one in some:
        seal = one.step.entry.seal
        assert not isinstance(changed(one), CommitRejected)
        for other in (None, b"", seal[:-1], seal + b"\0", seal[32:] + seal[:32] if len(seal) > 32 else b"\1" * 32):
            found = changed(one, seal=other or None)
            assert isinstance(found, CommitRejected), (kind, len(seal))
            assert found.reason == "seal"


def test_where_no_proof_is_needed_an_empty_one_is_refused() -> None:
    """An action would have two spellings otherwise."""
    for one in [one for one in played() if one.step.entry.seal is None][::40]:
        found = changed(one, seal=b"")
        assert isinstance(found, CommitRejected) and found.reason == "seal"


@pytest.mark.parametrize("kind", TELLING)
def test_with_any_word_changed_a_commit_is_refused(kind: type) -> None:
    for one in list(telling(kind))[:2]:
        seal = one.step.entry.seal
        is_choice = isinstance(one.step.action, Call) and len(seal) == 32
        is_answer = isinstance(one.step.action, Reveal) and one.step.action.player == one.ledger.line.state.call.victim
        proven = len(seal) - 32 * (
            1 + (one.step.sealed_cards.of(one.step.action.player).points.__len__()) if is_answer else 0
        )
        for at in range(0, 0 if is_choice else proven, 96 if len(seal) > 999 else 32):
            other = bytearray(seal)
            other[at] ^= 1
            found = changed(one, seal=bytes(other))
            assert isinstance(found, CommitRejected), at
            assert found.reason == "seal"


def test_a_proof_of_another_commit_is_worth_nothing() -> None:
    for kind in (Pledge, Reveal, MoveBandit):
        first, second, *_ = telling(kind)
        found = changed(second, seal=first.step.entry.seal)
        assert isinstance(found, CommitRejected)
        assert found.reason == "seal"


def test_another_place_than_the_chosen_one_is_refused() -> None:
    for one in telling(MoveBandit):
        for place in (None, one.step.entry.place + 1, 99):
            found = changed(one, place=place)
            assert isinstance(found, CommitRejected)
            assert found.reason == "seal"


def shown() -> list[Written]:
    """The commits that show a development card."""
    return [one for one in (*played(), *played("standard", 4)) if one.step.entry.deck]


def test_a_card_of_another_kind_is_not_shown() -> None:
    lies = 0
    for one in shown():
        player = one.step.action.player
        own, sealed_cards = (
            OwnCards(one.ledger.root, player, seed_secret(SEED)),
            one.ledger.line.hearing_all().sealed_cards,
        )
        context = ProofContext(one.ledger.root, player, one.step.parents[0])
        for number in sealed_cards.of(player).held:
            if own.kind(sealed_cards, number) != own.kind(sealed_cards, one.step.entry.deck):
                lies += 1
                told = share_message(
                    context, sealed_cards.deck[number - 1], own._deck_secret(sealed_cards), seed_secret(SEED)
                )
                found = changed(one, deck=number, seal=told + one.step.entry.seal[len(told) :])
                assert isinstance(found, CommitRejected)
                assert found.detail.startswith(f"card {number} of the deck is no ")
    assert lies


def test_another_card_of_the_deck_than_the_one_that_is_proven_is_refused() -> None:
    assert shown()
    for one in shown():
        for number in (*range(26), None):
            found = changed(one, deck=number)
            assert isinstance(found, CommitRejected) == (number != one.step.entry.deck)
            assert not isinstance(found, CommitRejected) or found.reason == "seal"


def test_a_sealed_card_is_not_stolen_from_who_has_none() -> None:
    calls = [one for one in played() if isinstance(one.step.action, Call) and one.step.action.what == "MoveBandit"]
    assert calls
    for one in calls:
        call = one.step.action
        assert isinstance(call, Call)
        theft = MoveBandit(call.player, call.to, 0, "sealed")
        found = changed(one, action=theft, deck=None, place=None, seal=None)
        assert isinstance(found, CommitRejected) and found.reason == "guard" and "MB8 card" in found.detail


def test_a_card_shown_before_or_bought_in_the_same_turn_is_not_shown() -> None:
    """Its player has all shares of it: only where it lies in the hand tells."""
    for one in shown():
        number, line, player = one.step.entry.deck, one.ledger.line, one.step.action.player
        hidden_hand = line.sealed_cards.of(player)
        rest = tuple(other for other in hidden_hand.held if other != number)
        for held, bought in ((rest, ()), (rest, (number,))):
            if isinstance(one.step.action, ShowPoint) and one.step.action.pile == "bought":
                held, bought = bought, held
            lying = line.sealed_cards._with(player, hidden_hand._replace(held=held, bought=bought))
            valid = ValidCommits(one.ledger._replace(root=one.step.parents[0], line=line._replace(sealed_cards=lying)))
            found = judge(valid, one.step.commit, one.data)
            assert isinstance(found, CommitRejected)
            assert found.detail == f"the player may not show card {number} of the deck"


def test_a_share_where_a_card_is_opened_and_none_where_dice_are_thrown_are_refused() -> None:
    for one in played():
        action, entry = one.step.action, one.step.entry
        if isinstance(action, Reveal):
            told = (
                [{"share": None}, {"share": None, "seal": b"\1"}]
                if entry.share
                else [{"share": "0" * 64, "seal": None}]
            )
            assert all(isinstance(changed(one, **other), CommitRejected) for other in told)


@pytest.mark.sampled(5)
@pytest.mark.long
@pytest.mark.parametrize(("rules", "players"), [("brief", 3), ("thesis", 2), ("standard", 4)])
def test_the_key_alone_opens_the_own_cards_at_any_time(rules: str, players: int) -> None:
    """All known and opened cards together are those of the game, all along."""
    game = played(rules, players)
    most = 0
    for one in game[:: max(1, len(game) // 60)]:
        line = one.ledger.line
        if line.replies:
            continue
        state, sealed_cards = line.state, line.sealed_cards
        fresh = [OwnCards(one.ledger.root, seat, seed_secret(SEED)) for seat in state.constants.players]
        opened = [own.cards(sealed_cards) for own in fresh]
        assert tuple(map(total, opened)) == state.hid.sealed
        pool = state.constants.rules.resource_pool
        assert state.bnk.rc + sum(hand.rc for hand in state.h) + sum(opened) == pool
        hidden = [
            own.development_cards(sealed_cards, (*sealed_cards.of(seat).held, *sealed_cards.of(seat).bought))
            for seat, own in enumerate(fresh, 1)
        ]
        assert [total(cards) for cards in hidden] == [
            bought + held for bought, held in zip(state.hid.bought, state.hid.held, strict=True)
        ]
        most = max(most, sum(map(total, opened)))
    assert most > 2


def test_no_secret_is_in_any_commit() -> None:
    """Neither a blinding factor, a key nor a choice is told, in any spelling."""
    game = played()
    told = b"".join(one.step.entry.seal or b"" for one in game)
    root = game[0].ledger.root
    owns = [OwnCards(root, seat, seed_secret(SEED)) for seat in (1, 2, 3)]
    secrets = 0
    for one in game[::5]:
        if one.ledger.line.replies or one.ledger.line.state.hid.shuffles < 3:
            continue
        for own in owns:
            for opening in own.openings(one.ledger.line.sealed_cards):
                secrets += 1
                assert opening.blind.to_bytes(32, "little") not in told
            assert own._deck_secret(one.ledger.line.sealed_cards).to_bytes(32, "little") not in told
    assert secrets > 5


def test_open_games_load_no_library_of_the_group() -> None:
    code = (
        "import sys; from catan_p2p.cli.main import main; "
        "main(['simulate', '--players', '2', '--seed', '1', '--max-actions', '30', '--out', sys.argv[1], '-q']); "
        "assert 'rbcl' not in sys.modules"
    )
    with TemporaryDirectory() as folder:
        done = subprocess.run([sys.executable, "-c", code, f"{folder}/x"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
