"""Mistakes in what is checked besides the guards."""

from tests.mutations.mutation import GUARD, Mutation, mistakes

WHOLE = "game/test_rules.py::test_of_a_kind_that_is_refused_as_a_whole_nothing_is_enabled"
SHARED = "log/test_shared_work.py"

CHECKS: tuple[Mutation, ...] = (
    *mistakes(
        "game/invariants.py",
        "game/test_invariants.py::test_invariant_fails",
        (
            "roads hang together with one another only",
            "points, unreached = state.s.of(player), roads",
            "points, unreached = board.end_points[roads.bit_length() - 1] if roads else 0, roads & roads - 1",
        ),
        (
            "an invariant is checked only if all it reads changed",
            "if not set(changed).isdisjoint(conjunct.reads)",
            "if set(changed) >= set(conjunct.reads)",
        ),
        (
            "the last invariant is not checked",
            "        for invariant in INVARIANTS\n",
            "        for invariant in INVARIANTS[:-1]\n",
        ),
    ),
    Mutation(
        "a recorded game is checked without the invariants",
        "model_check/trace.py",
        "    OfferIsCovered\n    SharesAreDue\n    AwayAreSkipped\n    WinAtOnce\n    TraceReached",
        "    TraceReached",
        "model_check/test_trace_invariants.py::test_a_recorded_game_is_checked_with_all_invariants",
    ),
    *mistakes(
        "log/shared_work.py",
        f"{SHARED}::test_whoever_lacks_what_a_commit_builds_on_does_not_take_it_in",
        ("verdicts are shared whatever is held", " and valid.known >= {*node.link.parents}", ""),
        ("one verdict is shared for all commits", "self.nodes.get(commit)", "next(iter(self.nodes.values()), None)"),
    ),
    Mutation(
        "a shared verdict makes no files for who keeps them",
        "log/shared_work.py",
        " and put is hash_only",
        "",
        f"{SHARED}::test_what_is_asked_for_its_files_is_judged_anew",
    ),
    Mutation(
        "the line takes in what it has passed",
        "log/graph.py",
        "if (passed := self._passed(commit, node.step.parents, node.step.action)) is not None:",
        "if False:",
        f"{SHARED}::test_a_verdict_goes_by_what_is_held",
    ),
    Mutation(
        "the tree written last passes for that of any action",
        "log/candidate.py",
        " and known.action == self.action",
        "",
        f"{SHARED}::test_the_tree_that_was_written_is_not_made_again",
    ),
    Mutation(
        "the tree written last passes for that of the same action later",
        "log/candidate.py",
        "known.before is before.tree and ",
        "",
        f"{SHARED}::test_the_tree_that_was_written_is_not_that_of_the_same_action_later",
    ),
    Mutation("a refused action is applied", "game/rules.py", "    if guards:\n", "    if False:\n", GUARD),
    Mutation(
        "only the first broken guard is told",
        "game/rules.py",
        "guards = kind.broken(state, action)",
        "guards = kind.broken(state, action)[:1]",
        "game/actions/test_guards.py::test_a_refusal_carries_every_broken_guard_in_order",
    ),
    *mistakes(
        "game/rules.py",
        WHOLE,
        (
            "a kind is refused whole because of what one call is for",
            'frozenset({"CA2 phase", "CA3 stage", "CA4 turn"})',
            "frozenset[str]()",
        ),
        ("a kind is refused whole because one instance is", "and tag not in _OF_AN_INSTANCE", "or True"),
    ),
    *mistakes(
        "game/rules.py",
        "game/test_rules.py::test_what_is_remembered_of_refusals_is_what_the_guards_say_of_each_state",
        ("refusals are remembered whoever's turn it is", "turns = state.ap == player,", "turns = False,"),
        ("refusals are remembered whoever sets up", "state.su_ap == player, state", "False, state"),
        ("refusals are remembered whoever builds", "state.sb == player\n", "False\n"),
        (
            "refusals are remembered whatever the stage",
            "state.phase, state.sup, turns)",
            'state.phase, "Rolling", turns)',
        ),
        (
            "refusals are remembered whatever is drawn",
            "state.tp, state.phase, state.sup",
            "state.tp, state.tp, state.sup",
        ),
        ("a rule refuses nothing", 'tag.endswith((" rule", ', "tag.endswith(("),
    ),
    Mutation(
        "hands that cannot be hidden are hidden at a table",
        "tables/setup.py",
        'may_hide = fair and hands is None and "Hands" not in named and table.chance == "joint"',
        "may_hide = fair and hands is None and 'Hands' not in named",
        "hidden/test_tables.py::test_hands_that_cannot_be_hidden_are_open_at_a_table_that_does_not_ask",
    ),
    Mutation(
        "every commit of a view holds the findings",
        "notation/repository/view_files.py",
        '        "findings": "",\n',
        '        "findings": "".join(map(str, view.findings)),\n',
        "notation/test_repositories.py::test_a_view_that_grows_keeps_its_commits_though_more_is_found",
    ),
)
