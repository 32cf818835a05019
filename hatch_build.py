"""What the build adds: a README whose links hold on a package index, a manual page, and the compiled core."""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

ROOT = Path(__file__).parent
MANUAL = "catan-p2p.1"


class CustomMetadataHook(MetadataHookInterface):
    """The README of the package."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Called with what pyproject.toml says."""
        text = elsewhere((ROOT / "README.md").read_text("utf-8"), metadata.get("urls", {}).get("Source"))
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


class CustomBuildHook(BuildHookInterface[Any]):
    """The manual page and the compiled core of the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before a wheel is made; an editable one has neither: its manual is in its help, its core in Python."""
        if version != "standard":
            return
        sys.path.insert(0, self.root)
        self._add_manual(build_data)
        self._add_core(build_data)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Called when the wheel is made."""
        if version == "standard":
            self._folder.cleanup()

    def _add_core(self, build_data: dict[str, Any]) -> None:
        """The core for this version of Python and this platform; without a compiler, a wheel for all that says why."""
        from compile_core import build_if_possible

        self._folder = tempfile.TemporaryDirectory()
        why = build_if_possible(Path(self._folder.name))
        build_data["force_include"][self._folder.name] = "catan_p2p/compiled"
        if why is None:
            build_data["pure_python"], build_data["infer_tag"] = False, True
            self.app.display_info("flat core: compiled")
        else:
            self.app.display_warning(f"flat core: in Python, not compiled: {why}")

    def _add_manual(self, build_data: dict[str, Any]) -> None:
        from catan_p2p.cli.main import make_parser

        path = Path(self.root) / "build" / MANUAL
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(manual(make_parser(), self.metadata.version)) + "\n", "utf-8")
        build_data["shared_data"][str(path)] = f"share/man/man1/{MANUAL}"


def elsewhere(text: str, source: str | None) -> str:
    """A README to be read where the files are not that it links to: at ``source``, or if that is None without links."""
    if source is None:
        return re.sub(r"!?\[([^\]]*)\]\((?!https?:)[^)]*\)", lambda link: "" if link[0][0] == "!" else link[1], text)
    return re.sub(r"\]\((?!https?:|#)([^)]*)\)", rf"]({source}/blob/main/\1)", text)


def manual(parser: argparse.ArgumentParser, version: str) -> Iterator[str]:
    """The lines of the manual page, in the man macros of roff."""
    yield f'.TH {parser.prog.upper()} 1 "" "catan_p2p {version}" "User Commands"'
    yield from (".SH NAME", _roff(f"{parser.prog} - {parser.description}"))
    yield from (".SH SYNOPSIS", f".B {_roff(parser.prog)}", ".I VERB", "[...]")
    yield from (".SH OPTIONS", *_options(parser), *_OF_ALL, ".SH VERBS")
    yield from _verbs(parser)
    yield from (".SH EXIT STATUS", _roff(parser.epilog or ""))


def _verbs(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Every verb below a parser, in the order of its help."""
    for action in parser._actions:
        if not isinstance(action, argparse._SubParsersAction):
            continue
        for verb in action.choices.values():
            usage = " ".join(verb.format_usage().removeprefix("usage: ").split())
            yield from (f".SS {_roff(verb.prog.partition(' ')[2])}", _roff(usage), ".PP", _roff(verb.description or ""))
            yield from (*_options(verb), ".PP", *_told(verb.epilog or ""), *_verbs(verb))


_OF_ALL = (
    *(".TP", "\\fB\\-h, \\-\\-help\\fR", "print what the program or a verb takes"),
    *(".TP", "\\fB\\-q, \\-\\-quiet\\fR", "print errors only; every verb takes it"),
    *(".TP", "\\fB\\-v, \\-\\-verbose\\fR", "print all progress, line by line; every verb takes it"),
)
"""Options that are told once."""


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    """What a verb takes, with its help."""
    for action in parser._actions:
        if not action.help or action.dest in ("help", "quiet", "verbose", argparse.SUPPRESS):
            continue
        formatter = parser._get_formatter()
        yield from (".TP", f"\\fB{_roff(formatter._format_action_invocation(action))}\\fR")
        yield _roff(formatter._expand_help(action))


def _told(text: str) -> Iterator[str]:
    """Text whose lines may be examples, which stay as they are."""
    if "\n" in text:
        yield from (".nf", *map(_roff, text.strip().splitlines()), ".fi")
    else:
        yield _roff(text)


def _roff(text: str) -> str:
    """Text that roff prints as it is."""
    text = " ".join(text.split()) if not text.startswith(" ") else text
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text.startswith((".", "'")) else text
