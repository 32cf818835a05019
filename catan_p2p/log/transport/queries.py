"""What a peer asks of a remote, and the answers, one at a time: so that several remotes can be asked side by side.

``ask`` returns at once, ``answered`` tells whether the answer is there, ``answer`` gives it. The plain methods of
``Remote`` ask and wait.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from threading import Condition
from typing import NamedTuple, Protocol, TypeAlias

from catan_p2p.log.storage.objects import ObjectId, ObjectKind, StoreError
from catan_p2p.log.transport.remote import Remote, RemoteUnreachable


class AskHeads(NamedTuple):
    """Where are these refs, and all below the folder? Answered with a mapping."""

    refs: tuple[str, ...]
    folder: str | None = None


class AskCommits(NamedTuple):
    """The history of these heads, up to what is held: afterwards the remote's ``read`` gives its commits at once."""

    heads: Mapping[str, ObjectId]
    held: tuple[ObjectId, ...]


class PushMove(NamedTuple):
    """A ref of theirs that is to move: from ``old`` (None: there is no such ref) to ``new`` (None: it is to go)."""

    ref: str
    old: ObjectId | None
    new: ObjectId | None
    is_forced: bool = False
    """Whether ``new`` may take the place of what it does not continue; of ``old`` only, whatever is there by then."""
    is_whole: bool = False
    """Whether everything that ``new`` leads to is sent: what the refs there lead to has been lost."""


class AskPush(NamedTuple):
    """Move these refs there; what they lead to is published in the own repository. Answered with nothing.

    Which moves were refused, and why, the remote tells in ``refused``.
    """

    moves: tuple[PushMove, ...]


class AskReadable(NamedTuple):
    """Can everything be read there that these heads, by ref, lead to? Answered with those for which it can."""

    heads: Mapping[str, ObjectId]


Request: TypeAlias = AskHeads | AskCommits | AskPush | AskReadable
Answer: TypeAlias = Mapping[str, ObjectId]


class AsyncRemote(Remote, Protocol):
    """A remote that can be asked without waiting."""

    is_folder: bool
    """Whether it is a folder of this machine, at which looking costs next to nothing."""
    news: Condition
    """Notified when an answer has come."""

    @property
    def may_be_new(self) -> bool:
        """Whether something may be new there since the last listing that was answered: False only where this is known
        without asking.

        A listing of named refs counts, and is counted as answered once it is asked for.
        """
        return True

    @property
    def is_telling(self) -> bool:
        """Whether it tells by itself what moves in the folders that are followed."""
        return False

    def follow(self, folders: Sequence[str]) -> None:
        """Have it tell by itself what moves in these folders, if it can."""
        return

    def ask(self, request: Request) -> None:
        """Begin with a request; only when the one before has been answered."""

    def answered(self) -> bool:
        """Whether ``answer`` will not wait: the answer is there, or its time is over."""

    def answer(self) -> Answer:
        """The answer, waited for as long as it may take at most; raises what the remote's method of that name does."""

    def heads(self, refs: Iterable[str], folder: str | None = None) -> Mapping[str, ObjectId]:
        """Where the refs are."""
        self.ask(AskHeads(tuple(refs), folder))
        return self.answer()

    def bring(self, heads: Mapping[str, ObjectId], held: Iterable[ObjectId] = ()) -> None:
        """Bring the commits of these heads."""
        self.ask(AskCommits(heads, tuple(held)))
        self.answer()


class SharedPlace(AsyncRemote, Protocol):
    """A remote that can also be pushed to."""

    refused: Mapping[str, str]
    """Of the last push, which moves were refused, and why."""

    @property
    def brought(self) -> Mapping[ObjectId, tuple[ObjectKind, bytes]]:
        """What came with the last commits that were asked for, until others are."""


class DirectRemote:
    """A remote of this process, asked as one that is not: it answers at once, however long that takes."""

    def __init__(self, remote: Remote) -> None:
        self.remote = remote
        self.url = remote.url
        self.negotiates = remote.negotiates
        self.is_folder, self.is_kept = True, False
        self.news = Condition()
        self.heads, self.bring, self.read = remote.heads, remote.bring, remote.read
        self.rest, self.close = remote.rest, remote.close
        self._answer: Answer | StoreError = {}

    @property
    def may_be_new(self) -> bool:
        """Nobody knows."""
        return True

    @property
    def is_telling(self) -> bool:
        """Nobody tells."""
        return False

    def follow(self, folders: Sequence[str]) -> None:
        """Nobody tells."""

    @property
    def fetches(self) -> int:
        """How often commits were brought."""
        return self.remote.fetches

    @property
    def bytes_received(self) -> int:
        """What they took."""
        return self.remote.bytes_received

    def ask(self, request: Request) -> None:
        """Do it."""
        try:
            if isinstance(request, AskHeads):
                self._answer = self.remote.heads(request.refs, request.folder)
            elif isinstance(request, AskPush):
                raise RemoteUnreachable(f"{self.url}: nothing is pushed there")
            elif isinstance(request, AskReadable):
                raise RemoteUnreachable(f"{self.url}: nothing of one's own is there")
            else:
                self._answer = {}
                self.remote.bring(request.heads, request.held)
        except StoreError as error:
            self._answer = error

    def answered(self) -> bool:
        """Always."""
        return True

    def answer(self) -> Answer:
        """What was found, or the error."""
        if isinstance(self._answer, StoreError):
            raise self._answer
        return self._answer
