"""Why tests of Kafka's fail with our controllers, where that is known: the cause, and whether it is a fault of ours."""

from __future__ import annotations

from typing import Final

_METRICS: Final = (
    "no fault: it reads a metric of the controller in its own JVM; ours are in the process of the controller"
)

REASONS: Final[dict[str, str]] = {
    f"UncleanLeaderElectionTest.test{name}{protocol}": _METRICS
    for protocol in ("Classic", "Consumer")
    for name in (
        "TopicUncleanLeaderElectionEnableWithAlterTopicConfigs",
        "UncleanLeaderElectionDisabled",
        "UncleanLeaderElectionDisabledByTopicOverride",
        "UncleanLeaderElectionEnabled",
        "UncleanLeaderElectionEnabledByTopicOverride",
    )
}
"""Class and method to the cause."""
