"""Commands that were killed go on when they are typed again, and say how where the game has begun.

CI takes some kills of some commands; ``make faults`` takes every one of all (``python -m tests.cli.kills``).
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from catan_p2p.log.keys import read_private_key, spell_public_key
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.log.transport.serve import RepositoryServer, knock
from catan_p2p.tables.hosting import _make_relay
from catan_p2p.tables.repair import heal
from catan_p2p.tables.waiting_folder import room_folder
from catan_p2p.tables.waiting_room import waiting_room
from tests.replication.tables import git, make_seats
from tests.typed import Typed

if sys.platform == "win32":
    pytest.skip("processes are forked", allow_module_level=True)

from tests.cli.kills import SWEEPS

pytestmark = pytest.mark.sampled(8)


@pytest.mark.long
@pytest.mark.parametrize("name", [sweep.name for sweep in SWEEPS])
def test_a_command_that_is_killed_goes_on(name: str) -> None:
    seed = os.environ.get("CATAN_P2P_CASES", "0")
    sweep = [sys.executable, "-m", "tests.cli.kills", "--only", name, "--sample", "2", "--seed", seed]
    done = subprocess.run(sweep, capture_output=True, text=True, cwd=Path(__file__).parents[2], check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"| `{name}` |" in done.stdout


def test_where_the_game_has_begun_the_verbs_say_how_to_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    red, blue = tmp_path / "red", tmp_path / "blue"
    new = ["new-game", str(red), "--players", "Red,Blue"]
    join = ["join", str(red), str(blue), "--as", "Blue"]
    assert [main(new), main(join)] == [0, 0]
    capsys.readouterr()
    host = ["host", str(red), "--relay", str(tmp_path / "relay"), "--players", "Red,Blue"]
    for command, path, colour in ((new, red, "Red"), (join, blue, "Blue"), (host, red, "Red")):
        assert main(command) == 2
        assert capsys.readouterr().err.splitlines()[-1] == (
            f"catan-p2p: {path}: {colour} has a seat there, in a game that has begun; "
            f"go on with: catan-p2p play {path}, or catan-p2p peer {path}"
        )


def test_a_relay_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    relay, half = tmp_path / "relay", tmp_path / ".relay.new"
    half.mkdir()
    (half / "objects").mkdir()
    _make_relay(relay, print)
    assert git(relay, "rev-parse", "--is-bare-repository") == "true"
    assert [*tmp_path.iterdir()] == [relay]


def test_a_simulation_goes_on_whose_check_out_was_killed(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert main(["simulate", "--policy", "builder", "--seed", "3", "--out", str(out)]) == 0
    (out / "games.jsonl").write_text("")
    for name in ("index.lock", "HEAD.lock"):
        (out / "Catan_0" / ".git" / name).touch()
    assert main(["simulate", "--resume", str(out)]) == 0
    assert git(out / "Catan_0", "status", "--porcelain") == ""


def test_a_key_without_its_public_half_gets_it(tmp_path: Path, typed: Typed) -> None:
    file, public = tmp_path / "key", tmp_path / "key.pub"
    assert main(["new-key", str(file)]) == 0
    before = file.read_bytes()
    public.unlink()
    assert "this key exists already" in typed(0, "new-key", file).err
    assert spell_public_key(read_private_key(file)) in public.read_text()
    assert file.read_bytes() == before
    assert main(["new-key", str(file)]) == 2
    assert sorted(tmp_path.iterdir()) == [file, public]


def test_the_start_of_a_peer_removes_the_waiting_room_of_its_seat_and_no_other(tmp_path: Path) -> None:
    red = make_seats(tmp_path)[0]
    left, other = room_folder(red), room_folder(tmp_path / "Green")
    for folder in (left, other):
        folder.mkdir()
    heal(red)
    heal(tmp_path / "Green")
    assert not left.exists()
    assert other.exists(), "somebody waits there"


def test_a_repository_that_was_mended_takes_its_place_after_a_kill(tmp_path: Path) -> None:
    red = make_seats(tmp_path)[0]
    red.rename(tmp_path / "Red.mended")
    heal(red)
    assert main(["status", str(red)]) == 0


def test_what_a_host_has_not_kept_is_said_again(tmp_path: Path) -> None:
    """A host that is killed has heard at its door what is not in its waiting room yet."""
    ref, heard = "refs/tables/0/Blue", []
    with (
        RepositoryServer(
            make_seats(tmp_path)[0], "127.0.0.1", 0, door=lambda said, address: heard.append(said)
        ) as server,
        waiting_room(tmp_path / "guest", "git://127.0.0.1:1/", {}) as room,
    ):

        def at_the_door(said: bytes) -> None:
            if not knock("127.0.0.1", server.port, said):
                raise StoreError("not heard")

        room.knock = at_the_door
        assert room.say(ref, "number", {"Number": "1"}) is None
        room.repeat(ref)
    assert len(heard) == 2 and heard[0] == heard[1]
