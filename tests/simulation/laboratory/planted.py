"""Mistakes as somebody could make them in the program, and the campaigns of the laboratory that find each.

``python -m tests.simulation.laboratory.found`` plants one after the other and writes the table of
docs/research/figures/planted.csv. First the mistakes that are functions of a ``MonkeyPatch``, then those that
replace one thing.
"""

import contextlib
import dataclasses
import math
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import pytest

from catan_p2p.game import rules as game_rules
from catan_p2p.game.actions import robbery, roll_dice
from catan_p2p.log import authorship, judging, known_shares, rules, valid_commits
from catan_p2p.log import graph as commit_graph
from catan_p2p.log.evidence import EvidenceBox
from catan_p2p.log.storage import journal, medium, pack_store, ref_files, writer
from catan_p2p.log.storage.memory import MemoryDisk
from catan_p2p.log.storage.store import GitStore
from catan_p2p.log.transport import pacing
from catan_p2p.log.verdict import CommitRejected
from catan_p2p.replication import catch_up, play, replica, voting
from catan_p2p.replication.core import (
    commit_intake,
    looking,
    refusals,
    replica_state,
    source,
    view_duty,
)
from catan_p2p.replication.relay import SeatRelay
from catan_p2p.simulation.laboratory import hosts

Patch = pytest.MonkeyPatch
Plant = Callable[[Patch], None]


def _nothing(*_: Any, **__: Any) -> None:
    """Do nothing."""


def _yes(*_: Any, **__: Any) -> bool:
    return True


def _no(*_: Any, **__: Any) -> bool:
    return False


def _empty(*_: Any, **__: Any) -> tuple[()]:
    return ()


def _replaced(owner: object, name: str, by: object) -> Plant:
    return lambda patch: patch.setattr(owner, name, by)


def _without(rule: rules.Rule) -> Plant:
    """Without a rule."""

    def plant(patch: Patch) -> None:
        patch.setattr(judging, "RULES", tuple(one for one in judging.RULES if one is not rule))

    return plant


class Mistake(NamedTuple):
    """A mistake, the campaign that it is looked for in, and what is wrong, in the words of the page."""

    plant: Plant
    campaign: str
    what: str


PLANTED: dict[str, Mistake] = {}
"""The mistakes by name."""


def planted(campaign: str) -> Callable[[Plant], Plant]:
    """A mistake that is a function: its docstring says what is wrong."""

    def add(plant: Plant) -> Plant:
        PLANTED[plant.__name__] = Mistake(plant, campaign, " ".join((plant.__doc__ or "").split()))
        return plant

    return add


# What is accepted


@planted("colluding")
def shares_are_told_twice(patch: Patch) -> None:
    """A share may be told for a second call."""
    for module in (valid_commits, judging, commit_graph):
        patch.setattr(module, "after_own_shares", lambda ledger, player, told: ledger)


@planted("restored")
def log_goes_back(patch: Patch) -> None:
    """Another's log is followed back to an older commit."""

    def know(self: Any, visit: Any, tracking: str) -> None:
        visit.source.seen[visit.ref] = visit.head
        self._held.record(tracking, visit.head)

    patch.setattr(commit_intake.CommitIntake, "_know", know)


# The rules of the game


@planted("faults")
def eight_is_seven(patch: Patch) -> None:
    """An eight has the effect of a seven."""
    kind = game_rules.KIND_OF[roll_dice.RollDice]

    def effect(state: Any, action: Any) -> Any:
        return kind.effect(state, dataclasses.replace(action, dice=7) if action.dice == 8 else action)

    patch.setitem(game_rules.KIND_OF, roll_dice.RollDice, dataclasses.replace(kind, effect=effect))


@planted("joint")
def draws_in_reverse(patch: Patch) -> None:
    """The shares of a draw are taken in another order."""
    real = known_shares.KnownShares.draw

    def draw(self: Any, *given: Any, **more: Any) -> Any:
        found = real(self, *given, **more)
        return None if found is None else found._replace(shares=found.shares[::-1])

    patch.setattr(known_shares.KnownShares, "draw", draw)


@planted("joint")
def calls_uncounted(patch: Patch) -> None:
    """The number of a draw is not raised."""
    real = known_shares.KnownShares.entry
    patch.setattr(
        known_shares.KnownShares,
        "entry",
        lambda self, *a: (e := real(self, *a))._replace(draw=None if e.draw is None else max(1, self.draws)),
    )


# The disk


