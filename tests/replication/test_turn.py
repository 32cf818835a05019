"""A game that lasts days: seats that are looked after now and then, one synchronization at a time.

Red ---> relay <--- Blue
"""

import json
from functools import partial
from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from catan_p2p.game.actions import OfferTrade
from catan_p2p.game.cards import ONE, RESOURCES, count
from catan_p2p.replication.replica import Replica
from tests.replication.relays import bare, flush, has_actions, play_on, seats_at
from tests.replication.tables import git, make_seats, open_replica, opened
from tests.typed import Typed


@pytest.mark.long
def test_it_says_whether_one_is_awaited_and_passes_on_what_was_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], typed: Typed
) -> None:
    relay = bare(tmp_path / "relay")
    red, blue = seats_at(tmp_path, str(relay))
    assert typed(0, "turn", red).out == "Red is awaited\n"
    assert git(relay, "for-each-ref", "--format=%(refname)") == "refs/heads/Red_0"
    assert typed(3, "turn", blue).out.startswith("waiting for Red since ")
    with open_replica(red) as replica:
        replica.synchronize()
        assert replica.act(), "published, and the process ends before it is pushed"
    before = git(relay, "rev-parse", "Red_0")
    assert main(["turn", str(red)]) == 3
    assert git(relay, "rev-parse", "Red_0") != before
    capsys.readouterr()
    told = json.loads(typed(0, "turn", blue, "--json").out)
    assert told["awaited"] and told["new"] == 1 and told["pushed"]


@pytest.mark.long
def test_the_command_is_run_once_for_each_time(tmp_path: Path) -> None:
    relay = bare(tmp_path / "relay")
    red, blue = seats_at(tmp_path, str(relay))
    told = tmp_path / "told"
    notify = ["--notify", f'echo "$CATAN_P2P_MESSAGE" in "$CATAN_P2P_DIR" >> {told}']
    assert main(["turn", str(red), *notify]) == 0
    assert main(["turn", str(blue), *notify]) == 3
    assert main(["turn", str(red), *notify]) == 0
    assert told.read_text().splitlines() == [f"Red is awaited in {red}"]
    with open_replica(red) as replica:
        replica.synchronize()
        replica.act()
        flush(replica)
    assert main(["turn", str(blue), "--notify", "exit 7"]) == 2, "a command that fails is tried again"
    assert main(["turn", str(blue), *notify]) == 0
    assert told.read_text().splitlines()[1:] == [f"Blue is awaited in {blue}"]


def test_the_end_and_nobody_there_have_codes_of_their_own(tmp_path: Path, typed: Typed) -> None:
    red, blue = make_seats(tmp_path)
    blue.rename(tmp_path / "away")
    assert "not a Git repository" in typed(1, "turn", red, "--within", "1").err
    assert main(["turn", str(tmp_path / "nowhere")]) == 2


@pytest.mark.long
@pytest.mark.parametrize("is_payable", [False, True])
def test_an_offer_is_declined_that_plainly_cannot_be_paid(tmp_path: Path, typed: Typed, is_payable: bool) -> None:
    """Any other is left to the player, for whom nobody waits at a table with talk."""
    red, blue = paths = make_seats(tmp_path, rules="standard", policy="beginner")
    offer: list[OfferTrade] = []

    def can_offer(replica: Replica) -> bool:
        state = replica.graph.state
        if replica.player != 1 or state.tp != "TradingBuilding" or state.ap != 1:
            return False
        has, lacks = (partial(count, state.h[seat].rc) for seat in (0, 1))
        fitting = [(give, wanted) for give in RESOURCES if has(give) for wanted in RESOURCES if wanted != give]
        found = [OfferTrade(1, ONE[give], ONE[wanted]) for give, wanted in fitting if bool(lacks(wanted)) == is_payable]
        offer.extend(found[:1])
        return bool(found)

    with opened(paths) as replicas:
        for _ in range(400):
            for replica in replicas:
                replica.synchronize()
                if can_offer(replica):
                    break
                if replica.is_awaited:
                    replica.act_one()
            if offer:
                break
        replicas[0].carry_out(offer[0])
    told, answers = typed(0 if is_payable else 3, "turn", blue).out, "Blue can answer an offer; " * is_payable
    assert told.startswith(f"{answers}waiting for Red since ")
    assert f"; {told.removeprefix(answers)}" in typed(0, "status", blue).out
    with opened([red]) as (replica,):
        replica.synchronize()
        assert replica.graph.state.ans == ("none", "asked" if is_payable else "reject")


@pytest.mark.long
def test_shares_of_a_draw_are_told_and_nothing_is_decided(tmp_path: Path) -> None:
    """With joint chance, who is away would hold up every roll; a visit tells the share, and leaves the rest."""
    relay = bare(tmp_path / "relay")
    paths = seats_at(tmp_path, str(relay), chance="joint")
    for _ in range(2):
        for path in paths:
            main(["turn", str(path)])
    with opened(paths) as replicas:
        assert all(replica.graph.state.tp not in ("Pledging", "top") for replica in replicas)
        play_on(replicas, has_actions(7))
    for path in paths:
        main(["turn", str(path)])
    with opened(paths) as replicas:
        for replica in replicas:
            replica.synchronize()
            assert not replica.is_awaited or replica.has_choice
