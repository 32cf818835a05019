"""Settings from the options that choose them, as the verb ``simulate`` names them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from catan_p2p.game.board import DEFAULT_MAP_NAME, MapError, read_map
from catan_p2p.game.rule_names import changes_in, read_rules
from catan_p2p.simulation.game import SimulationSettings
from catan_p2p.simulation.run import SettingsError

OPTIONS = (
    *("players", "games", "seed", "policy", "rules", "map", "chance", "hands", "schedule", "max_actions"),
    *("topology", "judging", "transport", "network", "sign"),
)
"""The options that choose settings; on the command line, ``_`` is a hyphen."""
_USUAL = SimulationSettings()


def settings_of(options: Mapping[str, Any]) -> SimulationSettings:
    """The settings that these ``OPTIONS`` choose; an option that is missing or None has its default.

    ``players``, ``games``, ``seed`` and ``max_actions`` are numbers, ``sign`` is a truth value, the others are texts as
    users type them; rules, map and network may be files. ``SettingsError`` names an option with an impossible value,
    ``UnsupportedRules`` says what is wrong with the rules. ``check_settings`` finds all other mistakes.
    """
    given = {name: value for name, value in options.items() if value is not None}
    try:
        chosen_map = read_map(given.get("map", DEFAULT_MAP_NAME))
    except MapError as error:
        raise SettingsError(f"--map {error}") from None
    rules, hands = read_rules(given.get("rules", _USUAL.rules)), given.get("hands")
    said = changes_in(rules).get("Hands")  # rules can also be "standard; Hands = hidden"
    if None not in (hands, said) and hands != said:
        raise SettingsError(f"--hands {hands}: the rules say Hands = {said}")
    hands = hands or said or _USUAL.hands
    plain = ("players", "games", "seed", "schedule", "max_actions", "topology", "transport", "judging")
    return SimulationSettings(
        **{name: given[name] for name in plain if name in given},
        policies=tuple(given.get("policy", "random").split(",")),
        rules=rules,
        network=_network(given),
        signed=given.get("sign", False),
        map=chosen_map,
        chance=given.get("chance", "joint" if hands == "hidden" else "actor"),  # sealed cards must be drawn together
        hands=hands,
    )


def _network(given: Mapping[str, Any]) -> str:
    """The network in words, with all defaults left out."""
    if given.get("topology") != "network":
        if "network" in given:
            raise SettingsError("--network needs --topology network")
        return _USUAL.network
    from catan_p2p.simulation.laboratory.spec import BadNetwork, read_network, spell_network

    try:
        return spell_network(read_network(given.get("network", _USUAL.network)))
    except BadNetwork as error:
        raise SettingsError(f"--network {error}") from None
