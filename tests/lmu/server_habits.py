"""What servers of other groups do differently, each habit on top of others: put between our client and our server."""

import json
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any

from catan_p2p.lmu import messages as m
from catan_p2p.lmu.connection import ClientWire
from catan_p2p.lmu.framing import JsonSplitter
from catan_p2p.lmu.model import ClientModel
from catan_p2p.lmu.spelling import FREE
from catan_p2p.lmu.words import plain

Json = Any
REFUSING = {"refuses a colour on Spieler", "refuses a colour with Serverantwort"}
NUMBERS = {"id", "Spieler", "Mitspieler", "Ziel", "Absender", "Eigentümer", "Sieger"}
"""Members that are players' numbers."""


def walked(value: Json, change: Callable[[Any, Json], Json], key: Any = None) -> Json:
    """A JSON value after ``change`` of each member, inner ones first; what is free text stays."""
    if isinstance(value, dict):
        value = {name: one if name in FREE else walked(one, change, name) for name, one in value.items()}
    elif isinstance(value, list):
        value = [walked(one, change) for one in value]
    return change(key, value)


def renumbered(by: int) -> Callable[[Json], Json]:
    """Players' numbers moved by so much."""
    return lambda value: walked(value, lambda key, one: one + by if key in NUMBERS and type(one) is int else one)


def without_umlauts(value: Json) -> Json:
    """Every word of the protocol in ASCII."""
    return walked(
        value,
        lambda key, one: (
            {plain(name): inner for name, inner in one.items()}
            if isinstance(one, dict)
            else plain(one)
            if isinstance(one, str)
            else one
        ),
    )


def capitals(value: Json) -> Json:
    """Words in capitals, wherever they are values."""
    return walked(value, lambda key, one: one.upper() if isinstance(one, str) else one)


def with_extras(value: Json) -> Json:
    """Members that nobody has told of, and in another order."""

    def change(key: Any, one: Json) -> Json:
        if not isinstance(one, dict) or key in ("Rohstoffe", "Entwicklungskarten", "Angebot", "Nachfrage"):
            return one
        return {"Zeitstempel": 7, **dict(reversed(one.items())), "Größe": {"x": 1}}

    return walked(value, change)


def with_nulls(value: Json) -> Json:
    """null where something is missing."""
    if "Statusupdate" in value:
        empty = dict.fromkeys(("Name", "Farbe", "Siegpunkte", "Rohstoffe", "Entwicklungskarten", "Rittermacht"))
        return {"Statusupdate": {"Spieler": {**empty, **value["Statusupdate"]["Spieler"]}}}
    return value


OTHER_WORDS = {
    "Meer": "Wasser",
    "Dorf": "Siedlung",
    "Weiß": "Weis",
    "Warten": "Warten bis alle ihre Karten abgegeben haben",
    "Handeln oder Bauen": "Handeln oder bauen",
}
"""Words as servers of student groups have them, in place of the protocol's."""


def other_words(value: Json) -> Json:
    """Words and a member of its own, in the messages that decide how the game goes on."""
    if not {"Statusupdate", "Spiel gestartet"} & value.keys():
        return value

    def change(key: Any, one: Json) -> Json:
        if isinstance(one, dict):
            return {"Owner" if name == "Eigentümer" else name: inner for name, inner in one.items()}
        return OTHER_WORDS.get(one, one) if isinstance(one, str) else one

    return walked(value, change)


def winner_is_a_player(value: Json) -> Json:
    """The winner as ``Spieler``."""
    end = value.get("Spiel beendet")
    return value if end is None else {"Spiel beendet": {"Nachricht": end["Nachricht"], "Spieler": end["Sieger"]}}


def without_winner(value: Json) -> Json:
    """The end as a server tells it that has lost a connection."""
    return {"Spiel beendet": {"Nachricht": "Ende", "Sieger": -1}} if "Spiel beendet" in value else value


def answers_in_objects(value: Json) -> Json:
    return {"Serverantwort": {"Meldung": value["Serverantwort"]}} if "Serverantwort" in value else value


def broken_map(value: Json) -> Json:
    """A map without bandit, and with a harbour and a piece that are none."""
    if "Spiel gestartet" not in value:
        return value
    chart = dict(value["Spiel gestartet"]["Karte"])
    del chart["Räuber"]
    chart["Häfen"] = [{"Typ": "Hafen"}, *chart["Häfen"]]
    chart["Gebäude"] = [None, *chart["Gebäude"]]
    return {"Spiel gestartet": {"Karte": chart}}


def flat(value: Json) -> Json:
    """A status and the map without the object that they are in."""
    for kind, inner in (("Statusupdate", "Spieler"), ("Spiel gestartet", "Karte")):
        if kind in value:
            return {kind: value[kind][inner]}
    return value


def same(value: Json) -> Json:
    return value


