"""What a window and the process that leads its peers say to each other: frames with a pickled message each.

Both are the same program of the same user: nothing that comes from another player is ever unpickled.
"""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, TypeAlias

from catan_p2p.frames import MessageFrame, read_frame, write_frame
from catan_p2p.game.actions import Action, AnswerTrade, ConcludeTrade, ProposeTrade
from catan_p2p.game.constants import NO_OWNER, Hands, Player
from catan_p2p.game.state import NO_OFFER, Offer, State
from catan_p2p.sessions.new_table import NewTable
from catan_p2p.tables.invitation import Invitation

if TYPE_CHECKING:
    from catan_p2p.log.transport.serve import Address


@dataclass(frozen=True, slots=True)
class LeadPeers:
    """Lead the peers of the table at ``path``, which is laid first if ``new`` says how."""

    path: Path
    new: NewTable | None = None
    pace_s: float = 0.0
    listen: str | None = None
    alone: bool = False
    has_chat: bool = True


class AgreedDeal(NamedTuple):
    """The trade that a person has seen and agrees to: whose turn it is, and what is traded."""

    active: Player
    terms: Offer


NO_DEAL = AgreedDeal(NO_OWNER, NO_OFFER)
"""For actions that do not depend on what somebody else wants."""


def deal_in(state: State, action: Action) -> AgreedDeal:
    """The trade that the action would agree to in a state."""
    match action:
        case AnswerTrade():
            return AgreedDeal(state.ap, state.offer)
        case ConcludeTrade(_, partner):
            return AgreedDeal(state.ap, state.terms(partner))
        case ProposeTrade():
            # A proposal brings its own terms: only a change of turn makes it another trade.
            return AgreedDeal(state.ap, NO_OFFER)
        case _:
            return NO_DEAL


@dataclass(frozen=True, slots=True)
class CarryOut:
    """Carry out an action that a person has decided on, unless it would by now agree to another trade."""

    colour: str
    action: Action
    deal: AgreedDeal = NO_DEAL


@dataclass(frozen=True, slots=True)
class HandSeat:
    """Hand a seat to a policy, or back to its person with None."""

    colour: str
    policy: str | None


@dataclass(frozen=True, slots=True)
class SetPace:
    """Let computer players wait ``pace_s`` seconds after every action."""

    pace_s: float


@dataclass(frozen=True, slots=True)
class SayToAll:
    """Say something to all players in the name of the player at ``colour``."""

    colour: str
    text: str


@dataclass(frozen=True, slots=True)
class ReadTerms:
    """Read the terms of the table that an invitation is for."""

    invitation: Invitation


@dataclass(frozen=True, slots=True)
class JoinTable:
    """Take a seat at the table of an invitation, with a repository at ``path``, and wait for the game to begin.

    At a table without a relay the others find this player at ``listen``; port 0 is any free one.
    """

    path: Path
    invitation: Invitation
    colour: str
    name: str | None = None
    listen: Address | None = None


@dataclass(frozen=True, slots=True)
class FindTables:
    """Listen for tables that are announced in this network."""


@dataclass(frozen=True, slots=True)
class ListGames:
    """Read the games that began here and are not over, the newest first."""


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Open a table for a repository at ``path``, and wait for the other players. The first is the host.

    ``place`` is the URL of a relay or, without one, an address of this machine; port 0 is any free one. The host is
    called ``name``; ``is_announced`` tells the network of the table, invitation included.
    """

    path: Path
    place: str | Address
    colours: tuple[str, ...]
    rules: str
    map: str
    name: str | None = None
    is_announced: bool = False
    hands: Hands = "open"
    patience_s: int | None = None
    computers: tuple[tuple[str, str], ...] = ()
    """The computer players that this machine plays: colours and policies."""


@dataclass(frozen=True, slots=True)
class AnswerQuestion:
    """The answer to the last question."""

    is_yes: bool


@dataclass(frozen=True, slots=True)
class LeaveTable:
    """Publish everything, and end."""


@dataclass(frozen=True, slots=True)
class PeersSeated:
    """The table is laid and its peers are at work: each seat's colour, repository, and policy (None for a person)."""

    seats: tuple[tuple[str, Path, str | None], ...]
    address: str | None = None


