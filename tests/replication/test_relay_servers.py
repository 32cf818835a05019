"""Relays behind ssh:// and http://: servers that run here, with credentials, refusals, slow and cut links.

Red --- push, fetch ---> server <--- push, fetch --- Blue
"""

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from catan_p2p.cli.main import main
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.replication.replica import Replica
from catan_p2p.tables import hosting, waiting_room
from catan_p2p.tables.chat_writing import say
from tests.replication.git_servers import Conduct, http_backend, http_server, lacking_for_ssh, ssh_gets_in, ssh_server
from tests.replication.meeting import WaitingHost
from tests.replication.relays import bare, flush, has_actions, play_on, seats_at, sit_down
from tests.replication.tables import git, open_replica, opened

pytestmark = [pytest.mark.long, pytest.mark.sampled(6, together=True)]

needs_http = pytest.mark.skipif(http_backend() is None, reason="needs git-http-backend, which comes with Git's server")
needs_ssh = pytest.mark.skipif(lacking_for_ssh() is not None, reason=lacking_for_ssh() or "")

SECRET = "wool-for-3-grain"


@pytest.fixture
def conduct() -> Conduct:
    return Conduct()


@pytest.fixture
def served(tmp_path: Path, conduct: Conduct) -> Iterator[str]:
    """The URL of a relay behind a server of Git's, whose repository is ``tmp_path/relay``."""
    bare(tmp_path / "relay")
    with http_server(tmp_path, conduct) as url:
        yield f"{url}/relay"


@pytest.fixture(autouse=True)
def nothing_of_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Git finds no configuration and no helper of whoever runs the tests."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("HOME", str(tmp_path))


def use_credentials(folder: Path, user: str, password: str) -> None:
    """Tell Git's credential helper of them, as users do."""
    (folder / "helper").write_text(f"#!/bin/sh\ncat > /dev/null\necho username={user}\necho password={password}\n")
    (folder / "helper").chmod(0o755)
    (folder / "gitconfig").write_text(f"[credential]\n\thelper = {folder / 'helper'}\n")


def trouble(replica: Replica) -> str:
    """What is in the way of pushing, after a try."""
    assert replica.relay is not None
    replica.store.publish()
    assert not replica.relay.flush(replica.store, replica.graph, 1.0)
    return replica.relay.trouble or ""


@needs_http
def test_a_table_over_http(tmp_path: Path, served: str) -> None:
    sit_down(tmp_path, served)
    with opened([tmp_path / "Red", tmp_path / "Blue"]) as replicas:
        play_on(replicas, has_actions(6))
        assert all(not replica.rejected for replica in replicas)


