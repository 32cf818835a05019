"""The program ``catan-p2p``: its verbs, and how errors become messages and exit codes."""

import argparse
import contextlib
import importlib
import os
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

from catan_p2p import __version__
from catan_p2p.cli import output
from catan_p2p.log.storage import disk
from catan_p2p.log.storage.git_program import check_git
from catan_p2p.log.storage.objects import StoreError

VERBS = (
    "play",
    "simulate",
    "study",
    "tournament",
    "verify",
    "log",
    "watch",
    "page",
    "metrics",
    "report",
    "map",
    "host",
    "tables",
    "new_key",
    "new_game",
    "join",
    "peer",
    "turn",
    "say",
    "status",
    "vote",
    "lmu",
    "export",
    "import_",
    "stats",
    "check_spec",
    "check_trace",
)
"""The modules of the verbs, in the order of the help."""


def make_parser(verbs: Sequence[str] = VERBS) -> argparse.ArgumentParser:
    """The parser of the command line with these verbs. It imports each verb's module, with all that it needs."""
    parser = argparse.ArgumentParser(
        prog="catan-p2p",
        formatter_class=partial(argparse.HelpFormatter, width=_columns() - 2),
        description="One game of Catan is one Git history.",
        epilog="catan-p2p VERB --help explains a verb. Exit codes: 0 fine, 1 a finding, 2 wrong usage or something "
        "that cannot be read or written.",
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"catan-p2p {__version__}",
        help="print the version; with --verbose after it, also which core plays the rules, and why",
    )
    parser.add_argument(
        "--print-completion",
        action=_PrintCompletion,
        choices=("bash", "zsh", "tcsh"),
        help="print a script that lets the shell complete verbs and options",
    )
    subparsers = parser.add_subparsers(title="verbs", metavar="VERB", required=True, parser_class=_VerbParser)
    for verb in verbs:
        importlib.import_module(f"catan_p2p.cli.{verb}").add_parser(subparsers)
    for each in subparsers.choices.values():
        talk = each.add_mutually_exclusive_group()
        talk.add_argument("-q", "--quiet", action="store_true", help="print errors only")
        talk.add_argument("-v", "--verbose", action="store_true", help="print all progress, line by line")
    return parser


def _columns() -> int:
    """The width of the terminal. argparse would load ``shutil`` to get it, and would ask again for each option."""
    told = os.environ.get("COLUMNS", "")
    if told.isdecimal() and int(told) > 0:
        return int(told)
    try:
        return os.get_terminal_size(1).columns or 80
    except OSError:
        return 80


class _VerbParser(argparse.ArgumentParser):
    """The parser of a verb. Unlike argparse's, it finds an optional positional argument that follows an option."""

    late: argparse.Action | None = None
    """That argument, the verb's last positional one; None if it has none that may be missing."""

    def __init__(self, *, formatter_class: type[argparse.HelpFormatter] = argparse.HelpFormatter, **given: Any) -> None:
        # argparse also leaves two columns free.
        super().__init__(formatter_class=partial(formatter_class, width=_columns() - 2), **given)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """The values that were found, and the words that are left."""
        found, unknown = super().parse_known_args(args, namespace)
        word = self.late
        if word is None or not unknown or unknown[0].startswith("-") or getattr(found, word.dest) is not None:
            return found, unknown
        try:
            read = word.type if callable(word.type) else str
            setattr(found, word.dest, read(unknown[0]))
        except argparse.ArgumentTypeError as error:
            self.error(str(argparse.ArgumentError(word, str(error))))
        return found, unknown[1:]


class _PrintCompletion(argparse.Action):
    """Prints a completion script for a shell, and ends the program."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: Any, value: Any, option: str | None = None) -> None:
        """Called when the option is read."""
        try:
            import shtab
        except ModuleNotFoundError:
            parser.exit(
                output.WRONG_USAGE, f"{parser.prog}: {option} needs shtab: pip install 'catan-p2p[completion]'\n"
            )
        print(shtab.complete(parser, value))
        parser.exit()


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; returns the exit code."""
    given = sys.argv[1:] if argv is None else list(argv)
    try:
        code = _carry_out(given)
    except SystemExit:  # of argparse: help, or wrong usage
        if (code := _flush(output.FINE)) != output.FINE:
            return code
        raise
    return _flush(code)


def _carry_out(given: Sequence[str]) -> int:
    """Find the verb and run it; returns the exit code."""
    try:
        output.let_everything_be_printed()
        # argparse would end the program at --version, before it has read --verbose.
        if given[:1] == ["--version"] and given[1:] in (["--verbose"], ["-v"]):
            return _tell_version()
        args = make_parser(_verbs_in(given)).parse_args(given)
        output.set_talk(
            output.Verbosity.QUIET
            if args.quiet
            else output.Verbosity.VERBOSE
            if args.verbose
            else output.Verbosity.USUAL
        )
        code: int = args.func(args)
        return code
    except StoreError as error:
        return _give_up(str(error))
    except ImportError as error:
        from catan_p2p.sealing.group import MissingLibrary

        if isinstance(error, MissingLibrary):
            return _give_up(str(error))
        # Without Git, importing GitPython fails: then say that Git is missing.
        try:
            check_git()
        except StoreError as why:
            return _give_up(str(why))
        raise
    except KeyboardInterrupt:
        output.end_progress()
        output.say("interrupted")
        return output.INTERRUPTED
    except BrokenPipeError:
        # The reader of our output, such as head, has seen enough.
        return output.FINE
    except OSError as error:
        # An error without a file name can be standard output's: flushing fails again, and says so by name.
        if error.filename is None and (code := _flush(output.FINE)) != output.FINE:
            return code
        return _give_up(str(error) if error.filename is None else f"{error.filename}: {disk.reason(error)}")


def _tell_version() -> int:
    """Print the version and which core plays the rules; returns the exit code."""
    from catan_p2p.game.flat import fastest, why_not_compiled

    why = why_not_compiled()
    output.emit(f"catan-p2p {__version__}")
    output.emit(f"core: {fastest().name}" + ("" if why is None else f" ({why})"))
    return output.FINE


def _verbs_in(given: Sequence[str]) -> Sequence[str]:
    """The verbs that the parser must know for these arguments: the first word if that is a verb, else all."""
    return [verb for verb in VERBS if given[:1] == [spelled(verb)]] or VERBS


def spelled(verb: str) -> str:
    """A verb as users type it, from the name of its module, which ends in ``_`` if the verb is a keyword of Python."""
    return verb.strip("_").replace("_", "-")


def _flush(code: int) -> int:
    """Flush standard output; returns the exit code, which is ``code`` if that succeeds."""
    try:
        output.flush_output()
    except BrokenPipeError:
        pass
    except StoreError as error:
        return _give_up(str(error))
    return code


def _give_up(why: str) -> int:
    """Print an error; returns the exit code."""
    with contextlib.suppress(OSError):  # standard error can be closed, too
        output.end_progress()
        output.say(f"catan-p2p: {why}")
    return output.WRONG_USAGE


if __name__ == "__main__":
    sys.exit(main())
