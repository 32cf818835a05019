"""Files that were damaged at random: bytes, words, lines; and what reading them may come to."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from random import Random

from catan_p2p.constants import PROFILES
from catan_p2p.notation import (
    Finding,
    Format,
    GameStarted,
    NotationError,
    import_game,
    in_order_of_play,
    judged,
    read,
    table_for,
)
from catan_p2p.notation.formats import format_of
from catan_p2p.notation.lines import Ahead
from catan_p2p.notation.statistics.gathering import gather

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


def mutate(text: str, format: Format, rng: Random) -> str:
    """The text with one to four changes."""
    for _ in range(rng.randint(1, 4)):
        text = rng.choice(_MUTATIONS)(text, format, rng)
    return text


def _characters(text: str, format: Format, rng: Random) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(_STRANGE) * rng.randint(0, 2) + text[at + rng.randint(0, 3) :]


def _words(text: str, format: Format, rng: Random) -> str:
    """One of the last lines with a word replaced, added or left out."""
    lines = text.split("\n")
    at = rng.randrange(len(lines))
    between = {"catan": " ", "soclog": "|"}.get(format, ",")
    words = lines[at].split(between)
    where = rng.randrange(len(words))
    words[where : where + rng.randint(0, 1)] = [rng.choice(_WORDS[format])] * rng.randint(0, 1)
    lines[at] = between.join(words)
    return "\n".join(lines)


def _lines(text: str, format: Format, rng: Random) -> str:
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


def _numbers(text: str, format: Format, rng: Random) -> str:
    """A digit that becomes another one: mostly files that are still well formed."""
    digits = [i for i, letter in enumerate(text) if letter.isdigit()]
    if not digits:
        return text
    at = rng.choice(digits)
    return text[:at] + rng.choice("0123456789") + text[at + 1 :]


def _cut(text: str, format: Format, rng: Random) -> str:
    return text[: rng.randrange(len(text) + 1)]


_MUTATIONS: tuple[Callable[[str, Format, Random], str], ...] = (_characters, _words, _lines, _lines, _numbers, _cut)


def digest(text: str) -> str:
    """Read a file strictly and leniently, and judge and replay what there is of it.

    Returns how far it got; whatever but NotationError is raised on the way is a bug.
    """
    try:
        list(read(StringIO(text, newline="\n")))
        outcome = "well formed"
    except NotationError as error:
        outcome = "refused"
        assert error.line or not error.column
    findings: list[Finding] = []

    def note(error: NotationError) -> None:
        findings.append(Finding(error.line, error.column, "format", error.reason))

    try:
        events = list(in_order_of_play(read(StringIO(text, newline="\n"), on_error=note), None, note))
    except NotationError:
        return outcome
    start = events[0]
    assert isinstance(start, GameStarted)
    format = format_of(Ahead(StringIO(text, newline="\n")))
    steps = judged(start, events[1:], table_for(start, format), PROFILES["standard"], findings.append)
    gather(start, steps, format)
    try:
        imported = import_game(events, format, start.rules or "thesis")
    except NotationError:
        return f"{outcome}, against the rules"
    for step in imported.view.steps:
        imported.view.words(step)
    return f"{outcome}, a {'view' if imported.why_view else 'game'}"
