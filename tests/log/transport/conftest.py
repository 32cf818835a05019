"""Who commits, and what the user has configured of Git, for tests that run it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from catan_p2p.log.transport.configured import configured


@pytest.fixture
def person(monkeypatch: pytest.MonkeyPatch) -> None:
    """Red commits."""
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Red")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "Red@catan-p2p.invalid")


@pytest.fixture
def gitconfig(person: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """What the user has configured of Git: nothing yet."""
    for name in ("GIT_SSH_COMMAND", "GIT_SSH", "GIT_SSH_VARIANT", "GIT_ALLOW_PROTOCOL", "GIT_EXEC_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    configured.cache_clear()
    yield tmp_path / "gitconfig"
    configured.cache_clear()
