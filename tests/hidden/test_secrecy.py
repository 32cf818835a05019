"""Nobody is told more than they may know: who reads everything of everybody but the keys finds no secret."""

import base64
import re
import subprocess
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from catan_p2p.cli.main import main
from catan_p2p.game.actions import BuyDevCard, Call, MoveBandit, PlayKnight
from catan_p2p.game.cards import RESOURCES
from catan_p2p.log.history import GameHistory, load_history
from catan_p2p.replication.own_cards import OwnCards
from catan_p2p.sealing.theft import choose
from catan_p2p.sealing.transcript import game_key
from catan_p2p.tables.seat import KEY_FILE, SETTINGS_FILE, read_secret
from tests.typed import Typed

COLOURS = ("Red", "Blue", "Green")
SEED = "5"


def unfinished(folder: Path) -> Path:
    """A game of three with repositories of their own that stops long before its end."""
    rules = ["--players", "3", "--rules", "standard", "--policy", "builder", "--seed", SEED, "--hands", "hidden"]
    where = ["--topology", "separate", "--sign", "--max-actions", "240", "--out", str(folder), "-q"]
    assert main(["simulate", *rules, *where]) == 1  # nobody has won
    return folder / "Catan_0"


def secrets_of(history: GameHistory, seats: list[Path]) -> dict[bytes, str]:
    """Everything that a hidden card, a choice or a share follows from, with what it is."""
    found: dict[bytes, str] = {}
    for player, seat in enumerate(seats, 1):
        key = read_secret(seat)
        own = OwnCards(history.root, player, key)
        found |= {key: "private key", game_key(history.root, player, key): "game key"}
        sealed_cards = history.graph.line.sealed_cards
        assert sealed_cards is not None
        found[own._deck_secret(sealed_cards).to_bytes(32, "little")] = "key for the deck"
        for logged in history.actions:
            if logged.sealed_cards is None:
                continue
            for opening in own.openings(logged.sealed_cards):
                found[opening.blind.to_bytes(32, "little")] = "opening"
            choosing = logged.sealed_cards.choosing
            if isinstance(logged.action, Call) and choosing is not None and choosing.context.seat == player:
                choice = choose(choosing.context, choosing.victim, choosing.size, game_key(history.root, player, key))
                found[choice.hiding.to_bytes(32, "little")] = "choice"
    return found


def told(data: bytes) -> Iterator[bytes]:
    """Some bytes in every spelling that the program has for numbers: as they are, hexadecimal and base64."""
    yield data
    for word in re.findall(rb"[0-9a-fA-F]{64,}", data):
        for start in range(0, len(word) - 63, 2):
            yield bytes.fromhex(word[start : start + 64].decode())
    for word in re.findall(rb"[A-Za-z0-9+/]{40,}={0,2}", data):
        yield base64.b64decode(word + b"=" * (-len(word) % 4))


def everything(game: Path) -> Iterator[tuple[str, bytes]]:
    """Every object and every file of all repositories but the seats' own secrets, and what the verbs say."""
    for path in sorted(game.rglob("*")):
        if path.is_file() and path.name not in (KEY_FILE, SETTINGS_FILE):
            yield str(path), path.read_bytes()
            if "objects" in path.parts and len(path.name) == 38:
                yield str(path), zlib.decompress(path.read_bytes())
    for seat in (game / colour for colour in COLOURS):
        command = ["git", "-C", str(seat), "cat-file", "--batch-all-objects", "--batch", "--unordered"]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
        yield f"objects of {seat.name}", done.stdout


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unfinished(tmp_path_factory.mktemp("hidden") / "run")


@pytest.mark.long
def test_no_secret_is_in_any_object_file_or_output(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], typed: Typed
) -> None:
    seats = [game / colour for colour in COLOURS]
    history = load_history(seats[0], may_be_hidden=True)
    secrets = secrets_of(history, seats)
    assert {"private key", "game key", "key for the deck", "opening", "choice"} == set(secrets.values())
    capsys.readouterr()
    seat = str(seats[1])
    for verb in (
        ["verify", seat],
        ["log", seat],
        ["log", seat, "--json"],
        ["status", seat],
        ["status", seat, "--json"],
    ):
        assert main(verb) == 0
    assert main(["metrics", seat, "--quick", "--out", str(tmp_path / "metrics")]) == 0
    printed = typed(0, "page", seat, "-o", tmp_path / "page.html")
    outputs = [("outputs", (printed.out + printed.err).encode())]
    outputs += [(str(path), path.read_bytes()) for path in tmp_path.rglob("*") if path.is_file()]
    for secret in secrets:  # what is looked for would be seen
        for spelled in (secret, secret.hex().encode(), b"Seal: " + base64.b64encode(b"x" * 32 + secret)):
            assert any(secret in data for data in told(b"Game: 0\n" + spelled + b"\n"))
    looked_at = 0
    for where, data in (*everything(game), *outputs):
        for spelled in told(data):
            looked_at += len(spelled)
            for secret, what in secrets.items():
                assert secret not in spelled, f"{where}: {what}"
    assert looked_at > 1_000_000


@pytest.mark.long
def test_every_sealed_card_is_sealed_in_words_too(game: Path) -> None:
    """No action, trailer or file says of which kind a card is that nobody has shown."""
    history = load_history(game / "Red", may_be_hidden=True)
    hidden = 0
    for logged in history.actions:
        action = logged.action
        if isinstance(action, BuyDevCard):
            assert action.card == "sealed"
            hidden += 1
        if isinstance(action, MoveBandit | PlayKnight) and action.card == "sealed":
            hidden += 1
        if isinstance(action, MoveBandit | PlayKnight) and action.card in RESOURCES:
            before = next(one.state for one in history.actions if one.commit == logged.parents[0])
            assert before.hid.sealed[action.victim - 1] == 0
    assert hidden > 3


@pytest.mark.long
@pytest.mark.parametrize("verb", ["stats", "export"])
def test_verbs_tell_no_more_in_one_seat_than_in_another(verb: str, game: Path, typed: Typed) -> None:
    """They read what everybody sees, not the cards of whoever has the repository."""
    more = ["--json"] if verb == "stats" else ["--format", "catan"]
    told = []
    for colour in COLOURS:
        out, err = typed(0, verb, game / colour, *more)
        assert f"{game / colour}: nobody sees all cards before the end" in err
        told.append(out.replace(str(game / colour), ""))
    assert len({*told}) == 1
