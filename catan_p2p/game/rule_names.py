"""The spelling of rules: a profile, and the constants in which rules differ from it, by their names and values."""

from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Any, NamedTuple, get_args, get_type_hints

from catan_p2p.game.cards import pack, unpack
from catan_p2p.game.constants import PROFILES, Rules, UnsupportedRules, profile
from catan_p2p.game.playable import constant_name
from catan_p2p.text_files import BadTextFile, read_text

_MOST_FILE_BYTES = 1 << 16


class _RuleSpelling(NamedTuple):
    """How the values of one type of rule constant are written and read."""

    write: Callable[[Any], str]
    read: Callable[[str], Any]


def _word(words: Sequence[str]) -> _RuleSpelling:
    return _RuleSpelling(str, lambda text: words[words.index(text)])


_YES = _RuleSpelling(lambda value: "yes" if value else "no", lambda text: {"yes": True, "no": False}[text])
_NUMBER = _RuleSpelling(str, int)
_POOL = _RuleSpelling(
    lambda cards: " ".join(map(str, unpack(cards))), lambda text: pack(int(word) for word in text.split(" "))
)
_SUMS = _RuleSpelling(lambda sums: " ".join(map(str, sums)), lambda text: tuple(int(word) for word in text.split(" ")))


class RuleConstant(NamedTuple):
    """A rule constant: its field, the value that the thesis gives it, and its spelling."""

    field: str
    default: Any
    spelling: _RuleSpelling


def _spelling(name: str, default: object, hint: object) -> _RuleSpelling:
    if name.endswith("_pool"):
        return _POOL
    if isinstance(default, bool):
        return _YES
    if isinstance(default, str):
        return _word(get_args(hint))
    return {int: _NUMBER, tuple: _SUMS}[type(default)]


_HINTS = get_type_hints(Rules)
RULE_CONSTANTS: dict[str, RuleConstant] = {
    constant_name(field.name): RuleConstant(
        field.name, field.default, _spelling(field.name, field.default, _HINTS[field.name])
    )
    for field in fields(Rules)
}
"""The rule constants by their names in the file ``rules``."""

RULES_LINE = f"one of {', '.join(PROFILES)}, or one of them with changes, as in 'standard; HandLimit = 9'"
"""What ``rules_named`` reads, in words."""
RULES_FILE = "a file that begins with Profile = standard, with a line such as HandLimit = 9 for each change"
"""What ``parse_rules_file`` reads, in words."""


def rules_named(spelled: str, player_count: int, *, may_be_hidden: bool = False) -> Rules:
    """The rules that ``spelled`` names: a profile, or one with changes such as ``standard; HandLimit = 9``.

    ``UnsupportedRules`` if it names none, or hidden hands unless they ``may_be_hidden``.
    """
    name, *changes = spelled.split("; ")
    if name not in PROFILES:
        raise UnsupportedRules(f"{name}: no such rules, expected {RULES_LINE}")
    values: dict[str, Any] = {}
    for change in changes:
        key, separator, value = change.partition(" = ")
        constant = RULE_CONSTANTS.get(key)
        if not separator:
            raise UnsupportedRules(f"{change}: expected NAME = VALUE, as in 'standard; HandLimit = 9'")
        if constant is None:
            raise UnsupportedRules(f"{key}: no such rule" + "; --map chooses the map" * (key.lower() == "map"))
        if constant.field in values:
            raise UnsupportedRules(f"{key}: given twice")
        try:
            values[constant.field] = constant.spelling.read(value)
        except (ValueError, KeyError):
            known = constant.spelling.write(constant.default)
            raise UnsupportedRules(
                f"{key}: {value!r} is not a value of this rule, expected one such as {known}"
            ) from None
    if values.get("hands") == "hidden" and not may_be_hidden:
        raise UnsupportedRules("Hands = hidden: only play, host, new-game with keys and simulate begin such games")
    return replace(profile(name, player_count), **values)


def spell_rules(rules: Rules, player_count: int) -> str:
    """The rules as ``rules_named`` reads them: the profile that they are nearest to, and what differs from it."""
    changed = {
        name: [
            f"{key} = {constant.spelling.write(value)}"
            for key, constant in RULE_CONSTANTS.items()
            if (value := getattr(rules, constant.field)) != getattr(profile(name, player_count), constant.field)
        ]
        for name in PROFILES
    }
    # The fewest changes make the shortest text.
    nearest = min(changed, key=lambda name: len(changed[name]))
    return "; ".join([nearest, *changed[nearest]])


def parse_rules_file(text: str, name: str) -> str:
    """What a file of rules names, on one line: ``Profile = standard``, and below it constants with their values.

    Empty lines and what follows a ``#`` say nothing. ``UnsupportedRules`` names ``name`` and the line.
    """
    profile_name, changes = "", []
    for number, line in enumerate(text.splitlines(), 1):
        told = line.partition("#")[0].strip()
        if not told:
            continue
        key, separator, value = (part.strip() for part in told.partition("="))
        if not profile_name:
            if key != "Profile" or value not in PROFILES:
                expected = " or ".join(f"Profile = {known}" for known in PROFILES)
                hint = (
                    f"; on one line, without a file: {RULES_LINE}" if told.partition(";")[0].strip() in PROFILES else ""
                )
                raise UnsupportedRules(f"{name}, line {number}: {told!r}, expected {expected}{hint}")
            profile_name = value
            continue
        if not separator or not value:
            raise UnsupportedRules(f"{name}, line {number}: {told!r}, expected a name, '=' and a value")
        changes.append(f"{key} = {value}")
        try:
            # Checked line by line, so that an error can name its line.
            rules_named("; ".join([profile_name, *changes]), 2, may_be_hidden=True)
        except UnsupportedRules as error:
            raise UnsupportedRules(f"{name}, line {number}: {error}") from None
    if not profile_name:
        raise UnsupportedRules(f"{name}: the file has no rules, expected a first line such as Profile = standard")
    return "; ".join([profile_name, *changes])


def read_rules(argument: str) -> str:
    """The rules that an argument names, by a profile with changes or as a file, on one line.

    ``UnsupportedRules`` tells what is wrong.
    """
    if not argument:
        raise UnsupportedRules(f"'': expected {RULES_LINE}; or {RULES_FILE}")
    if argument.partition(";")[0].strip() in PROFILES:
        changes = [" = ".join(part.strip() for part in change.split("=", 1)) for change in argument.split(";")]
        line = "; ".join(changes)
        rules_named(line, 2, may_be_hidden=True)
        return line

    try:
        instead = f"no such rules or file, expected {RULES_LINE}; or {RULES_FILE}"
        return parse_rules_file(read_text(argument, _MOST_FILE_BYTES, instead), argument)
    except BadTextFile as error:
        raise UnsupportedRules(str(error)) from None


def changes_in(rules: str) -> dict[str, str]:
    """The constants that a rule text names besides its profile, as they are spelled there."""
    return dict(change.split(" = ", 1) for change in rules.split("; ")[1:])
