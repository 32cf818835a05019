"""Games as the library gives them: from a repository, played without one, as tables, as pictures."""

import copy
import logging
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import catan_p2p
from catan_p2p.api.notebook import browse, page
from catan_p2p.cli.main import main
from catan_p2p.extras import MissingExtra, needed
from catan_p2p.game.cards import CardCounts, pack
from catan_p2p.game.state import Hand
from catan_p2p.simulation.game import SimulationSettings, play_game


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("run")
    play_game(out, 0, SimulationSettings(players=3, rules="brief", seed=5, policies=("builder",)))
    return out / "Catan_0"


@pytest.mark.sampled(3)
@pytest.mark.long
@pytest.mark.parametrize(
    ("players", "rules", "policy", "number"),
    [(2, "thesis", "random", 1), (3, "brief", "builder", 0), (4, "brief", "strategist", 0)],
)
def test_a_game_without_git_is_the_simulated_one(
    tmp_path: Path, players: int, rules: str, policy: str, number: int
) -> None:
    play_game(tmp_path, number, SimulationSettings(players=players, rules=rules, seed=5, policies=(policy,)))
    logged = catan_p2p.Game.open(tmp_path / f"Catan_{number}")
    played = catan_p2p.play(players=players, rules=rules, seed=5, policies=policy, number=number)
    assert sorted(map(repr, (step.action for step in logged))) == sorted(map(repr, (step.action for step in played)))
    assert (logged.winner, logged.points, logged.turns) == (played.winner, played.points, played.turns)
    assert logged.last == played.last


@pytest.mark.parametrize("policy", ["random", "builder", "strategist"])
def test_a_game_in_which_all_draw_together_is_played_without_mistakes(policy: str) -> None:
    logged: list[logging.LogRecord] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = logged.append  # type: ignore[method-assign]
    logging.getLogger("catan_p2p").addHandler(handler)
    try:
        game = catan_p2p.play(players=3, rules="standard; Chance = joint", policies=policy, seed=2)
    finally:
        logging.getLogger("catan_p2p").removeHandler(handler)
    assert game.winner is not None
    assert not logged, "a policy was shown calls instead of decisions"
    kinds = [type(step.action).__name__ for step in game]
    assert kinds[:3] == ["Pledge"] * 3 and kinds.count("Reveal") == 2 * kinds.count("Call") > 0


def test_steps_follow_one_another(folder: Path) -> None:
    game = catan_p2p.Game.open(folder)
    assert game.first == game[0].before
    for one, other in zip(game.steps, game.steps[1:], strict=False):
        assert one.after == other.before
    for step in game:
        assert catan_p2p.apply(step.before, step.action) == step.after
    assert game.last.is_over and game.winner in game.colours
    assert game.last.points(game.colours.index(game.winner) + 1) == game.points[game.winner] >= 10
    assert not game.findings


def test_a_step_is_found_by_its_commit(folder: Path) -> None:
    game = catan_p2p.Game.open(folder)
    commit = game[7].commit
    assert commit is not None
    assert game.find(commit[:12]) == game[7]
    for unknown in ("", "zz"):
        with pytest.raises(KeyError):
            game.find(unknown)


@pytest.mark.needs("frames")
def test_tables_have_the_rows_that_they_say(folder: Path) -> None:
    game = catan_p2p.Game.open(folder)
    actions, hands = game.to_dataframe(), game.to_dataframe("hands")
    assert list(actions.commit) == [step.commit for step in game]
    assert actions.turn.max() == game.turns
    assert dict(actions.groupby("colour").points.last())[game.winner] == game.points[game.winner or ""]
    assert len(hands) == len(game) * 3
    assert (hands.cards == hands[["Lumber", "Brick", "Wool", "Grain", "Ore"]].sum(axis=1)).all()
    deltas, timings = game.to_dataframe("deltas"), game.to_dataframe("timings")
    assert len(deltas) == len(timings) == len(game)
    assert (deltas.pack_bytes > 0).all()
    with pytest.raises(ValueError, match="without a repository"):
        catan_p2p.play(players=2, rules="thesis", seed=3).to_dataframe("deltas")
    with pytest.raises(ValueError, match="expected one of actions, hands"):
        game.to_dataframe("moves")  # type: ignore[arg-type]


def test_a_package_that_lacks_is_named_with_its_extra() -> None:
    with pytest.raises(MissingExtra, match=r"a thing needs no_such_package: pip install 'catan-p2p\[frames\]'"):
        needed("no_such_package", "frames", "a thing")


