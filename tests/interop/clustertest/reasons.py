"""Why tests of Kafka's fail with our controllers, where that is known: the cause, and whether it is a fault of ours."""

from __future__ import annotations

from typing import Final

_IN_ITS_MEMORY: Final = (
    "no fault: it reads from objects of the controller in its own JVM, and tries again where that is to abort it"
)

_METRICS: Final = (
    "no fault: it reads a metric of the controller in its own JVM; ours are in the process of the controller"
)

_OWN_LEVELS: Final = (
    "no fault: it expects Kafka's highest metadata.version of a controller that is asked; kraftpy has higher ones"
)

REASONS: Final[dict[str, str]] = (
    {
        f"EndToEndClusterIdTest.testEndToEndWith{protocol}Protocol": (
            "no fault: it reads from a metrics reporter of the controller in its own JVM; ours are other processes"
        )
        for protocol in ("Classic", "Consumer")
    }
    | {
        f"FeatureCommandTest.test{name}": _OWN_LEVELS
        for name in (
            "DescribeWithKRaftAndBootstrapControllers",
            "DescribeWithUnstableApiVersions",
            "DowngradeMetadataVersionWithKRaft",
        )
    }
    | {
        "ApiVersionsRequestTest.testApiVersionsRequestThroughControllerListener": _OWN_LEVELS,
        "ApiVersionsRequestTest.testApiVersionsRequestValidationV0ThroughControllerListener": (
            "no fault: it expects DescribeDelegationToken and DescribeUserScramCredentials of a controller, which "
            "Kafka's controllers offer and have no handler for"
        ),
        "KRaftClusterTest.testOldBootstrapMetadataFile": (
            "no fault: it gives a second cluster the directories of a first, and another cluster id; ours keeps the id "
            "of its directory"
        ),
        "LogManagerIntegrationTest.testIOExceptionOnLogSegmentCloseResultsInRecovery": (
            "no fault: it takes the right to write from a file of a broker's, which does not stop root, as whom it ran"
        ),
        "KRaftClusterTest.testSnapshotCount": _IN_ITS_MEMORY,
        "KRaftClusterTest.testStartupWithNonDefaultKControllerDynamicConfiguration": _IN_ITS_MEMORY,
    }
    | {
        "ReconfigurableQuorumIntegrationTest.testNewVoterAutoRemovesAndAdds": (
            "no fault: one voter of a new quorum never starts with the directory that it is named with; with empty "
            "directories ours elects no leader before all voters have answered (docs/design/voter-eligibility.md)"
        )
    }
    | {
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
)
"""Class and method to the cause."""

_ITS_THREADS: Final = "no fault: it counts the threads of all nodes in its own JVM; the controller has none there"

_ITS_AUTHORIZER: Final = "no fault: it holds up an authorizer of its own in the controller, which is not in its JVM"

CORE_REASONS: Final[dict[str, str]] = {
    "DynamicBrokerReconfigurationTest.testMetricsReporterUpdate": (
        "no fault: it waits for the metrics reporters of all nodes in its own JVM; the controller has none there"
    ),
    "DynamicBrokerReconfigurationTest.testServersCanStartWithInvalidStaticConfigsAndValidDynamicConfigs": (
        "no fault: a broker takes a snapshot that is due with the next record, and waits for a no-op record of an idle "
        "controller; kraftpy writes none unless metadata.max.idle.interval.ms says so"
    ),
    "kafka.metrics.MetricsTest.testJMXFilter": _METRICS,
    "kafka.metrics.MetricsTest.testKRaftControllerMetrics": _METRICS,
    "PlaintextAdminIntegrationTest.testIncrementalAlterAndDescribeGroupConfigs": (
        "no fault: it expects Kafka's text and no more; ours says the value and the bound after it"
    ),
    **{
        f"PlaintextAdminIntegrationTest.test{name}": (
            "no fault: it was run without a logger of the name kafka in the configuration of log4j, which has one since"
        )
        for name in (
            "DescribeConfigsForLog4jLogLevels",
            "IncrementalAlterConfigsForLog4jLogLevels",
            "IncrementalAlterConfigsForLog4jLogLevelsCanResetLoggerToCurrentRoot",
        )
    },
    **{
        f"SslAdminIntegrationTest.testListNodesFromControllers{more}": (
            "no fault: the controller's second listener was not open in this run, which is mended; there the trust "
            "store of the kit lacks the certificate of this client, which is made after the controller has started"
        )
        for more in ("", "IncludingFencedBrokers")
    },
    "SslAdminIntegrationTest.testAclUpdatesUsingAsynchronousAuthorizer": _ITS_AUTHORIZER,
    "SslAdminIntegrationTest.testAclUpdatesUsingSynchronousAuthorizer": _ITS_AUTHORIZER,
    "SslAdminIntegrationTest.testAsynchronousAuthorizerAclUpdatesDontBlockRequestThreads": _ITS_THREADS,
    "SslAdminIntegrationTest.testSynchronousAuthorizerAclUpdatesBlockRequestThreads": _ITS_THREADS,
} | {
    f"RequestQuotaTest.test{name}": (
        "no fault: its builder of principals writes one as no bytes, which that class alone reads; ours rejects these"
    )
    for name in (
        "ExemptRequestTime",
        "ResponseThrottleTime",
        "ResponseThrottleTimeWhenBothFetchAndRequestQuotasViolated",
        "ResponseThrottleTimeWhenBothProduceAndRequestQuotasViolated",
        "ResponseThrottleTimeWhenBothShareFetchAndRequestQuotasViolated",
        "ShareFetchUsesSameFetchSensor",
        "UnauthorizedThrottle",
        "UnthrottledClient",
    )
}
"""The same for the suites of Kafka's core."""
