"""After the end all cards are open: a finished game is read like one that was played with open hands."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from catan_p2p import load
from catan_p2p.cli.main import main
from catan_p2p.game.actions import BuyDevCard, MoveBandit, OpenAll, PlayKnight
from catan_p2p.game.cards import total
from catan_p2p.game.chance import seed_secret
from catan_p2p.log.commit import decode_commit, entry_message
from catan_p2p.log.history import HiddenHands, load_history
from catan_p2p.log.opened_hands import opened_game
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.verdict import CommitRejected
from catan_p2p.replication.core.looking import SourceLooks
from catan_p2p.replication.core.replica_state import ReplicaState
from catan_p2p.replication.core.source import BranchSource
from catan_p2p.replication.own_cards import OwnCards
from catan_p2p.sealing.transcript import game_key
from catan_p2p.simulation.game import SimulationSettings, game_folder, play_game
from tests.hidden.games import load_open_history
from tests.typed import Typed

SEED = 7
GAMES = [("thesis", 2), ("brief", 3), ("standard", 4), pytest.param("brief", 6, marks=pytest.mark.long)]


Played = Callable[..., Path]


def played(folder: Path, rules: str, players: int) -> Path:
    """A whole game with hidden hands: its repository."""
    told, map = f"{rules}; PointsToWin = 5", "large" if players > 4 else "default"
    settings = SimulationSettings(players, 1, SEED, ("builder",), told, map=map, chance="joint", hands="hidden")
    play_game(folder, 0, settings)
    return game_folder(folder, 0)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Plays whole games with hidden hands, each once: their repositories."""

    return cache(lambda rules="brief", players=3: played(tmp_path_factory.mktemp("hidden"), rules, players))


@pytest.mark.long
@pytest.mark.sampled(3)
@pytest.mark.parametrize(("rules", "players"), GAMES)
def test_the_opened_game_is_the_one_that_each_player_saw(game: Played, rules: str, players: int) -> None:
    path = game(rules, players)
    hidden, opened = load_history(path, may_be_hidden=True), load_open_history(path)
    assert not opened.rejected
    assert opened.game.names == hidden.game.names
    assert opened.last.is_over and opened.last.ap == hidden.last.ap
    sealed_cards = hidden.graph.line.hearing_all().sealed_cards
    assert sealed_cards is not None
    for player in hidden.game.constants.players:
        own = OwnCards(hidden.root, player, seed_secret(SEED))  # by the private key, not by what was told
        hand, true = hidden.last.h[player - 1], opened.last.h[player - 1]
        numbers = (*sealed_cards.of(player).held, *sealed_cards.of(player).bought)
        assert true.rc == hand.rc + own.cards(sealed_cards)
        hand_dev = hand.ac + hand.bc + hand.uc
        assert true.ac + true.bc + true.uc == hand_dev + own.development_cards(sealed_cards, numbers)
    taken = [action.action for action in opened.actions]
    assert not any(getattr(action, "card", "") == "sealed" for action in taken)
    assert any(isinstance(action, MoveBandit | PlayKnight) for action in taken)
    assert any(isinstance(action, BuyDevCard) for action in taken)


def test_every_player_tells_a_key_that_opens_this_game_alone(game: Played) -> None:
    history = load_history(game(), may_be_hidden=True)
    keys = {one.action.player: one.entry.seal for one in history.actions if isinstance(one.action, OpenAll)}
    assert keys == {player: game_key(history.root, player, seed_secret(SEED)) for player in (1, 2, 3)}
    assert len({*keys.values(), game_key("f" * 40, 1, seed_secret(SEED)), seed_secret(SEED)}) == 5


def test_another_key_than_that_of_the_pledge_is_refused(tmp_path: Path) -> None:
    path = played(tmp_path, "brief", 3)
    history = load_history(path, may_be_hidden=True)
    openings = [logged for logged in history.actions if isinstance(logged.action, OpenAll)]
    graph = history.graph.at_root()
    with GitStore.open(path, writer=None) as store:
        for logged in history.actions[: -len(openings)]:
            step = graph.check(logged.commit, store.read(logged.commit)[1])
            assert not isinstance(step, CommitRejected)
            graph.add(step)
        for logged in openings:
            for key in (None, b"\1" * 32, game_key(history.root, 1 + logged.action.player % 3, seed_secret(SEED))):
                message = entry_message(logged.entry._replace(seal=key))
                data = decode_commit(store.read(logged.commit)[1])._replace(message=message).encode()
                found = graph.check("f" * 40, data)
                assert isinstance(found, CommitRejected) and found.reason == "seal"
            early = history.graph.at_root()
            found = early.check(logged.commit, store.read(logged.commit)[1])
            assert isinstance(found, CommitRejected)


