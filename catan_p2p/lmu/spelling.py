"""The other side's spelling of the protocol's words: with or without umlauts.

Both are always understood; a program that writes ``Wuerfeln`` is answered with ``Wuerfeln``.
"""

from collections.abc import Iterator

from catan_p2p.lmu import messages as m
from catan_p2p.lmu import objects
from catan_p2p.lmu.codec import Json, LmuMessage, members
from catan_p2p.lmu.words import BUILDING_KINDS, COLOUR_WORDS, DEV_CARD_WORDS, STATUSES, TERRAIN_WORDS, folded, plain

FREE = {"Name", "Nachricht", "Meldung", "Version", "Token", "Serverantwort"}
"""Members whose values are free text, not words of the protocol."""


def _all_words() -> Iterator[str]:
    yield from (*BUILDING_KINDS, *COLOUR_WORDS.values(), *DEV_CARD_WORDS.values(), *STATUSES, *TERRAIN_WORDS.values())
    parts = (objects.MapField, objects.MapBuilding, objects.Harbour, objects.IslandChart, objects.PlayerState)
    kinds = [cls for side in m.MESSAGES.values() for cls in side.values()]
    yield from (cls.KEY for cls in kinds)
    for cls in (*kinds, *parts):
        # Its body is a bare text: the field ``text`` is no JSON member.
        if cls is not m.RequestReply:
            yield from (member.name for member, _ in members(cls).values())


_WORDS = {folded(word): word for word in _all_words() if not word.isascii()}


class UmlautSpelling:
    """The spelling on one connection: unknown until a word that has umlauts in the protocol has come."""

    def __init__(self) -> None:
        self.is_plain: bool | None = None

    def learn(self, value: Json) -> None:
        """Learn the spelling from a message, unless it is known."""
        if self.is_plain is None:
            self.is_plain = next(
                (is_plain for word in _words_in(value) if (is_plain := _is_plain(word)) is not None), None
            )

    def write(self, message: LmuMessage) -> str:
        """A message in this spelling."""
        return m.write_json(_plain(m.as_json(message))) if self.is_plain else m.write_message(message)


def _is_plain(word: str) -> bool | None:
    """Whether a word is spelled without its umlauts; None if it does not show that.

    Capitals do not: ``STRASSE`` is also the upper case of ``Straße``.
    """
    meant = _WORDS.get(folded(word))
    if meant is None or word == meant.upper():
        return None
    return word.isascii()


def _words_in(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            if key not in FREE:
                yield from _words_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _words_in(inner)


def _plain(value: Json) -> Json:
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, dict):
        return {plain(key): inner if key in FREE else _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value
