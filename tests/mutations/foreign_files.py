"""Mistakes in reading and writing games in the formats of other programs."""

from tests.mutations.mutation import Mutation

_SAVED = "notation/test_saved_again.py::"
_FOREIGN = "notation/test_foreign_files.py::"

FOREIGN_FILES: tuple[Mutation, ...] = (
    Mutation(
        "players keep the numbers of their seats in SGN",
        "notation/formats.py",
        'frozenset({"sgn", "catanatron"})',
        'frozenset({"catanatron"})',
        f"{_SAVED}test_player_1_of_sgn_and_the_first_colour_of_catanatron_go_first",
    ),
    Mutation(
        "a loaded game is saved without what its file said besides the actions",
        "api/games.py",
        "if self._imported is not None and self._imported.view.format == format:",
        "if False:",
        f"{_SAVED}test_a_victory_point_that_is_shown_late_is_saved_where_it_was",
    ),
    Mutation(
        "the usual rules of a format are taken though another profile is broken less often",
        "notation/repair.py",
        "return min(broken, key=lambda name: broken[name])",
        "return names[0]",
        f"{_SAVED}test_a_game_of_the_thesis_comes_back_from_the_json_of_catanatron",
    ),
    Mutation(
        "messages of another game count",
        "notation/soclog/messages.py",
        "if game == self.game:",
        "if True:",
        f"{_FOREIGN}test_messages_of_another_game_are_refused",
    ),
    Mutation(
        "what a player says in a chat counts as the server's word",
        "notation/soclog/stac.py",
        'message.text("nickname") != "Server" or not self._players',
        "not self._players",
        f"{_FOREIGN}test_a_dated_log_of_a_game_that_was_broken_off_ends_there",
    ),
    Mutation(
        "cards that a replay does not show are not discarded",
        "notation/colonist/reader.py",
        "cards, len(numbers) - len(seen), line",
        "cards, 0, line",
        "notation/test_replays.py::test_discarded_cards_that_a_replay_does_not_show_leave_bounds_that_hold",
    ),
)
