"""Tables announced in the local network by multicast DNS: an extra, which needs zeroconf."""

import hashlib
import re
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from catan_p2p.limits import MAX_ANNOUNCED_BYTES, MAX_ANNOUNCED_TABLES
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.tables.invitation import parse_invitation
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

SERVICE = "_catan-p2p._tcp.local."
_COMPUTERS = re.compile(r"^(.*) (?:is a computer player|are computer players) on ")
_ANY_PORT = 9
_ASK_S = 1
"""How long to wait for the answer of an announcer; asked again if none comes."""
_PAUSE_S = 0.05


class AnnouncedTable(NamedTuple):
    """An announced table: its invitation, and a description. Both are only the announcer's word."""

    invitation: str
    words: str


def _zeroconf() -> Any:
    try:
        import zeroconf
    except ModuleNotFoundError:
        raise StoreError(
            "to announce or find tables in the local network, zeroconf must be installed: "
            "pip install 'catan-p2p[lan]', or 'catan-p2p[play]' to have the window, too"
        ) from None
    return zeroconf


class TableAnnouncer:
    """Announces tables; its constructor raises ``StoreError`` if that is impossible."""

    def __init__(self, interfaces: Sequence[str] | None = None) -> None:
        self._zeroconf = _zeroconf()
        self._interfaces = interfaces

    @contextmanager
    def shown(self, invitation: str, words: str) -> Iterator[None]:
        """Announce a table while the context lasts; ``StoreError`` if its invitation is too long for that."""
        # The name of a service is public and short: the hash keeps the same table under one name.
        name = hashlib.sha256(invitation.encode()).hexdigest()[:16]
        info = self._zeroconf.ServiceInfo(
            SERVICE,
            f"{name}.{SERVICE}",
            # Guests connect by the invitation, so the address and port of the service mean nothing.
            addresses=[socket.inet_aton("127.0.0.1")],
            port=_ANY_PORT,
            properties=_properties(invitation, in_short(words)),
            server=f"{name}.local.",
        )
        network = _open(self._zeroconf, self._interfaces)
        try:
            network.register_service(info)
            yield
        finally:
            network.close()


def in_short(words: str) -> str:
    """Shorten the terms of a table to players, map and number of computers: there is no room for more."""
    first, *rest = words.split("; ")
    kept = [part for part in rest if part.startswith("map ") or re.fullmatch(r"\d computers?", part)]
    for part in rest:
        if (found := _COMPUTERS.search(part)) is not None:
            count = len(found[1].replace(" and ", ", ").split(", "))
            kept.append(f"{count} computers" if count > 1 else "1 computer")
    return "; ".join([first, *kept])


def find_tables(
    wait_s: float,
    interfaces: Sequence[str] | None = None,
    time: TimeSource = SYSTEM_TIME,
    enough: int = MAX_ANNOUNCED_TABLES,
) -> list[AnnouncedTable]:
    """Return the tables announced in the local network, listening for ``wait_s``, or until ``enough`` are found.

    ``StoreError`` without zeroconf.
    """
    zeroconf = _zeroconf()
    names: set[str] = set()

    class Listener(zeroconf.ServiceListener):  # type: ignore[misc, name-defined]
        def add_service(self, network: Any, kind: str, name: str) -> None:
            # Anybody in the network can announce any number of services.
            if len(names) < MAX_ANNOUNCED_TABLES:
                names.add(name)

        def update_service(self, network: Any, kind: str, name: str) -> None:
            """What is found is asked for at the end."""

        def remove_service(self, network: Any, kind: str, name: str) -> None:
            names.discard(name)

    network = _open(zeroconf, interfaces)
    try:
        zeroconf.ServiceBrowser(network, SERVICE, Listener())
        until = time.monotonic() + wait_s
        found: dict[str, AnnouncedTable | None] = {}
        while True:
            for name in sorted(names - found.keys()):
                info = network.get_service_info(SERVICE, name, 1000 * _ASK_S)
                if info is not None:
                    found[name] = _read(info.properties)
                if time.monotonic() > until + _ASK_S:
                    break
            tables = [table for name in sorted(found) if name in names and (table := found[name]) is not None]
            if len(tables) >= enough or time.monotonic() >= until:
                return tables
            time.sleep(_PAUSE_S)
    finally:
        network.close()


def _open(zeroconf: Any, interfaces: Sequence[str] | None) -> Any:
    try:
        return zeroconf.Zeroconf() if interfaces is None else zeroconf.Zeroconf(interfaces=[*interfaces])
    except OSError as error:
        raise StoreError(f"cannot listen to the local network: {error.strerror or error}") from None


def _properties(invitation: str, words: str) -> dict[str, str]:
    """The properties of a service, as far as there is room."""
    size = len(invitation.encode())
    if size > MAX_ANNOUNCED_BYTES:
        raise StoreError(
            f"an invitation of {size} bytes is too long to be announced: expected at most {MAX_ANNOUNCED_BYTES}"
        )
    # Cutting bytes may split a character, which is then left out.
    return {"invitation": invitation, "words": words.encode()[:MAX_ANNOUNCED_BYTES].decode("utf-8", "ignore")}


def _read(properties: Any) -> AnnouncedTable | None:
    """Parse the properties of a service; None if there is no valid invitation."""
    told = {}
    for name in ("invitation", "words"):
        value = properties.get(name.encode())
        told[name] = value.decode("utf-8", "replace") if isinstance(value, bytes) else ""
    if parse_invitation(told["invitation"]) is None or len(told["words"].encode()) > MAX_ANNOUNCED_BYTES:
        return None
    return AnnouncedTable(**told)
