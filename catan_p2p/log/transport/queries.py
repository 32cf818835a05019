"""Requests to a remote and their answers, one at a time, so that several remotes can be asked side by side.

``ask`` returns at once, ``answered`` says whether the answer has come, ``answer`` returns it. The plain methods of
``Remote`` ask and wait.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from threading import Condition
from typing import NamedTuple, Protocol, TypeAlias

from catan_p2p.log.storage.objects import ObjectId, ObjectKind, StoreError
from catan_p2p.log.transport.remote import Remote, RemoteUnreachable


class AskHeads(NamedTuple):
    """Where are these refs, and all refs below the folder? Answered with a mapping."""

    refs: tuple[str, ...]
    folder: str | None = None


class AskCommits(NamedTuple):
    """The history of these heads, up to what is held; afterwards the remote's ``read`` returns its commits at once."""

    heads: Mapping[str, ObjectId]
    held: tuple[ObjectId, ...]


class PushMove(NamedTuple):
    """A ref of theirs to move from ``old`` (None: it must not exist) to ``new`` (None: it is deleted)."""

    ref: str
    old: ObjectId | None
    new: ObjectId | None
    is_forced: bool = False
    """Whether ``new`` need not continue ``old``; the ref must still be at ``old``."""
    is_whole: bool = False
    """Whether everything that ``new`` leads to is sent, because the other side has lost what its refs lead to."""


class AskPush(NamedTuple):
    """Move these refs there; what they lead to is published in the own repository. The answer is empty.

    The remote's ``refused`` holds the refused moves, with the reasons.
    """

    moves: tuple[PushMove, ...]


class AskReadable(NamedTuple):
    """Can everything that these heads lead to be read there? Answered with those heads for which it can."""

    heads: Mapping[str, ObjectId]


Request: TypeAlias = AskHeads | AskCommits | AskPush | AskReadable
Answer: TypeAlias = Mapping[str, ObjectId]


class AsyncRemote(Remote, Protocol):
    """A remote that can be asked without waiting for the answer."""

    is_folder: bool
    """Whether it is a folder of this machine, where a look costs next to nothing."""
    news: Condition
    """Notified when an answer has come."""

    @property
    def may_be_new(self) -> bool:
        """Whether something may be new there since the last answered listing: False only if this is certain without
        asking.

        Only listings of named refs count, and each counts as answered once it is asked for.
        """
        return True

    @property
    def is_telling(self) -> bool:
        """Whether it announces by itself what moves in the followed folders."""
        return False

    def follow(self, folders: Sequence[str]) -> None:
        """Have it announce by itself what moves in these folders, if it can."""
        return

    def ask(self, request: Request) -> None:
        """Begin a request; only when the previous one has been answered."""

    def answered(self) -> bool:
        """Whether ``answer`` will not wait: the answer has come, or its time is over."""

    def answer(self) -> Answer:
        """Return the answer, waiting within its time limit; raises what the remote's method of that name raises."""

    def heads(self, refs: Iterable[str], folder: str | None = None) -> Mapping[str, ObjectId]:
        """Where the refs are."""
        self.ask(AskHeads(tuple(refs), folder))
        return self.answer()

    def bring(self, heads: Mapping[str, ObjectId], held: Iterable[ObjectId] = ()) -> None:
        """Bring the commits of these heads."""
        self.ask(AskCommits(heads, tuple(held)))
        self.answer()


class SharedPlace(AsyncRemote, Protocol):
    """A remote that also accepts pushes."""

    refused: Mapping[str, str]
    """The moves that the last push was refused, with the reasons."""

    @property
    def brought(self) -> Mapping[ObjectId, tuple[ObjectKind, bytes]]:
        """The objects of the last answered request for commits, until the next one."""


class DirectRemote:
    """A remote of this process behind the asynchronous interface: ``ask`` returns only with the answer."""

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
        """True: it is not known."""
        return True

    @property
    def is_telling(self) -> bool:
        """False: it never announces anything."""
        return False

    def follow(self, folders: Sequence[str]) -> None:
        """Do nothing: it never announces anything."""

    @property
    def fetches(self) -> int:
        """How often commits were brought."""
        return self.remote.fetches

    @property
    def bytes_received(self) -> int:
        """How many bytes they took."""
        return self.remote.bytes_received

    def ask(self, request: Request) -> None:
        """Carry the request out at once."""
        try:
            if isinstance(request, AskHeads):
                self._answer = self.remote.heads(request.refs, request.folder)
            elif isinstance(request, AskPush):
                raise RemoteUnreachable(f"{self.url}: this remote takes no pushes")
            elif isinstance(request, AskReadable):
                raise RemoteUnreachable(f"{self.url}: this remote cannot say what is readable there")
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
