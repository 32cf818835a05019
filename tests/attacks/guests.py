"""Guests, and whoever may push to the relay, who write what they like in the place of a record of a table."""

import json
import os
import time
from pathlib import Path
from unittest.mock import patch

from catan_p2p.log.commit import Commit, Signature
from catan_p2p.log.keys import new_private_key, spell_public_key
from catan_p2p.log.refs import COLOURS
from catan_p2p.log.signing import signer
from catan_p2p.log.storage.objects import ObjectId
from catan_p2p.log.transport.serve import knock
from catan_p2p.simulation.separate import free_ports
from catan_p2p.tables.invitation import Invitation
from catan_p2p.tables.seat import read_settings
from tests.attacks.registry import attack
from tests.replication.meeting import WaitingHost, join
from tests.replication.tables import git, write_object

TREE = ObjectId("4b825dc642cb6eb9a060e54bf8d69288fbee4904")
WITHIN_S = 20.0
GUEST = new_private_key(b"guest".ljust(32))


def claim(invitation: Invitation, colour: str, url: str | None) -> bytes:
    """The claim of a seat by somebody who was invited, to be found at a URL; without the field if that is None."""
    key, author = spell_public_key(GUEST), Signature("table", "table@catan-p2p.invalid", 7)
    proof = invitation.proof(colour, key, "-" if url is None else url)
    field = "" if url is None else f"Url: {url}\n"
    text = f"seat\n\nColour: {colour}\n{field}Proof: {proof}\nKey: {key}\n"
    return signer(GUEST)(Commit(TREE, (), author, author, text)).encode()


# With records read field by field as they are used, the first ends the host with KeyError at every start.
@attack("records without `Url`, with another's, with a tree or garbage", "refused", tries=6)
def records_at_a_relay(folder: Path) -> None:
    relay, said = folder / "relay", list[str]()
    table = WaitingHost(folder / "Red", str(relay), said.append)
    write_object(relay, "tree", b"")
    urls = (None, "ssh://git@inside.example/x", "git://192.0.2.9:9/")
    bad = [claim(table.invitation, "Blue", url) for url in urls]
    objects = [write_object(relay, "commit", data) for data in (*bad, b"tree x\n\nseat\n\n", b"")]

    def guest() -> None:
        for oid in (*objects, TREE):
            (relay / "refs/tables/0/Blue").write_text(f"{oid}\n")
            while git(relay, "for-each-ref", "refs/tables/0/Blue"):
                pass
        join(folder / "Blue", table.invitation, tell=said.append)

    with table:
        table.meanwhile(guest)
    assert sum("; the seat is free again" in line for line in said) == 6, said
    assert "Blue: a claim of this seat was refused: a record without Url; the seat is free again" in said
    assert (folder / "Blue").is_dir()


@attack(
    "a guest whose address is `ssh://`, a folder, or another's",
    "refused, or the address is not used; nobody is connected to",
    tries=5,
)
def addresses_of_guests(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    port, own = free_ports(2)
    ran, said = folder / "ran", list[str]()

    def guest() -> None:
        for url in (None, "ssh://git@inside.example/x", str(folder), "ext::sh -c x", "git://192.0.2.9:9/"):
            words = json.dumps(["refs/tables/0/Green", claim(table.invitation, "Green", url).decode()])
            assert knock("127.0.0.1", port, words.encode())
        while not any("Green has come" in line for line in said):
            pass
        join(folder / "Blue", table.invitation, tell=said.append, listen=("127.0.0.1", own))

    with patch.dict(os.environ, GIT_SSH_COMMAND=f"touch {ran}; false"):
        table = WaitingHost(folder / "Red", ("127.0.0.1", port), said.append, colours=COLOURS[:3])
        with table:
            table.meanwhile(guest)
    assert read_settings(folder / "Blue").remotes == {"Red": f"git://127.0.0.1:{port}/"}
    assert any("git://192.0.2.9:9/: it is not used; to use it: catan-p2p peer" in line for line in said), said
    assert read_settings(folder / "Red").remotes == {"Blue": f"git://127.0.0.1:{own}/"}
    assert not ran.exists()


@attack("a guest who claims the address of the host, or of another guest, however it is spelt", "refused", tries=7)
def address_of_another(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    port, own, other = free_ports(3)
    said = list[str]()
    refused = "a claim of this seat was refused"
    hosts = ("127.0.0.1", "127.1", "0x7f.0.0.1", "[::ffff:127.0.0.1]", "LOCALHOST.", "0.0.0.0")

    def heard(told: str) -> None:
        until = time.monotonic() + WITHIN_S
        while not any(told in line or "Green has come" in line for line in said) and time.monotonic() < until:
            time.sleep(0.01)

    def knocks(url: str, told: str) -> None:
        words = json.dumps(["refs/tables/0/Green", claim(invitation, "Green", url).decode()])
        assert knock("127.0.0.1", port, words.encode())
        heard(told)

    def join_late() -> None:
        heard("Blue has come")
        url = f"git://127.0.1:{own}/"
        knocks(url, f"Green: {refused}: it has the address of Blue, {url}; the seat is free again")
        join(folder / "Green", invitation, "Green", said.append, ("127.0.0.1", other))

    table = WaitingHost(folder / "Red", ("127.0.0.1", port), said.append, colours=COLOURS[:3])
    invitation, place = table.invitation, ("127.0.0.1", own)
    with table:
        for name in hosts:
            url = f"git://{name}:{port}/"
            for _ in range(2):  # what is said again does not keep the seat
                knocks(url, f"Green: {refused}: it has the host's own address, {url}; the seat is free again")
        table.meanwhile(join_late, lambda: join(folder / "Blue", invitation, "Blue", said.append, place))
    found = {"Blue": f"git://127.0.0.1:{own}/", "Green": f"git://127.0.0.1:{other}/"}
    assert read_settings(folder / "Red").remotes == found, said
