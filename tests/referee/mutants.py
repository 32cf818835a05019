"""Commits with one or two things changed."""

import re
from collections.abc import Sequence
from random import Random

from catan_p2p.log.storage.objects import ObjectId

Known = Sequence[tuple[ObjectId, bytes]]


def mutant(data: bytes, known: Known, taken: Known, rng: Random) -> bytes:
    """Another commit: bytes, lines or numbers are changed, or lines of others are in it; parents are of ``taken``."""
    begin = data if rng.random() < 0.8 else rng.choice(known)[1]
    text = begin.decode("latin-1")
    while (bad := text.encode("latin-1")) == data or bad == begin:
        text = _changed(text, known, taken, rng)
        if rng.random() < 0.25:
            text = _changed(text, known, taken, rng)
    return bad


def _changed(text: str, known: Known, taken: Known, rng: Random) -> str:
    lines, way = text.split("\n"), rng.choice(["byte", "line", "line", "number", "number", "twice", "gone", "parent"])
    at = rng.randrange(len(lines))
    if way == "byte":
        i = rng.randrange(len(text))
        return text[:i] + rng.choice("0123456789abc: ,\n-") + text[i + rng.randrange(2) :]
    if way == "line":
        others = rng.choice(known)[1].decode("latin-1").split("\n")
        lines[at] = rng.choice(
            [line for line in others if line.split(" ")[0] == lines[at].split(" ")[0]] or [lines[at]]
        )
    elif way == "number":
        numbers = [i for i, line in enumerate(lines) if re.search(r": .*\d", line)]
        i = rng.choice(numbers or [at])
        lines[i] = re.sub(
            r"\d+(?!.*\d)", lambda found: str(max(0, int(found[0]) + rng.choice((-2, -1, 1, 2)))), lines[i]
        )
    elif way == "twice":
        lines.insert(at, rng.choice(lines))
    elif way == "gone":
        del lines[at]
    else:
        parents = [i for i, line in enumerate(lines) if line.startswith("parent ")]
        if parents:
            lines[rng.choice(parents)] = f"parent {rng.choice(taken)[0]}"
    return "\n".join(lines)
