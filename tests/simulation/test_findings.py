"""Findings of a simulation are in findings.jsonl as soon as there are any, however the game ends."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from catan_p2p.cli.main import main
from catan_p2p.game import invariants
from catan_p2p.game.invariants import InvariantBroken
from catan_p2p.log import candidate
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.replication import peer
from catan_p2p.simulation.findings import append_line, read_findings, spell_finding
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.run import SimulationRun, begin_run, play_run, resume_run
from tests.typed import Typed

pytestmark = [pytest.mark.long, pytest.mark.sampled(8)]

SETTINGS = SimulationSettings(players=2, games=1, seed=6, policies=("builder",))

PLANTED = """
import os, sys
from types import SimpleNamespace
from catan_p2p.game import invariants
from catan_p2p.replication import peer
from catan_p2p.game.invariants import InvariantBroken

right, calls = invariants.check, 0
def check(state, since=None):
    global calls
    calls += 1
    if calls >= 12:
        if "--kill" in sys.argv and calls == 14:
            os.kill(os.getpid(), 9)
        raise InvariantBroken("BanditOnLand")
    right(state, since)
peer.invariants = SimpleNamespace(check=check)
from catan_p2p.cli.main import main
sys.exit(main([arg for arg in sys.argv[1:] if arg != "--kill"]))
"""
"""The program with a bug: from its twelfth action on every check of an own action fails."""


def planted(*args: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", PLANTED, *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def fails_from(number: int, monkeypatch: pytest.MonkeyPatch, *, until: int = sys.maxsize, where: Any = peer) -> None:
    """Let the checks of own actions fail from this one on, or those in the module ``where``."""
    right, calls = invariants.check, 0

    def check(*states: Any) -> None:
        nonlocal calls
        calls += 1
        if number <= calls < until:
            raise InvariantBroken("BanditOnLand")
        right(*states)

    monkeypatch.setattr(where, "invariants", SimpleNamespace(check=check))


def kinds(out: Path) -> list[str]:
    return [line["kind"] for line in read_findings(out / "findings.jsonl")]


@pytest.mark.parametrize(
    ("where", "judging"), [(peer, "once"), (peer, "each"), (candidate, "each")], ids=["acting", "each", "reading"]
)
def test_a_game_whose_peer_gives_up_keeps_its_findings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: Any, judging: str
) -> None:
    """Who reads what another has written checks it anew only where each judges for itself."""
    fails_from(12, monkeypatch, where=where)
    run = begin_run(tmp_path / "out", replace(SETTINGS, judging=judging))
    play_run(run)
    *broken, last = run.findings
    assert run.findings == read_findings(run.out / "findings.jsonl")
    assert last["kind"] == "no_winner"
    assert broken
    for line in broken:
        assert (line["kind"], line["name"], line["seed"], line["game"]) == ("invariant", "BanditOnLand", 6, 0)
        assert len(line["commit"]) == 40
        assert "Action: " in line["action"]


def test_a_capped_game_keeps_its_findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fails_from(12, monkeypatch, until=14)
    out = tmp_path / "out"
    assert main(["simulate", "--max-actions", "30", "--seed", "6", "--out", str(out)]) == 1
    assert set(kinds(out)) == {"invariant", "no_winner"}
    assert kinds(out).count("no_winner") == 1


def test_a_won_game_counts_its_findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fails_from(12, monkeypatch, until=13)
    run = begin_run(tmp_path / "out", SETTINGS)
    play_run(run)
    assert run.results[0].findings == 1
    assert kinds(run.out) == ["invariant"]


def test_kill_9_loses_no_finding_and_going_on_doubles_none(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = planted("simulate", "--policy", "builder", "--seed", "6", "--out", out, "--kill")
    assert done.returncode == -9
    before = read_findings(out / "findings.jsonl")
    assert before
    assert {line["kind"] for line in before} == {"invariant"}
    run = resume_run(out)
    assert run.findings == before
    play_run(run)
    assert read_findings(out / "findings.jsonl") == before == run.findings


def test_findings_of_several_processes_are_whole_lines(tmp_path: Path) -> None:
    file = tmp_path / "findings.jsonl"
    program = (
        "import sys; from pathlib import Path; from catan_p2p.simulation.findings import append_line\n"
        "for n in range(300): append_line(Path(sys.argv[1]), "
        "{'kind': 'no_winner', 'game': n, 'detail': sys.argv[2] * 500})"
    )
    writers = [subprocess.Popen([sys.executable, "-c", program, str(file), name]) for name in "ab"]
    assert [writer.wait(240) for writer in writers] == [0, 0]
    assert len(read_findings(file)) == 600


def test_separate_peers_write_their_findings_and_the_exit_code_tells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bug is in every process, by a ``sitecustomize`` of its own."""
    plant(tmp_path / "site", until=13, monkeypatch=monkeypatch)
    out = tmp_path / "out"
    args = ["--topology", "separate", "--policy", "builder", "--seed", "6", "--out", str(out)]
    assert main(["simulate", *args]) == 1
    assert kinds(out) == ["invariant"] * 2
    (result,) = (json.loads(line) for line in (out / "games.jsonl").read_text().splitlines())
    assert result["findings"] == 2


def test_separate_peers_that_give_up_keep_their_findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(tmp_path / "site", until=10_000, monkeypatch=monkeypatch)
    out = tmp_path / "out"
    args = ["--topology", "separate", "--policy", "builder", "--seed", "6", "--out", str(out)]
    assert main(["simulate", *args]) == 1
    assert set(kinds(out)) == {"invariant", "no_winner"}


