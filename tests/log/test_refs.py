"""Ref names: one spelling each, and nothing else is taken for one."""

from typing import get_args

from catan_p2p.game.actions.parts import ReplyKind
from catan_p2p.log.refs import COLOURS, Branch, LogBranch, ReplyBranch, branch_name, local_ref, parse_branch, remote_ref
from catan_p2p.log.storage.objects import ObjectId
from tests.for_each import for_each

BASE = ObjectId("0123456789abcdef0123456789abcdef01234567")


@for_each("colour", COLOURS)
@for_each("game", [0, 7, 123456789])
def test_every_branch_is_read_back_as_it_was_named(colour: str, game: int) -> None:
    for branch in (LogBranch(colour, game), *(ReplyBranch(BASE, kind, colour, game) for kind in get_args(ReplyKind))):
        assert parse_branch(branch_name(branch)) == branch


def test_names_are_those_of_the_log_format() -> None:
    red: Branch = LogBranch("Red", 0)
    assert local_ref(red) == "refs/heads/Red_0"
    assert local_ref(ReplyBranch(BASE, "loss", "Blue", 3)) == f"refs/heads/{BASE}_loss_Blue_3"
    assert remote_ref("Blue", red) == "refs/remotes/Blue/Red_0"


@for_each(
    "name",
    [
        "main",
        "Red",
        "Red_",
        "red_0",
        "Red_00",
        "Red_-1",
        "Red_0\n",
        "Pink_0",
        "xRed_0",
        "Red_0x",
        "Red_9999999999",
        f"{BASE}_loss_",
        f"{BASE[:-1]}_loss_Red_0",
        f"{BASE.upper()}_loss_Red_0",
        f"{BASE}_gain_Red_0",
        "../Red_0",
        "",
    ],
)
def test_other_names_are_none_of_the_game(name: str) -> None:
    assert parse_branch(name) is None
