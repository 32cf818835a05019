"""How ``ssh`` is called: one connection for all looks at a host, and never another way than the user has said."""

from __future__ import annotations

import getpass
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from catan_p2p.log.transport import ssh
from catan_p2p.log.transport.git_remote import GitRemote, git_environment
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
    ssh._is_configured.cache_clear()
    with TemporaryDirectory(dir="/tmp") as short:
        monkeypatch.setenv("XDG_RUNTIME_DIR", short)
        yield Path(short)
    ssh._is_configured.cache_clear()


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
        assert not list(folder.iterdir()), "nothing stays"
