"""A game that lasts days: seats that are looked after now and then, one synchronization at a time.

Red ---> relay <--- Blue
"""

import json
from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from tests.replication.relays import bare, flush, has_actions, play_on, seats_at
from tests.replication.tables import git, make_seats, open_replica, opened


@pytest.mark.long
def test_it_says_whether_one_is_awaited_and_passes_on_what_was_left(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    relay = bare(tmp_path / "relay")
    red, blue = seats_at(tmp_path, str(relay))
    assert main(["turn", str(red)]) == 0
    assert capsys.readouterr().out == "Red is awaited\n"
    assert git(relay, "for-each-ref", "--format=%(refname)") == "refs/heads/Red_0"
    assert main(["turn", str(blue)]) == 3
    assert capsys.readouterr().out == "waiting for Red\n"
    with open_replica(red) as replica:
        replica.synchronize()
        assert replica.act(), "published, and the process ends before it is pushed"
    before = git(relay, "rev-parse", "Red_0")
    assert main(["turn", str(red)]) == 3
    assert git(relay, "rev-parse", "Red_0") != before
    capsys.readouterr()
    assert main(["turn", str(blue), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
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


def test_the_end_and_nobody_there_have_codes_of_their_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    red, blue = make_seats(tmp_path)
    blue.rename(tmp_path / "away")
    assert main(["turn", str(red), "--within", "1"]) == 1
    assert "not a Git repository" in capsys.readouterr().err
    assert main(["turn", str(tmp_path / "nowhere")]) == 2


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
