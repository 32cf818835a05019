"""Many cases of one assertion as one test: what ``pytest.mark.parametrize`` would make a test of each."""

import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

_NAMED = 20
"""How many of the cases that fail are named."""


def for_each(
    names: str | Sequence[str], values: Iterable[Any], ids: Callable[[Any], object] | Sequence[str] | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Call the test with each row of values, to the end, and fail with the first failure and the names of all cases.

    The arguments are those of ``pytest.mark.parametrize``. It is for cases that take no time and share nothing.
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    rows = [_row(value, len(names)) for value in values]

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        def all_cases(**others: Any) -> None:
            failed: list[str] = []
            first: BaseException | None = None
            for number, row in enumerate(rows):
                try:
                    test(**dict(zip(names, row, strict=True)), **others)
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - whatever a case fails with is told
                    failed.append(_name(row, ids, number))
                    first = first or error
            if first is not None:
                told = ", ".join(failed[:_NAMED]) + (", ..." if len(failed) > _NAMED else "")
                first.add_note(f"{len(failed)} of {len(rows)} cases fail: {told}")
                raise first

        left = [one for one in inspect.signature(test).parameters.values() if one.name not in names]
        all_cases.__signature__ = inspect.Signature(left)  # type: ignore[attr-defined]
        all_cases.__name__, all_cases.__module__, all_cases.__doc__ = test.__name__, test.__module__, test.__doc__
        all_cases.pytestmark = [*getattr(test, "pytestmark", [])]  # type: ignore[attr-defined]
        return all_cases

    assert rows, f"{names}: no cases"
    return decorate


def with_soak(cases: Iterable[Any], more: Iterable[Any]) -> list[Any]:
    """The cases of a test that is parametrized, and ``more`` that only ``make soak`` runs."""
    rows = (one if type(one) in (tuple, list) else (one,) for one in more)
    return [*cases, *(pytest.param(*row, marks=pytest.mark.soak) for row in rows)]


def _row(value: Any, width: int) -> Sequence[Any]:
    if hasattr(value, "marks"):  # pytest.param
        assert not value.marks, "a case with marks is a test of its own"
        return value.values  # type: ignore[no-any-return]
    return (value,) if width == 1 else value  # type: ignore[no-any-return]


def _name(row: Sequence[Any], ids: Callable[[Any], object] | Sequence[str] | None, number: int) -> str:
    if callable(ids):
        told = [ids(value) for value in row]
        return "-".join(str(value if name is None else name) for value, name in zip(row, told, strict=True))[:100]
    return ids[number] if ids is not None else "-".join(map(str, row))[:100]
