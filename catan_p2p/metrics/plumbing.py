"""Git commands for measuring that read many commits in one process."""

import re
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, zip_longest
from typing import BinaryIO, cast

import git
from git.exc import GitCommandError

from catan_p2p.log.storage.objects import ObjectId, StoreError

CHUNK = 2000
"""How many commits one process is asked about, which bounds the memory that its answer takes."""

_ID_LINE = re.compile(rb"^([0-9a-f]{40})\n", re.MULTILINE)


def ask(repo: git.Repo, arguments: Sequence[str], lines: Iterable[str]) -> bytes:
    """What ``git <arguments>`` prints for these lines on its standard input; ``StoreError`` if it fails."""
    with tempfile.TemporaryFile() as asked:
        asked.writelines(f"{line}\n".encode() for line in lines)
        asked.seek(0)
        try:
            answer: bytes = repo.git.execute(
                [git.Git.GIT_PYTHON_GIT_EXECUTABLE or "git", *arguments],
                istream=cast(BinaryIO, asked),
                stdout_as_string=False,
                strip_newline_in_stdout=False,
            )
        except GitCommandError as error:
            reason = str(error.stderr or error).strip().splitlines()
            raise StoreError(f"{repo.git_dir}: git {arguments[0]} failed: {reason[-1] if reason else error}") from error
    return answer


def by_commit(answer: bytes) -> Iterator[tuple[ObjectId, bytes]]:
    """Split the output of ``git diff-tree --stdin``: each commit that differs from its parent, with its part."""
    marks = list(_ID_LINE.finditer(answer))
    for mark, following in zip_longest(marks, marks[1:]):
        yield ObjectId(mark[1].decode()), answer[mark.end() : following.start() if following else len(answer)]


def chunks(items: Iterable[tuple[ObjectId, ObjectId]]) -> Iterator[list[tuple[ObjectId, ObjectId]]]:
    """The same pairs in lists of ``CHUNK``."""
    rest = iter(items)
    while chunk := list(islice(rest, CHUNK)):
        yield chunk


def read_objects(repo: git.Repo, ids: Iterable[ObjectId]) -> dict[ObjectId, bytes]:
    """The bytes of these objects, read by one process; ``StoreError`` names one that is missing."""
    answer = ask(repo, ["cat-file", "--batch"], ids)
    found = {}
    at = 0
    while at < len(answer):
        end = answer.index(b"\n", at)
        words = answer[at:end].split()
        if len(words) != 3:
            raise StoreError(f"{repo.git_dir}: {answer[at:end].decode()}")
        size = int(words[2])
        found[ObjectId(words[0].decode())] = answer[end + 1 : end + 1 + size]
        at = end + 1 + size + 1
    return found
