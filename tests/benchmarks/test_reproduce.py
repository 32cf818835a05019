"""The page of figures: what of the report is shown beside its pictures."""

from benchmarks.reproduce import shortened

REPORT = """
## Games

About these.

| a |
| --- |

## Storage

![storage](storage.png)

*A caption.*

| b |
| --- |

What c is.

| c |
| --- |

## Repeating it

The end.
"""


def test_only_the_tables_of_the_first_section_are_shown() -> None:
    shown = shortened(REPORT)
    assert shown == REPORT.replace("\n\n| b |\n| --- |\n\nWhat c is.\n\n| c |\n| --- |", "")
    assert shortened("no section of sizes") == "no section of sizes"
