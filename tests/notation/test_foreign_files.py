"""Files as other programs and editors leave them: marks, messages of other games, and endings that formats share."""

import gzip
import json
import re
from collections.abc import Iterator
from datetime import datetime
from io import StringIO
from pathlib import Path

import pytest

from catan_p2p import load, load_all, play
from catan_p2p.cli.main import main
from catan_p2p.cli.table_options import read_rules
from catan_p2p.game.board import DEFAULT_MAP, read_map
from catan_p2p.game.board.map_file import format_map_file
from catan_p2p.log.keys import new_private_key, read_private_key, spell_public_key, write_private_key
from catan_p2p.notation import FORMATS, Format, NotationError, import_game, in_order_of_play, read
from catan_p2p.simulation.laboratory.distributions import parse_distribution
from catan_p2p.view import events as e
from tests.notation.replays import as_colonist, as_soclog
from tests.notation.stac_log import as_stac
from tests.notation.test_replays import facts, in_order

MARK = b"\xef\xbb\xbf"


def files(folder: Path) -> Iterator[tuple[Format, Path]]:
    """A game in every format that is read, as that format's files are called."""
    _, told = in_order(3, 2, "builder")
    game = play(players=3, policies="builder", seed=1)
    for format, ending in (("catan", "catan"), ("sgn", "sgn"), ("catanatron", "json")):
        path = folder / f"{format}.{ending}"
        game.save(path)
        yield format, path  # type: ignore[misc]
    for format, name, text in (
        ("colonist", "colonist.json", as_colonist(told)),
        ("soclog", "log.soclog", as_soclog(told)),
    ):
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
        yield format, folder / name  # type: ignore[misc]


@pytest.mark.long
def test_a_byte_order_mark_before_a_file_of_any_format_changes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    formats = set()
    for format, path in files(tmp_path):
        formats.add(format)
        for comment in (b"", b"# Event: Friday night\n") if path.suffix != ".json" else (b"",):
            plain, marked = tmp_path / f"plain{path.suffix}", tmp_path / f"marked{path.suffix}"
            plain.write_bytes(comment + path.read_bytes())
            marked.write_bytes(MARK + comment + path.read_bytes())
            told = []
            for file in (plain, marked):
                code = main(["import", str(file), "--json"])
                found = json.loads(capsys.readouterr().out)
                assert found.pop("file") == str(file)
                told.append((code, found))
                assert main(["stats", str(file)]) == 0
                told[-1] += (capsys.readouterr().out.replace(str(file), ""),)
            assert told[0] == told[1]
            assert told[0][0] == 0 and told[0][1]["format"] == format
            one, other = load(plain), load(marked)
            assert one.headers == other.headers and list(one.steps) == list(other.steps)
            texts = (StringIO(file.read_text(encoding="utf-8"), newline="\n") for file in (plain, marked))
            assert list(read(next(texts))) == list(read(next(texts)))
    assert formats == set(FORMATS)


def test_games_of_one_file_may_each_have_a_mark(tmp_path: Path) -> None:
    for seed in (1, 2):
        play(players=2, rules="thesis", seed=seed).save(tmp_path / f"{seed}.sgn")
    one, other = ((tmp_path / f"{seed}.sgn").read_bytes() for seed in (1, 2))
    (tmp_path / "both.sgn").write_bytes(MARK + one + MARK + b"# Event: the second\n" + other)
    games = list(load_all(tmp_path / "both.sgn"))
    assert [game.points for game in games] == [load(tmp_path / f"{seed}.sgn").points for seed in (1, 2)]
    assert not any(game.findings for game in games)
    assert games[1].headers["Event"] == "the second"


def soclog() -> str:
    return as_soclog(in_order(3, 2, "builder")[1])


def test_messages_of_another_game_are_refused() -> None:
    """They were taken for the log's own: a log with the dice of another game was in order."""
    text = soclog().replace("all:SOCDiceResult:game=g|", "all:SOCDiceResult:game=another|")
    with pytest.raises(NotationError, match=r"SOCDiceResult: game=another, a message of another game than g") as raised:
        list(read(StringIO(text)))
    assert raised.value.line == 1 + next(n for n, line in enumerate(text.splitlines()) if "game=another" in line)


