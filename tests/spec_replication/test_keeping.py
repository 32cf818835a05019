"""What was taken in and could not be recorded is not kept: a temporary branch stays until its merge is."""

from pathlib import Path

import pytest

from catan_p2p.log.storage.objects import StoreError
from tests.spec_replication.behaviours import Behaviour, generate
from tests.spec_replication.driver import BehaviourDriver, driven, make_template

pytestmark = pytest.mark.long


def up_to_a_merge(behaviours: list[Behaviour]) -> tuple[Behaviour, Behaviour]:
    """A behaviour up to where somebody takes in the merge of their discard, and from there on."""
    for behaviour in behaviours:
        for at, (taken, kept, removed) in enumerate(zip(behaviour, behaviour[1:], behaviour[2:], strict=False)):
            if (taken.name, kept.name, removed.name) == ("TakeIn", "Keep", "Remove") and kept.player == removed.player:
                return behaviour[:at], behaviour[at:]
    raise AssertionError("no behaviour with a merge")


@pytest.mark.needs("spec")
def test_a_branch_is_not_removed_while_its_merge_could_not_be_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, rest = up_to_a_merge(generate(2, 6, seed=1, length=100))
    with driven(BehaviourDriver(make_template(tmp_path / "template", 2), tmp_path / "played"), before) as driver:
        seat = driver.seats[rest[0].player]
        (branch,) = (ref for ref in driver.own_replies(rest[0].player) if seat.recorded.get(ref) is not None)

        def refuse(*record: object) -> None:
            raise StoreError("the disk is full")

        with monkeypatch.context() as full:
            full.setattr(seat.running.store, "record", refuse)
            with pytest.raises(StoreError, match="full"):
                driver.fetch(rest[0])
        seat.look()  # nobody can be reached
        assert seat.recorded[branch] is not None
        driver.fetch(rest[0])
        assert seat.recorded[branch] is None
