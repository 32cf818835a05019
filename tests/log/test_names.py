"""A player's name that no commit can have is refused where a game is made and where its root is read."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catan_p2p.cli import new_game as verb
from catan_p2p.cli.main import main
from catan_p2p.game.constants import Constants
from catan_p2p.limits import MAX_NAME_BYTES
from catan_p2p.log import root as roots
from catan_p2p.log.authorship import author_of
from catan_p2p.log.commit import Commit, decode_commit
from catan_p2p.log.game import GameDefinition, Seat, chosen_name_problem
from catan_p2p.log.graph import CommitGraph
from catan_p2p.log.reading import read_root
from catan_p2p.log.refs import COLOURS
from catan_p2p.log.root import root_commit
from catan_p2p.log.storage.objects import ObjectId, StoreError
from catan_p2p.log.verdict import CommitRejected
from catan_p2p.simulation.game import create_game
from tests.for_each import for_each
from tests.log.storage.memory import Objects

REFUSED = ["Ada <", "Ada>", "<Ada>", "Ada\nLovelace", "Ada\0", "Ada\r", "Ada\x1b[2J", "", "N" * (MAX_NAME_BYTES + 1)]


def named(name: str) -> GameDefinition:
    """A game of two; the second has this name."""
    return GameDefinition(Constants(player_count=2), 0, (Seat("Red", "Red_0", None), Seat("Blue", name, None)))


@pytest.mark.parametrize("name", REFUSED)
def test_no_game_is_made_with_a_name_that_readers_refuse(name: str, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="Blue: "):
        create_game(tmp_path / "Catan_0", named(name), "x")
    assert not (tmp_path / "Catan_0").exists()


@pytest.mark.parametrize("name", REFUSED)
def test_a_root_that_another_program_has_written_with_such_a_name_is_refused(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    objects = Objects()
    with monkeypatch.context() as patched:
        patched.setattr(roots, "name_problem", lambda name: None)
        root, _ = root_commit(named(name), "x", 1000, objects.add)
    refused = read_root(root, objects.read)
    assert isinstance(refused, CommitRejected)
    assert refused.reason == "format" and refused.detail.startswith("players")


def test_the_verb_says_which_name_and_ends_with_code_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(verb, "new_game", lambda *args: named("Ada <"))
    assert main(["new-game", str(tmp_path / "red"), "--players", "red,blue"]) == 2
    assert "Blue: the name 'Ada <' has < or >" in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]


@settings(max_examples=200, deadline=None)
@given(name=st.text(st.characters(codec="utf-8") | st.sampled_from("<> @\n\0"), max_size=20))
def test_a_game_is_read_back_just_where_the_commits_of_its_players_decode(name: str) -> None:
    objects = Objects()
    game = named(name)
    try:
        root, _ = root_commit(game, "x", 1000, objects.add)
    except StoreError:
        return
    assert isinstance(read_root(root, objects.read), CommitGraph)
    who = author_of(game, 2, 1000)
    commit = Commit(ObjectId("f" * 40), (root,), who, who, "text\n")
    assert decode_commit(commit.encode()) == commit


def called(*names: str) -> tuple[str, ...]:
    """What players are called where a root gives them these names."""
    seats = tuple(Seat(colour, name, None) for colour, name in zip(COLOURS, names, strict=False))
    return GameDefinition(Constants(player_count=len(names)), 0, seats).names


def test_players_are_called_by_their_names_or_their_colours() -> None:
    assert called("Red_0", "Blue_0") == ("Red", "Blue")
    assert called("Ada", "Blue_0", "Grace") == ("Ada", "Blue", "Grace")


@for_each("names", [("Ada", "ada"), ("Ada", "\uff21da"), ("Blue", "Ada"), ("Red_0", "red"), ("Ada", "White")])
def test_who_could_be_taken_for_another_is_called_by_the_colour(names: tuple[str, str]) -> None:
    shown = called(*names)
    assert len({name.casefold() for name in shown}) == 2
    assert not {"blue"} & {shown[0].casefold()}
    assert not {"red", "white"} & {shown[1].casefold()}


UNCHOSEN = [*REFUSED, " Ada", "Ada  L", "Ad\u200ba", "Ad\u202ea", "\u3164", "Red_0", "blue_7", "Green", "Blue", "GRACE"]


@for_each("name", UNCHOSEN)
def test_nobody_chooses_a_name_that_others_cannot_tell_apart(name: str) -> None:
    assert chosen_name_problem(name, "Red", ["Grace"]) is not None
    assert chosen_name_problem("Ada Löve", "Red", ["Grace"]) is None


def test_a_game_has_the_names_that_it_was_begun_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    begun = ["new-game", str(tmp_path / "red"), "--players", "Red,Blue"]
    assert main([*begun, "--name", "Red=Ada", "--name", "Blue=ada"]) == 2
    assert "--name Red=Ada: the name 'Ada' could be taken for another player's" in capsys.readouterr().err
    assert main([*begun, "--name", "Blue=Grace Hopper"]) == 0
    assert main(["join", str(tmp_path / "red"), str(tmp_path / "blue"), "--as", "Blue"]) == 0
    assert "Blue, Grace Hopper: no key" in capsys.readouterr().err
    assert main(["verify", str(tmp_path / "blue")]) == 0
    assert "points: Red 0 Grace Hopper 0" in capsys.readouterr().out
