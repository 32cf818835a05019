"""Mending a simulated host's repository: written to real folders, mended there as a peer does, and taken back."""

import tempfile
from pathlib import Path

from catan_p2p.log.keys import write_private_key
from catan_p2p.log.storage.objects import ObjectDamaged
from catan_p2p.simulation.laboratory.hosts import FOLDER, Host
from catan_p2p.tables.repair import heal, mend_seat
from catan_p2p.tables.seat import KEY_FILE, PRIVATE_FOLDER, write_settings


def mend_host(host: Host, hosts: list[Host], error: ObjectDamaged) -> None:
    """What ``catan-p2p peer`` does at a start that finds damage; ``ObjectDamaged`` if that cannot be mended now."""
    with tempfile.TemporaryDirectory(prefix="catan-p2p-network-") as temporary:
        base = Path(temporary)
        for one in hosts:
            _write(one, base / one.name)
        settings = host.seat.settings
        settings = type(settings)(settings.colour, settings.seed, settings.clock, settings.policy)
        settings.remotes = {one.name: str(base / one.name) for one in hosts if one is not host}
        path = base / host.name
        write_settings(path, settings)
        if host.seat.key is not None:
            write_private_key(host.seat.key, path / PRIVATE_FOLDER / KEY_FILE)
        heal(path)
        mend_seat(path, settings)
        host.disk.empty(FOLDER)
        for file in sorted((path / ".git").rglob("*")):
            if file.is_file() and file.name not in ("index", "writer.lock"):
                host.disk.put(FOLDER / file.relative_to(path / ".git"), file.read_bytes())
        host.disk.sync_all()


def _write(host: Host, path: Path) -> None:
    for name, data in host.disk.files(FOLDER).items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(data)
    for name in ("objects/pack", "refs/heads", PRIVATE_FOLDER):
        (path / name).mkdir(parents=True, exist_ok=True)
