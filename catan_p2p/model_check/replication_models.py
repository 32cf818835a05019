"""The models of the replication, ``spec/CatanP2P.tla``, and what each of them is for."""

from __future__ import annotations

from catan_p2p.model_check.models import Model

REPLICATION_MODULE = "MCP2P"


def _explored(name: str, purpose: str) -> Model:
    """A model that is explored completely, with standstills looked for: the end is modelled as a step, too."""
    return Model(name, REPLICATION_MODULE, "complete", purpose, may_stop=False)


REPLICATION_MODELS = (
    _explored("MCP2PTwo", "two peers and a crash: both discard after a seven, one merges"),
    _explored("MCP2POffer", "three peers: an offer, two answers at once, and how it ends"),
    _explored("MCP2PLiar", "three peers, one continues its log in two ways or makes things up"),
    _explored("MCP2PLive", "two peers, a crash, a cut link: they agree in the end, play goes on"),
)
"""Models that TLC explores in well under a minute each."""

LARGE_REPLICATION_MODELS = (
    _explored("MCP2PTwoSevens", "two peers, two turns, two sevens"),
    _explored("MCP2PThree", "three peers: all discard after a seven, one merges"),
    _explored("MCP2PThreeChoose", "the same with a choice of cards to discard and to steal"),
    _explored("MCP2POfferCrash", "three peers, an offer and a crash"),
    _explored("MCP2PTwoOffers", "two peers, two offers one after the other and a crash"),
    Model("MCP2PSetup", REPLICATION_MODULE, "complete", "two peers on an empty island: Catan refined from its beginning"),
    _explored("MCP2PThreeCrash", "three peers and a crash: all discard after a seven, one merges"),
    _explored("MCP2PUnsigned", "three peers without signatures agree in the end"),
    _explored("MCP2PLiarTurn", "the liar again, for a whole turn"),
    _explored("MCP2PLiarCrash", "the liar again, and a crash of anybody"),
    _explored("MCP2PLiarLoss", "three peers, one of whom discards in two ways"),
    _explored("MCP2PLiarAnswer", "three peers, one of whom answers an offer in two ways"),
    _explored("MCP2PForger", "three peers without signatures, one makes up what others did"),
    _explored("MCP2PForgerSigned", "the same with signatures"),
    _explored("MCP2PLiarLive", "once they have exchanged their logs, the honest can prove a lie"),
)
"""Models that take minutes."""

FOUR_PEERS = Model(
    "MCP2PFour", REPLICATION_MODULE, "simulation", "four peers with crashes and cut links, at random", length=150
)
