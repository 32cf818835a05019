"""How pages are read, and what counts as the same output."""

import itertools
from pathlib import Path

import pytest

from tests.docs.blocks import Command, blocks, commands, differences
from tests.docs.session import Session
from tests.for_each import for_each

PAGE = """\
# A page
```console
$ first --flag   # opens a window
$ second
one
...
$ third \\
> goes on     # exit code 2
```
Words.
```text
$ none
```
```python
print(1)
```
```python
# mine.py
```
```python
>>> 1
1
```
"""


def test_commands_of_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE)
    assert list(commands(page)) == [
        Command(3, "first --flag   # opens a window", is_run=False),
        Command(4, "second", ("one", "...")),
        Command(7, "third \\\ngoes on     # exit code 2", code=2),
        Command(14, "print(1)", is_python=True),
        Command(17, "# mine.py", is_python=True),
        Command(20, ">>> 1\n1", is_python=True, is_run=False),
    ]


@pytest.mark.parametrize("text", ["```console\nno command\n```\n", "```console\n$ no end\n"])
def test_a_page_that_cannot_be_followed_is_an_error(text: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(text)
    with pytest.raises(ValueError, match="line"):
        list(commands(page))


def test_what_is_in_no_block_is_no_command() -> None:
    assert [kind for _, kind, _ in blocks(PAGE)] == ["console", "text", "python", "python", "python"]


@for_each(
    ("shown", "printed"),
    [
        ("a|b", "a|b"),
        ("a|...", "a"),
        ("a|...", "a|b|c"),
        ("...|c", "a|b|c"),
        ("...", ""),
        ("a|...|c", "a|b|b|c"),
        ("a|...|c|...|e", "a|c|d|e"),
        ("a|...|a", "a|b|a"),
        ("took 1.5 s", "took 22.25 s"),
        ("a   1.5  b", "a 22.25  b"),
        ("    ...|x", "y|x"),
        ("key ...", "key 17"),
        ("a|key ...|b", "a|key 17|b"),
    ],
)
def test_the_same(shown: str, printed: str) -> None:
    assert differences(tuple(shown.split("|")), printed.split("|")) is None


@for_each(
    ("shown", "printed"),
    [
        ("a", "b"),
        ("a", "a|b"),
        ("a|b", "a"),
        ("a|...", "b|a"),
        ("...|c", "c|d"),
        ("a|...|c", "a|b"),
        ("a|...|a", "a"),
        ("a|...|b|...|c", "a|c"),
        ("took 1 s", "took 2 s"),
        ("took 1.5 s", "took 2 s"),
        ("1.5 a", "1.5 b"),
        ("key ...", "lock 17"),
        ("key ...", "key 17|b"),
    ],
)
def test_not_the_same(shown: str, printed: str) -> None:
    assert differences(tuple(shown.split("|")), printed.split("|"))


def test_an_elision_stands_for_any_lines() -> None:
    """Against all ways to cut a page: every elided text fits, and no line too many or too few does."""
    lines = list("abcd")
    for keep in itertools.product([False, True], repeat=4):
        shown = tuple(line if kept else "..." for line, kept in zip(lines, keep, strict=True))
        assert differences(shown, lines) is None
        if keep[-1]:
            assert differences(shown, [*lines, "e"])
        if keep[0]:
            assert differences(shown, ["e", *lines])


def test_a_command_that_does_not_end_is_ended_and_named(tmp_path: Path) -> None:
    session = Session(tmp_path, patience_s=0.5)
    with pytest.raises(TimeoutError, match=r"not done after 0\.5 s: echo begun; sleep 3600"):
        session.run("echo begun; sleep 3600")
    session.close()
