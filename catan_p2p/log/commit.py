"""Commits of a game: an action as a commit message, and a commit object as bytes, both ways.

The subject is ``<action> player_<N>`` (a roll adds the sum, a call its purpose); it is for people. The parameters are
Git trailers: the action, the player, then each parameter of the action's class under its capitalised field name. Where
all players draw together, trailers of the draw follow. One action has exactly one message; any other text is refused.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from catan_p2p.game import actions
from catan_p2p.game.actions.drawing import is_seen
from catan_p2p.game.actions.parameters import PLAYER
from catan_p2p.game.chance import Nonce, Share, is_nonce, is_share
from catan_p2p.game.constants import Constants
from catan_p2p.log.game import FormatError
from catan_p2p.log.storage.objects import ObjectId, parse_object_id
from catan_p2p.log.views.messages import ViewMessage, message_text, read_message, split_after, with_after

NEW_GAME = "new_game"
LATEST_S = 999_999_999_999
"""The last date that a commit can have, in seconds since 1970; the first is 0."""
_DICE = re.compile("([1-6]) ([1-6])")
_SNAKE_NAMES = {kind.name: kind.snake_name for kind in actions.ACTIONS}


class Signature(NamedTuple):
    """Author or committer of a commit and when: seconds since 1970."""

    name: str
    email: str
    time_s: int


class Commit(NamedTuple):
    """The parts of a commit object."""

    tree: ObjectId
    parents: tuple[ObjectId, ...]
    author: Signature
    committer: Signature
    message: str
    signature: str | None = None
    """The armoured SSH signature, None if unsigned."""

    def payload(self) -> bytes:
        """Return the bytes of the commit object without its signature: the signed bytes."""
        tree, parents, (name, email, time_s), (other, address, then_s), message, _ = self
        above = "".join([f"parent {parent}\n" for parent in parents])
        return (
            f"tree {tree}\n{above}author {name} <{email}> {time_s} +0000\n"
            f"committer {other} <{address}> {then_s} +0000\n\n{message}"
        ).encode()

    def encode(self) -> bytes:
        """The bytes of the commit object."""
        payload = self.payload()
        if self.signature is None:
            return payload
        # Git puts the signature last in the header, and indents its further lines.
        head, _, message = payload.partition(b"\n\n")
        signature = "gpgsig " + self.signature.rstrip("\n").replace("\n", "\n ")
        return head + b"\n" + signature.encode() + b"\n\n" + message


# Several replicas of one process decode the same commits.
@lru_cache(maxsize=1 << 11)
def decode_commit(data: bytes) -> Commit:
    """The parts of a commit object; ``FormatError`` if it is not one that this program would write."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise FormatError("the commit is not UTF-8 text") from None
    head, separator, message = text.partition("\n\n")
    if not separator:
        raise FormatError("the commit has no message")
    commit = _read_header(head, message)
    # The only check of the header's form: whatever would be written otherwise is refused.
    if commit.encode() != data:
        raise FormatError("the commit has a header that this format does not know")
    return commit


_HEADER = re.compile(
    r"tree ([0-9a-f]{40})((?:\nparent [0-9a-f]{40})*)"
    r"\nauthor ([^<>\n]*) <([^<>\n]*)> ([0-9]{1,12}) \+0000\ncommitter ([^<>\n]*) <([^<>\n]*)> ([0-9]{1,12}) \+0000"
)
"""The header of an unsigned commit. Names without angle brackets can be read in one way only, so in linear time."""


def _read_header(head: str, message: str) -> Commit:
    """Parse a header: with one pattern, or line by line to report which line is wrong."""
    if found := _HEADER.fullmatch(head):
        tree, parents, name, email, seconds, other, address, then = found.groups()
        author, committer = Signature(name, email, int(seconds)), Signature(other, address, int(then))
        above = tuple(parents.split("\nparent ")[1:]) if parents else ()
        return Commit(ObjectId(tree), above, author, committer, message)
    fields = _CommitHeader(head)
    return Commit(
        tree=fields.id("tree"),
        parents=fields.ids("parent"),
        author=fields.person("author"),
        committer=fields.person("committer"),
        message=message,
        signature=fields.signature(),
    )


