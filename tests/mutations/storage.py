"""Mistakes in what a store does when a wait for the medium fails."""

from tests.mutations.mutation import Mutation, mistakes

TEST = "log/storage/test_machine.py::test_what_others_had_seen_outlives_a_wait_that_fails_anywhere"

BY_HAND = "replication/test_foreign_commits.py::test_a_commit_by_hand_{}"
READER = "log/storage/test_power_cut.py::test_a_reader_{}"
PUSH = "log/transport/test_folder_push.py::test_{}"

STORAGE: tuple[Mutation, ...] = (
    Mutation(
        "what somebody else put at a ref before its first move is overwritten",
        "log/storage/writer.py",
        "if ref in self._heads or not self._set_aside(ref, current):",
        "if ref in self._heads:",
        BY_HAND.format("before_the_first_move_of_a_run_is_set_aside"),
    ),
    *mistakes(
        "log/storage/writer.py",
        BY_HAND.format("while_a_peer_plays_is_set_aside[commit]"),
        (
            "what somebody else put at a ref between two moves stops the peer",
            " and not self._set_aside(error.ref, error.found):",
            ":",
        ),
    ),
    Mutation(
        "what a publication that failed has moved counts as moved by somebody else",
        "log/storage/writer.py",
        "self._tried |= {(move.ref, move.new) for move in moves}",
        "pass",
        "log/storage/test_faults.py::test_what_a_full_disk_has_let_move_moves_on",
    ),
    Mutation(
        "what somebody else put at a ref after a kill stops the peer",
        "log/storage/writer.py",
        "                if not self._set_aside(ref, current):\n                    told =",
        "                if True:\n                    told =",
        BY_HAND.format("after_a_kill_is_set_aside_and_the_journal_goes_on"),
    ),
    Mutation(
        "a commit by hand is taken for damage of the log",
        "tables/opening.py",
        "    put_branches_back(store, graph, player)\n",
        "",
        BY_HAND.format("between_two_runs_is_set_aside[commit-signed]"),
    ),
    *mistakes(
        "tables/foreign_commits.py",
        BY_HAND.format("between_two_runs_is_set_aside[amend-signed]"),
        ("an own commit that was amended is lost", "if len(newest) == 1 else start", "if False else start"),
    ),
    Mutation(
        "a commit by hand ends a mending",
        "tables/repair.py",
        "return head in remains.commits and is_foreign(graph, head, remains.commits[head])",
        "return False",
        "replication/test_foreign_commits.py::test_what_was_set_aside_stays_in_a_damaged_repository_that_is_mended",
    ),
    Mutation(
        "a guest forgets where the others were told to find it",
        "tables/taking_seat.py",
        "if listen is not None:\n            settings.listen",
        "if listen is None:\n            settings.listen",
        "cli/test_any_port.py::test_a_table_at_any_port_is_joined_by_a_guest_at_any_port",
    ),
    Mutation(
        "what is pushed to a relay in a folder is not on its medium",
        "log/transport/folder_push.py",
        "read_only=True, synced=True)",
        "read_only=True)",
        "cli/test_hidden_power_cut.py::test_what_is_told_of_hidden_cards_survives_a_loss_of_power"
        "[an answer to a robber, turn, relay]",
    ),
    Mutation(
        "a lock that a killed push has left stands until it is old",
        "log/transport/push_locks.py",
        "if self._is(file, left):",
        "if False:",
        PUSH.format("a_lock_that_a_killed_push_of_this_seat_has_left_is_removed_at_once_by_the_next[True]"),
    ),
    Mutation(
        "a copy of the seat removes the locks of the other one",
        "log/transport/push_locks.py",
        "if (record.host, record.seat) == (platform.node(), self._seat) else None",
        "if True else None",
        PUSH.format("a_lock_of_another_living_copy_of_the_seat_is_not_removed"),
    ),
    Mutation(
        "any lock in the place of the recorded one is taken for it",
        "log/transport/push_locks.py",
        "return is_file and content ==",
        "return content ==",
        PUSH.format("a_lock_that_took_the_place_of_the_own_one_is_not_removed"),
    ),
    Mutation(
        "a reader does not look into the journal",
        "log/storage/snapshot.py",
        "if any(_left_publications(folder)):",
        "if False:",
        READER.format("needs_no_writer_after_a_loss_of_power[packs]"),
    ),
    Mutation(
        "a reader sees what a living writer has not shown",
        "log/storage/snapshot.py",
        'if not is_locked(journal.with_suffix(".lock")):',
        "if True:",
        READER.format("does_not_see_what_a_living_writer_has_not_shown"),
    ),
    *mistakes(
        "log/storage/writer.py",
        TEST,
        ("a checkpoint that has failed is tried again without writing anew", "if has_failed:", "if False:"),
        ("a failed checkpoint is never tried again", "size < 2 * self._failed_at", "self._failed_at"),
        (
            "refs are left as they are when a checkpoint is tried again",
            "for ref, oid in heads if oid]",
            "for ref, oid in () if oid]",
        ),
        (
            "packs of a journal that is replayed are left as they are",
            "self._put(earlier, afresh=self._durable)",
            "self._put(earlier, afresh=False)",
        ),
        (
            "refs of a journal that is replayed are left as they are",
            "move.old != move.new or (afresh and move.new is not None)",
            "move.old != move.new",
        ),
    ),
    Mutation(
        "a folded pack whose sync has failed is not written again",
        "log/storage/pack_store.py",
        "elif synced or afresh",
        "elif afresh",
        TEST,
    ),
    Mutation(
        "with a lag, the move of another process is never seen to be one",
        "log/storage/writer.py",
        "self._moves_shown += self._seen != before",
        "pass",
        "replication/test_peer.py::test_a_move_in_another_process_is_seen_once_the_lag_is_over",
    ),
    Mutation(
        "what a peer looked at last is looked at for ever",
        "replication/peer.py",
        "moves == self._moves_looked_at and",
        "self._moves_looked_at is not None and",
        "replication/test_peer.py::test_a_move_in_another_process_is_seen_once_the_lag_is_over",
    ),
    *mistakes(
        "log/storage/journal.py",
        TEST,
        (
            "a journal whose sync has failed is only synced again",
            "            if self._must_rewrite:",
            "            if False:",
        ),
    ),
    Mutation(
        "a journal that is replayed is not on the medium",
        "log/storage/journal.py",
        "if self._durable:\n                self._write_anew(content[:end])\n",
        "if False:\n                pass\n",
        "log/storage/test_machine.py::test_nothing_is_lost_and_nothing_is_torn",
    ),
)