@planted("disks")
def journal_is_not_replayed(patch: Patch) -> None:
    """What a killed process had acknowledged is not taken out of the journal."""
    real = writer.StoreWriter._replay
    patch.setattr(writer.StoreWriter, "_replay", lambda self, publications: real(self, [[]]))


@planted("syncs")
def refs_before_the_sync(patch: Patch) -> None:
    """Refs are moved before the journal is synced."""
    sync, move = journal.Journal.sync, ref_files.RefFiles.move

    def publish(
        self: writer.StoreWriter, real: Callable[..., None] = writer.StoreWriter.publish, **options: bool
    ) -> None:
        late: list[journal.Journal] = []
        with pytest.MonkeyPatch.context() as inner:
            inner.setattr(journal.Journal, "sync", lambda self: late.append(self))
            inner.setattr(ref_files.RefFiles, "move", lambda *a: (move(*a), [sync(one) for one in late], late.clear()))
            real(self, **options)

    patch.setattr(writer.StoreWriter, "publish", publish)


@planted("disks")
def refs_before_the_pack(patch: Patch) -> None:
    """Refs are moved before the pack with what they lead to is written."""
    put = pack_store.PackStore.put
    move = ref_files.RefFiles.move

    def publish(
        self: writer.StoreWriter, real: Callable[..., None] = writer.StoreWriter.publish, **options: bool
    ) -> None:
        late: list[Callable[[], object]] = []
        with pytest.MonkeyPatch.context() as inner:
            inner.setattr(pack_store.PackStore, "put", lambda *a, **how: late.append(partial(put, *a, **how)))
            inner.setattr(ref_files.RefFiles, "move", lambda *a: (move(*a), inner.undo(), [one() for one in late]))
            real(self, **options)

    patch.setattr(writer.StoreWriter, "publish", publish)


@planted("disks")
def folded_packs_are_not_synced(patch: Patch) -> None:
    """A pack that others were folded into is not synced."""
    real = pack_store.PackStore._write
    patch.setattr(pack_store.PackStore, "_write", lambda self, *a, synced: real(self, *a, synced=False))


@planted("disks")
def torn_end_is_kept(patch: Patch) -> None:
    """The torn end of the journal is not cut off after a kill."""
    real = journal._scan

    def scan(content: bytes) -> tuple[list[journal.JournalRecord], int, bool]:
        records, end, damaged = real(content)
        return records, end if damaged else len(content), damaged

    patch.setattr(journal, "_scan", scan)


@planted("disks")
def torn_end_is_not_taken_back(patch: Patch) -> None:
    """What a full disk took of a record is left in the journal."""

    def keep(self: Any) -> None:
        self._torn = False

    patch.setattr(journal.Journal, "_take_back", keep)


@planted("disks")
def checksums_unchecked(patch: Patch) -> None:
    """The checksums of the journal are not compared."""

    class Same:
        crc32 = staticmethod(lambda data: 0)

    patch.setattr(journal, "zlib", Same)


@planted("syncs")
def failed_syncs_are_ignored(patch: Patch) -> None:
    """A sync of the journal that fails is taken for one that worked."""
    real = journal.Journal.sync

    def sync(self: Any) -> None:
        with contextlib.suppress(Exception):
            real(self)

    patch.setattr(journal.Journal, "sync", sync)


@planted("syncs")
def sync_again_is_enough(patch: Patch) -> None:
    """After a sync that failed, what it was for is synced again and not written again."""

    class Forgetful(journal.Journal):
        @property
        def _must_rewrite(self) -> bool:
            return False

        @_must_rewrite.setter
        def _must_rewrite(self, value: bool) -> None:
            pass

    patch.setattr(writer, "Journal", Forgetful)


@planted("disks")
def fold_drops_a_pack(patch: Patch) -> None:
    """Folding leaves out one of the packs."""
    real = pack_store.fold
    patch.setattr(pack_store, "fold", lambda packs: real([*packs][:-1]))


@planted("disks")
def replay_forgets_the_last(patch: Patch) -> None:
    """The last record of the journal is taken for torn."""
    real = journal._scan

    def scan(content: bytes) -> tuple[list[journal.JournalRecord], int, bool]:
        records, end, damaged = real(content)
        return records[:-1], end, damaged

    patch.setattr(journal, "_scan", scan)


@planted("disks")
def full_disk_ends_the_peer(patch: Patch) -> None:
    """A full disk is not waited for."""
    patch.setattr(play, "may_pass", _no)
    patch.setattr(hosts, "may_pass", _no)


