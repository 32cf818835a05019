"""``catan-p2p check-spec``: let TLC check the specification."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from catan_p2p.cli.output import FINDING, FINE, WRONG_USAGE, emit, emit_json, end_progress, say, show_progress, table
from catan_p2p.model_check.check import Check, check_model
from catan_p2p.model_check.models import FULL_GAME, MODELS, STANDARD_GAME, Model
from catan_p2p.model_check.replication_models import FOUR_PEERS, LARGE_REPLICATION_MODELS, REPLICATION_MODELS
from catan_p2p.model_check.tlc import Progress, Tlc, TlcError

_BY_DEFAULT = (*(model for model in MODELS if model.kind != "simulation"), *REPLICATION_MODELS)
_KNOWN = (*MODELS, *REPLICATION_MODELS, *LARGE_REPLICATION_MODELS, FOUR_PEERS)
"""Models that are checked if none is named, and all that can be named; what remains takes minutes."""


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "check-spec",
        help="check the specification with TLC",
        description="Check models of the TLA+ specification with TLC: all small ones, or those that are named.",
        epilog="Exit code 0 if every model is as it should be, 1 with the counterexample in words if not.",
    )
    parser.add_argument("models", nargs="*", metavar="MODEL", help="models to check; see --list")
    parser.add_argument("--list", action="store_true", help="list the models and check none")
    parser.add_argument("--simulate", action="store_true", help="play the full game at random instead")
    parser.add_argument(
        "--rules", choices=("thesis", "standard"), default="thesis", help="rules of the full game (default thesis)"
    )
    parser.add_argument("--games", type=_positive, default=10, metavar="N", help="random games to play (default 10)")
    parser.add_argument("--seed", type=int, metavar="N", help="seed of the random games")
    parser.add_argument("--workers", type=_positive, default=1, metavar="N", help="threads of TLC (default 1)")
    parser.add_argument("--jar", type=Path, metavar="FILE", help="the tla2tools.jar to use")
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    parser.set_defaults(func=run)


def _positive(text: str) -> int:
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r}, expected a number of 1 or more")
    return number


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    if args.list:
        return _list(args.json)
    names = [model.name for model in _KNOWN]
    unknown = [name for name in args.models if name not in names]
    if unknown:
        say(f"check-spec: {unknown[0]}: no such model, expected one of {', '.join(names)}")
        return WRONG_USAGE
    models = [model for model in _KNOWN if model.name in args.models]
    full_game = STANDARD_GAME if args.rules == "standard" else FULL_GAME
    if args.simulate and full_game not in models:
        models.append(full_game)
    models = models or list(_BY_DEFAULT)
    checks: list[Check] = []
    try:
        tlc = Tlc.find(args.jar)
        for model in models:
            say(f"{model.name}: {model.purpose}{_seeded(model, args.seed)}")
            checks.append(_check(model, tlc, args))
            if not args.json:
                _report(checks[-1])
    except TlcError as error:
        end_progress()
        say(f"check-spec: {error}")
        return WRONG_USAGE
    if args.json:
        emit_json([_as_json(check) for check in checks])
    return FINE if all(check.is_as_expected for check in checks) else FINDING


def _seeded(model: Model, seed: int | None) -> str:
    return f", seed {seed}" if model.kind == "simulation" and seed is not None else ""


def _list(as_json: bool) -> int:
    if as_json:
        emit_json([{"model": model.name, "kind": model.kind, "purpose": model.purpose} for model in _KNOWN])
    else:
        emit(table(("model", "kind", "purpose"), [(model.name, model.kind, model.purpose) for model in _KNOWN]))
    return FINE


def _check(model: Model, tlc: Tlc, args: argparse.Namespace) -> Check:
    def tell(progress: Progress) -> None:
        rate = progress.generated / progress.elapsed_s if progress.elapsed_s else 0.0
        show_progress(
            f"{model.name}: {progress.generated} states, {progress.distinct} distinct, "
            f"{progress.queue} in the queue, {rate:.0f} a second"
        )

    check = check_model(model, tlc, workers=args.workers, seed=args.seed, games=args.games, progress=tell)
    end_progress()
    return check


def _report(check: Check) -> None:
    result = check.result
    verdict = "as expected" if check.is_as_expected else "WRONG"
    size = f"{result.generated} states generated, {result.distinct} distinct, depth {result.depth}"
    if check.model.kind == "simulation":
        size = f"{result.generated} states checked"
    emit(f"{check.model.name}: {verdict}: {size}, {result.elapsed_s:.1f} s")
    if result.verdict != "fine":
        emit(f"  {result.detail.splitlines()[0]}")
        for number, move in enumerate(check.moves):
            emit(f"  {number:4} {move}")


def _as_json(check: Check) -> dict[str, Any]:
    result = check.result
    return {
        "model": check.model.name,
        "as_expected": check.is_as_expected,
        "verdict": result.verdict,
        "detail": result.detail,
        "generated": result.generated,
        "distinct": result.distinct,
        "depth": result.depth,
        "elapsed_s": round(result.elapsed_s, 3),
        "moves": list(check.moves),
    }
