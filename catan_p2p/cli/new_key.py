"""``catan-p2p new-key``: make a key that signs a player's commits."""

import argparse
from typing import Any

from catan_p2p.cli import values
from catan_p2p.cli.output import FINE, emit, say, tell
from catan_p2p.log import keys
from catan_p2p.log.storage import disk
from catan_p2p.log.storage.objects import StoreError


def add_parser(subparsers: Any) -> None:
    """Add the verb."""
    parser = subparsers.add_parser(
        "new-key",
        help="make a key that signs a player's commits",
        description="Make an Ed25519 key: FILE, which the player keeps private, and FILE.pub for the player "
        "who begins the game. Keys made by ssh-keygen -t ed25519 -N '' work too.",
    )
    parser.add_argument("file", type=values.new_path, metavar="FILE", help="where to write the key; it must not exist")
    parser.set_defaults(func=run)


def run(args: argparse.Namespace) -> int:
    """Carry the verb out; returns the exit code."""
    public = args.file.with_name(args.file.name + ".pub")
    if public.exists():
        raise StoreError(f"{public}: cannot write the key: File exists")
    if args.file.exists():  # an earlier run was interrupted between the two files
        key = keys.read_private_key(args.file)
        keys.remove_unfinished_key(args.file)
        say(f"{args.file}: this key exists already; only {public} was missing, and is written now")
    else:
        key = keys.new_private_key()
        keys.write_private_key(key, args.file)
    line = f"{keys.KEY_TYPE} {keys.spell_public_key(key)}"
    with disk.written_whole(public) as beside:
        beside.write_text(line + "\n", encoding="ascii")
    tell(f"keep {args.file} to yourself; give {public} to the player who begins the game")
    emit(line)
    return FINE