def plant(folder: Path, until: int, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(
        "from types import SimpleNamespace\n"
        "from catan_p2p.game import invariants\n"
        "from catan_p2p.replication import peer\n"
        "from catan_p2p.game.invariants import InvariantBroken\n"
        "right, calls = invariants.check, 0\n"
        "def check(*states):\n"
        "    global calls\n"
        "    calls += 1\n"
        f"    if 12 <= calls < {until}:\n"
        "        raise InvariantBroken('BanditOnLand')\n"
        "    right(*states)\n"
        "peer.invariants = SimpleNamespace(check=check)\n"
    )
    root = Path(invariants.__file__).parents[2]
    monkeypatch.setenv("PYTHONPATH", f"{folder}:{root}")


def test_a_peer_tells_its_findings_as_json_and_exits_with_1(tmp_path: Path) -> None:
    from tests.replication.tables import make_seats

    red, blue = make_seats(tmp_path, 2)
    other = subprocess.Popen(
        [sys.executable, "-m", "catan_p2p.cli.main", "peer", str(blue)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    done = planted("peer", red, "--json", "--findings", tmp_path / "found")
    other.terminate()
    other.wait(240)
    assert done.returncode == 1
    told = json.loads(done.stdout)
    assert "BanditOnLand" in told["gave_up"]
    assert told["findings"][0]["name"] == "BanditOnLand"
    assert read_findings(tmp_path / "found")[0] == told["findings"][0]


def capped(out: Path, cap: int = 10) -> SimulationRun:
    run = begin_run(out, SimulationSettings(players=2, games=2, seed=6, policies=("builder",), max_actions=cap))
    play_run(run)
    return run


def test_a_capped_game_does_not_grow_and_is_one_finding(tmp_path: Path) -> None:
    first = capped(tmp_path / "out").findings
    assert [line["game"] for line in first] == [0, 1]
    assert "after 10 actions" in first[0]["detail"]
    for _ in range(2):
        run = resume_run(tmp_path / "out")
        play_run(run)
        assert run.findings == read_findings(run.out / "findings.jsonl") == first


@pytest.mark.parametrize("cap", [3, 10, 61])
def test_a_cap_is_lifted_and_the_game_is_the_same(tmp_path: Path, cap: int) -> None:
    whole = begin_run(tmp_path / "whole", SETTINGS)
    play_run(whole)
    capped(tmp_path / "out", cap)
    run = resume_run(tmp_path / "out", max_actions=5000)
    play_run(run)
    assert run.results[0].head == whole.results[0].head
    assert run.findings == read_findings(run.out / "findings.jsonl") == []
    assert resume_run(run.out).settings.max_actions == 5000


def test_the_command_line_lifts_a_cap_and_tells_findings_in_words(tmp_path: Path, typed: Typed) -> None:
    out = str(tmp_path / "out")
    args = ["--policy", "builder", "--seed", "6", "--max-actions", "10", "--out", out]
    assert "finding: game 0, seed 6: no winner after 10 actions, the cap is 10" in typed(1, "simulate", *args).err
    assert main(["simulate", "--resume", out, "--max-actions", "0"]) == 2
    assert main(["simulate", "--resume", out, "--max-actions", "9000"]) == 0


def test_separate_peers_keep_to_the_cap(tmp_path: Path, typed: Typed) -> None:
    out = str(tmp_path / "out")
    args = ["--policy", "builder", "--seed", "6", "--max-actions", "10", "--topology", "separate", "--out", out]
    for arguments in (args, ["--resume", out]):
        assert "stopped at the cap of 10 actions" in typed(1, "simulate", *arguments).err
        assert kinds(tmp_path / "out") == ["no_winner"]


def test_a_finding_is_told_in_words() -> None:
    line = {
        "kind": "invariant",
        "name": "BanditOnLand",
        "seed": 6,
        "game": 0,
        "commit": "a" * 40,
        "player": 1,
        "action": "build_road player_1\n\nAction: build_road\nPlayer: 1\nAt: 39\n",
    }
    assert spell_finding(line) == ("game 0, seed 6: build_road player_1 (At: 39) after aaaaaaaaaa breaks BanditOnLand")
    assert "was not refused" in spell_finding({**line, "kind": "not_refused"})


@pytest.mark.parametrize("text", ["garbage", "[]", "{}", '{"kind": "invariant"}', '{"kind": [], "game": 0}', "5"])
def test_a_damaged_line_of_findings_is_told(tmp_path: Path, text: str, typed: Typed) -> None:
    run = begin_run(tmp_path / "out", SETTINGS)
    (run.out / "findings.jsonl").write_text(text + "\n")
    told = typed(2, "simulate", "--resume", run.out).err
    assert "findings.jsonl: not a finding" in told
    assert told.count("\n") == 1


def test_an_unfinished_last_line_of_findings_is_cut_off(tmp_path: Path) -> None:
    run = begin_run(tmp_path / "out", SETTINGS)
    file = run.out / "findings.jsonl"
    append_line(file, {"kind": "no_winner", "game": 0, "detail": "x"})
    whole = file.read_text()
    file.write_text(whole + '{"kind": "inv')
    assert len(resume_run(run.out).findings) == 1
    assert file.read_text() == whole


def test_findings_that_cannot_be_written_are_told(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot write"):
        append_line(tmp_path / "none" / "findings.jsonl", {})
