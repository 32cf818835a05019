"""A remote behind ``ssh``, ``https://`` or ``http://``, read in one conversation that is kept between looks.

The conversation runs over what Git would start for each look: ``ssh``, or Git's own helper for HTTP, which keeps its
connection to the server. Where this is impossible, Git itself is run each time (``GitRemote``): if the server does not
speak version 2 of the protocol or has no shell, if ``ssh`` may be a program with other options, or if the protocol is
not allowed.

Git would check the form of every object that it fetches. Here the id of each is computed from its bytes, commits are
judged like all others, and nothing else is taken over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from catan_p2p.limits import MAX_LISTING_BYTES, MAX_QUARANTINED_BYTES
from catan_p2p.log.storage.objects import ObjectId, ObjectKind
from catan_p2p.log.transport.bounded import run_bounded
from catan_p2p.log.transport.conversation import GitConversation, HungUp, OtherProtocol
from catan_p2p.log.transport.git_command import git_command, git_environment, last_line
from catan_p2p.log.transport.git_protocol import ProtocolRemote
from catan_p2p.log.transport.git_remote import GitRemote
from catan_p2p.log.transport.remote import RemoteUnreachable, local_path
from catan_p2p.log.transport.ssh import serving_command, ssh_place, ssh_program
from catan_p2p.log.transport.streams import ProgramStream
from catan_p2p.time_source import SYSTEM_TIME, TimeSource

_CONNECT = b"stateless-connect git-upload-pack\n"
_SSH_FAILED = 255
"""The exit code of ``ssh`` itself, as opposed to that of the program at the server."""
_NO_CONNECTION = "\nfatal: Could not read from remote repository.\n"


class _NoSession(OtherProtocol):
    """No conversation is possible here, though Git may still manage."""


class SessionRemote:
    """A repository that Git reaches by ``ssh`` or HTTP."""

    negotiates = True

    def __init__(
        self,
        url: str,
        own: Path,
        incoming: Path,
        most_bytes: int = MAX_QUARANTINED_BYTES,
        time: TimeSource = SYSTEM_TIME,
    ) -> None:
        self.url = url
        self.fetches = 0
        self.bytes_received = 0
        self._own = own
        self._time = time
        self._by_git = GitRemote(url, own, incoming, most_bytes)
        self._by_session = ProtocolRemote(url, self._begin, is_kept=True)
        self._remote: GitRemote | ProtocolRemote = self._by_session
        self._meant: str | None = None
        """The URL after the user's configuration (``url.<base>.insteadOf``), None before Git was asked."""

    @property
    def is_kept(self) -> bool:
        """Whether a conversation goes on."""
        return self._by_session.is_kept

    def heads(self, refs: Iterable[str], folder: str | None = None) -> Mapping[str, ObjectId]:
        """Where the refs are."""
        refs = [*refs]
        try:
            return self._remote.heads(refs, folder)
        except OtherProtocol:
            found = self._by_git.heads(refs, folder)
            # Only after success: a server that is down must not lose its conversation for good.
            self._remote = self._by_git  # it has worked, so it is remembered
            return found

    def bring(self, heads: Mapping[str, ObjectId], held: Iterable[ObjectId] = ()) -> None:
        """Bring the history of these heads."""
        held = [*held]
        try:
            self._remote.bring(heads, held)
        except OtherProtocol:
            self._by_git.bring(heads, held)
            self._remote = self._by_git
        finally:
            self.fetches = self._by_session.fetches + self._by_git.fetches
            self.bytes_received = self._by_session.bytes_received + self._by_git.bytes_received

    def read(self, oid: ObjectId) -> tuple[ObjectKind, bytes]:
        """Kind and bytes of an object that was brought."""
        return self._remote.read(oid)

    def rest(self) -> None:
        """Drop what was brought; the conversation is kept."""
        self._remote.rest()

    def close(self) -> None:
        """End the conversation, and remove what Git has fetched."""
        self._by_session.close()
        self._by_git.close()

    def _begin(self, version: int | None, wanted: list[str]) -> GitConversation:
        environment = git_environment(self._own)
        url = self._resolved(environment)
        scheme = re.match(r"(https?|ssh)://", url)
        allowed = environment["GIT_ALLOW_PROTOCOL"].split(":")
        if (scheme[1] if scheme is not None else "ssh") not in allowed:
            raise _NoSession(f"{self.url}: not allowed")
        if scheme is not None and scheme[1] != "ssh":
            return self._begin_over_http(scheme[1], url, environment, wanted)
        return self._begin_over_ssh(url, environment, wanted)

    def _resolved(self, environment: Mapping[str, str]) -> str:
        if self._meant is None:
            asked = [*git_command(), "ls-remote", "--get-url", "--", self.url]
            done = run_bounded(asked, environment, MAX_LISTING_BYTES)
            if done.code != 0:
                raise _NoSession(f"{self.url}: {last_line(done.complaint)}")
            self._meant = done.out.decode("utf-8", "replace").removesuffix("\n")
        return self._meant

    def _begin_over_http(
        self, scheme: str, url: str, environment: Mapping[str, str], wanted: list[str]
    ) -> GitConversation:
        stream = ProgramStream([*git_command(), f"remote-{scheme}", url, url], environment)
        conversation = GitConversation(self.url, stream, self._time, is_stateless=True)
        try:
            try:
                # The helper answers with an empty line if it can connect.
                if conversation.exchange_words(_CONNECT) != b"":
                    raise _NoSession(f"{self.url}: the server does not speak version 2 of Git's protocol")
                conversation.begin(b"", None, wanted)
            except HungUp as error:
                raise RemoteUnreachable(f"{self.url}: {last_line(stream.complaint) or error}") from None
            if conversation.version != 2:
                raise _NoSession(f"{self.url}: the server does not speak version 2 of Git's protocol")
        except BaseException:
            conversation.close()
            raise
        return conversation

    def _begin_over_ssh(self, url: str, environment: Mapping[str, str], wanted: list[str]) -> GitConversation:
        place, program = ssh_place(url), ssh_program(self._own, environment)
        # A folder never needs ssh, whatever it looks like to the patterns.
        if place is None or program is None or local_path(url) is not None:
            raise _NoSession(f"{self.url}: better left to Git")
        try:
            stream = ProgramStream(serving_command(program, place), environment)
        except RemoteUnreachable as error:
            raise _NoSession(str(error)) from None
        # A newline precedes each request, for the loop of the shell at the server (``ssh.serving_command``).
        conversation = GitConversation(self.url, stream, self._time, before_each=b"\n")
        try:
            conversation.begin_in_version_2(wanted)
        except HungUp as error:
            conversation.close()
            # ssh itself failed, so Git would fail as well; any other end may only be the server's missing shell.
            if stream.code == _SSH_FAILED:
                raise RemoteUnreachable(f"{self.url}: {last_line(stream.complaint + _NO_CONNECTION)}") from None
            raise _NoSession(f"{self.url}: {error}") from None
        except BaseException:
            conversation.close()
            raise
        return conversation
