"""The models of the replication, ``spec/CatanP2P.tla``, and what each of them is for."""

from __future__ import annotations

from catan_p2p.model_check.models import Model

_MODULE = "MCP2P"

REPLICATION_MODELS = (
    Model("MCP2PTwo", _MODULE, "complete", "two peers and a crash: both discard after a seven, one merges"),
    Model("MCP2POffer", _MODULE, "complete", "three peers: an offer, two answers at once, and how it ends"),
    Model("MCP2PLiar", _MODULE, "complete", "three peers, one continues its log in two ways or makes things up"),
    Model("MCP2PLive", _MODULE, "complete", "two peers, a crash, a cut link: they agree in the end, play goes on"),
)
"""Models that TLC explores in well under a minute each."""

LARGE_REPLICATION_MODELS = (
    Model("MCP2PTwoSevens", _MODULE, "complete", "two peers, two turns, two sevens"),
    Model("MCP2PThree", _MODULE, "complete", "three peers: all discard after a seven, one merges"),
    Model("MCP2PThreeChoose", _MODULE, "complete", "the same with a choice of cards to discard and to steal"),
    Model("MCP2POfferCrash", _MODULE, "complete", "three peers, an offer and a crash"),
    Model("MCP2PTwoOffers", _MODULE, "complete", "two peers, two offers one after the other and a crash"),
    Model("MCP2PSetup", _MODULE, "complete", "two peers on an empty island: Catan refined from its beginning"),
    Model("MCP2PUnsigned", _MODULE, "complete", "three peers without signatures agree in the end"),
    Model("MCP2PLiarTurn", _MODULE, "complete", "the liar again, for a whole turn"),
    Model("MCP2PLiarLoss", _MODULE, "complete", "three peers, one of whom discards in two ways"),
    Model("MCP2PLiarAnswer", _MODULE, "complete", "three peers, one of whom answers an offer in two ways"),
    Model("MCP2PLiarLive", _MODULE, "complete", "once they have exchanged their logs, the honest can prove a lie"),
)
"""Models that take minutes."""

FOUR_PEERS = Model("MCP2PFour", _MODULE, "simulation", "four peers with crashes and cut links, at random")
