"""Files that were damaged at random: bytes, words, lines; and what reading them may come to."""

import copy
import json
import shutil
from collections.abc import Callable
from functools import lru_cache, reduce
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from catan_p2p import notation
from catan_p2p.notation.formats import format_of
from catan_p2p.notation.lines import PeekedFile
from catan_p2p.notation.sources import read_repository
from catan_p2p.notation.statistics.gathering import gather
from tests.lmu.samples import places

_STRANGE = "\x00\t\r\"'\\[]{}(),:-+0189\u0661\u00e9\u2028\ud800\U0001f3b2 "
_LINE_WORDS = """
red blue green orange rolls moves robber to steals from nobody buys road settlement city dev card builds at trades port
player for plays knight monopoly on year of plenty takes and builder victory point ends turn after wins 2 7 8
...DEUCES! (1 NW) (19 S) (5 E) [1 wood] [4 ore] [] 4:1 3:1 wood ore
"""
_MESSAGE_WORDS = """
"1" "2" "5" "B" "BS" "BC" "BR" "BD" "PD" "MR" "RD" "ST" "TR" "DM" {"result":7} {"cCode":"KN"} null true -1 1e9 0.5
[0,0] [[0,0],[1,0],[1,-1]] {"tile":[0,0]} "rCodes" ["O"] {"B":1} 99999999999999999999 NaN
"""
_DOCUMENT_WORDS = """
"RED" "BLUE" "ROLL" "BUILD_ROAD" "MOVE_ROBBER" "WOOD" "type": "text": "playerColor": "cardEnums": null true -1
0.5 1e9 99999 [] {} [0,0,0] [1,2] {"type":10} {"x":1,"y":2,"z":0} 1 5 10 14 20 NaN
"""
_LOG_WORDS = """
all: p1: !p2: ob: 0:01.000: SOCTurn SOCPutPiece SOCDiceResult SOCRobberyResult SOCDevCardAction game=g| playerNumber=1|
param=7 coord=35 coord=zz pieceType=2| gameState=15 cardType=9 actionType=PLAY| resType=6| clay=1|ore=0|sheep=0|wheat=0
"""
_WORDS: dict[str, list[str]] = {
    "catan": _LINE_WORDS.split(),
    "sgn": _MESSAGE_WORDS.split(),
    "catanatron": _DOCUMENT_WORDS.split(),
    "colonist": _DOCUMENT_WORDS.split(),
    "soclog": _LOG_WORDS.split(),
}


def mutate(text: str, format: notation.Format, rng: Random) -> str:
    """The text with one to four changes."""
    is_document = format in ("catanatron", "colonist")
    if is_document and rng.random() < 0.7:  # what is no JSON is refused as a whole
        return _values(text, format, rng)
    for _ in range(rng.randint(1, 4)):
        text = rng.choice(_MUTATIONS)(text, format, rng)
    return text


def _characters(text: str, format: notation.Format, rng: Random) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(_STRANGE) * rng.randint(0, 2) + text[at + rng.randint(0, 3) :]


def _words(text: str, format: notation.Format, rng: Random) -> str:
    """One of the last lines with a word replaced, added or left out."""
    lines = text.split("\n")
    at = rng.randrange(len(lines))
    between = {"catan": " ", "soclog": "|"}.get(format, ",")
    words = lines[at].split(between)
    where = rng.randrange(len(words))
    words[where : where + rng.randint(0, 1)] = [rng.choice(_WORDS[format])] * rng.randint(0, 1)
    lines[at] = between.join(words)
    return "\n".join(lines)


def _lines(text: str, format: notation.Format, rng: Random) -> str:
    """Lines doubled, left out, moved elsewhere or glued together."""
    lines = text.split("\n")
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(5):
        case 0:
            lines.insert(at, lines[other])
        case 1:
            del lines[at]
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            lines[at : at + 2] = ["".join(lines[at : at + 2])]
        case _:
            del lines[min(at, other) : max(at, other)]
    return "\n".join(lines)


def _numbers(text: str, format: notation.Format, rng: Random) -> str:
    """A digit that becomes another one: mostly files that are still well formed."""
    for at in (rng.randrange(len(text) or 1) for _ in range(100)):
        if text[at : at + 1].isdigit():
            return text[:at] + rng.choice("0123456789") + text[at + 1 :]
    return text


