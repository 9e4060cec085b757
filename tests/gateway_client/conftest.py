"""How property tests run here: no deadline, for the machine may be busy; nothing is kept between runs."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "companion", deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("companion")
