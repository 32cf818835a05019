"""Tables that are announced in the local network, by multicast DNS: an extra, for which zeroconf is needed."""

from __future__ import annotations

import hashlib
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from catan_p2p.log.storage.objects import StoreError
from catan_p2p.replication.invitation import parse_invitation
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

SERVICE = "_catan-p2p._tcp.local."
MAX_TABLES = 100
_ANY_PORT = 9
_FOUND_S = 1000


class Announced(NamedTuple):
    """A table that somebody announces: the invitation, and what it is to. Both are the announcer's word."""

    invitation: str
    words: str


def _zeroconf() -> Any:
    try:
        import zeroconf
    except ModuleNotFoundError:
        raise StoreError(
            "tables in the local network are found by zeroconf, which is not installed: pip install 'catan-p2p[lan]'"
        ) from None
    return zeroconf


class Announcement:
    """What announces; making it fails at once, with ``StoreError``, if it cannot be."""

    def __init__(self, interfaces: Sequence[str] | None = None) -> None:
        self._zeroconf = _zeroconf()
        self._interfaces = interfaces

    @contextmanager
    def shown(self, invitation: str, words: str) -> Iterator[None]:
        """Announce a table for as long as this lasts."""
        name = hashlib.sha256(invitation.encode()).hexdigest()[:16]
        info = self._zeroconf.ServiceInfo(
            SERVICE,
            f"{name}.{SERVICE}",
            addresses=[socket.inet_aton("127.0.0.1")],
            port=_ANY_PORT,
            properties={"invitation": invitation, "words": words},
            server=f"{name}.local.",
        )
        network = _open(self._zeroconf, self._interfaces)
        try:
            network.register_service(info)
            yield
        finally:
            network.close()


def find_tables(
    wait_s: float, interfaces: Sequence[str] | None = None, time: TimeSource = SYSTEM_TIME
) -> list[Announced]:
    """The tables that are announced in the local network, listened for so long; ``StoreError`` without zeroconf."""
    zeroconf = _zeroconf()
    names: set[str] = set()

    class Listener(zeroconf.ServiceListener):  # type: ignore[misc, name-defined]
        def add_service(self, network: Any, kind: str, name: str) -> None:
            if len(names) < MAX_TABLES:
                names.add(name)

        def update_service(self, network: Any, kind: str, name: str) -> None:
            """What is found is asked for at the end."""

        def remove_service(self, network: Any, kind: str, name: str) -> None:
            names.discard(name)

    network = _open(zeroconf, interfaces)
    try:
        zeroconf.ServiceBrowser(network, SERVICE, Listener())
        until = time.monotonic() + wait_s
        while time.monotonic() < until:
            time.sleep(0.05)
        infos = [network.get_service_info(SERVICE, name, _FOUND_S) for name in sorted(names)]
        return [table for info in infos if info is not None and (table := _read(info.properties)) is not None]
    finally:
        network.close()


def _open(zeroconf: Any, interfaces: Sequence[str] | None) -> Any:
    try:
        return zeroconf.Zeroconf() if interfaces is None else zeroconf.Zeroconf(interfaces=[*interfaces])
    except OSError as error:
        raise StoreError(f"the local network cannot be listened to: {error.strerror or error}") from None


def _read(properties: Any) -> Announced | None:
    """What a service says of itself; None if it is no invitation."""
    told = {}
    for name in ("invitation", "words"):
        value = properties.get(name.encode())
        told[name] = value.decode("utf-8", "replace") if isinstance(value, bytes) else ""
    return Announced(**told) if parse_invitation(told["invitation"]) is not None else None
