"""The rules of a table of people: defaults that apply unless the rules say otherwise."""

from importlib.util import find_spec

from catan_p2p.game.cards import total
from catan_p2p.game.constants import MAX_HIDDEN_DEV_CARDS, Hands, UnsupportedRules
from catan_p2p.game.rule_names import changes_in, rules_named

OFFERS_A_TURN = 10
"""The number of offers in a turn, and of proposals by each other player, at a table of people by default.

Nobody seriously makes that many: people two or three, the built-in players fewer than ten.
"""

FAIR = {"Chance": "joint", "Leaving": "yes"}
"""The defaults of a table of people, unless somebody declines them."""

HANDS_AT_TABLES: Hands = "hidden"
"""Who sees hands at a table of people by default."""

STRENGTHS = {"easy": "beginner", "good": "builder", "strong": "strategist", "strongest": "strategist:20ms"}
"""The policy for each strength, see docs/guides/players.md."""

PATIENCE_S = 600
"""How long to wait for a silent player, at a table that may go on without one, by default."""
RETURNS = 3
"""How often a player who was left out may come back, at a table where that is possible, by default."""


def strength_of(policy: str) -> str:
    """The word of ``STRENGTHS`` for a policy; any other policy's own name."""
    return next((word for word, other in STRENGTHS.items() if other == policy), policy)


def at_table(
    rules: str,
    *,
    chance: str | None = None,
    leaving: bool | None = None,
    patience_s: int | None = None,
    hands: Hands | None = None,
    fair: bool = False,
    player_count: int = 2,
) -> str:
    """Return ``rules`` with the defaults of a table of people added for what they do not name themselves.

    Offers and proposals are bounded. ``chance`` says who draws, and ``hands`` who sees hands. With ``leaving`` the
    others may go on without a silent player, after ``patience_s`` seconds. What is None is as the rules say. At a
    ``fair`` table, where nobody has to trust or wait for anybody, it is as in ``FAIR``: hands are hidden and shares of
    rolls are told ahead, unless the rules or the number of players rule that out. ``UnsupportedRules`` if an argument
    contradicts the rules.
    """
    named = changes_in(rules)
    given = {"Chance": chance, "Leaving": None if leaving is None else "yes" if leaving else "no", "Hands": hands}
    for name, value in given.items():
        if value is not None and named.get(name, value) != value:
            option = f"--{'' if leaving else 'no-'}leaving" if name == "Leaving" else f"--{name.lower()} {value}"
            raise UnsupportedRules(f"{option}: the rules say {name} = {named[name]}")
    chosen = {**(FAIR if fair else {}), **{name: value for name, value in given.items() if value is not None}}
    rules += "".join(f"; {name} = {value}" for name, value in chosen.items() if name not in named)
    table = rules_named(rules, player_count, may_be_hidden=True)
    if patience_s is not None and (not table.leaving or table.patience not in (0, patience_s)):
        wrong = (
            f"the rules say Patience = {table.patience}" if table.leaving else "these rules do not let players leave"
        )
        raise UnsupportedRules(f"--patience: {wrong}")
    is_at_risk = table.leaving and table.chance == "actor"  # two who choose their dice can tie as often as they like
    may_hide = fair and hands is None and "Hands" not in named and table.chance == "joint"
    is_hidden = may_hide and 1 <= total(table.dev_card_pool) <= MAX_HIDDEN_DEV_CARDS
    defaults = {
        "Hands": HANDS_AT_TABLES if is_hidden else 0,
        "ChanceAhead": "yes" if fair and table.chance == "joint" and not table.special_building else 0,
        "OffersToOne": "yes" if fair and table.domestic_trade else 0,
        "OffersPerTurn": OFFERS_A_TURN if table.domestic_trade else 0,
        "ProposalsPerTurn": OFFERS_A_TURN if table.table_talk else 0,
        "Returns": RETURNS if table.leaving and table.hands == "open" and not is_hidden else 0,
        "Patience": (patience_s or PATIENCE_S) if table.leaving else 0,
        "StartOrder": "dice_then_seat" if table.start_order == "dice" and is_at_risk else 0,
    }
    return rules + "".join(f"; {name} = {value}" for name, value in defaults.items() if value and name not in named)


def at_one_screen(rules: str, player_count: int, *, chance: str | None = None, hands: Hands | None = None) -> str:
    """The rules of a game of computer players, and people at one screen, as ``at_table`` has those of a table.

    Nobody sees another's cards, a computer player neither, and victory points count once they are shown: hands are
    hidden, unless ``hands``, ``chance`` or the rules say otherwise, or the library for that is not installed.
    Nobody has to be waited for, so nobody leaves.
    """
    named = changes_in(rules)
    is_open = "open" in (hands, named.get("Hands")) or "actor" in (chance, named.get("Chance"))
    if is_open or (hands is None and "Hands" not in named and find_spec("rbcl") is None):
        return at_table(rules, chance=chance, hands=hands)
    leaving = None if "Leaving" in named else False
    return at_table(rules, chance=chance, hands=hands, leaving=leaving, fair=True, player_count=player_count)
