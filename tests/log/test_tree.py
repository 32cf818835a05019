"""The state as files: one canonical spelling, read back exactly, and only what changed is written again."""

from dataclasses import replace
from random import Random

import pytest

from catan_p2p.game.cards import describe
from catan_p2p.game.constants import Constants, profile
from catan_p2p.game.rules import apply, awaited, decisions, draw, initial_state
from catan_p2p.game.state import State, WayBack
from catan_p2p.log.game import FormatError, new_game
from catan_p2p.log.state_files import changed_files, files_of_state, parse_state, state_paths
from catan_p2p.log.storage.objects import ObjectId, ObjectKind, object_id
from catan_p2p.log.tree import first_tree, hash_only, next_tree
from tests.for_each import for_each
from tests.sampled_states import played


def random_states(players: int, seed: int, count: int, rules: str = "thesis") -> list[State]:
    rng = Random(seed)
    states = [initial_state(Constants(profile(rules, players), player_count=players))]
    while len(states) < count and awaited(states[-1]):
        state = states[-1]
        player = rng.choice(awaited(state))
        states.append(apply(state, draw(state, rng.choice(decisions(state, player)), rng)))
    return states


GAMES = [("thesis", 2), ("thesis", 3), ("thesis", 4), ("brief", 2), ("brief", 4), ("brief", 6)]


@for_each(("rules", "players"), GAMES)
def test_every_state_of_a_game_is_read_back_from_its_files(rules: str, players: int) -> None:
    for state in random_states(players, players, 400, rules):
        assert parse_state(files_of_state(state), state.constants) == state


def test_states_of_games_by_all_rules_are_read_back_whatever_they_are_derived_from() -> None:
    """Who still owes a reply is in no file, see ``parse_state``."""
    rng = Random(3)
    for state in played():
        files = files_of_state(state)
        assert list(files) == state_paths(state.constants)
        assert parse_state(files, state.constants)._replace(due=state.due) == state
        other = rng.choice([one for one in played() if one.constants == state.constants])
        changed = dict(changed_files(state, other))
        assert {**files_of_state(other), **changed} == files


def test_a_file_with_any_damage_is_named_or_spells_another_state() -> None:
    rng = Random(4)
    refused = 0
    for state in played():
        files = files_of_state(state)
        path = rng.choice(list(files))
        text, at = files[path], rng.randrange(len(files[path]))
        damaged = {**files, path: text[:at] + rng.choice(("", "\n", "0", "7", ",", " none", "٣")) + text[at + 1 :]}
        try:
            other = parse_state(damaged, state.constants)
        except FormatError as error:
            assert str(error).startswith(path)
            refused += 1
        else:
            assert files_of_state(other) == damaged
    assert refused > len(played()) / 2


@for_each(("rules", "players"), [("thesis", 2), ("thesis", 4), ("brief", 3), ("brief", 6)])
def test_a_tree_derived_step_by_step_is_the_tree_written_at_once(rules: str, players: int) -> None:
    states = random_states(players, 5, 300, rules)
    game = new_game(0, states[0].constants)
    tree = first_tree(game, states[0], hash_only)
    for state in states[1:]:
        tree = next_tree(tree, state, hash_only)
        assert tree.root == first_tree(game, state, hash_only).root


def test_only_changed_files_and_the_folders_above_them_are_put() -> None:
    states = random_states(2, 1, 200)
    game = new_game(0, states[0].constants)
    tree = first_tree(game, states[0], hash_only)
    for state in states[1:]:
        put: list[ObjectKind] = []

        def counting(kind: ObjectKind, data: bytes, put: list[ObjectKind] = put) -> ObjectId:
            put.append(kind)
            return object_id(kind, data)

        before, tree = tree, next_tree(tree, state, counting)
        changed = [path for path, oid in tree.ids.items() if before.ids[path] != oid]
        assert len(put) >= len(changed)
        assert put.count("blob") <= len(changed)


def test_the_tree_of_the_first_state_is_laid_out_as_the_design_says() -> None:
    game = new_game(0, Constants())
    paths = set(first_tree(game, initial_state(game.constants), hash_only).ids)
    assert {"format", "rules", "players", "map/tiles", "map/wharfs"} <= paths
    assert {
        "state/initialization/init_phase",
        "state/initialization/active_player",
        "state/game/turn_phase",
        "state/game/bandit",
        "state/game/bank/development_cards",
        "state/game/player_hands/player_2/unveiled_cards",
        "state/game/player_buildings/player_1",
    } <= paths


STANDARD_FILES = {
    "state/initialization/first_player",
    "state/initialization/start_rolls",
    "state/game/played_cards",
    "state/game/offer",
    "state/game/answers",
}


def test_a_component_has_a_file_only_where_the_rules_need_it() -> None:
    thesis, standard, six = (
        set(files_of_state(initial_state(Constants(profile(rules, players), player_count=players))))
        for rules, players in (("thesis", 2), ("brief", 2), ("brief", 6))
    )
    assert standard - thesis == STANDARD_FILES
    assert {path for path in six - standard if "player_" not in path} == {"state/game/special_builder"}


def test_an_offer_and_its_answers_are_told_in_words() -> None:
    state = next(state for state in random_states(3, 1, 400, "brief") if "accept" in state.ans)
    files = files_of_state(state)
    give, receive = files["state/game/offer"].splitlines()
    assert give == f"give {describe(state.offer.give)}"
    assert receive == f"receive {describe(state.offer.receive)}"
    assert files["state/game/answers"].splitlines() == [f"player_{i} {word}" for i, word in enumerate(state.ans, 1)]
    before = files_of_state(initial_state(state.constants))
    assert before["state/game/offer"] == "give nothing\nreceive nothing\n"


def test_who_has_missed_a_turn_is_read_back() -> None:
    rules = replace(profile("brief", 3), leaving=True, returns=2)
    state = initial_state(Constants(rules, player_count=3))
    state = state._replace(due=(False,) * 3, ret=(WayBack(2, False), WayBack(1, True), WayBack(0, False)))
    files = files_of_state(state)
    assert files["state/game/ways_back"].splitlines()[1] == "player_2 1, missed a turn"
    assert parse_state(files, state.constants) == state


def test_texts_are_plain_lines_without_trailing_blanks() -> None:
    for text in (*files_of_state(random_states(3, 2, 300)[-1]).values(), *files_of_state(STATE_OF_SIX).values()):
        assert text.endswith("\n")
        assert text.isascii()
        assert "\r" not in text
        assert all(line == line.rstrip() and line for line in text.splitlines())


STATE_OF_SIX = random_states(6, 9, 150, "brief")[-1]


@for_each("path", sorted(files_of_state(initial_state(Constants(profile("brief", 6))))))
def test_a_file_that_is_wrong_or_missing_is_named(path: str) -> None:
    state = STATE_OF_SIX
    files = files_of_state(state)
    for text in ("", "nonsense\n", files[path] + "\n", files[path].rstrip("\n"), files[path].upper() + " "):
        with pytest.raises(FormatError) as error:
            parse_state({**files, path: text}, state.constants)
        assert path in str(error.value)
    del files[path]
    with pytest.raises(FormatError, match="missing"):
        parse_state(files, state.constants)