@planted("disks")
def broken_disk_ends_the_peer(patch: Patch) -> None:
    """A disk that fails is not waited for, unless it is full."""
    patch.setattr(play, "may_pass", play.is_full)
    patch.setattr(hosts, "may_pass", play.is_full)


@planted("disks")
def objects_are_not_kept(patch: Patch) -> None:
    """The trees and files of others' commits are not kept."""
    real = replica_state.ReplicaState.keep
    patch.setattr(replica_state.ReplicaState, "keep", lambda self, commit, objects: real(self, commit, objects[-1:]))


# Evidence


class _Unsynced:
    """A medium that waits for nothing."""

    def __init__(self, of: medium.FileMedium) -> None:
        self._of = of

    def __getattr__(self, name: str) -> Any:
        if name.startswith("sync"):
            return _nothing
        real = getattr(self._of, name)
        return real if name != "create" else lambda path, data, **options: real(path, data)


@planted("lies")
def evidence_is_not_synced(patch: Patch) -> None:
    """Evidence is kept and not synced."""
    real = EvidenceBox.__init__
    patch.setattr(EvidenceBox, "__init__", lambda self, folder, disk: real(self, folder, _Unsynced(disk)))


@planted("leaving")
def shower_is_charged(patch: Patch) -> None:
    """What is refused is charged to whoever shows it, for certain."""
    real = refusals.RefusalLog._charge

    def charge(self: Any, visit: Any, bad: Any) -> Any:
        return dataclasses.replace(real(self, visit, bad), colour=visit.source.colour, is_certain=True)

    patch.setattr(refusals.RefusalLog, "_charge", charge)


# Branches and looks


@planted("joint")
def replies_go_too_early(patch: Patch) -> None:
    """The own replies are removed before anybody has merged them."""

    def tidy(self: Any) -> None:
        for ref in self.own_replies():
            self.forget(ref)

    patch.setattr(replica_state.ReplicaState, "tidy", tidy)


@planted("far")
def copies_of_replies_go_too_early(patch: Patch) -> None:
    """Others' replies are removed before they are merged, so nobody hears of them through others."""

    def tidy(self: Any) -> None:
        self.tidy()
        for ref in self.tracked():
            self.forget(ref)

    patch.setattr(replica_state.ReplicaState, "tidy_all", tidy)


@planted("faults")
def never_again_after_a_failure(patch: Patch) -> None:
    """A neighbour who could not be reached once is not looked at any more."""

    def failed(self: Any, error: Exception) -> None:
        self.trouble, self.failures, self._next = str(error), self.failures + 1, math.inf

    patch.setattr(pacing.Backoff, "failed", failed)


@planted("faults")
def refused_ref_never_again(patch: Patch) -> None:
    """A branch of which something was refused is not looked at any more."""
    real = looking.SourceLooks.is_fresh
    patch.setattr(
        looking.SourceLooks,
        "is_fresh",
        lambda self, one, ref, head: ref not in one.rejected and real(self, one, ref, head),
    )


@planted("lies")
def gaps_are_for_good(patch: Patch) -> None:
    """A commit that is missing once is not asked for again."""
    real = refusals.RefusalLog.refuse

    def refuse(self: refusals.RefusalLog, visit: source.FetchSession, bad: CommitRejected) -> None:
        if bad.reason == "missing":
            visit.source.seen[visit.ref] = visit.head
        real(self, visit, bad)

    patch.setattr(refusals.RefusalLog, "refuse", refuse)
    patch.setattr(source.BranchSource, "look_again", lambda self, ref: None)


@planted("leaving")
def refusals_are_for_good(patch: Patch) -> None:
    """Whatever was refused once is refused for ever."""

    def note(self: Any, head: Any, bad: Any, *, is_judged: bool) -> None:
        self.for_good[bad.commit] = self.for_good[head] = bad

    patch.setattr(refusals.RefusalLog, "note", note)


@planted("leaving")
def copies_are_not_looked_for(patch: Patch) -> None:
    """Nothing is heard through third peers."""
    real = looking.SourceLooks.wanted
    patch.setattr(looking.SourceLooks, "wanted", lambda self, source, relayed: real(self, source, relayed=()))


@planted("faults")
def taken_in_is_not_shown(patch: Patch) -> None:
    """What was taken in of others is not shown to others."""
    patch.setattr(GitStore, "publish", _nothing)
    patch.setattr(play.PeerLife, "_look", _quiet_look)


def _quiet_look(self: Any) -> Any:
    return (yield from self._replica.synchronizing(True, 10.0)) > 0