class _CommitHeader:
    """The header lines of a commit object, taken one after the other."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")

    def _take(self, key: str) -> str | None:
        if self._lines and self._lines[0].startswith(key + " "):
            return self._lines.pop(0)[len(key) + 1 :]
        return None

    def id(self, key: str) -> ObjectId:
        try:
            return parse_object_id(self._take(key) or "")
        except ValueError:
            raise FormatError(f"the commit has no {key}") from None

    def ids(self, key: str) -> tuple[ObjectId, ...]:
        found = []
        while self._lines and self._lines[0].startswith(key + " "):
            found.append(self.id(key))
        return tuple(found)

    def person(self, role: str) -> Signature:
        text = self._take(role) or ""
        who, _, when = text.rpartition("> ")
        name, separator, email = who.partition(" <")
        seconds, _, zone = when.partition(" ")
        if not separator or not seconds.isdecimal() or len(seconds) > len(str(LATEST_S)) or zone != "+0000":
            raise FormatError(f"the commit's {role} is {text!r}, expected: name <address> seconds +0000")
        return Signature(name, email, int(seconds))

    def signature(self) -> str | None:
        first = self._take("gpgsig")
        if first is None:
            return None
        lines = [first]
        while self._lines and self._lines[0].startswith(" "):
            lines.append(self._lines.pop(0)[1:])
        return "\n".join(lines) + "\n"


class LogEntry(NamedTuple):
    """The contents of a commit's message: an action, and parts of draws that all players make together."""

    action: actions.Action
    """In a game with views it may be a ``ViewMessage`` instead."""
    share: Share | None = None
    """Of a pledge, a call or a reveal: the share that the player pledges or reveals."""
    draw: int | None = None
    """Of a call: which of the game's draws it is for, from 1."""
    shows: tuple[int, int] | None = None
    """Of a roll: the two dice, where all players drew them, or where somebody who saw them said so."""
    nonce: Nonce | None = None
    """Of a pledge: what makes the player's chain of shares, besides their secret."""
    deck: int | None = None
    """Where hands are hidden: the number of the development card shown, from 1."""
    place: int | None = None
    """Of a theft where hands are hidden: the place of the stolen card in the victim's hand, from 0."""
    seal: bytes | None = None
    """Where hands are hidden: sealed cards and proofs, as docs/how-it-works/sealing.md says."""
    ahead: Share | None = None
    """Where shares of rolls are told ahead: of a pledge, the beginning of their chain; of the end of a turn, the last
    one that the player tells ahead; of a roll that needed no call, the player's own."""
    after: ObjectId | None = None
    """In a game with views, the player's previous commit."""


class SecretParts(NamedTuple):
    """The parts of a message about cards that nobody else sees; see ``LogEntry``."""

    deck: int | None = None
    place: int | None = None
    seal: bytes | None = None


NOTHING_TOLD = SecretParts()


def _chance_trailers(constants: Constants, action: actions.Action, trailers: Mapping[str, str]) -> tuple[str, ...]:
    """Return the trailers of an action, besides its parameters, in a game whose chance is joint."""
    if constants.rules.chance == "actor":
        return ()
    if constants.rules.hands == "hidden":
        # A draw that only one player sees has neither a number nor shares.
        if isinstance(action, actions.Call) and not is_seen(action.what):
            return ()
        if isinstance(action, actions.Reveal) and "Share" not in trailers:
            return ()
    if action.rule == "chance":
        return ("Draw", "Share") if isinstance(action, actions.Call) else ("Share",)
    return ("Shows",) if action.drawn == "dice" and len(constants.rules.dice) > 1 else ()


def _message(subject: str, trailers: Mapping[str, str]) -> str:
    return subject + "\n\n" + "".join([f"{key}: {value}\n" for key, value in trailers.items()])


