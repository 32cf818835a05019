"""The mistakes in the specification that no check sees, and why; as a program it writes the page ``spec/unseen.md``.

The tables of all mistakes are made by ``make mutations`` and ``make sub-expressions``, in ``build/mutations``.
"""

from collections.abc import Iterator

from catan_p2p.model_check.tlc import spec_folder
from tests.model_check import effect_mutations, guard_mutations, seat_mutations, sub_expression_mutations
from tests.shared import short, table_row

PAGE = spec_folder() / "unseen.md"

HEAD = """# Mistakes that no check sees

Programs make mistakes in `Catan.tla` and the modules beside it ([README.md](README.md#mutations)). Nothing sees these,
because they change nothing in any state that can be reached. Written by `python -m tests.model_check.unseen`.

| module | where | the mistake | why nothing sees it |
| --- | --- | --- | --- |
"""


def rows() -> Iterator[tuple[str, str, str, str]]:
    """Module, guard or definition, mistake and reason, of every kind of mistake."""
    for tag, why in guard_mutations.IMPLIED.items():
        yield "Catan", tag, "deleted", f"implied by {why}"
    for implied in (effect_mutations.IMPLIED, seat_mutations.IMPLIED):
        for (definition, what), why in implied.items():
            yield "Catan", definition, what, why
    for (file, definition, old, new), why in sub_expression_mutations.reasons().items():
        yield file.removesuffix(".tla"), definition, f"`{short(new)}` for `{short(old)}`", why


def page() -> str:
    """The text of the page."""
    return HEAD + "".join(table_row(*row) for row in rows())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
