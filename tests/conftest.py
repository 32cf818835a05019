"""What holds for all tests: hypothesis asserts no times and shows how a failure is repeated; TLC starts quickly.

The list of the long ones is here, so that it is read, and mended, as a whole.
"""

import logging
import os
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.model_check.archive import options

settings.register_profile("catan-p2p", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("catan-p2p")

os.environ.setdefault("TLC_JAVA_OPTIONS", " ".join(options()))

LONG = (
    "game/flat/test_compiled.py::test_it_is_built_from_the_source",
    "test_mutations.py",
    "game/test_rules.py::test_the_phase_table",
    "game/actions/test_instances.py",
    "api/test_positions.py::test_a_public_position_allows",
    "attacks/test_attacks.py",
    "benchmarks/test_run.py::test_a_game_logged_anew_is_the_game_that_was_played",
    "chance/test_draws.py::test_three_of_four_cannot_load_the_dice[100000]",
    "chance/test_faults.py",
    "chance/test_key_alone.py",
    "chance/test_played.py",
    "cli/test_failures.py",
    "cli/test_kills.py::test_a_command_that_is_killed",
    "cli/test_metrics.py",
    "cli/test_talk.py",
    "docs/test_pages.py",
    "independent/test_mutants.py",
    "independent/test_replay.py",
    "lmu/test_games.py::test_our_client_plays_whole_games_at_our_server",
    "lmu/test_habits.py",
    "lmu/test_noninterference.py",
    "lmu/test_seen.py",
    "lmu/test_served.py",
    "lmu/test_server_habits.py",
    "lmu/test_strict.py",
    "lmu/tournament/test_kills.py",
    "log/storage/test_compaction.py",
    "log/storage/test_store_crash.py",
    "log/test_audit.py",
    "log/test_graph.py::test_in_a_standard",
    "matrix/test_pairs.py",
    "metrics/test_collection.py",
    "metrics/test_freshness.py",
    "metrics/test_games.py",
    "metrics/test_latency.py",
    "metrics/test_taking_in.py::test_all_that_synchronizations",
    "model_check/test_check_spec.py::test_models_of_the_game_and_of_its_replication_are_checked",
    "model_check/test_check_spec.py::test_tlc_plays_with_the_seed",
    "model_check/test_draws.py",
    "model_check/test_effects.py",
    "model_check/test_errata_mutants.py",
    "model_check/test_full_game.py",
    "model_check/test_given.py",
    "model_check/test_guards.py",
    "model_check/test_inductive.py",
    "model_check/test_invariant_agreement.py",
    "model_check/test_models.py",
    "model_check/test_reachability.py",
    "model_check/test_replication_steps.py",
    "model_check/test_settlements.py",
    "model_check/test_successors.py",
    "model_check/test_tlc.py",
    "model_check/test_trace.py",
    "model_check/test_trace_invariants.py::test_a_state_that_breaks",
    "model_check/test_trace_maps.py",
    "model_check/test_trace_repositories.py",
    "model_check/test_trails.py",
    "model_check/test_votes.py",
    "notation/test_agreement.py",
    "notation/test_catanatron.py::test_12_of_its_games",
    "notation/test_contradictions.py",
    "notation/test_robustness.py",
    "notation/test_round_trips.py::test_195_games_that_stop_somewhere",
    "notation/test_standard.py",
    "notation/test_statistics.py::test_no_text",
    "notation/test_statistics.py::test_pictures",
    "package/test_wheel.py",
    "replication/test_chat.py::test_what_is_no_message_is_not_heard",
    "replication/test_commands.py",
    "replication/test_faults.py",
    "replication/test_hostile.py",
    "replication/test_hostile_votes.py::test_who_watches",
    "replication/test_leaving.py",
    "replication/test_leaving_processes.py::test_the_others_end_a_game_whose",
    "replication/test_lying_relay.py::test_a_relay_that_begins_anew",
    "replication/test_lying_relay.py::test_where_nothing_may_be_replaced",
    "replication/test_mending.py",
    "replication/test_mutants.py",
    "replication/test_poison.py",
    "replication/test_rejoining.py",
    "replication/test_relay.py",
    "replication/test_relay_servers.py",
    "replication/test_replica.py",
    "replication/test_settling.py::test_all_come_together",
    "replication/test_settling.py::test_who_moves_over",
    "replication/test_table_talk.py",
    "replication/test_turn.py::test_shares_of_a_draw",
    "report/test_network.py::test_its_figures_can_be_read",
    "report/test_repeating.py::test_the_command_plays_the_same_games",
    "report/test_report.py",
    "simulation/laboratory/test_leaving.py",
    "simulation/laboratory/test_world.py::test_a_game_ends_however",
    "simulation/laboratory/test_world.py::test_each_kind",
    "simulation/laboratory/test_world.py::test_the_promise_holds_under_faults[1",
    "simulation/laboratory/test_world.py::test_what_was_found",
    "players/test_away.py::test_a_policy_chooses_what_can_be_done_whoever_is_away[strategist",
    "simulation/test_cluster.py",
    "simulation/test_crash.py",
    "simulation/test_findings.py",
    "players/test_foreign.py",
    "simulation/test_game.py",
    "players/test_policies.py",
    "simulation/test_run.py::test_progress_is_told_on_one_process_and_on_several",
    "simulation/test_run.py::test_several_processes_play",
    "simulation/test_separate.py",
    "benchmarks/test_learning.py::test_two_runs",
    "players/test_learned.py",
    "players/test_strategist.py::test_cards_that_it_cannot_see",
    "players/test_strategist.py::test_it_beats_the_builder",
    "players/test_strategist.py::test_it_plays_by_the_rule_book_to_the_end[",
    "spec_replication/",
    "visualizer/drawing/test_renderer.py::test_a_frame_drawn_over",
    "visualizer/pictures/test_picture.py",
    "visualizer/play/test_at_server.py::test_a_game_at_a_foreign_server",
    "visualizer/play/test_at_server.py::test_a_whole_game",
    "visualizer/play/test_display.py",
    "visualizer/play/test_playing.py::test_a_short_game_is_played_to_its_end[mouse]",
    "visualizer/play/test_playing.py::test_whole_games_are_played_to_their_end[2-keys-thesis]",
    "visualizer/play/test_relay.py",
    "visualizer/play/test_table.py",
    "visualizer/test_watch.py",
    "visualizer/test_wheel.py",
    "visualizer/window/test_real_window.py",
)
"""What the ids of tests begin with that are not for ``make test`` but for ``make test-long``. CI runs both at once.

A test is long that takes over some four seconds of CPU on an idle core; so is a file of shorter ones that share what
takes so long, or take some eight together.
"""

SAMPLED = {
    "game/actions/test_instances.py": 5,
    "api/test_notebooks.py": 3,
    "attacks/test_attacks.py": 6,
    "chance/test_faults.py": 6,
    "chance/test_played.py": 3,
    "cli/test_failures.py": 8,
    "cli/test_kills.py": 4,
    "cli/test_metrics.py": 4,
    "independent/test_mutants.py": 3,
    "independent/test_replay.py": 4,
    "lmu/test_games.py": 2,
    "lmu/test_habits.py": 2,
    "lmu/test_server_habits.py": 3,
    "lmu/test_seen.py": 2,
    "matrix/test_pairs.py": 15,
    "model_check/test_full_game.py": 2,
    "model_check/test_given.py": 6,
    "model_check/test_invariant_agreement.py": 2,
    "model_check/test_models.py": 9,
    "model_check/test_reachability.py": 3,
    "model_check/test_settlements.py": 4,
    "model_check/test_trace.py": 4,
    "model_check/test_trace_repositories.py": 4,
    "notation/test_robustness.py": 3,
    "notation/test_standard.py": 2,
    "notation/test_statistics.py": 2,
    "replication/test_commands.py": 4,
    "replication/test_faults.py": 4,
    "replication/test_hostile.py": 4,
    "replication/test_mending.py": 6,
    "replication/test_mutants.py": 2,
    "replication/test_poison.py": 3,
    "replication/test_rejoining.py": 5,
    "replication/test_relay.py": 4,
    "replication/test_relay_servers.py": 4,
    "replication/test_replica.py": 4,
    "replication/test_table_talk.py": 3,
    "report/test_repeating.py": 2,
    "simulation/laboratory/test_hidden.py": 3,
    "simulation/laboratory/test_leaving.py": 2,
    "simulation/laboratory/test_planted.py": 10,
    "players/test_away.py": 4,
    "simulation/test_crash.py": 3,
    "simulation/test_findings.py": 4,
    "simulation/test_game.py": 4,
    "players/test_policies.py": 4,
    "players/test_strategist.py": 2,
    "spec_replication/test_behaviours.py": 12,
    "spec_replication/test_guards.py": 4,
    "spec_replication/test_leaving.py": 4,
    "spec_replication/test_models.py": 5,
    "spec_replication/test_settling.py": 3,
    "test_mutations.py": 8,
    "game/test_rules.py": 3,
    "visualizer/play/test_at_server.py": 5,
    "visualizer/play/test_hidden_hands.py": 3,
    "visualizer/play/test_playing.py": 2,
    "visualizer/play/test_table.py": 3,
}
"""Files with tests of many cases, and how many cases there are to one that CI runs: of each test some, and others on
the next day (see ``FIRST``). ``make soak`` runs what CI leaves out, and ``make attacks`` all attacks."""

OWN_POLICIES = ("policy random ", "policy builder ", "policy strategist ")
"""How the log begins that tells of a mistake of one of these."""

FIRST = "CATAN_P2P_CASES"
"""The variable that says which cases are run, a number. If nobody sets it, it grows by one a day (UTC).

So ``max(SAMPLED.values())`` days, or as many runs with numbers that follow one another, run every case.
"""


def day() -> int:
    """The number of today's date in UTC; a clone of any depth has the same one."""
    return datetime.now(UTC).toordinal()


def is_left_out(place: int, many: int, every: int, first: int) -> bool:
    """Whether CI leaves out the case at this place, from 0, of a test with so many. One of ``every`` is run."""
    return (place + first) % min(every, many) != 0


def pytest_configure() -> None:
    """Settle which cases are run, for the processes of pytest-xdist too, which are begun after this."""
    if FIRST not in os.environ:
        os.environ[FIRST] = str(day())


def pytest_report_header() -> str:
    """Tell which cases are run, so that they can be run again."""
    return f"cases of tests with many: {FIRST}={os.environ[FIRST]}"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the long ones and the left out, before any are chosen by their marks."""
    tests = Path(__file__).parent
    cases: dict[tuple[str, str], list[pytest.Item]] = defaultdict(list)
    for item in items:
        file = item.path.relative_to(tests).as_posix()
        name = file + item.nodeid.removeprefix(item.nodeid.partition("::")[0])
        if name.startswith(LONG):
            item.add_marker(pytest.mark.long)
        if file in SAMPLED and item.get_closest_marker("soak") is None:
            cases[file, name.partition("[")[0]].append(item)
    for (file, _), of_one in cases.items():
        for place, item in enumerate(of_one):
            if is_left_out(place, len(of_one), SAMPLED[file], int(os.environ[FIRST])):
                item.add_marker(pytest.mark.soak)


class _Mistakes(logging.Handler):
    """Keeps what is logged of the mistakes of this program's own policies."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.told: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if message.startswith(OWN_POLICIES):
            self.told.append(message)


@pytest.fixture(autouse=True)
def no_own_policy_makes_a_mistake(request: pytest.FixtureRequest) -> Iterator[None]:
    """A game goes on after one, so each test says itself that there was none; but where one is planted."""
    heard, log = _Mistakes(), logging.getLogger("catan_p2p")
    log.addHandler(heard)
    yield
    log.removeHandler(heard)
    assert heard.told == [] or request.node.name.startswith("test_mistake_is_noticed")