SERVER_HABITS: dict[str, tuple[Callable[[Json], Json], Callable[[Json], Json]]] = {
    "numbers players from 0": (renumbered(-1), renumbered(1)),
    "refuses a colour on Spieler": (lambda one: colour_taken(one), same),
    "refuses a colour with Serverantwort": (same, same),
    "refuses with Fehler": (
        lambda one: {"Fehler": {"Meldung": one["Serverantwort"]}} if is_refusal(one) else one,
        same,
    ),
    "never acknowledges": (same, same),
    "acknowledges first": (same, same),
    "says every status again": (same, same),
    "writes CAPITALS": (capitals, same),
    "adds members": (with_extras, same),
    "writes no umlauts": (without_umlauts, same),
    "sends null": (with_nulls, same),
    "uses words of its own": (other_words, same),
    "calls the winner Spieler": (winner_is_a_player, same),
    "names no winner": (without_winner, same),
    "answers in objects": (answers_in_objects, same),
    "sends a broken map": (broken_map, same),
    "writes flat objects": (flat, same),
    "loses messages": (same, same),
    "refuses all but the roll": (same, same),
    "refuses roads and trades": (same, same),
    "refuses every fifth message": (same, same),
    "tells things the other way round": (same, same),
}
"""By name, what becomes of what the server sends, and of what it is sent; the rest of a habit is in ``ForeignWire``."""


def colour_taken(value: Json) -> Json:
    """The error for a colour, in place of what our server says of a message that lacks it."""
    return {"Fehler": {"Meldung": "Farbe bereits vergeben"}} if "Spieler" in value.get("Serverantwort", "") else value


def is_refusal(value: Json) -> bool:
    return value.get("Serverantwort", "OK") not in ("OK", {"Meldung": "OK"})


class ForeignWire:
    """Our server as the client of a foreign one sees it."""

    def __init__(self, wire: ClientWire, habits: Iterable[str]) -> None:
        self.habits = set(habits)
        self.refused: list[str] = []
        """What this server did not understand: words with umlauts, though it never writes any."""
        self._wire = wire
        self._model = ClientModel()
        self._has_refused = False
        self._owes = 0
        self._written = 0
        self._lost = ""
        self._caused: list[Json] = []
        self._held: list[Json] = []

    async def objects(self, splitter: JsonSplitter) -> AsyncIterator[Any]:
        async for one in self._wire.objects(splitter):
            for heard in self._heard(one):
                for value in self._ordered(heard):
                    yield self._as_said(value)
        for value in self._held:  # there is no answer any more, and nothing stays unsaid
            yield self._as_said(value)

    def _ordered(self, value: Json) -> list[Json]:
        """What one action causes, the last first; what nothing can be done without comes when it does."""
        if "tells things the other way round" not in self.habits or self._model.board is None:
            return [value]
        [kind] = value
        if (
            kind not in ("Würfelwurf", "Statusupdate", "Serverantwort", "Fehler", "Spiel beendet")
            and "Handel" not in kind
        ):
            self._caused.append(value)
            return []
        caused, self._caused = self._caused[::-1], []
        return [*caused, value]

    def _is_refused(self, value: Json) -> bool:
        """Whether this server does not want to hear this now, though the protocol has it."""
        if self._model.own.status not in ("Würfeln", "Handeln oder Bauen") or self._model.board is None:
            return False
        is_early = self._model.own.status == "Würfeln" and "Würfeln" not in value
        is_traded = {"Seehandel", "Handel anbieten"} & value.keys() or value.get("Bauen", {}).get("Typ") == "Straße"
        return (
            ("refuses all but the roll" in self.habits and is_early)
            or ("refuses roads and trades" in self.habits and bool(is_traded))
            or ("refuses every fifth message" in self.habits and self._written % 5 == 4)
        )

    def _is_lost(self, text: str) -> bool:
        """Whether this message is lost: one of five, never twice in a row."""
        is_lost = "loses messages" in self.habits and self._written % 5 == 1 and text != self._lost
        self._lost = text if is_lost else ""
        return is_lost

    def _as_said(self, value: Json) -> Json:
        for habit in sorted(self.habits):
            value = SERVER_HABITS[habit][0](value)
        return value

    def _own_status(self) -> Json:
        """What the server would say of the client's player now."""
        own, me = self._model.own, self._model.me
        resources, cards = own.resources.low, own.cards.low
        held = m.PlayerState(me, own.status, own.colour, own.name, own.points, resources, own.knights, cards)  # type: ignore[arg-type]
        return m.as_json(m.StatusUpdate(held))

    def _heard(self, value: Json) -> list[Json]:
        message: Any = m.read_message(value, "server")
        self._model.hear(message)
        if isinstance(message, m.RequestReply | m.ServerFailure):
            self._owes = max(0, self._owes - 1)
            answer = [] if message.text == "OK" and "never acknowledges" in self.habits else [value]
            if message.text == "OK" and self.habits & {"never acknowledges", "says every status again"}:
                self._held.append(self._own_status())
            held, self._held = self._held, []
            return [*answer, *held] if "acknowledges first" in self.habits else [*held, *answer]
        if "acknowledges first" in self.habits and self._owes:
            self._held.append(value)
            return []
        return [value]

    async def write(self, texts: list[str]) -> None:
        for text in texts:
            value = json.loads(text)
            self._written += 1
            if self._is_lost(text):
                continue
            if "writes no umlauts" in self.habits and self._model.me is not None and not text.isascii():
                self.refused.append(text)
            for habit in sorted(self.habits):
                value = SERVER_HABITS[habit][1](value)
            if "Spieler" in value and self.habits & REFUSING and not self._has_refused:
                self._has_refused = True
                value = {"Spieler": {}}
            if self._is_refused(value):
                value = {"Spieler": {}}
            self._owes += "Hallo" not in value
            await self._wire.write([json.dumps(value)])

    async def close(self) -> None:
        await self._wire.close()

    def abort(self) -> None:
        self._wire.abort()
