"""What holds for all tests: hypothesis asserts no times and shows how a failure is repeated; TLC starts quickly."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile("catan-p2p", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("catan-p2p")

os.environ.setdefault("TLC_JAVA_OPTIONS", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx1g")
"""Most models of the tests are small: half of their time was the Java compiler's. Two run beside each other."""
