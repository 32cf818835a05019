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
"""The options by which settings are chosen; on the command line a hyphen takes the place of ``_``."""
_USUAL = SimulationSettings()


def settings_of(options: Mapping[str, Any]) -> SimulationSettings:
    """The settings that some ``OPTIONS`` choose; what is not among them, or None, is as usual.

    ``players``, ``games``, ``seed`` and ``max_actions`` are numbers, ``sign`` is a truth value, the others are words as
    they are typed; rules, map and network may be files. ``SettingsError`` names an option whose value cannot be;
    ``UnsupportedRules`` says what is wrong with rules. All else is for ``check_settings`` to say.
    """
    given = {name: value for name, value in options.items() if value is not None}
    try:
        chosen_map = read_map(given.get("map", DEFAULT_MAP_NAME))
    except MapError as error:
        raise SettingsError(f"--map {error}") from None
    rules, hands = read_rules(given.get("rules", _USUAL.rules)), given.get("hands")
    said = changes_in(rules).get("Hands")
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
        chance=given.get("chance", "joint" if hands == "hidden" else "actor"),
        hands=hands,
    )


def _network(given: Mapping[str, Any]) -> str:
    """What the network is like, in words."""
    if given.get("topology") != "network":
        if "network" in given:
            raise SettingsError("--network needs --topology network")
        return _USUAL.network
    from catan_p2p.simulation.laboratory.spec import BadNetwork, read_network, spell_network

    try:
        return spell_network(read_network(given.get("network", _USUAL.network)))
    except BadNetwork as error:
        raise SettingsError(f"--network {error}") from None
