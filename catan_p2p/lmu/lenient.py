"""Lenient reading of other programs' servers: a message that decides how the game goes on is read as far as possible.

These are the answer, the error, the start with its map, the status, and the end. The other spellings of words and
members are those that the program of a student group writes.
"""

from collections.abc import Callable
from difflib import get_close_matches
from typing import Any

from catan_p2p.lmu import messages as m
from catan_p2p.lmu.codec import Json, JsonMember, TilePlace, UnreadableJson, members
from catan_p2p.lmu.words import BUILDING_KINDS, COLOUR_WORDS, OK, STATUSES, TERRAIN_WORDS, WHARF_WORDS, folded

ALIKE = 0.8
"""The similarity, from 0 to 1, from which an unknown word is taken for a known one; see ``difflib``."""
_OTHER_WORDS = {"wasser": "Meer", "siedlung": "Dorf"}
_OTHER_NAMES = {"owner": "Eigentümer"}
_WORDS = {
    "Status": STATUSES,
    "Farbe": tuple(COLOUR_WORDS.values()),
    "Typ": (*TERRAIN_WORDS.values(), *WHARF_WORDS.values(), *BUILDING_KINDS),
}
"""The words that each member may have."""


class UndecidedMessage(UnreadableJson):
    """An unreadable message that decides how the game goes on; ``player`` is the one it is about, None if unknown."""

    def __init__(self, why: str, kind: type[m.ServerMessage], player: int | None) -> None:
        super().__init__(why)
        self.kind = kind
        self.player = player


def read_leniently(value: Json) -> m.ServerMessage:
    """The message of a parsed JSON value.

    ``UndecidedMessage`` if it is unreadable and decides how the game goes on, otherwise ``UnreadableJson``.
    """
    try:
        message: Any = m.read_message(value, "server")
    except UnreadableJson as error:
        reader, body = _reader(value)
        if reader is None:
            raise
        return reader(body, str(error))
    return m.RequestReply(OK) if isinstance(message, m.RequestReply) and _is_yes(message.text) else message


def _reader(value: Json) -> tuple[Callable[[Json, str], m.ServerMessage] | None, Json]:
    if isinstance(value, dict):
        for name, body in value.items():
            if folded(name) in _READERS:
                return _READERS[folded(name)], body
    return None, None


def _is_yes(text: str) -> bool:
    return folded(text).strip(" .!") == "ok"


def _reply(body: Json, why: str) -> m.ServerMessage:
    """Serverantwort as an object, or as true or false."""
    is_yes = body is True or _is_yes(_text_in(body))
    return m.RequestReply(OK if is_yes else _text_in(body))


def _failure(body: Json, why: str) -> m.ServerMessage:
    """Fehler in any form; some servers answer with it."""
    return m.ServerFailure(_text_in(body))


def _text_in(body: Json) -> str:
    """The first text in a value, or the value written as text."""
    while isinstance(body, dict) and body:
        body = next((one for one in body.values() if isinstance(one, str | dict)), str(body))
    return (body if isinstance(body, str) else str(body))[:1000]


def _end(body: Json, why: str) -> m.ServerMessage:
    """Spiel beendet in any form; the winner is the first number under one of the names that servers use."""
    body = body if isinstance(body, dict) else {"Nachricht": body}
    told = {folded(name): one for name, one in body.items()}
    text = next((one for name in ("nachricht", "meldung") if isinstance(one := told.get(name), str)), "")
    for name in ("sieger", "spieler", "gewinner", "id"):
        one = told.get(name)
        one = one.get("id") if isinstance(one, dict) else one
        if type(one) is int and one >= 0:
            return m.GameOver(text[:1000], one)
    return m.GameOver(text[:1000], None)


def _status(body: Json, why: str) -> m.ServerMessage:
    """Statusupdate with all readable members of the player, whether or not they are in ``Spieler``."""
    inner = _named(body, {"spieler"}) if isinstance(body, dict) else None
    found = _record(m.PlayerState, inner if isinstance(inner, dict) else body)
    player = found.get("id")
    if "status" not in found or player is None:
        raise UndecidedMessage(why, m.StatusUpdate, player)
    return m.StatusUpdate(m.PlayerState(**found))


def _start(body: Json, why: str) -> m.ServerMessage:
    """Spiel gestartet with all readable tiles, harbours and pieces, whether or not they are in ``Karte``."""
    inner = _named(body, {"karte"}) if isinstance(body, dict) else None
    chart = inner if isinstance(inner, dict) else body
    told = {folded(name): one for name, one in chart.items()} if isinstance(chart, dict) else {}
    fields = _all_of(m.MapField, told.get("felder"))
    if not fields:
        raise UndecidedMessage(why, m.GameStartedMessage, None)
    bandit = told.get("raeuber")
    there = _place(bandit.get("Ort", bandit) if isinstance(bandit, dict) else bandit)
    desert = next((field.at for field in fields if field.terrain == "desert"), fields[0].at)
    buildings, harbours = _all_of(m.MapBuilding, told.get("gebaeude")), _all_of(m.Harbour, told.get("haefen"))
    return m.GameStartedMessage(m.IslandChart(fields, buildings, harbours, there or desert))


def _all_of(cls: type[Any], value: Json) -> tuple[Any, ...]:
    """The objects of a list that have all required members."""
    needed = {name for name, (_, is_needed) in members(cls).items() if is_needed}
    found = [_record(cls, one) for one in value[: m.MAX_TILES]] if isinstance(value, list) else []
    return tuple(cls(**one) for one in found if needed <= one.keys())


def _place(value: Json) -> TilePlace | None:
    try:
        place: TilePlace = members(m.MapField)["at"][0].codec.read(value)
    except UnreadableJson:
        return None
    return place


def _record(cls: type[Any], value: Json) -> dict[str, Any]:
    """The readable members of an object, by field name."""
    found: dict[str, Any] = {}
    for name, (member, _) in members(cls).items() if isinstance(value, dict) else ():
        given = _named(
            value, {folded(member.name), *(_old for _old, new in _OTHER_NAMES.items() if new == member.name)}
        )
        # First as it is written, then as the known word that it probably means.
        for said in (given, _meant(member, given)):
            try:
                if said is not None:
                    found[name] = member.codec.read(said)
                    break
            except UnreadableJson:
                continue
    return found


def _named(value: dict[str, Json], names: set[str]) -> Json:
    return next((one for name, one in value.items() if folded(name) in names), None)


def _meant(member: JsonMember, value: Json) -> Json:
    """The known word that a member's text means: a synonym, the word it begins with, or a similar one."""
    if not isinstance(value, str) or member.name not in _WORDS:
        return None
    said = folded(value).strip()
    by_fold = {folded(word): word for word in _WORDS[member.name]}
    begun = [word for fold, word in by_fold.items() if said.startswith(f"{fold} ")]
    close = get_close_matches(said[:80], by_fold, n=1, cutoff=ALIKE)
    return _OTHER_WORDS.get(said) or next(iter(begun), None) or (by_fold[close[0]] if close else None)


_READERS: dict[str, Callable[[Json, str], m.ServerMessage]] = {
    folded(m.RequestReply.KEY): _reply,
    folded(m.ServerFailure.KEY): _failure,
    folded(m.GameStartedMessage.KEY): _start,
    folded(m.StatusUpdate.KEY): _status,
    folded(m.GameOver.KEY): _end,
}
"""The lenient reader of each message that decides how the game goes on."""