def test_who_has_not_opened_is_named(tmp_path: Path) -> None:
    path = played(tmp_path, "brief", 3)
    with GitStore.open(path, writer=None) as store:
        history = load_history(path, may_be_hidden=True)
        first = next(step for step in history.graph.replies.values() if step.action.player == 1)
        graph = history.graph.at_root()
        for logged in history.actions:
            if not isinstance(logged.action, OpenAll):
                step = graph.check(logged.commit, store.read(logged.commit)[1])
                assert not isinstance(step, CommitRejected)
                graph.add(step)
        opened = graph.check(first.commit, store.read(first.commit)[1])
        assert not isinstance(opened, CommitRejected)
        graph.add(opened)
        with pytest.raises(HiddenHands, match="Blue and Green did not open the cards after the end"):
            opened_game(replace(history, graph=graph), store.read, path)
        with pytest.raises(HiddenHands, match="nobody sees all cards before the end"):
            opened_game(replace(history, last=history.first), store.read, path)


@pytest.mark.parametrize("leaving", ["no", "yes"])
def test_every_verb_that_needs_all_cards_takes_the_game(leaving: str, tmp_path: Path, typed: Typed) -> None:
    table = ["--players", "3", "--rules", f"brief; PointsToWin = 4; Leaving = {leaving}", "--policy", "builder"]
    where = ["--topology", "network", "--hands", "hidden", "--seed", "2", "--out", str(tmp_path / "run"), "-q"]
    assert main(["simulate", *table, *where]) == 0
    path = str(tmp_path / "run" / "Catan_0")
    assert main(["stats", path]) == 0
    for ending in ("catan", "sgn", "json"):
        assert main(["export", path, "-o", str(tmp_path / f"game.{ending}")]) == 0
    assert main(["page", path, "-o", str(tmp_path / "game.html")]) == 0
    assert "opens all cards" in typed(0, "log", path).out
    table = load(path)
    assert table.position().state.is_over
    assert table.why_public is None
    assert {total(hand.rc) for hand in table.position().state.h} != {0}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("topology", ["network", pytest.param("separate", marks=pytest.mark.long)])
def test_peers_with_repositories_of_their_own_leave_the_game_open(topology: str, tmp_path: Path) -> None:
    table = ["--players", "3", "--rules", "standard; PointsToWin = 3", "--policy", "builder", "--seed", "2"]
    where = ["--topology", topology, "--hands", "hidden", "--out", str(tmp_path / "run"), "-q"]
    assert main(["simulate", *table, *where]) == 0
    replicas = [tmp_path / "run" / "Catan_0"]
    if topology == "separate":
        replicas = [replicas[0] / colour for colour in ("Red", "Blue", "Green")]
    assert {load_open_history(path).last.is_over for path in replicas} == {True}


@pytest.mark.parametrize(
    ("there", "has"),
    [
        ({"refs/remotes/Red/x_opening_Red_0": "r", "refs/remotes/Blue/x_opening_Blue_0": "b"}, True),
        ({"refs/remotes/Blue/x_opening_Red_0": "r", "refs/remotes/Blue/x_opening_Blue_0": "b"}, True),
        ({"refs/remotes/Red/x_opening_Red_0": "r", "refs/heads/x_opening_Green_0": "g"}, False),
    ],
)
def test_who_learned_of_an_opening_from_a_third_has_it_too(there: dict[str, ObjectId], has: bool) -> None:
    """So nobody who serves waits in vain for a player who has all of them."""
    opened = {player: SimpleNamespace(commit=commit) for player, commit in enumerate("rbg", 1)}
    graph = SimpleNamespace(state=SimpleNamespace(away=(False, False, False)), replies=opened)
    game = SimpleNamespace(constants=SimpleNamespace(players=(1, 2, 3)))
    looking = SourceLooks(cast(ReplicaState, SimpleNamespace(game=game, graph=graph)))
    assert looking.has_openings(cast(BranchSource, SimpleNamespace(player=3)), there) is has
