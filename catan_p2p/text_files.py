"""Text files that a user names in an argument: small, UTF-8, and told of in one line if they are not."""

from pathlib import Path


class BadTextFile(ValueError):
    """A file that cannot be read as text; the message names it and says why."""


def read_text(argument: str, most_bytes: int, instead: str) -> str:
    """The text of a file, without a byte order mark; ``BadTextFile`` if there is none, or it is too long or no UTF-8.

    ``instead`` says what the argument could have been if there is no such file.
    """
    try:
        with Path(argument).open("rb") as file:
            data = file.read(most_bytes + 1)
    except FileNotFoundError:
        raise BadTextFile(f"{argument}: {instead}") from None
    except (OSError, ValueError) as error:
        raise BadTextFile(f"{argument}: cannot read: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > most_bytes:
        raise BadTextFile(f"{argument}: longer than {most_bytes} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadTextFile(f"{argument}: not UTF-8 text: {error.reason} at byte {error.start}") from None
