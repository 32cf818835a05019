"""What ``log`` and ``metrics`` do with a public view: an imported game whose file leaves some facts open."""

import json
from pathlib import Path

from catan_p2p.cli.output import FINE, emit, tell
from catan_p2p.log.storage import disk
from catan_p2p.notation import is_view, load_view
from catan_p2p.notation.repository.view import tell_open
from catan_p2p.notation.statistics.gathering import gather


def is_view_at(path: Path) -> bool:
    """Whether a path is the repository of a public view; ``StoreError`` if it cannot be read."""
    with disk.explained("read", path):
        is_there = (path / ".git").exists()
    return is_there and is_view(path)


def tell_view(path: Path, *, as_json: bool) -> int:
    """Print a public view in words, or as JSON with the unknown facts of each step; returns the exit code."""
    view = load_view(path)
    width = max(map(len, view.names))
    for i, step in enumerate(view.steps, 1):
        who, words = view.names[step.event.player - 1], view.words(step)
        if as_json:
            holders = ("bank", *view.names)
            facts = [fact._asdict() | {"player": holders[fact.player]} for fact in step.after.open_facts()]
            line = {"step": i, "commit": step.commit, "player": who, "words": words, "open": facts}
            emit(json.dumps(line))
        else:
            emit(f"{i:5} {step.commit[:10]} {who:{width}} {words}")
    tell(f"a public view by the {view.rules} rules; open: {tell_open(view.open_events()) or 'nothing'}")
    return FINE


def measure_view(path: Path, *, as_json: bool) -> int:
    """Print the figures of a public view; returns the exit code."""
    from catan_p2p.cli.stats import show_games

    view = load_view(path)
    show_games([(path, gather(view.start, view.steps, view.format))], as_json=as_json)
    return FINE
