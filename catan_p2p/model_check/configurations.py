"""The configurations of the models as texts for TLC, from the table ``spec/models.toml``."""

import functools
import tomllib
from collections.abc import Mapping

from catan_p2p.model_check.tlc import spec_folder

_BEFORE, _AFTER = ("SPECIFICATION", "INIT", "NEXT"), ("CONSTRAINT", "ACTION_CONSTRAINT", "INVARIANTS", "PROPERTIES")

Settings = Mapping[str, str | int]
"""A configuration: its statements, named in capitals, and the values of its constants; ``<-`` names a definition."""


def configured() -> tuple[str, ...]:
    """The names of the configurations in the table, without the lower-case ones, which several models share."""
    return tuple(name for name in _table() if not name[0].islower())


def settings_of(name: str) -> dict[str, str | int]:
    """The configuration of a model, with what it shares; ``KeyError`` if the table has no such model."""
    own = {key: value for key, value in _table()[name].items() if not isinstance(value, list)}
    like = own.pop("like", None)
    shared = {} if like is None else settings_of(str(like))
    # TLC takes either SPECIFICATION or INIT and NEXT, so the model's own replaces the shared ones.
    if "SPECIFICATION" in own:
        shared = {key: value for key, value in shared.items() if key not in ("INIT", "NEXT")}
    return shared | own


def size_of(name: str) -> tuple[int, int, int] | None:
    """The distinct states, generated states and depth of a model; None if ``spec/models.toml`` has no ``size``."""
    size = _table().get(name, {}).get("size")
    return (size[0], size[1], size[2]) if isinstance(size, list) else None


def config_text(settings: Settings) -> str:
    """The text of a configuration; empty statements are left out."""
    constants = [key for key in settings if key not in (*_BEFORE, *_AFTER)]
    lines = [f"{key} {settings[key]}" for key in _BEFORE if settings.get(key)]
    lines += ["CONSTANTS", *(f"    {key} {_value(settings[key])}" for key in constants)]
    lines += [f"{key}\n    {str(settings[key]).strip()}" for key in _AFTER if settings.get(key)]
    return "\n".join([*lines, ""])


def _value(value: str | int) -> str:
    if isinstance(value, bool):
        return f"= {str(value).upper()}"
    return value if isinstance(value, str) and value.startswith("<-") else f"= {value}"


@functools.cache
def _table() -> dict[str, dict[str, str | int | list[int]]]:
    return tomllib.loads((spec_folder() / "models.toml").read_text(encoding="utf-8"))
