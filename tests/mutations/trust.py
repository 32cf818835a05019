"""Mistakes that would make an honest peer a liar, or let a liar erase evidence, each with the test that notices it.

These tests need fixtures, so only pytest itself can run them.
"""

from tests.mutations.mutation import Mutation, mistakes

REJOINING = "replication/test_rejoining.py::test_{}"
POISON = "replication/test_poison.py::test_{}"
KILLED = "chance/test_faults.py::test_{}"
MENDING = "replication/test_mending.py::test_{}"
ELSEWHERE = "log/transport/test_other_hosts.py::test_{}"
UNLINKED = "replication/test_unlinked_forks.py::test_{}"
FOLLOWING = "log/transport/test_following.py::test_{}"
RETURNS = "log/views/test_returns.py::test_{}"

TRUST: tuple[Mutation, ...] = (
    Mutation(
        "a guest may be at another player's address",
        "tables/guests.py",
        "why = _whose_address(claim, invitation, listening, found)",
        "pass",
        "attacks/test_attacks.py::test_nothing_comes_of[address_of_another]",
    ),
    Mutation(
        "a visitor who has asked is served before it goes on",
        "log/transport/serve.py",
        "said = self._listen(visitor)\n        except",
        "said = b''\n        except",
        "log/transport/test_serve.py::test_visitors_who_ask_and_then_say_nothing_keep_nobody_out[100]",
    ),
    Mutation(
        "what was told before is news",
        "log/transport/following.py",
        "is_new = before is None or any(refs.get(ref) != oid for ref, oid in moves.items())",
        "is_new = True",
        FOLLOWING.format("the_same_message_again_is_no_news"),
    ),
    Mutation(
        "all commits are kept that a server tells",
        "log/transport/following.py",
        "return self._bytes + len(data) + TOLD_COMMIT_BYTES > MAX_KEPT_TOLD_BYTES",
        "return False",
        FOLLOWING.format("commits_that_nobody_asks_for_are_forgotten"),
    ),
    Mutation(
        "a folder in which something has just moved is taken for still",
        "log/transport/watched_refs.py",
        "self._seen = None if is_young else seen",
        "self._seen = seen",
        "log/transport/test_watched_refs.py::test_two_moves_within_one_tick_are_not_taken_for_one",
    ),
    Mutation(
        "what a relay has lost counts as published",
        "replication/relay.py",
        "return there is not None and self._lost.get(ref) == there",
        "return False",
        "replication/test_lying_relay.py::test_a_seat_that_starts_sends_again_what_the_relay_has_lost",
    ),
    Mutation(
        "it acts before it has heard the others",
        "replication/replica.py",
        "return super().act(max_actions) if self.may_sign else []",
        "return super().act(max_actions)",
        REJOINING.format("rejoining_does_not_roll_the_dice_again"),
    ),
    Mutation(
        "its person acts before it has heard the others",
        "replication/replica.py",
        "        if not self.may_sign:\n            raise GaveUp(",
        "        if False:\n            raise GaveUp(",
        "replication/test_views.py::test_a_repository_that_was_put_back_takes_no_part_in_a_change_begun_before",
    ),
    Mutation(
        "whoever has heard from nobody asks to come back",
        "replication/voting.py",
        "replica.catch_up.has_heard_most and (asks :=",
        "True and (asks :=",
        "replication/test_returning.py::test_nobody_asks_before_more_than_half_have_answered",
    ),
    Mutation(
        "who was left out asks only in a phase in which somebody comes back, which programs end before they hear it",
        "replication/core/view_duty.py",
        '_LASTING = {"CB3 missed", ',
        '_LASTING = {"CB1 phase", "CB3 missed", ',
        "log/views/test_returns.py::test_a_request_is_made_before_the_game_grants_it_and_begins_nothing_until_then",
    ),
    Mutation(
        "votes prove no fork of who asks to come back: one accomplice is enough",
        "replication/core/view_duty.py",
        "forks = *self._forks(), *self._proofs(asking)",
        "forks = self._forks()",
        "log/views/test_returns.py::test_one_accomplice_brings_no_forker_back_whom_another_voter_can_prove",
    ),
    Mutation(
        "a seat that was excused by a proof comes back with its party",
        "log/valid_commits.py",
        " and away[seat - 1] and seat not in proven]",
        " and away[seat - 1]]",
        "hidden/test_returns.py::test_who_is_proven_to_have_lied_about_cards_never_comes_back",
    ),
    Mutation(
        "half of the others are enough",
        "replication/catch_up.py",
        "2 * len(self._heard & present) > len(present)",
        "2 * len(self._heard & present) >= len(present)",
        REJOINING.format("rejoining_does_not_roll_the_dice_again"),
    ),
    Mutation(
        "with views: one answer is enough wherever a repository comes from",
        "replication/replica.py",
        "self.catch_up.is_here = self._note.agrees(self.store.own_ref(self.core.held.log))",
        "self.catch_up.is_here = True",
        "replication/test_views.py::test_a_repository_that_was_put_back_waits_for_a_majority",
    ),
    Mutation(
        "with views: a repository that was put back takes part in a change begun before",
        "replication/replica.py",
        "        if self._is_left_before:\n            return False\n",
        "",
        "replication/test_views.py::test_a_repository_that_was_put_back_takes_no_part_in_a_change_begun_before",
    ),
    *mistakes(
        "replication/replica.py",
        "replication/test_views.py::test_whoever_comes_for_the_first_time_takes_part_in_a_change_begun_before",
        ("with views: two who are late stop a game for good", " if has_played)", ")"),
        ("with views: a seat that has been played here is new", " or self._note.is_kept", ""),
    ),
    *mistakes(
        "replication/head_note.py",
        "simulation/laboratory/test_failing.py::test_what_was_written_and_never_shown_may_be_lost",
        ("with views: power cuts lose where the own log is", "if self._is_synced:", "if True:"),
        ("with views: power cuts lose the name of that note", "if not self._is_name_synced:", "if False:"),
    ),
    Mutation(
        "with views: what was signed on another machine is lost",
        "replication/replica.py",
        "graph.valid.chain_ends[self.player] != graph.root or self._note is None or",
        "self._note is None or",
        "replication/test_views.py::test_a_repository_that_was_put_back_takes_no_part_in_a_change_begun_before",
    ),
    Mutation(
        "with views: whatever a proven forker signs is kept",
        "replication/core/commit_intake.py",
        "is_forkers = is_new and",
        "is_forkers = False and",
        "replication/test_views.py::test_of_a_thousand_forks_a_peer_keeps_two_as_proof",
    ),
    *mistakes(
        "replication/core/commit_intake.py",
        UNLINKED.format("what_only_an_acceptance_links_to_is_taken_in_with_it"),
        ("with views: what a forker accepts is heard by some", "if visit and commit", "if False and commit"),
        ("with views: a forker makes others keep any number", "if counted + len(needed) > most:", "if False:"),
    ),
    *mistakes(
        "replication/core/commit_intake.py",
        UNLINKED.format("what_somebody_else_links_to_is_taken_in_with_a_valid_commit"),
        (
            "with views: a wrong link is kept",
            "return step\n                held.graph",
            "break\n                held.graph",
        ),
        ("with views: each link may lead to a whole game again", "self._linked[party] += len(needed)", "pass"),
        ("with views: what is too much is looked through again", " if counted <= most else ()", ""),
    ),
    Mutation(
        "with views: whoever alone saw a long turn of a forker is heard no more",
        "limits.py",
        "MAX_LINKED = MAX_GAME_COMMITS",
        "MAX_LINKED = 1024",
        UNLINKED.format("whoever_alone_saw_a_very_long_turn_of_a_forker_is_heard"),
    ),
    Mutation(
        "with views: what a player signs links to nothing that forkers show",
        "replication/core/commit_author.py",
        "        self._held.add(step)\n",
        "        self._held.graph.add(step)\n",
        UNLINKED.format("whoever_votes_looks_again_at_what_forkers_show"),
    ),
    *mistakes(
        "replication/core/unlinked_forks.py",
        UNLINKED.format("what_a_forker_proposes_is_a_value_once_somebody_else_links_to_it"),
        (
            "with views: a forker accepts a value in many ways",
            " and not valid.changes.has_accepted(proposal, action.player)",
            "",
        ),
        ("with views: a forker makes others keep acceptances of any number of values", "return is_seen and", "return"),
    ),
    Mutation(
        "with views: what a forker shows is looked at once for all",
        "replication/core/replica_state.py",
        "                        source.look_again(ref)\n",
        "                        pass\n",
        UNLINKED.format("what_a_forker_proposes_is_a_value_once_somebody_else_links_to_it"),
    ),
    Mutation(
        "with views: who has replied since is left out like who only votes",
        "log/views/deciding.py",
        " - replied\n",
        "\n",
        "log/views/test_views.py::test_whoever_has_replied_since_the_view_began_is_kept_by_their_vote",
    ),
    Mutation(
        "with views: whose vote is only slow is left out at once",
        "replication/core/view_duty.py",
        "(is_grace_over or not slow) and (",
        "(",
        "log/views/test_views.py::test_whose_vote_is_only_slow_is_waited_for_before_they_are_left_out",
    ),
    Mutation(
        "who has acted in an old view asks again in a view",
        "log/judging.py",
        "mine.reply, asked=mine.asked, told=",
        "mine.reply, told=",
        RETURNS.format("an_action_in_an_old_view_allows_no_second_request"),
    ),
    Mutation(
        "who has voted settles their own offer",
        "replication/peer.py",
        "are_optional(state) and self.graph.may_act(self.player)",
        "are_optional(state)",
        "replication/test_table_talk.py::test_an_own_offer_is_left_as_it_is_after_a_vote",
    ),
    Mutation(
        "the game is claimed at once although somebody asks to come back",
        "replication/prospects.py",
        "max(clock.left_s(other, patience_s), patience_s - passed_s)",
        "clock.left_s(other, patience_s)",
        "replication/test_returning.py::"
        "test_the_game_is_not_claimed_in_the_first_patience_after_somebody_has_asked_to_come_back",
    ),
    Mutation(
        "a decision leaves nobody to record it",
        "log/valid_commits.py",
        "return any(self.party_of[seat] not in late for seat in staying)",
        "return True",
        RETURNS.format("nobody_is_left_out_where_none_would_be_left_to_record_it"),
    ),
    *mistakes(
        "log/views/deciding.py",
        RETURNS.format("a_decision_that_leaves_somebody_out_brings_nobody_back"),
        (
            "somebody comes back by a decision that leaves another out",
            "proven_out, () if out else back)",
            "proven_out, back)",
        ),
    ),
    *mistakes(
        "log/views/deciding.py",
        RETURNS.format("a_third_comes_back_where_one_of_two_is_silent_who_is_left_out_then"),
        (
            "the third does not come back while one of two is silent",
            "if not (change.without or back):",
            "if not change.without:",
        ),
    ),
    *mistakes(
        "log/views/deciding.py",
        RETURNS.format("whose_requests_prove_a_fork_is_not_brought_back"),
        ("a forker comes back", " if party not in proven}", "}"),
    ),
    *mistakes(
        "log/views/deciding.py",
        RETURNS.format("nobody_asks_before_the_line_has_recorded_who_is_back"),
        (
            "somebody comes back before others are recorded",
            "if not requests or valid.pending(node, view):",
            "if not requests:",
        ),
    ),
    *mistakes(
        "log/place.py",
        RETURNS.format("the_record_merges_the_replies_that_were_decided_and_no_others"),
        ("the record of a return merges any replies", "if merged != decided and self", "if False and self"),
    ),
    *mistakes(
        "log/views/rules.py",
        RETURNS.format("a_party_asks_once_in_a_view"),
        ("a party asks as often as it likes", "if mine.asked is not None and (", "if False and ("),
    ),
    *mistakes(
        "log/place.py",
        RETURNS.format("a_request_of_an_earlier_view_is_not_merged"),
        (
            "a request of an earlier view is merged",
            "if change.without or node.view.id != change.id or (",
            "if change.without or (",
        ),
    ),
    *mistakes(
        "log/views/view.py",
        RETURNS.format("who_is_back_counts_as_present_and_no_more_as_left_out_last"),
        (
            "who is back still counts as left out last",
            "else {*self.last_out} - {*value.returning}",
            "else {*self.last_out}",
        ),
    ),
    *mistakes(
        "replication/core/view_duty.py",
        RETURNS.format("a_request_that_the_game_does_not_grant_begins_nothing"),
        (
            "a request that cannot be granted begins a change",
            "grants = self._grants(self._graph.requests)",
            "grants = bool(self._graph.requests)",
        ),
    ),
    *mistakes(
        "replication/core/view_duty.py",
        RETURNS.format("who_is_awaited_begins_the_change_and_all_others_follow"),
        (
            "whoever is behind begins a change for a request",
            "grants and (is_called or self._party in awaited)",
            "grants",
        ),
    ),
    Mutation(
        "whoever votes instead of acting uses up all changes",
        "log/views/view.py",
        "again = self.again + (value.head == self.value.head)",
        "again = self.again + 1",
        "log/views/test_views.py::test_however_often_somebody_votes_instead_of_acting_they_can_be_left_out",
    ),
    Mutation(
        "it hears without taking in",
        "replication/core/commit_intake.py",
        "                refused = self._extend(visit.head, commits, visit)\n",
        "                pass\n",
        REJOINING.format("replies_come_back_too[unsigned]"),
    ),
    Mutation(
        "a log that goes back is charged",
        "replication/core/commit_intake.py",
        '                source.rejected[ref] = CommitRejected("branch", head, why, other=before)\n',
        '                self.refusals.refuse(visit, CommitRejected("branch", head, why, other=before))\n',
        REJOINING.format("a_log_that_went_back_and_came_again_is_charged_by_nobody"),
    ),
    Mutation(
        "contradictions share the room of junk",
        "log/evidence.py",
        'colour, line["reason"] == "fork" or (',
        'colour, False and line["reason"] == "fork" or (',
        POISON.format("junk_does_not_take_the_room_of_a_contradiction"),
    ),
    Mutation(
        "what is not certain takes the room of whom it names",
        "log/evidence.py",
        'colour = line["colour"] if line.get("certain", True) else line["seen_at"]',
        'colour = line["colour"]',
        POISON.format("nobody_takes_the_room_of_another_player"),
    ),
    Mutation(
        "mending forgets what was accepted of others",
        "tables/repair.py",
        "    for ref, head in heads.items():\n        if head not in graph:",
        "    for ref, head in remains.own.items():\n        if head not in graph:",
        MENDING.format("evidence_and_refusals_come_along"),
    ),
    Mutation(
        "mending forgets the evidence",
        "tables/repair.py",
        "            _carry_over(old.folder / PRIVATE_FOLDER, new.folder / PRIVATE_FOLDER)\n",
        "",
        MENDING.format("evidence_and_refusals_come_along"),
    ),
    Mutation(
        "dirt is taken for damage",
        "tables/completeness.py",
        "    return complaint\n",
        '    raise ObjectDamaged(f"{store.folder}: {complaint}")\n',
        MENDING.format("dirt_is_told_from_damage"),
    ),
    Mutation(
        "zeros at the end of the journal are a record",
        "log/storage/journal.py",
        'if start + length > len(content) or not content[at:].strip(b"\\0"):',
        "if start + length > len(content):",
        "log/storage/test_journal.py::test_zeros_at_the_end_are_cut_off",
    ),
    Mutation(
        "what is recorded is written later",
        "log/storage/journal.py",
        "            self._medium.append(self._file, framed)\n        except",
        '            self._medium.append(self._file, b"")\n        except',
        KILLED.format("whoever_is_killed_in_a_draw_goes_on_with_it[Reveal-is_to_reveal]"),
    ),
    Mutation(
        "a redirect leads to another host",
        "log/transport/git_command.py",
        '"http.followRedirects=false"',
        '"http.followRedirects=initial"',
        ELSEWHERE.format("a_redirect_to_another_host_is_not_followed[look-301]"),
    ),
    Mutation(
        "a pack is fetched from wherever the server says",
        "log/transport/git_command.py",
        '"GIT_EXEC_PATH": str(_DENIED)',
        '"GIT_EXEC_PATH": programs',
        ELSEWHERE.format("a_pack_of_another_host_is_not_fetched"),
    ),
    Mutation(
        "every protocol that Git has a helper for",
        "log/transport/git_command.py",
        '    environment["GIT_ALLOW_PROTOCOL"] = _allowed(own, os.environ.get("GIT_ALLOW_PROTOCOL"))\n',
        "",
        ELSEWHERE.format("a_protocol_that_is_not_documented_runs_no_program[given--look]"),
    ),
    Mutation(
        "a protocol that the user has forbidden",
        "log/transport/git_command.py",
        'policies.get(f"protocol.{name}.allow", general) != "never"',
        "True",
        ELSEWHERE.format("a_protocol_that_the_user_has_forbidden_stays_so_and_one_line_says_where[general-look]"),
    ),
    Mutation(
        "a peer stays where the game was over on a side that did not survive",
        "replication/play.py",
        "return self._over_at == self._replica.graph.head",
        "return self._over_at is not None",
        "replication/test_forks.py::test_whoever_alone_was_shown_an_end_that_is_undone_plays_on",
    ),
)
