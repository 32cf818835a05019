"""docs/guides/lmu.md: the recorded turn is one, and every test that it names is there."""

import json
import re
from pathlib import Path

from catan_p2p.lmu import messages as m
from tests.lmu.habits import HABITS
from tests.lmu.server_habits import SERVER_HABITS
from tests.lmu.test_messages import VALID

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "guides/lmu.md").read_text(encoding="utf-8")


def exchange() -> list[tuple[str, str]]:
    block = TEXT.partition("<!-- exchange -->\n```text\n")[2].partition("```")[0]
    return [(line[0], line[2:]) for line in block.splitlines()]


def test_the_recorded_turn_is_spelled_as_we_write_it() -> None:
    sides = {"C": "client", "S": "server"}
    lines = exchange()
    assert len(lines) > 30
    for who, text in lines:
        value = json.loads(text)
        assert VALID[sides[who]].is_valid(value)
        assert m.write_message(m.read_message(value, sides[who])) == text  # type: ignore[arg-type]
    asked = sum(who == "C" for who, _ in lines)
    assert sum("Serverantwort" in text for _, text in lines) == asked
    assert lines[0][1].count('"Status":"Würfeln"') == 1
    assert lines[-1][1] == '{"Serverantwort":"OK"}'


MENDED = {
    "numbers players from 0": "test_server_habits.py::numbers players from 0",
    "a colour refused on Spieler": "test_server_habits.py::refuses a colour on Spieler",
    "a colour refused in another way": "test_server_habits.py::refuses a colour with Serverantwort",
    "actions that are never acknowledged": "test_server_habits.py::never acknowledges",
    "capitals": "test_server_habits.py::writes CAPITALS",
    "another order": "test_server_habits.py::acknowledges first",
    "extra members": "test_server_habits.py::adds members",
    "no umlauts": "test_server_habits.py::writes no umlauts",
    "Handel abbrechen is a no": "test_habits.py::cancels offers",
    "offers that lapse": "test_decisions.py::test_9_who_let_an_offer_lapse_holds_up_the_next_ones_for_a_moment_only",
    "offers of any size": "test_decisions.py::test_9_offers_have_any_size",
    "silent in the lobby": "test_lobby.py::test_who_says_nothing_after_hallo_is_put_out_after_the_patience",
    "half introduced": "test_lobby.py::test_who_is_never_ready_is_put_out_however_much_is_said",
    "stuck on a colour": "test_lobby.py::test_who_is_stuck_on_a_colour_that_is_taken_is_put_out_after_the_patience",
    "--fill for ever": "test_lobby.py::"
    "test_who_comes_and_goes_without_end_keeps_no_table_with_computer_players_waiting",
    "three or four begin": "test_lobby.py::test_three_who_are_connected_and_ready_begin_where_four_may_play",
    "no game runs": "test_lobby.py::test_nobody_is_told_that_a_game_runs_where_none_does",
    "back from the computer": "test_decisions.py::test_11_who_acts_again_has_the_seat_back_without_a_token",
    "secret draws": "test_secret_streams.py::test_a_served_game_tells_nobody_the_secret_that_it_is_drawn_from",
    "tokens of any characters": "test_abuse.py::test_a_wrong_token_of_any_characters_is_a_wrong_token",
    "limits per address": "test_abuse.py::test_an_address_with_a_crowd_lets_only_its_own_go",
    "a returning player is heard": "test_abuse.py::test_sockets_that_never_shake_hands_keep_nobody_out",
    "names and dates": "test_server_connection.py::test_its_log_has_the_players_names_and_the_dates_of_today",
    "points that were told": "test_seen.py::test_what_was_heard_is_a_view_that_keeps_the_rules",
    "Erfindung as 12.4 says": "test_decisions.py::"
    "test_7_cards_before_the_dice_leave_the_status_and_erfindung_takes_two_of_a_kind",
    "marks without width": "test_lobby.py::test_names_have_no_marks_that_cannot_be_seen",
    "two names alike": "test_lobby.py::test_no_two_names_are_alike",
}
"""What programs in the wild did, or this server did wrong, and the test or habit that holds it."""


def test_what_was_mended_is_held_by_a_test_or_a_habit() -> None:
    sources = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")}
    for what, named in MENDED.items():
        file, _, name = named.partition("::")
        if name.startswith("test_"):
            assert f"def {name}(" in sources[file], what
        else:
            assert name in (SERVER_HABITS if file == "test_server_habits.py" else HABITS), what


def test_every_decision_names_a_test_that_is_there() -> None:
    rows = re.findall(r"^\| (\d+) \| .* \| (.*) \|$", TEXT, re.MULTILINE)
    assert [int(number) for number, _ in rows] == list(range(1, 16))
    for number, named in rows:
        own = f"def test_{number}_"
        sources = {path.name: path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py")}
        for file, name in re.findall(r"`(?:(test_\w+\.py)::)?(test_\w+?)(?:_\.\.\.)?`", named):
            if file and name != f"test_{number}":
                assert f"def {name}(" in sources[file], name
            else:
                assert own in sources["test_decisions.py"], number
