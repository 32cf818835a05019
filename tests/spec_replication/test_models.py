"""TLC explores the models of the replication completely, and finds as many states as spec/models.toml says."""

import pytest

from catan_p2p.model_check.configurations import configured, size_of
from catan_p2p.model_check.models import TlcModel
from catan_p2p.model_check.replication_models import (
    DISK_MODELS,
    FOUR_PEERS,
    LARGE_REPLICATION_MODELS,
    REPLICATION_MODELS,
)
from tests.for_each import with_soak
from tests.model_check.guard_mutations import quick_tlc

pytestmark = [pytest.mark.long, pytest.mark.sampled(7)]


def explore(model: TlcModel) -> None:
    """Run TLC; but for a model that may stop, a standstill is an error, unless everybody knows the end."""
    result = quick_tlc().run(model.module_file, model.config, model.arguments())
    assert result.verdict == "fine", result.detail
    assert (result.distinct, result.generated, result.depth) == size_of(model.name)


def test_the_table_has_the_size_of_every_model() -> None:
    models = (*REPLICATION_MODELS, *LARGE_REPLICATION_MODELS, *DISK_MODELS)
    names = {model.name for model in models}
    known = {name for name in configured() if name.startswith(("MCP2P", "MCPower", "MCReturning"))}
    assert names == {name for name in known if size_of(name)}
    assert names == known - {"MCP2PTrace", FOUR_PEERS.name}


@pytest.mark.needs("spec")
@pytest.mark.parametrize("model", with_soak(REPLICATION_MODELS, LARGE_REPLICATION_MODELS), ids=lambda model: model.name)
def test_a_model_is_explored_completely(model: TlcModel) -> None:
    explore(model)


@pytest.mark.needs("spec")
@pytest.mark.parametrize(
    ("behaviours", "seed"),
    with_soak([(1, seed) for seed in range(10, 15)], [(20, seed) for seed in range(10)]),
)
def test_four_peers_keep_every_property_in_random_behaviours(behaviours: int, seed: int) -> None:
    """Of 150 steps."""
    arguments = FOUR_PEERS.arguments(seed=seed, games=behaviours, depth=150)
    result = quick_tlc().run(FOUR_PEERS.module_file, FOUR_PEERS.config, arguments)
    assert result.verdict == "fine", result.detail
