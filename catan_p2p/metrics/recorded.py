"""What a simulation recorded beside its games: the settings of the run."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from catan_p2p.simulation.game import Settings
from catan_p2p.simulation.run import RUN_FILE, check_settings


def game_folder_of(path: Path) -> Path:
    """The folder of a game whose repository, or whose first player's, is at ``path``."""
    whole = path.resolve()
    return whole.parent if whole.parent.name.startswith("Catan_") else path


def run_folder(path: Path) -> Path:
    """The folder of the run that the game with the repository at ``path`` belongs to."""
    return game_folder_of(path).resolve().parent


def recorded_settings(path: Path) -> Settings | None:
    """The settings that the game with the repository at ``path`` was played with, None if there are none to be read."""
    try:
        return parse_settings(json.loads((run_folder(path) / RUN_FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return None


def parse_settings(raw: object) -> Settings | None:
    """The settings of a simulation from their JSON, None if it is something else, or no simulation can have them."""
    try:
        if not isinstance(raw, dict):
            return None
        settings = Settings(**{**raw, "policies": tuple(raw["policies"])})
        if any(type(getattr(settings, name)) is not type(usual) for name, usual in asdict(Settings()).items()):
            return None
        check_settings(settings)
    except (KeyError, TypeError, ValueError):
        return None
    return settings