def action_message(action: actions.Action) -> str:
    """Return the commit message of an action without joint chance."""
    return entry_message(LogEntry(action))


def entry_message(entry: LogEntry) -> str:
    """Return the message of a commit."""
    if entry.after is not None:
        return with_after(entry_message(entry._replace(after=None)), entry.after)
    action = entry.action
    if isinstance(action, ViewMessage):
        return message_text(action)
    kind = actions.KIND_OF[type(action)]
    subject = f"{kind.snake_name} player_{action.player}"
    if isinstance(action, actions.RollDice):
        subject += f" {action.dice}"
    elif isinstance(action, actions.Call):
        subject += f" {_SNAKE_NAMES[action.what]}"
    trailers = {"Action": kind.snake_name, "Player": str(action.player)}
    for name, domain in kind.parameters.items():
        trailers[name.capitalize()] = domain.spell(getattr(action, name))
    if entry.draw is not None:
        trailers["Draw"] = str(entry.draw)
    if entry.share is not None:
        trailers["Share"] = entry.share
    if entry.ahead is not None:
        trailers["Ahead"] = entry.ahead
    if entry.nonce is not None:
        trailers["Nonce"] = entry.nonce
    if entry.shows is not None:
        trailers["Shows"] = "{} {}".format(*entry.shows)
    if entry.deck is not None:
        trailers["Deck"] = str(entry.deck)
    if entry.place is not None:
        trailers["Place"] = str(entry.place)
    if entry.seal is not None:
        trailers["Seal"] = b64encode(entry.seal).decode()
    return _message(subject, trailers)


def root_message(number: int, player_count: int, nonce: str) -> str:
    """Return the message of a game's root commit; ``nonce`` distinguishes games that are equal otherwise."""
    return _message(
        f"{NEW_GAME} Catan_{number}",
        {"Action": NEW_GAME, "Game": str(number), "Players": str(player_count), "Nonce": nonce},
    )


def trailers_of(message: str) -> dict[str, str]:
    """Parse the trailers of a message; ``FormatError`` if it is not a subject, a blank line and trailers."""
    subject, separator, rest = message.partition("\n\n")
    lines = rest.split("\n")
    if not subject or "\n" in subject or not separator or lines.pop() != "":
        raise FormatError("the message is not a subject, a blank line and trailers")
    trailers = {}
    for line in lines:
        key, separator, value = line.partition(": ")
        if not separator or not key or key in trailers:
            raise FormatError(f"the message has the line {line!r}, expected a trailer")
        trailers[key] = value
    return trailers


def parse_action(message: str, constants: Constants) -> actions.Action:
    """Parse the action of a message; ``FormatError`` says what is wrong with the message."""
    return parse_entry(message, constants).action


@lru_cache(maxsize=1 << 11)
def parse_entry(message: str, constants: Constants) -> LogEntry:
    """Parse a message; ``FormatError`` says what is wrong with it."""
    text, after = split_after(message)
    if after is not None:
        found = read_message(text)
        entry = parse_entry(text, constants) if found is None else LogEntry(found)  # type: ignore[arg-type]
        return entry._replace(after=after)
    trailers = trailers_of(message)
    kind = actions.KIND_NAMED.get(trailers.get("Action", ""))
    if kind is None or (kind.cls.rule == "hands" and constants.rules.hands == "open"):
        raise FormatError(f"the message names no action: Action is {trailers.get('Action')!r}")
    try:
        player = PLAYER.read(trailers.get("Player", ""), constants)
        values = [
            domain.read(trailers.get(name.capitalize(), ""), constants) for name, domain in kind.parameters.items()
        ]
    except actions.ParameterError as error:
        raise FormatError(f"the message of {kind.snake_name}: {error}") from None
    action: actions.Action = kind.cls(player, *values)
    expected = _chance_trailers(constants, action, trailers)
    if not expected and "Shows" in trailers and type(action) is actions.RollDice and len(constants.rules.dice) > 1:
        expected = ("Shows",)  # nobody needs it there, but a game that was read from a file may tell both dice
    told = _read_chance({name: trailers.get(name, "") for name in expected}, kind.snake_name)
    entry = LogEntry(action, *told, _read_nonce(action, trailers))
    if constants.rules.hands == "hidden":
        entry = _with_sealed(entry, trailers)
    if constants.rules.chance_ahead and isinstance(action, _TELLING_AHEAD):
        entry = entry._replace(ahead=_read_ahead(trailers.get("Ahead"), kind.snake_name))
    # The subject, the order of trailers and unknown ones are all checked by spelling the entry again.
    if entry_message(entry) != message:
        raise FormatError(f"the message of {kind.snake_name} is not in its canonical spelling")
    if (
        constants.rules.chance == "actor"
        and isinstance(action, actions.RollDice)
        and action.dice != sum(entry.shows or (action.dice,))
    ):
        raise FormatError(
            f"the message of {kind.snake_name}: Shows is {trailers['Shows']!r}, but the roll is {action.dice}"
        )
    return entry


