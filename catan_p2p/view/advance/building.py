"""Villages, roads and cities, in the set-up and later."""

from catan_p2p.game.actions import parts, placement, robbery
from catan_p2p.game.constants import Player
from catan_p2p.game.scoring import longest_road_holder
from catan_p2p.game.state import PlacedSettlements
from catan_p2p.view.advance.trial import EventTrial
from catan_p2p.view.events import BanditStands, CityBuilt, RoadBuilt, VillageBuilt


def stand_bandit(trial: EventTrial, event: BanditStands) -> None:
    """Where the bandit stands before the first village."""
    if not robbery.is_land(trial.state, event.at):
        trial.object("place", f"the bandit cannot stand on {trial.table.spell_tile(event.at)}, which is sea")
    if trial.state.tp != "bot" or any(trial.state.s.villages) or trial.known.settling:
        trial.object("turn", "the bandit's place at the beginning comes after the first village")
    trial.set_state(ba=event.at)


def build_village(trial: EventTrial, event: VillageBuilt) -> None:
    """A village, settled in the set-up or bought."""
    if trial.state.tp == "bot":
        _settle(trial, event)
        return
    player, at = event.player, event.at
    trial.builds(player, "builds a village")
    trial.spend(player, parts.COST_VILLAGE, "a village")
    where = trial.table.spell_node(at)
    if not trial.state.b[player - 1].village:
        trial.object("cards", f"{trial.name(player)} has no village left")
    if not parts.is_in(placement.touched_settlement_points(trial.state, player), at):
        trial.object("place", f"no road of {trial.name(player)}'s reaches {where}")
    if _is_open_for_village(trial, at):
        _place_village(trial, player, at)
        pass_longest_road(trial)  # a village can cut another player's road in two
    begin_building(trial)


def _settle(trial: EventTrial, event: VillageBuilt) -> None:
    player, state = event.player, trial.state
    if trial.known.settling or trial.known.is_placed or player != state.su_ap:
        trial.object("turn", f"{trial.name(player)} builds a village, expected {trial.awaited_in_setup()}")
        # The set-up goes on from this player, in the round that fits the villages they have.
        has_one = bool(state.s.of(player))
        trial.set(is_placed=False)
        trial.set_state(su_ap=player, sup="PhaseTwo" if has_one else "PhaseOne")
    if _is_open_for_village(trial, event.at):
        _place_village(trial, player, event.at)
    trial.set(settling=event.at)


def _settle_road(trial: EventTrial, event: RoadBuilt) -> None:
    player, state = event.player, trial.state
    village = trial.known.settling
    if not village or player != state.su_ap:
        trial.object("turn", f"{trial.name(player)} builds a road, expected {trial.awaited_in_setup()}")
    elif not parts.is_in(state.constants.board.roads_at[village], event.at):
        spell = trial.table
        trial.object(
            "place",
            f"the road on {spell.spell_edge(event.at)} does not touch the village on {spell.spell_node(village)}",
        )
    if _is_open_for_road(trial, event.at):
        _place_road(trial, player, event.at)
    if village and trial.state.sup == "PhaseTwo":
        trial.take_from_bank(player, state.constants.board.first_yield[village])
    trial.set(settling=0, is_placed=True)
    if not trial.table.says_turn_ends:
        trial.advance_setup()


def _is_open_for_village(trial: EventTrial, at: int) -> bool:
    state, where = trial.state, trial.table.spell_node(at)
    if not placement.is_free(state, at):
        trial.object("place", f"{where} is taken by {trial.name(state.s.owner(at))}")
        return False
    if not placement.has_distance(state, at):
        trial.object("place", f"{where} is next to another settlement")
    if trial.known.rules.bandit_blocks_building and parts.is_beside_bandit(state, at):
        trial.object("place", f"{where} is beside the bandit, where nothing is built under the thesis's rules")
    return True


def _is_open_for_road(trial: EventTrial, at: int) -> bool:
    state, where = trial.state, trial.table.spell_edge(at)
    if not placement.is_road_free(state, at):
        owner = next(player for player in trial.known.players if parts.is_in(state.r[player - 1], at))
        trial.object("place", f"{where} has a road of {trial.name(owner)}'s")
        return False
    if trial.known.rules.bandit_blocks_building and parts.is_road_beside_bandit(state, at):
        trial.object("place", f"{where} is beside the bandit, where nothing is built under the thesis's rules")
    return True


def _place_village(trial: EventTrial, player: Player, at: int) -> None:
    trial.set_state(s=parts.with_village(trial.state.s, player, at))
    _take_pieces(trial, player, village=1)


def _place_road(trial: EventTrial, player: Player, at: int) -> None:
    trial.set_state(r=parts.with_seat(trial.state.r, player, trial.state.r[player - 1] | 1 << at))
    _take_pieces(trial, player, road=1)


def _take_pieces(trial: EventTrial, player: Player, **pieces: int) -> None:
    left = trial.state.b[player - 1]
    fewer = {piece: max(0, getattr(left, piece) - number) for piece, number in pieces.items()}
    trial.set_state(b=parts.with_seat(trial.state.b, player, left._replace(**fewer)))


def pass_longest_road(trial: EventTrial) -> None:
    """The bonus card for the longest road goes to the player who has it."""
    holder = longest_road_holder(trial.state)
    if holder != trial.state.lr:
        trial.set_state(lr=holder)


def begin_building(trial: EventTrial) -> None:
    """After building there is no more trading, unless both may be mixed."""
    if trial.state.tp == "Trading" and not trial.known.rules.combined_trade_build:
        trial.set_state(tp="Building")


def build_road(trial: EventTrial, event: RoadBuilt) -> None:
    """A road, placed in the set-up or bought."""
    if trial.state.tp == "bot":
        _settle_road(trial, event)
        return
    trial.builds(event.player, "builds a road")
    trial.spend(event.player, parts.COST_ROAD, "a road")
    extend_network(trial, event.player, event.at)
    pass_longest_road(trial)
    begin_building(trial)


def extend_network(trial: EventTrial, player: Player, at: int) -> None:
    """Place a road that continues the player's network."""
    if not trial.state.b[player - 1].road:
        trial.object("cards", f"{trial.name(player)} has no road left")
    if not placement.reaches_own_network(trial.state, player, at):
        trial.object(
            "place", f"{trial.table.spell_edge(at)} does not touch {trial.name(player)}'s roads and settlements"
        )
    if _is_open_for_road(trial, at):
        _place_road(trial, player, at)


def build_city(trial: EventTrial, event: CityBuilt) -> None:
    """A village that becomes a city."""
    player, at = event.player, event.at
    trial.builds(player, "builds a city")
    trial.spend(player, parts.COST_CITY, "a city")
    state, where = trial.state, trial.table.spell_node(at)
    if not state.b[player - 1].city:
        trial.object("cards", f"{trial.name(player)} has no city left")
    if trial.known.rules.bandit_blocks_building and parts.is_beside_bandit(state, at):
        trial.object("place", f"{where} is beside the bandit, where nothing is built under the thesis's rules")
    if parts.is_in(state.s.villages[player - 1], at):
        villages = parts.with_seat(state.s.villages, player, state.s.villages[player - 1] & ~(1 << at))
        cities = parts.with_seat(state.s.cities, player, state.s.cities[player - 1] | 1 << at)
        trial.set_state(s=PlacedSettlements(villages, cities))
        _take_pieces(trial, player, village=-1, city=1)
    else:
        trial.object("place", f"{trial.name(player)} has no village on {where}")
    begin_building(trial)