@pytest.mark.parametrize("players", [2, 6])
def test_a_board_and_a_state_draw_themselves(players: int) -> None:
    game = catan_p2p.play(players=players, seed=1)
    board = ElementTree.fromstring(game.constants.board._repr_svg_())
    titles = [title.text or "" for title in board.iter("{http://www.w3.org/2000/svg}title")]
    assert sum(title.startswith("tile ") for title in titles) == game.constants.board.tile_count
    assert sum(title.startswith("wharf ") for title in titles) == len(game.constants.board.wharf_tiles)
    state = game.last._repr_html_()
    pieces = sum(set_.bit_count() for set_ in (*game.last.s.villages, *game.last.s.cities, *game.last.r))
    assert state.count("of player") == pieces
    assert "://" not in state.replace("http://www.w3.org/2000/svg", "")
    assert f"player {game.last.ap} has won" in game._repr_html_()


@pytest.mark.needs("notebook")
def test_a_game_is_stepped_through(folder: Path) -> None:
    game = catan_p2p.Game.open(folder)
    assert "before the first action" in page(game, 0)
    assert "1 of" in page(game, 1) and "rolls" in page(game, 1)
    box = browse(game)
    slider = box.children[0].children[1]
    slider.value = 5
    assert f"5 of {len(game)}" in box.children[1].value


def test_cards_and_hands_print_as_what_they_are() -> None:
    hand = Hand(pack((0, 0, 0, 2, 3)), 0, pack((1, 0, 0, 0, 0)), pack((0, 0, 0, 2, 0)))
    assert repr(hand) == "<Hand 2 Grain, 3 Ore; available 1 Monopoly; unveiled 2 Knight>"
    assert dict(hand.resources) == {"Lumber": 0, "Brick": 0, "Wool": 0, "Grain": 2, "Ore": 3}
    assert hand.resources.total == 5
    assert repr(CardCounts(0)) == "nothing"
    with pytest.raises(KeyError):
        hand.resources["Knight"]
    state = catan_p2p.new_game(players=2, rules="thesis")
    assert repr(state.bnk.resources) == "19 Lumber, 19 Brick, 19 Wool, 19 Grain, 19 Ore"
    assert repr(catan_p2p.actions.Discard(1, pack((0, 0, 4, 0, 0)))) == "Discard(player=1, cards=<4 Wool>)"


def test_states_are_never_copied() -> None:
    state = catan_p2p.new_game()
    assert copy.copy(state) is state
    assert copy.deepcopy([state])[0] is state


def test_a_game_without_a_seed_is_another_one_each_time_and_can_be_played_again() -> None:
    one, other = (catan_p2p.play(players=2, rules="thesis") for _ in range(2))
    assert one.seed is not None
    assert one.seed != other.seed
    assert [step.action for step in one] != [step.action for step in other]
    again = catan_p2p.play(players=2, rules="thesis", seed=one.seed)
    assert [step.action for step in again] == [step.action for step in one]


def test_a_game_that_was_not_played_here_tells_no_seed(tmp_path: Path) -> None:
    game = catan_p2p.play(players=2, rules="thesis", seed=0)
    assert game.seed == 0
    game.save(tmp_path / "game.catan")
    assert catan_p2p.load(tmp_path / "game.catan").seed is None


def test_the_command_line_draws_a_seed_and_tells_it_as_the_library_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seeds = []
    for name in ("one", "other"):
        assert main(["simulate", "--policy", "builder", "--out", str(tmp_path / name)]) == 0
        found = re.search(r"^seed (\d+),", capsys.readouterr().err, re.MULTILINE)
        assert found is not None
        seeds.append(int(found[1]))
        same = catan_p2p.play(players=2, rules="thesis", seed=seeds[-1])
        assert [step.action for step in catan_p2p.Game.open(tmp_path / name / "Catan_0")] == [
            step.action for step in same
        ]
    assert seeds[0] != seeds[1]


def test_playing_refuses_what_there_is_not() -> None:
    with pytest.raises(ValueError, match="2 policies for 3 players"):
        catan_p2p.play(players=3, policies=["random", "builder"])
    with pytest.raises(ValueError, match="expected one of random"):
        catan_p2p.play(policies="nobody")


@pytest.mark.parametrize("is_raising", [False, True])
def test_a_policy_given_as_an_object_loses_each_decision_that_it_fails_to_make(
    is_raising: bool, caplog: pytest.LogCaptureFixture
) -> None:
    class Cheat:
        def choose(self, state: object, player: int, decisions: object, rng: object) -> object:
            if is_raising:
                raise RuntimeError("no idea")
            return catan_p2p.actions.BuildCity(player, 1)

    policies = [Cheat(), "builder"]
    game = catan_p2p.play(players=2, rules="thesis", policies=policies, seed=1)  # type: ignore[arg-type]
    assert game.winner == "Blue"
    told = "raises RuntimeError: no idea" if is_raising else "answers what is not allowed"
    assert f"policy Cheat {told}" in caplog.text


@pytest.mark.needs("env")
def test_the_environments_name_the_extra_that_they_need() -> None:
    code = "import sys; sys.modules['gymnasium'] = None; import catan_p2p.env"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "catan_p2p.env needs gymnasium: pip install 'catan-p2p[env]'" in done.stderr