def _read_nonce(action: actions.Action, trailers: Mapping[str, str]) -> Nonce | None:
    nonce = trailers.get("Nonce") if isinstance(action, actions.Pledge) else None
    if nonce is not None and not is_nonce(nonce):
        raise FormatError(f"the message of pledge: Nonce is {nonce!r}, expected 32 hexadecimal digits")
    return nonce


_TELLING_AHEAD = (actions.Pledge, actions.EmptyBuild, actions.RollDice)


def _read_ahead(share: str | None, name: str) -> Share | None:
    if share is not None and not is_share(share):
        raise FormatError(f"the message of {name}: Ahead is {share!r}, expected 64 hexadecimal digits")
    return share


def _with_sealed(entry: LogEntry, trailers: Mapping[str, str]) -> LogEntry:
    """Add the parts of a message about cards that nobody else sees."""
    numbers = {}
    for name in ("Deck", "Place"):
        word = trailers.get(name)
        # Few digits, so that a number from a stranger stays small.
        if word is not None and not (word.isdecimal() and len(word) < 4):
            raise FormatError(f"{name} is {word!r}, expected a number")
        numbers[name] = None if word is None else int(word)
    try:
        seal = None if "Seal" not in trailers else b64decode(trailers["Seal"], validate=True)
    except ValueError:
        raise FormatError("Seal is not base64") from None
    return entry._replace(deck=numbers["Deck"], place=numbers["Place"], seal=seal)


def _read_chance(trailers: Mapping[str, str], name: str) -> tuple[Share | None, int | None, tuple[int, int] | None]:
    share, draw, shows = trailers.get("Share"), trailers.get("Draw"), trailers.get("Shows")
    if share is not None and not is_share(share):
        raise FormatError(f"the message of {name}: Share is {share!r}, expected 64 hexadecimal digits")
    if draw is not None and not (draw.isdecimal() and len(draw) < 10):
        raise FormatError(f"the message of {name}: Draw is {draw!r}, expected a number")
    dice = None if shows is None else _DICE.fullmatch(shows)
    if shows is not None and dice is None:
        raise FormatError(f"the message of {name}: Shows is {shows!r}, expected what two dice show")
    return share, None if draw is None else int(draw), None if dice is None else (int(dice[1]), int(dice[2]))


def parse_root(message: str) -> tuple[int, int]:
    """Parse the numbers of the game and of its players; ``FormatError`` if the message begins no game."""
    trailers = trailers_of(message)
    number, players, nonce = (trailers.get(key, "") for key in ("Game", "Players", "Nonce"))
    if not (number.isdecimal() and players.isdecimal() and len(number) < 10 and len(players) < 3):
        raise FormatError("the first commit begins no game")
    if root_message(int(number), int(players), nonce) != message:
        raise FormatError("the message of the first commit is not in its canonical spelling")
    return int(number), int(players)
