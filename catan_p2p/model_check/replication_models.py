"""The models of the replication, ``spec/CatanP2P.tla`` and its extensions, and the purpose of each."""

import re
import shutil
import tempfile
from pathlib import Path

from catan_p2p.game.constants import Constants
from catan_p2p.model_check.models import TlcModel, read_model
from catan_p2p.model_check.states import model_constants
from catan_p2p.model_check.tlc import TlcError, TlcProgram

REPLICATION_MODULE = "MCP2P"
POWER_MODULE = "MCPower"
REPLICATION_MODULES = {
    REPLICATION_MODULE: ("P2PInit", "p2pVars"),
    "MCReturning": ("ReturningInit", "returningVars"),
    POWER_MODULE: ("PowerInit", "powerVars"),
}
"""The modules whose states are those of peers, with the names of the initial predicate and of the variables."""


def _explored(name: str, purpose: str, module: str = REPLICATION_MODULE) -> TlcModel:
    """A model that is explored completely, including deadlocks: the end of a game has a step as well."""
    return TlcModel(name, module, "complete", purpose, may_stop=False)


REPLICATION_MODELS = (
    _explored("MCP2PTwo", "two peers and a crash: both discard after a seven, one merges"),
    _explored("MCP2POffer", "three peers: an offer, two answers at once, and how it ends"),
    _explored("MCP2PTalk", "two peers with table talk: an answer or a counter-offer, merged or too late"),
    _explored("MCP2PDrawTwo", "two peers who draw a roll together, and a crash"),
    _explored("MCP2PLiar", "three peers, one continues its log in two ways or forges commits"),
    _explored("MCP2PLive", "two peers, a crash, a cut link: they agree in the end, play goes on"),
)
"""Models that TLC explores in less than a minute each."""

RETURNING = TlcModel(
    "MCReturning", "MCReturning", "complete", "three peers, a disk that goes back: nobody honest is ever charged"
)
POWER = _explored("MCPower", "two peers, whose power fails: nothing that was shown is lost", POWER_MODULE)
DISK_MODELS = (RETURNING, POWER)
"""Models of ``spec/CatanReturning.tla`` and ``spec/CatanPower.tla``, which extend the replication."""

LARGE_REPLICATION_MODELS = (
    _explored("MCP2PTwoSevens", "two peers, two turns, two sevens"),
    _explored("MCP2PThree", "three peers: all discard after a seven, one merges"),
    _explored("MCP2PThreeChoose", "the same with a choice of cards to discard and to steal"),
    _explored("MCP2POfferCrash", "three peers, an offer and a crash"),
    _explored("MCP2PTwoOffers", "two peers, two offers one after the other and a crash"),
    _explored("MCP2PCountedOffers", "two peers at a table of one offer a turn, and a crash"),
    _explored("MCP2PCountedTalk", "two peers with table talk, one offer and one proposal a turn, merged or too late"),
    TlcModel("MCP2PSetup", REPLICATION_MODULE, "complete", "two peers on an empty island: Catan from its beginning"),
    _explored("MCP2PTalkCrash", "two peers with table talk and a crash"),
    _explored("MCP2PProposal", "two peers with table talk: proposals that nobody asked for"),
    _explored("MCP2PDraw", "three peers who draw a roll together, two of whom reveal at once"),
    _explored("MCP2PThreeCrash", "three peers and a crash: all discard after a seven, one merges"),
    _explored("MCP2PUnsigned", "three peers without signatures agree in the end"),
    _explored("MCP2PLiarTurn", "three peers, one a liar, for a whole turn"),
    _explored("MCP2PLiarCrash", "three peers, one a liar, and a crash of anybody"),
    _explored("MCP2PLiarLoss", "three peers, one of whom discards in two ways"),
    _explored("MCP2PLiarAnswer", "three peers, one of whom answers an offer in two ways"),
    _explored("MCP2PForger", "three peers without signatures, one forges actions of others"),
    _explored("MCP2PForgerSigned", "the same with signatures"),
    _explored("MCP2PLiarLive", "once they have exchanged their logs, the honest can prove a lie"),
)
"""Models that take minutes."""

FOUR_PEERS = TlcModel(
    "MCP2PFour", REPLICATION_MODULE, "simulation", "four peers with crashes and cut links, at random", length=150
)

_TOLD = ("Tiles", "Wharfs", "NPlayers", "RCP", "DCP", "BP", "Dice", "Rules", "Opening")


_ASKING = f"""\
ASSUME PrintT(<<"model", [{", ".join(f"{name} |-> {name}" for name in _TOLD)}]>>)
===="""
_CONSTANTS = re.compile(r"^CONSTANTS\n(?:[ \t]+.*\n)+", re.MULTILINE)


def ask_constants(tlc: TlcProgram, extended: Path, config: str) -> Constants:
    """The constants of the game in a model of the replication, which TLC evaluates; ``TlcError`` if it fails.

    ``extended`` is the model's module, and ``config`` its configuration.
    """
    begin, variables = REPLICATION_MODULES[extended.stem]
    head = f"---- MODULE Asking ----\nEXTENDS {extended.stem}, TLC\nStay == UNCHANGED {variables}\n"
    constants = _CONSTANTS.search(config)
    with tempfile.TemporaryDirectory(prefix="catan-p2p-constants-") as scratch:
        for source in extended.parent.glob("*.tla"):
            shutil.copy(source, scratch)
        module = Path(scratch) / "Asking.tla"
        module.write_text(f"{head}{_ASKING}\n", encoding="utf-8")
        result = tlc.run(module, f"INIT {begin}\nNEXT Stay\n{constants[0] if constants else ''}")
    try:
        return model_constants(read_model(result.printed))
    except ValueError as error:
        raise TlcError(f"{extended.stem}: TLC does not tell the constants of the game: {result.detail}") from error
