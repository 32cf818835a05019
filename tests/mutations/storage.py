"""Mistakes in what a store does when a wait for the medium fails."""

from tests.mutations.mutation import Mutation, mistakes

TEST = "log/storage/test_failed_syncs.py::test_what_was_shown_outlives_a_failed_sync_and_a_cut"

READER = "log/storage/test_power_cut.py::test_a_reader_{}"
PUSH = "log/transport/test_folder_push.py::test_{}"

STORAGE: tuple[Mutation, ...] = (
    Mutation(
        "a guest forgets where the others were told to find it",
        "tables/taking_seat.py",
        "if listen is not None:\n            settings.listen",
        "if listen is None:\n            settings.listen",
        "cli/test_any_port.py::test_a_table_at_any_port_is_joined_by_a_guest_at_any_port",
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
        "log/storage/shelf.py",
        "elif synced or afresh",
        "elif afresh",
        TEST,
    ),
    *mistakes(
        "log/storage/journal.py",
        TEST,
        ("a journal that is replayed is not on the medium", "if self._durable and records", "if False"),
        (
            "a journal whose sync has failed is only synced again",
            "            if self._must_rewrite:",
            "            if False:",
        ),
    ),
)
