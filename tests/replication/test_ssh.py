"""How ``ssh`` is called: one connection for all looks at a host, and never another way than the user has said."""

import getpass
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from catan_p2p.log.transport import ssh
from catan_p2p.log.transport.configured import configured
from catan_p2p.log.transport.git_command import git_environment, last_line
from catan_p2p.log.transport.git_remote import GitRemote
from catan_p2p.log.transport.remote import RemoteUnreachable
from catan_p2p.log.transport.session_remote import SessionRemote
from tests.replication.git_servers import lacking_for_ssh, ssh_gets_in, ssh_server
from tests.replication.relays import bare

needs_ssh = pytest.mark.skipif(lacking_for_ssh() is not None, reason=lacking_for_ssh() or "")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="ssh shares no connections on Windows")


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Nothing is configured; a short name for a folder of this user's own."""
    for name in ("GIT_SSH_COMMAND", "GIT_SSH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    configured.cache_clear()
    with TemporaryDirectory(dir="/tmp") as short:
        monkeypatch.setenv("XDG_RUNTIME_DIR", short)
        yield Path(short)
    configured.cache_clear()


def command() -> str:
    found = ssh.ssh_command(Path("own"))
    assert found is not None
    return found


def test_a_connection_is_left_open_in_a_folder_of_this_user(folder: Path) -> None:
    assert f"ControlPath={folder}/catan-%C" in command()
    assert "BatchMode=yes" in command()


@pytest.mark.parametrize("name", ["GIT_SSH_COMMAND", "GIT_SSH"])
def test_a_command_in_the_environment_is_the_users_affair(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "my-ssh")
    assert ssh.ssh_command(Path("own")) is None


def test_a_command_in_gits_configuration_is_the_users_affair(tmp_path: Path) -> None:
    (tmp_path / "gitconfig").write_text("[core]\n\tsshCommand = my-ssh\n")
    assert ssh.ssh_command(Path("own")) is None


def test_a_command_in_the_configuration_of_the_own_repository_is_the_users_affair(tmp_path: Path) -> None:
    own = bare(tmp_path / "own")
    subprocess.run(["git", "-C", str(own), "config", "core.sshCommand", "my-ssh"], check=True)
    assert "GIT_SSH_COMMAND" not in git_environment(own)
    assert "Control" in git_environment(bare(tmp_path / "another"))["GIT_SSH_COMMAND"]


def test_a_folder_that_others_may_write_to_holds_no_connection(folder: Path) -> None:
    folder.chmod(0o770)
    assert "Control" not in command()


def test_without_the_runtime_folder_it_is_that_of_the_keys(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    assert "Control" not in command()
    monkeypatch.setenv("HOME", str(folder))
    (folder / ".ssh").mkdir(mode=0o700)
    assert f"ControlPath={folder}/.ssh/catan-%C" in command()


def test_a_name_too_long_for_a_socket_holds_no_connection(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    deep = folder / ("deep" * 20)
    deep.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(deep))
    assert "Control" not in command()


CHANGED = """\
@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@
@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @
@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@
IT IS POSSIBLE THAT SOMEONE IS DOING SOMETHING NASTY!
Someone could be eavesdropping on you right now (man-in-the-middle attack)!
It is also possible that a host key has just been changed.
The fingerprint for the ED25519 key sent by the remote host is
SHA256:q3Qp2eJ0Zr0xqf2v4W5u6T7y8U9i0O1p2A3s4D5f6G7.
Please contact your system administrator.
Add correct host key in /home/ann/.ssh/known_hosts to get rid of this message.
Offending ED25519 key in /home/ann/.ssh/known_hosts:3
  remove with:
  ssh-keygen -f "/home/ann/.ssh/known_hosts" -R "[127.0.0.1]:2222"
Host key for [127.0.0.1]:2222 has changed and you have requested strict checking.
Host key verification failed.
"""
UNKNOWN = "No ED25519 host key is known for ann.example and you have requested strict checking."
END = "fatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\n"
TROUBLE = {
    "a changed host key": (CHANGED, "the host key of [127.0.0.1]:2222 has changed (now SHA256:q3Qp2eJ0Zr0"),
    "an unknown host key": (f"{UNKNOWN}\nHost key verification failed.\n", f"Host key verification failed: {UNKNOWN}"),
    "a key that is not let in": (
        "****\n* hi *\nann@ann.example: Permission denied (publickey).\n",
        "ann@ann.example: ",
    ),
    "a server that cannot be reached": (
        "ssh: connect to host a port 22: Connection refused\n",
        "ssh: connect to host a",
    ),
    "nothing": ("", "Could not read from remote repository."),
}


@pytest.mark.parametrize("kind", [SessionRemote, GitRemote])
@pytest.mark.parametrize("name", TROUBLE)
def test_what_ssh_says_is_told_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, kind: type[SessionRemote | GitRemote]
) -> None:
    said, expected = TROUBLE[name]
    script = tmp_path / "ssh"
    (tmp_path / "said").write_text(said)
    script.write_text(f"#!/bin/sh\ncat {tmp_path / 'said'} >&2\nexit 255\n")
    script.chmod(0o755)
    monkeypatch.setenv("GIT_SSH_COMMAND", str(script))
    remote = kind("ssh://ann.example/relay", bare(tmp_path / "own"), tmp_path / "incoming")
    with pytest.raises(RemoteUnreachable) as caught:
        remote.heads((), "refs/heads/")
    told = str(caught.value).removeprefix("ssh://ann.example/relay: ")
    assert told.startswith(expected)
    assert "\n" not in told and "@@" not in told
    assert last_line(said + END) == told
    if name == "a changed host key":
        assert told.endswith("ssh-keygen -R '[127.0.0.1]:2222'")


@pytest.mark.long
@needs_ssh
def test_many_looks_at_a_host_take_one_connection(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: Path
) -> None:
    with ssh_server(tmp_path / "server") as server:
        if why := ssh_gets_in(server):
            pytest.skip(f"the OpenSSH server that was started lets nobody in: {why}")
        before = (tmp_path / "server" / "log").read_text().count("Accepted publickey")
        programs = tmp_path / "programs"
        programs.mkdir()
        # What stands in a user's ~/.ssh: the key, and whom it knows.
        _, *known = server.command.split()
        found = subprocess.run(["which", "ssh"], capture_output=True, text=True, check=True).stdout.strip()
        (programs / "ssh").write_text(f'#!/bin/sh\nexec {found} {" ".join(known)} "$@"\n')
        (programs / "ssh").chmod(0o755)
        monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin", prepend=":")
        # A machine that is so busy that nothing comes through for ten seconds would begin a second one, rightly.
        monkeypatch.setattr(ssh, "_ALIVE", ("ServerAliveInterval=600",))
        relay = bare(tmp_path / "relay")
        remote = GitRemote(server.url(relay), relay, tmp_path / "incoming")
        try:
            for _ in range(3):
                assert remote.heads((), "refs/heads/") == {}
        finally:
            remote.close()
            leave = ["-O", "exit", "-p", str(server.port), f"{getpass.getuser()}@127.0.0.1"]
            subprocess.run([*command().split(), *leave], check=False, capture_output=True)
        assert (tmp_path / "server" / "log").read_text().count("Accepted publickey") == before + 1
        # The master answers before it removes its socket.
        deadline = time.monotonic() + 60.0
        while list(folder.iterdir()) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not list(folder.iterdir()), "nothing stays"
