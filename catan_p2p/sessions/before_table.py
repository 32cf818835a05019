"""What the worker process does before there is a table: it looks at one, takes a seat, or opens one, and waits."""

from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

from catan_p2p.game.new_game import drawn_map, new_constants
from catan_p2p.game.secret_streams import secret_seed
from catan_p2p.log.storage.objects import StoreError
from catan_p2p.log.transport.remote import checked_url
from catan_p2p.sessions.messages import (
    BeforeTable,
    FindTables,
    GameBegun,
    JoinTable,
    ListGames,
    News,
    OpenTable,
    PlayerArrived,
    QuestionAsked,
    ReadTerms,
    TableNews,
    TableOpened,
    TablesFound,
    TermsRead,
    UnfinishedGame,
)
from catan_p2p.sessions.saved_games import seats_here, unfinished_tables
from catan_p2p.tables.announcing import TableAnnouncer, find_tables
from catan_p2p.tables.hosting import open_table
from catan_p2p.tables.invitation import Invitation
from catan_p2p.tables.setup import at_table
from catan_p2p.tables.status import read_status
from catan_p2p.tables.taking_seat import look_at_table, offered_words, take_seat
from catan_p2p.tables.terms import ExpectedTerms
from catan_p2p.tables.waiting_room import with_port

_LISTEN_S = 2.0
"""How long to listen to the network before the person is told again."""


def attend(order: BeforeTable, tell: Callable[[News], None], answer: Callable[[], bool]) -> None:
    """Carry the order out; ``answer`` waits for the person's answer to what was asked last.

    ``StoreError``, ``MapError``, ``UnsupportedRules`` or ``MissingLibrary`` says why there is no table or seat.
    """

    def ask(question: str) -> bool:
        tell(QuestionAsked(question))
        return answer()

    match order:
        case ReadTerms(invitation):
            terms, free = look_at_table(invitation)
            tell(TermsRead(terms.colours, offered_words(terms), free))
        case ListGames():
            for game in unfinished_tables():
                with suppress(StoreError, OSError):
                    tell(_unfinished(game))
            answer()  # never comes: this process ends when the person looks at something else
        case FindTables():
            while True:
                tell(TablesFound(tuple((table.invitation, table.words) for table in find_tables(_LISTEN_S))))
        case JoinTable(path, invitation, colour, name, listen):
            address = None if listen is None else with_port(path, listen)
            take_seat(
                path,
                invitation,
                colour,
                None,
                ExpectedTerms(),
                lambda line: tell(TableNews(line)),
                address,
                ask,
                name,
            )
            tell(GameBegun(path))
        case OpenTable(path, place, colours, rules, map, name, is_announced, hands, patience_s, computers):
            # As ``catan-p2p host`` does without options: nobody has to trust or to wait for anybody.
            agreed = at_table(rules, fair=True, hands=hands, patience_s=patience_s, player_count=len(colours))
            constants = new_constants(agreed, colours, map, secret_seed(), hands=None)
            drawn = drawn_map(rules, len(colours), map)
            announcement = TableAnnouncer() if is_announced else None
            with ExitStack() as announced:

                def invited(invitation: Invitation, words: str) -> None:
                    tell(TableOpened(str(invitation), words))
                    if announcement is not None:
                        announced.enter_context(announcement.shown(str(invitation), words))

                open_table(
                    path,
                    checked_url(place) if isinstance(place, str) else with_port(path, place),
                    constants,
                    colours,
                    None,
                    lambda line: tell(TableNews(line)),
                    invited,
                    drawn=drawn if constants.rules.chance == "joint" else None,
                    ask=ask,
                    name=name,
                    is_announced=is_announced,
                    computers=dict(computers),
                    arrived=lambda colour: tell(PlayerArrived(colour)),
                )
            tell(GameBegun(path))


def _unfinished(path: Path) -> UnfinishedGame:
    """What the person who plays a game here is told of it while it is not over."""
    seats = seats_here(path)
    # Where only computers play, the first of them stands for the table.
    own = next((seat for seat in seats if seat.policy is None), seats[0])
    status = read_status(own.path)
    called = status.graph.game.called
    computers = {*status.settings.computers, *(seat.colour for seat in seats if seat.policy is not None)}
    others = [name for colour, name in called.items() if colour not in (own.colour, *computers)]
    if computers:
        others.append("a computer" if len(computers) == 1 else f"{len(computers)} computers")
    awaited = tuple(called[colour] for colour in status.standing.awaited)
    is_asked = status.graph.state.ans[status.standing.player - 1] == "asked"
    return UnfinishedGame(path, tuple(others), awaited, is_asked or own.colour in status.standing.awaited)
