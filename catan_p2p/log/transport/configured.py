"""The user's Git configuration, asked once for each repository of our own."""

import subprocess
from functools import cache
from pathlib import Path


@cache
def configured(own: Path, *arguments: str) -> str:
    """Return what ``git config`` prints in a repository of our own; empty if it fails."""
    try:
        asked = ["git", f"--git-dir={own}", "config", *arguments]
        done = subprocess.run(asked, capture_output=True, check=False, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else ""
