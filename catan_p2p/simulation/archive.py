"""Packs a game that was played in a folder of its own, and moves it into the folder of its run."""

import io
import shutil
import tarfile
import tempfile
from pathlib import Path

from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.simulation.findings import FINDINGS_FILE
from catan_p2p.simulation.game import game_folder
from catan_p2p.simulation.run import RUN_FILE


def pack_games(out: Path) -> bytes:
    """Everything in a folder as a tar archive."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for path in sorted(out.iterdir()):
            tar.add(path, arcname=path.name)
    return packed.getvalue()


def unpack_game(packed: bytes, run: Path, number: int) -> None:
    """Put game ``number`` from an archive into the folder of a run; ``StoreError`` if it cannot be written."""
    try:
        run.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="unpacked-", dir=run) as temporary:
            with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
                tar.extractall(temporary, filter="data")  # refuses paths and links that lead out of the folder
            move_game(Path(temporary), run, number)
    except (OSError, tarfile.TarError) as error:
        folder = game_folder(run, number)
        raise StoreError(f"{folder}: cannot write the game that a worker has played: {error}") from error


def move_game(source: Path, run: Path, number: int) -> None:
    """Move game ``number`` from the folder ``source`` into that of a run; the repository moves last, in one step."""
    folder = game_folder(run, number)
    with disk.explained("keep the game", folder):
        run.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(folder, ignore_errors=True)
        repository = game_folder(source, number)
        for path in source.rglob("*"):
            place = path.relative_to(source)
            # The run has findings and settings of its own.
            if path.is_file() and place.parts[0] not in (repository.name, FINDINGS_FILE, RUN_FILE):
                (run / place).parent.mkdir(parents=True, exist_ok=True)
                path.replace(run / place)
        if repository.exists():
            repository.rename(folder)