def _cut(text: str, format: notation.Format, rng: Random) -> str:
    return text[: rng.randrange(len(text) + 1)]


_STRANGE_VALUES = (None, True, -1, 0, 1, 7, 12, 99, 10**30, 0.5, "", "RED", "WOOD", [], {}, [None], [1, 2, 3], {"x": 1})


def _values(text: str, format: notation.Format, rng: Random) -> str:
    """Values of a document left out, doubled, or replaced by strange ones or by some from elsewhere in it."""
    places = _places(text)
    if not places:
        return _numbers(text, format, rng)
    document = json.loads(text)
    for _ in range(rng.randint(1, 3)):
        _change(document, rng.choice(places), rng.choice(places), rng)
    return json.dumps(document).replace("}, {", "},\n{")


_Place: TypeAlias = tuple[str | int, ...]


@lru_cache(maxsize=64)
def _places(text: str) -> tuple[_Place, ...]:
    """Where the values of a document stand, each once; none if the text is no document."""
    try:
        return tuple(places(json.loads(text)))
    except ValueError:
        return ()


def _change(document: Any, at: _Place, elsewhere: _Place, rng: Random) -> None:
    """One change at a place, if an earlier one has not taken it away."""
    try:
        holder, other = (reduce(lambda value, key: value[key], place[:-1], document) for place in (at, elsewhere))
        key = at[-1]
        match rng.randrange(5):
            case 0:
                del holder[key]
            case 1 if isinstance(holder, list):
                holder.insert(key, holder[key])
            case 2:
                holder[key] = copy.deepcopy(other[elsewhere[-1]])
            case 3 if isinstance(holder[key], int):
                holder[key] += rng.choice((-1, 1))
            case _:
                holder[key] = copy.deepcopy(rng.choice(_STRANGE_VALUES))
    except (LookupError, TypeError):
        return


Mutation: TypeAlias = Callable[[str, notation.Format, Random], str]
_MUTATIONS: tuple[Mutation, ...] = (_characters, _words, _lines, _lines, _numbers, _cut)


# What reading them comes to


def digest(text: str, folder: Path | None = None) -> str:
    """Read a file strictly and leniently, and judge and replay what there is of it.

    Returns how far it got; whatever but NotationError is raised on the way is a bug. What came of it is written as a
    repository, and read from there again, only where there is a folder for it.
    """
    errors: list[notation.NotationError] = []
    try:
        read_events = list(notation.read(StringIO(text, newline="\n")))
        outcome = "well formed"
    except notation.NotationError as error:
        outcome = "refused"
        assert error.line or not error.column
        try:
            read_events = list(notation.read(StringIO(text, newline="\n"), on_error=errors.append))
        except notation.NotationError:
            return outcome
        assert errors, "a strict reader has refused it"
    try:
        events = list(notation.in_order_of_play(read_events, None, errors.append))
    except notation.NotationError:
        return outcome
    return f"{outcome}, {_judged(text, events, folder)}"


def _judged(text: str, events: list[notation.Event], folder: Path | None) -> str:
    start = events[0]
    assert isinstance(start, notation.GameStarted)
    format = format_of(PeekedFile(StringIO(text, newline="\n")))
    findings: list[notation.NotationFinding] = []
    rules = start.rules or "thesis"
    imported = notation.import_game(events, format, rules, findings)
    gather(start, imported.view.steps, format)
    for step in imported.view.steps:
        imported.view.words(step)
    if folder is not None:
        _check_written(imported, folder)
    if not findings:
        return f"a {'view' if imported.why_view else 'game'}"
    try:
        notation.import_game(events, format, rules)
    except notation.RulesBroken:
        return "against the rules"
    raise AssertionError(f"only a lenient referee objects: {findings}")


def _check_written(imported: notation.ImportedGame, folder: Path) -> None:
    """The repository that an import makes is one that can be read."""
    path = folder / "written"
    if imported.constants is not None:
        notation.write_game(path, imported.view.start, imported.constants, imported.played, "mutant")
        assert not read_repository(path).refused
    else:
        notation.write_view(path, imported.view, "mutant")
        back = notation.load_view(path)
        assert back.events == imported.view.events
        for ours, theirs in zip(imported.view.steps, back.steps, strict=True):
            assert list(ours.after.open_facts()) == list(theirs.after.open_facts()), ours.event
    shutil.rmtree(path)