@planted("joint")
def relay_gets_no_replies(patch: Patch) -> None:
    """Only the log is pushed to a relay."""
    real = SeatRelay._own
    patch.setattr(
        SeatRelay, "_own", lambda self, store: {r: h for r, h in real(self, store).items() if r.count("_") == 1}
    )


@planted("faults")
def leaves_too_early(patch: Patch) -> None:
    """A peer goes when the game is over, whoever has not heard of it."""
    patch.setattr(play, "knows_head", _yes)
    patch.setattr(play, "_LINGER_S", 0.0)


# Changes of the view


@planted("leaving")
def half_a_patience(patch: Patch) -> None:
    """A peer votes after half of the patience."""
    real = voting.TurnClock.is_over
    patch.setattr(voting.TurnClock, "is_over", lambda self, player, patience_s: real(self, player, patience_s / 2))


PLANTED |= {
    # What is accepted
    "authors_and_signatures_unchecked": Mistake(
        _replaced(authorship, "forgery", _nothing), "forging", "Neither authors nor signatures are checked."
    ),
    "decisions_unchecked": Mistake(
        _replaced(judging, "_require_record", _nothing), "forging", "A player is excused without a decision."
    ),
    "second_reply": Mistake(
        _replaced(commit_graph.CommitGraph, "_passed", _nothing), "joint", "A second reply to one commit is accepted."
    ),
    "guards_are_not_checked": Mistake(
        _replaced(rules, "broken_guards", _empty),
        "forging",
        "Another's action is accepted although it is not enabled.",
    ),
    "trees_unchecked": Mistake(_without(rules.tree), "forging", "The tree of a commit is not compared."),
    "outcomes_unchecked": Mistake(
        _without(rules.chance), "forging", "Shares and outcomes of joint draws are not checked."
    ),
    "anybody_attests": Mistake(
        _replaced(commit_intake.CommitIntake, "_is_attested", _yes),
        "faults",
        "Without keys, another player's copy counts as the author's word.",
    ),
    # The rules of the game
    "thief_keeps_nothing": Mistake(
        _replaced(robbery, "steal", lambda state, player, victim, card: state.h),
        "faults",
        "A stolen card goes to nobody.",
    ),
    # The disk
    "nothing_is_synced": Mistake(
        _replaced(journal.Journal, "sync", _nothing), "disks", "What is acknowledged is not waited for."
    ),
    "journal_begins_anew_too_early": Mistake(
        _replaced(journal.Journal, "mark", lambda self: self.reset()),
        "disks",
        "The journal is emptied once packs and refs are written, not once they are on the medium.",
    ),
    "packs_are_not_synced": Mistake(
        _replaced(pack_store.PackStore, "sync", _nothing),
        "disks",
        "The journal begins anew although the packs are not on the medium.",
    ),
    "refs_are_not_synced": Mistake(
        _replaced(ref_files.RefFiles, "sync", _nothing),
        "disks",
        "The journal begins anew although the refs are not on the medium.",
    ),
    "folders_are_not_synced": Mistake(
        _replaced(MemoryDisk, "sync_folder", _nothing),
        "disks",
        "Files are synced, but not the folders with their names.",
    ),
    "stale_locks_stay": Mistake(
        _replaced(ref_files.RefFiles, "remove_stale_locks", _nothing),
        "disks",
        "The locks of a killed process are not removed.",
    ),
    "commits_are_not_kept": Mistake(
        _replaced(
            replica_state.ReplicaState, "keep", lambda self, commit, objects: self._unkept.update({commit: objects[-1]})
        ),
        "disks",
        "Refs lead to others' commits that are not kept.",
    ),
    # Starting again
    "own_log_is_not_resumed": Mistake(
        _replaced(replica.Replica, "resume", _nothing), "faults", "A peer starts as if it had not played yet."
    ),
    "acts_before_asking": Mistake(
        _replaced(catch_up.CatchUp, "is_over", property(_yes)),
        "disks",
        "A peer acts before the others have told what they hold of its log.",
    ),
    "own_copies_are_not_looked_for": Mistake(
        _replaced(looking.SourceLooks, "own_copies", lambda self, source, heads: {}),
        "restored",
        "What others hold of the own log is not taken back.",
    ),
    "one_answer_is_enough": Mistake(
        _replaced(catch_up.CatchUp, "is_over", property(lambda self: bool(self._heard))),
        "disks",
        "A peer acts once one of the others has answered.",
    ),
    "taken_back_is_not_recorded": Mistake(
        _replaced(commit_intake.CommitIntake, "_record_own", _nothing),
        "restored",
        "The own log is not moved to the commits that come back.",
    ),
    # Evidence
    "evidence_is_dropped": Mistake(
        _replaced(EvidenceBox, "keep", _nothing), "faults", "Nothing is kept of what is refused."
    ),
    "commits_are_no_evidence": Mistake(
        _replaced(EvidenceBox, "_keep_commit", _nothing), "forging", "The line is kept, the refused commit is not."
    ),
    # Branches and looks
    "replies_stay": Mistake(
        _replaced(replica_state.ReplicaState, "tidy", _nothing), "joint", "Replies that are merged are not removed."
    ),
    "replies_are_not_looked_for": Mistake(
        _replaced(looking, "may_reply", _no), "joint", "Only logs are looked for, not replies."
    ),
    "far_copies_are_not_looked_for": Mistake(
        _replaced(replica_state.ReplicaState, "is_far", _no),
        "far",
        "Of a player who is far, only the neighbour's own copy is looked for.",
    ),
    "strays_are_not_looked_for": Mistake(
        _replaced(looking.SourceLooks, "strays", _empty),
        "faults",
        "Replies to past commits, and copies, are not looked for.",
    ),
    "relay_is_not_waited_for": Mistake(
        _replaced(SeatRelay, "has_all", _yes), "faults", "A peer leaves before the relay has its commits."
    ),
    "passes_without_showing": Mistake(
        _replaced(replica_state.ReplicaState, "show_tidied", lambda self: self.tidy()),
        "faults",
        "An action is not shown when the turn passes on.",
    ),
    # Changes of the view
    "patience_is_ignored": Mistake(
        _replaced(voting.VotingDuty, "_is_over", _yes), "leaving", "A peer votes on a silent player at once."
    ),
    "nobody_votes": Mistake(
        _replaced(view_duty.ViewDuty, "_vote", lambda self, waited, is_round_over: None), "leaving", "Nobody votes."
    ),
    "nobody_proposes": Mistake(
        _replaced(view_duty.ViewDuty, "_proposal", lambda self, is_grace_over: None), "leaving", "Nobody proposes."
    ),
    "nobody_accepts": Mistake(
        _replaced(view_duty.ViewDuty, "_acceptance", lambda self: None), "leaving", "Nobody accepts a proposal."
    ),
    "nobody_records": Mistake(
        _replaced(view_duty.ViewDuty, "record", lambda self, state: None), "leaving", "Nobody records a decision."
    ),
    "forks_are_not_named": Mistake(
        _replaced(view_duty.ViewDuty, "_forks", _empty), "colluding", "A vote names no proof of a fork."
    ),
}

