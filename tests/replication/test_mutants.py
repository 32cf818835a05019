"""No mutant of a valid log is accepted, and none brings a peer down."""

import hashlib
from pathlib import Path
from random import Random

import pytest

from catan_p2p.log.storage.delta import apply_delta, encode_size
from catan_p2p.log.storage.objects import ObjectDamaged, ObjectTooLarge, StoreError
from catan_p2p.log.transport import conversation
from catan_p2p.log.transport.git_protocol import GitProtocolRemote
from catan_p2p.log.transport.remote import BadFetch
from tests.log.transport.hostile_daemon import HostileDaemon, line
from tests.replication.mutants import mutate_bytes, try_mutants
from tests.replication.tables import git, is_sound, make_seats

pytestmark = [pytest.mark.long, pytest.mark.sampled(3)]


@pytest.mark.parametrize("rules", ["thesis", "brief"])
def test_no_mutant_of_a_valid_log_is_accepted(tmp_path: Path, rules: str) -> None:
    reasons = try_mutants(tmp_path, 1200, seed=1, rules=rules)
    assert sum(reasons.values()) > 1000
    assert {"format", "signature", "author", "parents", "tree", "guard", "game", "missing"} <= set(reasons)
    assert is_sound(tmp_path / "Blue")


@pytest.mark.soak
@pytest.mark.parametrize("rules", ["thesis", "brief"])
@pytest.mark.parametrize("seed", range(1, 6))
def test_no_mutant_of_a_valid_log_is_accepted_for_long(tmp_path: Path, seed: int, rules: str) -> None:
    reasons = try_mutants(tmp_path, 12_000, seed, rules)
    print(f"seed {seed}: {sum(reasons.values())} mutants, {dict(reasons)}")
    assert sum(reasons.values()) > 10_000


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A pack with deltas, as a daemon sends it."""
    path = make_seats(tmp_path_factory.mktemp("pack"), 2)[0]
    git(path, "repack", "-adfq")
    return next((path / ".git" / "objects" / "pack").glob("*.pack")).read_bytes()


@pytest.fixture(params=[False, True], ids=["version 0", "version 2"])
def speaks_2(request: pytest.FixtureRequest) -> bool:
    """Whether the daemon speaks version 2 of Git's protocol."""
    return bool(request.param)


def test_a_daemon_that_sends_mutated_packs_is_only_refused(pack: bytes, speaks_2: bool) -> None:
    rng = Random(3)
    with HostileDaemon(speaks_2=speaks_2) as daemon:
        for _ in range(300):
            body = mutate_bytes(pack[:-20], rng)
            daemon.pack = body + hashlib.sha1(body).digest()
            remote = GitProtocolRemote(daemon.url)
            heads = remote.heads(["refs/heads/Red_0"])
            try:
                remote.bring(heads)
            except (BadFetch, StoreError) as error:
                assert "\n" not in str(error)
            remote.rest()


@pytest.mark.parametrize(
    "listing",
    [b"", b"garbage", b"zzzz", b"0003", b"0001", b"ffff", b"0010ERR go away\n", b"0008\xff\xff\xff\xff0000"],
    ids=["nothing", "words", "no number", "too short", "section", "cut off", "refusal", "bytes"],
)
def test_a_daemon_that_talks_nonsense_is_only_unreachable(listing: bytes, speaks_2: bool) -> None:
    with HostileDaemon(speaks_2=speaks_2) as daemon:
        daemon.listing = listing
        remote = GitProtocolRemote(daemon.url)
        try:
            assert remote.heads(["refs/heads/Red_0"]) == {}
        except StoreError as error:
            assert daemon.url in str(error)
        remote.rest()


def test_a_daemon_that_lists_refs_without_end_is_left(monkeypatch: pytest.MonkeyPatch, speaks_2: bool) -> None:
    with HostileDaemon(speaks_2=speaks_2) as daemon:
        monkeypatch.setattr(conversation, "MAX_LISTING_BYTES", 1 << 20)
        line = b"0" * 40 + b" refs/heads/x\n"
        daemon.listing = (b"%04x" % (len(line) + 4) + line) * 20_000
        remote = GitProtocolRemote(daemon.url)
        with pytest.raises(StoreError, match="lists more than"):
            remote.heads(["refs/heads/Red_0"])
        remote.rest()


def test_a_daemon_that_sends_without_end_is_left(monkeypatch: pytest.MonkeyPatch, pack: bytes, speaks_2: bool) -> None:
    monkeypatch.setattr(conversation, "MAX_FETCHED_PACK_BYTES", 100_000)
    with HostileDaemon(speaks_2=speaks_2) as daemon:
        daemon.pack = pack + b"x" * 200_000
        remote = GitProtocolRemote(daemon.url)
        heads = remote.heads(["refs/heads/Red_0"])
        with pytest.raises(BadFetch, match="sends more than 100000 bytes") as caught:
            remote.bring(heads)
        assert caught.value.reason == "size"
        remote.rest()


def test_a_daemon_that_acknowledges_more_than_one_commit_is_understood(pack: bytes) -> None:
    with HostileDaemon() as daemon:
        daemon.pack = line(f"ACK {'2' * 40}\n") * 3 + pack
        remote = GitProtocolRemote(daemon.url)
        remote.bring(remote.heads(["refs/heads/Red_0"]))
        assert remote.bytes_received == len(pack)
        remote.rest()


def test_a_daemon_that_falls_silent_is_left(monkeypatch: pytest.MonkeyPatch, speaks_2: bool) -> None:
    monkeypatch.setattr(conversation, "DEADLINE_S", 0.3)
    with HostileDaemon(speaks_2=speaks_2) as daemon:
        daemon.is_silent = True
        remote = GitProtocolRemote(daemon.url)
        with pytest.raises(StoreError, match="does not answer"):
            remote.heads(["refs/heads/Red_0"])
        remote.rest()


def test_a_delta_that_grows_without_end_is_not_applied() -> None:
    base, delta = b"x" * 0x10000, encode_size(0x10000) + b"\x01" + b"\x80" * 1000
    with pytest.raises(ObjectTooLarge, match="more than 131072 bytes"):
        apply_delta(base, delta, 2 * 0x10000)
    with pytest.raises(ObjectDamaged, match="makes 65536000 of"):
        apply_delta(base, delta, 1000 * 0x10000)
