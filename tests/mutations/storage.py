"""Mistakes in what a store does when a wait for the medium fails."""

from tests.mutations.mutation import Mutation

TEST = "log/storage/test_failed_syncs.py::test_what_was_shown_outlives_a_failed_sync_and_a_cut"

STORAGE: tuple[Mutation, ...] = (
    Mutation(
        "a checkpoint that has failed is tried again without writing anew",
        "log/storage/writer.py",
        "if has_failed:",
        "if False:",
        TEST,
    ),
    Mutation(
        "a failed checkpoint is never tried again",
        "log/storage/writer.py",
        "size < 2 * self._failed_at",
        "self._failed_at",
        TEST,
    ),
    Mutation(
        "refs are left as they are when a checkpoint is tried again",
        "log/storage/writer.py",
        "for ref, oid in heads if oid]",
        "for ref, oid in () if oid]",
        TEST,
    ),
    Mutation(
        "packs of a journal that is replayed are left as they are",
        "log/storage/writer.py",
        "self._put(earlier, afresh=self._durable)",
        "self._put(earlier, afresh=False)",
        TEST,
    ),
    Mutation(
        "refs of a journal that is replayed are left as they are",
        "log/storage/writer.py",
        "move.old != move.new or (afresh and move.new is not None)",
        "move.old != move.new",
        TEST,
    ),
    Mutation(
        "a folded pack whose sync has failed is not written again",
        "log/storage/shelf.py",
        "elif synced or afresh",
        "elif afresh",
        TEST,
    ),
    Mutation(
        "a journal that is replayed is not on the medium",
        "log/storage/journal.py",
        "if self._durable and records",
        "if False",
        TEST,
    ),
    Mutation(
        "a journal whose sync has failed is only synced again",
        "log/storage/journal.py",
        "            if self._must_rewrite:",
        "            if False:",
        TEST,
    ),
)