@needs_ssh
def test_a_game_over_ssh_and_a_key_that_the_server_does_not_know(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ssh_server(tmp_path / "server") as server:
        if why := ssh_gets_in(server):
            pytest.skip(f"the OpenSSH server that was started lets nobody in: {why}")
        paths = seats_at(tmp_path, server.url(bare(tmp_path / "relay")))
        monkeypatch.setenv("GIT_SSH_COMMAND", server.stranger)
        with open_replica(paths[0]) as red:
            red.synchronize()
            assert "Permission denied" in trouble(red) + str(red.neighbours[0].trouble)
            assert not red.act(), "nobody has told what they hold of its log"
        monkeypatch.setenv("GIT_SSH_COMMAND", server.command)
        with opened(paths) as replicas:
            play_on(replicas, has_actions(4))


@needs_http
def test_credentials_are_gits_own_and_are_written_nowhere(
    tmp_path: Path, served: str, conduct: Conduct, capfd: pytest.CaptureFixture[str]
) -> None:
    conduct.user, conduct.password = "ann", SECRET
    paths = seats_at(tmp_path / "seats", served)
    told = []
    for password in (None, f"not-{SECRET}"):
        if password is not None:
            use_credentials(tmp_path, "ann", password)
        with open_replica(paths[0]) as red:
            red.synchronize()
            told += [trouble(red), str(red.neighbours[0].trouble)]
    assert any("could not read Username" in words for words in told), told
    assert any("Authentication failed" in words for words in told), told
    use_credentials(tmp_path, "ann", SECRET)
    with opened(paths) as replicas:
        play_on(replicas, has_actions(5))
    told += [*capfd.readouterr()]
    hidden = (SECRET, base64.b64encode(f"ann:{SECRET}".encode()).decode())
    for word in hidden:
        assert not any(word in words for words in told)
        for folder in (tmp_path / "seats", tmp_path / "relay"):
            for file in folder.rglob("*"):
                assert not file.is_file() or word.encode() not in file.read_bytes(), file


@needs_http
def test_a_server_that_takes_no_pushes_is_named_and_tried_again(tmp_path: Path, served: str, conduct: Conduct) -> None:
    paths = seats_at(tmp_path, served)
    with opened(paths) as replicas:
        play_on(replicas, has_actions(4))
        conduct.takes_pushes = False
        acted = None
        while acted is None:
            for replica in replicas:
                replica.synchronize()
                acted = replica if replica.act() else acted
        assert "403" in trouble(acted)
        conduct.takes_pushes = True
        play_on(replicas, has_actions(8))


@needs_http
def test_slow_and_cut_links_delay_and_nothing_is_lost(tmp_path: Path, served: str, conduct: Conduct) -> None:
    paths = seats_at(tmp_path, served)
    with opened(paths) as replicas:
        red, blue = replicas
        conduct.delay_s = 0.2
        play_on(replicas, has_actions(4))
        conduct.delay_s = 0.0
        while red.graph.head == blue.graph.head:
            for replica in replicas:
                replica.synchronize()
                replica.act()
        for how in ({"cuts_after": 300}, {"cuts_after": 20}, {"is_down": True}):
            for name, value in how.items():
                setattr(conduct, name, value)
            before = {replica: len(replica.graph) for replica in replicas}
            for replica in replicas:
                replica.synchronize()
                replica.store.publish()
                replica.relay.flush(replica.store, replica.graph, 0.5)  # type: ignore[union-attr]
            assert all(len(replica.graph) >= before[replica] for replica in replicas)
            conduct.cuts_after, conduct.is_down = None, False
        play_on(replicas, has_actions(10))
        assert all(not replica.rejected for replica in replicas)


@needs_http
def test_refused_pushes_are_told_with_gits_reason(tmp_path: Path, served: str) -> None:
    hook = tmp_path / "relay" / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho 'the table is closed' >&2\nexit 1\n")
    hook.chmod(0o755)
    with open_replica(seats_at(tmp_path, served)[0]) as red:
        red.synchronize()
        told = trouble(red)
        assert "pre-receive hook declined" in told
        assert "the table is closed" in told
        hook.unlink()
        flush(red)
        assert git(tmp_path / "relay", "rev-parse", "Red_0") == red.graph.root


BRANCHES_ONLY = """#!/bin/sh
while read old new ref; do
  case $ref in refs/heads/*) ;; *) echo "branches only" >&2; exit 1;; esac
done
"""


def _hook(relay: Path, text: str) -> Path:
    hook = relay / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(text)
    hook.chmod(0o755)
    return hook


@needs_http
def test_a_relay_that_takes_branches_only_is_played_over(tmp_path: Path, served: str) -> None:
    _hook(tmp_path / "relay", BRANCHES_ONLY)
    sit_down(tmp_path, served)
    say(tmp_path / "Red", "hello")
    with opened([tmp_path / "Red", tmp_path / "Blue"]) as replicas:
        play_on(replicas, has_actions(6))
        blue = replicas[1]
        assert blue.chat is not None
        assert [message.text for message in blue.chat.messages] == ["hello"]
        assert all(not replica.rejected for replica in replicas)
    refs = git(tmp_path / "relay", "for-each-ref", "--format=%(refname)").split()
    assert all(ref.startswith("refs/heads/") for ref in refs)
    assert {"refs/heads/chat/0/Red", "refs/heads/tables/0/terms", "refs/heads/tables/0/Blue"} <= {*refs}


@needs_http
def test_a_host_waits_for_a_relay_whose_hook_refuses_the_table(
    tmp_path: Path, served: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(waiting_room, "_SERVER_S", 0.1)
    hook = _hook(tmp_path / "relay", "#!/bin/sh\nprintf 'the \\033[2Jtable is closed\\n' >&2\nexit 1\n")
    claim, tries = hosting._claim, 0

    def counted(*arguments: Any) -> int:
        nonlocal tries
        tries += 1
        if tries == 3:
            hook.unlink()
        return claim(*arguments)

    monkeypatch.setattr(hosting, "_claim", counted)
    sit_down(tmp_path, served)
    told = capsys.readouterr().out
    assert told.count("this program keeps trying") == 1
    assert "table is closed" in told and "\x1b" not in told


def test_a_relay_that_cannot_be_reached_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="Failed to connect"):
        sit_down(tmp_path, "http://127.0.0.1:1/relay")


@needs_http
def test_a_guest_whose_seat_a_hook_refuses_is_told_how_to_go_on(
    tmp_path: Path, served: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever keeps the relay mends it, and the same command takes the seat."""
    with WaitingHost(tmp_path / "Red", served) as invitation:
        hook = _hook(tmp_path / "relay", "#!/bin/sh\necho 'the table is closed' >&2\nexit 1\n")
        command = ["join", str(invitation), str(tmp_path / "Blue"), "--as", "Blue", "--start", "no"]
        code = main(command)
        told = capsys.readouterr().err
        left = sorted(path.name for path in tmp_path.iterdir() if "Blue" in path.name)
        hook.unlink()
        assert main(command) == 0
    assert code == 2
    assert "refuses refs/tables/0/Blue, and refs/heads/tables/0/Blue too: " in told
    assert "the table is closed" in told
    assert "ask the owner of the relay to let players push there, then type the same command again" in told
    assert left == []
