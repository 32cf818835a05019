"""``catan-p2p check-spec``: let TLC check the specification."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from catan_p2p.cli import output, values
from catan_p2p.game.randomness import random_seed
from catan_p2p.model_check.check import ModelCheck, check_model
from catan_p2p.model_check.configurations import config_text, configured, settings_of, size_of
from catan_p2p.model_check.models import (
    FULL_GAME,
    LARGE_GAMES,
    LARGE_VIEWS,
    MODELS,
    STANDARD_GAME,
    TlcModel,
)
from catan_p2p.model_check.replication_models import (
    DISK_MODELS,
    FOUR_PEERS,
    LARGE_REPLICATION_MODELS,
    REPLICATION_MODELS,
)
from catan_p2p.model_check.tlc import TlcError, TlcProgram, TlcProgress

_LARGE = (*LARGE_REPLICATION_MODELS, *LARGE_GAMES, *LARGE_VIEWS, FOUR_PEERS)
_FULL_GAMES = (FULL_GAME, STANDARD_GAME)
_KNOWN = (
    *(model for model in MODELS if model not in _LARGE),
    *REPLICATION_MODELS,
    *DISK_MODELS,
    *_LARGE,
)
SMALL = tuple(model for model in _KNOWN if model not in (*_LARGE, *_FULL_GAMES))
"""The models that are checked if none is named."""

_DEFAULT_GAMES = 10
_MOST = 2**31 - 1
"""The largest number that TLC accepts for an option; only a seed may be larger."""


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "check-spec",
        help="check the specification with TLC",
        description="Check models of the TLA+ specification with TLC: all small ones, or those that you name.",
        epilog="Exit code 0 if every model behaves as expected, else 1, with the counterexample in words.",
    )
    parser.add_argument("models", nargs="*", metavar="MODEL", help="models to check; see --list")
    parser.add_argument("--list", action="store_true", help="list the models and check none")
    parser.add_argument(
        "--configs",
        type=values.path,
        metavar="FOLDER",
        help="write the models' configurations for plain TLC and check none",
    )
    parser.add_argument("--large", action="store_true", help="instead, check the large models, which take minutes each")
    parser.add_argument("--simulate", action="store_true", help="instead, play the full game at random")
    parser.add_argument(
        "--rules", choices=("thesis", "standard"), help="rules of the full game, with --simulate (default: thesis)"
    )
    parser.add_argument(
        "--games", type=_positive, metavar="N", help=f"random games to play (default: {_DEFAULT_GAMES})"
    )
    parser.add_argument("--seed", type=_seed, metavar="S", help="seed of the random games (default: random)")
    parser.add_argument(
        "--workers",
        type=_positive,
        metavar="N",
        help="threads of TLC (default: 1; with --simulate, one for each core, which share the games)",
    )
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    parser.set_defaults(func=run)


def _positive(text: str) -> int:
    number = _number(text)
    if number is None or not 1 <= number <= _MOST:
        raise argparse.ArgumentTypeError(f"{text!r}, expected a number from 1 to {_MOST}")
    return number


def _seed(text: str) -> int:
    number = _number(text)
    if number is None or not -(2**63) <= number < 2**63:
        raise argparse.ArgumentTypeError(f"{text!r}, expected a number of 64 bits")
    return number


def _number(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    if args.list:
        return _list(args.json)
    if args.configs:
        return _write_configs(args.configs)
    names = [model.name for model in _KNOWN]
    unknown = [name for name in args.models if name not in names]
    if unknown:
        output.say(f"catan-p2p check-spec: {unknown[0]}: no such model, expected one of {', '.join(names)}")
        return output.WRONG_USAGE
    models = _chosen(args)
    if why := _not_used(args, models):
        output.say(f"catan-p2p check-spec: {why}")
        return output.WRONG_USAGE
    seed = random_seed() if args.seed is None else args.seed
    checks: list[ModelCheck] = []
    try:
        tlc = TlcProgram.find()
        for model in models:
            output.tell(f"{model.name}: {model.purpose}{f', seed {seed}' if model.kind == 'simulation' else ''}")
            checks.append(_check(model, tlc, args, seed))
            if not args.json:
                _report(checks[-1])
    except TlcError as error:
        output.end_progress()
        output.say(f"catan-p2p check-spec: {error}")
        return output.WRONG_USAGE
    if args.json:
        output.emit_json([_as_json(check, seed) for check in checks])
    return output.FINE if all(check.is_as_expected for check in checks) else output.FINDING


def _chosen(args: argparse.Namespace) -> list[TlcModel]:
    """The named models, the large ones with ``--large``, the full game with ``--simulate``; else the small ones."""
    models = [model for model in _KNOWN if model.name in args.models or (args.large and model in _LARGE)]
    full_game = STANDARD_GAME if args.rules == "standard" else FULL_GAME
    if args.simulate and full_game not in models:
        models.append(full_game)
    return models or list(SMALL)


def _not_used(args: argparse.Namespace, models: Sequence[TlcModel]) -> str | None:
    """Why an option that was given would change nothing; None if each would."""
    if args.rules is not None and not args.simulate:
        return "--rules: needs --simulate; every other model has rules of its own"
    if not any(model.kind == "simulation" for model in models):
        for option in ("games", "seed"):
            if getattr(args, option) is not None:
                return f"--{option}: needs --simulate; the other models are checked whole, not by random games"
    return None


def _list(as_json: bool) -> int:
    head = ("model", "group", "kind", "states", "generated", "depth", "purpose")
    rows = [
        (model.name, _group(model), model.kind, *(size_of(model.name) or (None,) * 3), model.purpose)
        for model in _KNOWN
    ]
    if as_json:
        output.emit_json([dict(zip(head, row, strict=True)) for row in rows])
    else:
        output.emit(output.table(head, rows))
    return output.FINE


def _write_configs(folder: Path) -> int:
    known = {model.name: model for model in _KNOWN}
    for name in configured():
        file = folder / f"{name}.cfg"
        head = _how_to_run(known[name]) if name in known else ""
        file.write_text(head + config_text(settings_of(name)), encoding="utf-8")
        output.emit(str(file))
    return output.FINE


def _how_to_run(model: TlcModel) -> str:
    """A comment for the head of a configuration: the command of plain TLC, and a setting for VS Code or the Toolbox."""
    arguments = " ".join(model.arguments())
    stops = "\\* A state without a successor is no fault here: do not check deadlock.\n" if model.may_stop else ""
    return f"\\* java -cp tla2tools.jar tlc2.TLC {arguments} -config {model.name}.cfg {model.module}.tla\n{stops}"


def _group(model: TlcModel) -> str:
    """The group of a model: ``large`` and ``simulate`` need the option of that name, ``small`` needs none."""
    if model in _LARGE:
        return "large"
    return "simulate" if model in _FULL_GAMES else "small"


def _check(model: TlcModel, tlc: TlcProgram, args: argparse.Namespace, seed: int) -> ModelCheck:
    def tell(progress: TlcProgress) -> None:
        rate = progress.generated / progress.elapsed_s if progress.elapsed_s else 0.0
        output.show_progress(
            f"{model.name}: {progress.generated} states, {progress.distinct} distinct, "
            f"{progress.queue} in the queue, {rate:.0f} a second"
        )

    check = check_model(model, tlc, workers=args.workers, seed=seed, games=args.games or _DEFAULT_GAMES, progress=tell)
    output.end_progress()
    return check


def _report(check: ModelCheck) -> None:
    result = check.result
    verdict = "as expected" if check.is_as_expected else "WRONG"
    size = f"{result.generated} states generated, {result.distinct} distinct, depth {result.depth}"
    if check.model.kind == "simulation":
        size = f"{result.generated} states checked"
    output.emit(f"{check.model.name}: {verdict}: {size}, {result.elapsed_s:.1f} s")
    if result.verdict != "fine":
        output.emit(f"  {result.detail.splitlines()[0]}")
        for number, move in enumerate(check.moves):
            output.emit(f"  {number:4} {move}")


def _as_json(check: ModelCheck, seed: int) -> dict[str, Any]:
    result = check.result
    seeded = {"seed": seed} if check.model.kind == "simulation" else {}
    return {
        "model": check.model.name,
        **seeded,
        "as_expected": check.is_as_expected,
        "verdict": result.verdict,
        "detail": result.detail,
        "generated": result.generated,
        "distinct": result.distinct,
        "depth": result.depth,
        "elapsed_s": round(result.elapsed_s, 3),
        "moves": list(check.moves),
    }