@pytest.mark.parametrize("has_heading", [True, False])
def test_a_lenient_reader_leaves_messages_of_another_game_out(has_heading: bool) -> None:
    lines = soclog().splitlines(keepends=True)
    mixed = [line for own in lines for line in (own, own.replace("game=g", "game=h"))[: 1 + ("game=g" in own)]]
    doubled = "".join(mixed[0 if has_heading else 1 :])
    doubled = re.sub(r", game_name=.*", "" if not has_heading else ", game_name=g", doubled)
    errors: list[NotationError] = []
    told = list(in_order_of_play(read(StringIO(doubled), on_error=errors.append)))
    assert facts(told) == facts(list(in_order_of_play(read(StringIO(soclog())))))
    assert len(errors) > 100 and all("another game than g" in error.reason for error in errors)
    assert not import_game(told, "soclog", None, []).view.findings
    assert isinstance(told[0], e.GameStarted)


@pytest.mark.parametrize(
    ("name", "data", "what"),
    [
        ("save.game.json", b'{"modelVersion":2400,"savedByVersion":2400}', "a savegame of JSettlers"),
        ("save.game.json", b'{\n  "modelVersion": 2400,\n  "savedByVersion": 2400\n}\n', "a savegame of JSettlers"),
        ("verdict.json", b'{"file":"a","findings":[],"fine":true}', "what import --json prints"),
        ("figures.json", b'{"games":[],"total":{}}', "what stats --json prints"),
        (
            "other.json",
            b'{"name":"x","version":1}',
            "a JSON object with 'name', 'version', expected a game of catanatron",
        ),
        ("other.json", b"{}", "a JSON object with nothing, expected a game of catanatron"),
        ("messages.json", b"[[1, 2], [3, 4]]\n", "a JSON array of other values, expected SGN"),
        ("messages.sgn", b'[\n  {"message": []}\n]\n', "a JSON array of other values, expected SGN"),
        ("page.catan", b"<!DOCTYPE html>\n<html></html>\n", "an HTML page"),
        ("game.catan", gzip.compress(b"catanlog v0.10.0\n", mtime=0), "a file compressed with gzip"),
        ("game.soclog", b"PK\x03\x04\x0a\x00\n", "a ZIP archive"),
        ("game.catan", b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    ],
)
def test_a_file_that_shares_an_ending_is_refused_as_what_it_is(
    name: str, data: bytes, what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_bytes(data)
    for verb in (["import"], ["import", "--lenient"], ["stats"]):
        assert main([*verb, str(tmp_path / name)]) == 1
        told = capsys.readouterr()
        assert what in told.out + told.err
    with pytest.raises(NotationError, match=re.escape(what)):
        load(tmp_path / name)


@pytest.mark.parametrize("indent", [None, 2])
def test_documents_are_recognized_however_they_are_spaced(indent: int | None, tmp_path: Path) -> None:
    """Colonist's replay over several lines was taken for catanatron's, since only the first line was looked at."""
    for format, path in files(tmp_path):
        if path.suffix == ".json":
            document = json.loads(path.read_bytes())
            path.write_text(json.dumps(document, indent=indent), encoding="utf-8")
            assert load(path).headers["Format"] == {"catanatron": "catanatron", "colonist": "colonist.io"}[format]


@pytest.mark.sampled(3)
@pytest.mark.long
@pytest.mark.parametrize("is_combined", [True, False])
@pytest.mark.parametrize(
    ("count", "seed", "policy"), [(2, 1, "builder"), (3, 2, "builder"), (4, 3, "builder"), (3, 5, "random")]
)
def test_dated_logs_of_the_stac_corpus_are_read(
    count: int, seed: int, policy: str, is_combined: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They were taken for JSettlers's, and refused at their first line."""
    _, told = in_order(count, seed, policy)
    text = as_stac(told, is_combined=is_combined)
    back = list(in_order_of_play(read(StringIO(text))))
    start = back[0]
    assert isinstance(start, e.GameStarted) and isinstance(told[0], e.GameStarted)
    assert start.map == told[0].map and start.started == datetime(2012, 11, 11, 19, 26, 36)
    assert [player.name for player in start.players] == [player.name for player in told[0].players]
    discards = [event for event in back if isinstance(event, e.CardsDiscarded)]
    if is_combined:
        assert facts(back) == facts(told)
        assert import_game(back, "soclog", None).why_view is None
    else:
        assert all(event.unseen and not event.cards for event in discards)
        assert not import_game(back, "soclog", None).view.findings
    assert all(event.pair for event in back if isinstance(event, e.DiceRolled))
    (tmp_path / "game.soclog").write_text(text, encoding="utf-8", newline="\n")
    for verb in (["import", "-o", str(tmp_path / "made")], ["stats"]):
        assert main([*verb, str(tmp_path / "game.soclog")]) == 0
    for verb in (["log"], ["stats"], ["export", "--format", "catan"]):
        assert main([*verb, str(tmp_path / "made")]) == 0
    capsys.readouterr()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (":+0100:SOCDiceResult", ":SOCDiceResult", "expected a message such as 2012:11:17:17:01:18:310:.0000:SOCDice"),
        ("2012:11:11:20:26:38:", "2012:13:41:20:26:38:", "expected a date"),
        ("SOCBoardLayout", "SOCBoardLay", "the file ends before the game starts"),
        ("|playerNumber=2", "|playerNumber=7", "playerNumber=7, expected 0 to 3"),
        ("SOCPutPiece:game=g|", "SOCPutPiece:game=h|", "a message of another game than g"),
        (" from a port.", " from a port. (Undo previous trade)", "a trade that was taken back"),
        ("traded 4 wheat for", "traded 99 wheat, 99 wheat for", "at most 127 cards of a resource"),
        ("coord=", "coord=f", "expected 0 to 4095|expected a place of the island"),
    ],
)
def test_what_is_wrong_with_a_dated_log_is_said(old: str, new: str, message: str) -> None:
    text = as_stac(in_order(3, 2, "builder")[1])
    assert old in text
    with pytest.raises(NotationError, match=message):
        list(read(StringIO(text.replace(old, new))))


def test_a_dated_log_of_a_game_that_was_broken_off_ends_there() -> None:
    """The server says then that nobody, called null, has won, and begins another turn."""
    _, told = in_order(3, 2, "builder")
    text = as_stac(told[:60]) + "".join(
        f"2012:11:11:20:59:0{n}:000:+0000:{line}\n"
        for n, line in enumerate(
            (
                "SOCGameState:game=g|state=1000",
                "SOCGameTextMsg:game=g|nickname=Server|text=>>> null has won the game with 4 points.",
                "SOCTurn:game=g|playerNumber=1",
            )
        )
    )
    assert facts(list(in_order_of_play(read(StringIO(text))))) == facts(told[:60])


def test_a_byte_order_mark_before_any_other_text_file_that_a_user_names_changes_nothing(tmp_path: Path) -> None:
    """Rules, maps, networks, measured delays and keys are text files, too."""

    def marked(name: str, data: bytes) -> str:
        (tmp_path / name).write_bytes(MARK + data)
        return str(tmp_path / name)

    assert read_rules(marked("own.rules", b"Profile = brief\nHandLimit = 9\n")) == "brief; HandLimit = 9"
    text = format_map_file(DEFAULT_MAP)
    (tmp_path / "plain.map").write_text(text, encoding="utf-8", newline="\n")
    assert read_map(marked("marked.map", text.encode())) == read_map(str(tmp_path / "plain.map"))
    assert parse_distribution(f"empirical {marked('delays', b'5 7 80')} ms").values == (5000, 7000, 80000)
    write_private_key(key := new_private_key(), tmp_path / "key")
    again = read_private_key(Path(marked("marked", (tmp_path / "key").read_bytes())))
    assert spell_public_key(again) == spell_public_key(key)