ELSEWHERE: dict[str, str] = {
    "second_reply": "tests/log/test_rules.py"
    "::test_a_commit_that_is_not_its_player_s_or_stands_elsewhere_is_refused[replied_twice]",
    "gaps_are_for_good": "tests/replication/test_hostile.py"
    "::test_a_commit_that_is_not_there_is_awaited_and_not_refused",
    "strays_are_not_looked_for": "tests/replication/test_hostile.py::test_an_answer_after_the_offer_was_settled",
    "refusals_are_for_good": "tests/replication/test_hostile.py"
    "::test_a_commit_that_is_not_there_is_awaited_and_not_refused",
    "shower_is_charged": "tests/replication/test_hostile.py"
    "::test_nobody_is_framed_in_a_game_without_keys[refs/heads/Blue_0]",
    "relay_is_not_waited_for": "tests/replication/test_relay.py::test_nothing_is_pushed_that_is_not_published",
    "anybody_attests": "tests/replication/test_hostile.py::test_another_players_log_extended_in_a_game_without_keys",
    "copies_are_not_looked_for": "tests/replication/test_replica.py"
    "::test_in_a_signed_game_moves_reach_a_peer_through_others[thesis]",
    "passes_without_showing": "tests/replication/test_replica.py"
    "::test_all_peers_end_on_the_same_commit[2-False-thesis]",
    "taken_back_is_not_recorded": "tests/replication/test_rejoining.py"
    "::test_a_peer_that_went_back_goes_on_from_what_the_others_have_seen[from_a_copy-unsigned]",
    "torn_end_is_kept": "tests/log/storage/test_journal.py"
    "::test_cut_at_any_byte_it_keeps_every_whole_record_and_can_be_written_on",
}
"""By mistake that no game shows, the tests that see it."""