@dataclass(frozen=True, slots=True)
class GameMoved:
    """What a peer here knows has changed: its newest commit, and since when the game waits, in seconds since 1970."""

    colour: str
    commit: str
    since: int


@dataclass(frozen=True, slots=True)
class AwayPlayers:
    """The players without whom the player at ``colour`` can now vote to go on, or can claim the game.

    ``words`` say who has voted and who is missing, or why a vote cannot pass; empty while nobody has waited too long.
    Or they tell a player who ``is_back``, and has not acted since, what they have missed.
    """

    colour: str
    players: tuple[Player, ...] = ()
    words: str = ""
    is_back: bool = False


@dataclass(frozen=True, slots=True)
class ActionDone:
    """An action was carried out."""

    colour: str


@dataclass(frozen=True, slots=True)
class ActionRefused:
    """An action could not be carried out; if the rules forbid it, ``guards`` are the tags of the broken guards."""

    colour: str
    words: str
    guards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChatHeard:
    """A player has said something: the player at ``colour`` has heard ``words`` from ``speaker``."""

    colour: str
    speaker: str
    words: str


@dataclass(frozen=True, slots=True)
class NotSaid:
    """A message could not be said, and why."""

    colour: str
    text: str
    words: str


@dataclass(frozen=True, slots=True)
class MovesSent:
    """Whether the relay has everything done here or, without a relay, the others have seen the end of the game."""

    is_all: bool


@dataclass(frozen=True, slots=True)
class ConnectionTrouble:
    """What a person should know about the connection to the others, in lines; none if all is well."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TermsRead:
    """The table of an invitation: who plays, the terms in words, and the colours whose seats are free."""

    colours: tuple[str, ...]
    words: str
    free: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TablesFound:
    """The tables announced in this network: for each, the invitation, and the announcer's words about it."""

    tables: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class UnfinishedGame:
    """A game that is not over: who plays besides the person here, and whom the game waits for."""

    path: Path
    others: tuple[str, ...]
    awaited: tuple[str, ...]
    is_awaited: bool
    """Whether the game waits for the person here."""


@dataclass(frozen=True, slots=True)
class TableOpened:
    """The table is open: the invitation for the other players, and the terms in words."""

    invitation: str
    words: str


@dataclass(frozen=True, slots=True)
class TableNews:
    """What has happened at a table before its game, in words."""

    words: str


@dataclass(frozen=True, slots=True)
class PlayerArrived:
    """A player has come to the table."""

    colour: str


@dataclass(frozen=True, slots=True)
class QuestionAsked:
    """The person has to answer yes or no before the table goes on."""

    question: str


@dataclass(frozen=True, slots=True)
class GameBegun:
    """The game has begun; the repository of the person's seat is at ``path``."""

    path: Path


@dataclass(frozen=True, slots=True)
class TableFailed:
    """The table cannot be led any longer, or there is none."""

    words: str


BeforeTable: TypeAlias = ReadTerms | JoinTable | OpenTable | FindTables | ListGames
"""What a window can ask for before there is a table."""
Order: TypeAlias = BeforeTable | AnswerQuestion | LeadPeers | CarryOut | HandSeat | SetPace | SayToAll | LeaveTable
News: TypeAlias = (
    PeersSeated
    | GameMoved
    | AwayPlayers
    | ActionDone
    | ActionRefused
    | ChatHeard
    | NotSaid
    | MovesSent
    | ConnectionTrouble
    | TermsRead
    | TablesFound
    | UnfinishedGame
    | TableOpened
    | TableNews
    | PlayerArrived
    | QuestionAsked
    | GameBegun
    | TableFailed
)


def send(stream: BinaryIO, message: Order | News) -> None:
    """Write a message."""
    write_frame(stream, MessageFrame({}, pickle.dumps(message)))


def receive(stream: BinaryIO) -> Order | News | None:
    """The next message, None at the end."""
    frame = read_frame(stream)
    if frame is None:
        return None
    # Safe: only this program writes to the other end of the pipe.
    message: Order | News = pickle.loads(frame.body)
    return message
