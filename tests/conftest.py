"""What holds for all tests: hypothesis asserts no times, and shows how a failure is repeated."""

from hypothesis import HealthCheck, settings

settings.register_profile("catan-p2p", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("catan-p2p")
