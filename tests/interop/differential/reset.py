"""The requests that take a controller back to what it was when it was new."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kraftpy.image.image import MetadataImage
from kraftpy.records.codec import Message
from kraftpy.records.generated import rpc
from tests.interop.differential.kinds.brokers import registration

TIMEOUT_MS = 30_000
TOPIC, BROKER = 2, 4
ANY = 1
UPGRADE, SAFE_DOWNGRADE, UNSAFE_DOWNGRADE = 1, 2, 3


def clearing(image: MetadataImage, levels: Mapping[str, int]) -> Iterator[tuple[Message, int]]:
    """Return requests that remove everything that an image has, the brokers after what needs them.

    Args:
        image: what the controller has.
        levels: those of its features when it was new.
    """
    if names := sorted(image.topics.ids_by_name):
        topics = [rpc.DeleteTopicsRequestDeleteTopicState(name=name) for name in names]
        yield rpc.DeleteTopicsRequest(topics=topics, timeout_ms=TIMEOUT_MS), 6
    if image.acls.entries:
        every = rpc.DeleteAclsRequestDeleteAclsFilter(ANY, None, ANY, None, None, ANY, ANY)
        yield rpc.DeleteAclsRequest([every]), 3
    yield from _without_accounts(image)
    gone = {name for kind, name in _configured(image) if kind == BROKER and name} - set(map(str, image.cluster.brokers))
    for name in sorted(gone):
        yield registration(int(name)), 4
    yield from _without_configs(image)
    for broker_id in sorted({*image.cluster.brokers, *map(int, gone)}):
        yield rpc.UnregisterBrokerRequest(broker_id), 0
    for name, level in sorted(levels.items()):
        now = image.features.levels.get(name, 0)
        if now != level:
            kind = UPGRADE if level > now else UNSAFE_DOWNGRADE
            row = rpc.UpdateFeaturesRequestFeatureUpdateKey(name, level, upgrade_type=kind)
            yield rpc.UpdateFeaturesRequest(TIMEOUT_MS, [row]), 2


def _configured(image: MetadataImage) -> list[tuple[int, str]]:
    """Return what is configured, but for topics, whose configs go with them."""
    return sorted(
        (kind, name) for kind, resources in image.configs.by_type.items() if kind != TOPIC for name in resources
    )


def _without_accounts(image: MetadataImage) -> Iterator[tuple[Message, int]]:
    entry, part, op = (
        rpc.AlterClientQuotasRequestEntryData,
        rpc.AlterClientQuotasRequestEntityData,
        rpc.AlterClientQuotasRequestOpData,
    )
    for entity, limits in image.client_quotas.entities.items():
        parts = [part(kind, name) for kind, name in entity]
        yield rpc.AlterClientQuotasRequest([entry(parts, [op(key, 0.0, remove=True) for key in sorted(limits)])]), 1
    for user in image.scram.credentials:
        deletion = rpc.AlterUserScramCredentialsRequestScramCredentialDeletion(user.name, user.mechanism)
        yield rpc.AlterUserScramCredentialsRequest([deletion], []), 0


def _without_configs(image: MetadataImage) -> Iterator[tuple[Message, int]]:
    """The default of min.insync.replicas has to stay when there are eligible leader replicas."""
    row, change = (
        rpc.IncrementalAlterConfigsRequestAlterConfigsResource,
        rpc.IncrementalAlterConfigsRequestAlterableConfig,
    )
    kept = (BROKER, "", "min.insync.replicas")
    for kind, name in _configured(image):
        changes = [
            change(key, 0, "1") if (kind, name, key) == kept else change(key, 1, None)
            for key in sorted(image.configs.of(kind, name))
        ]
        yield rpc.IncrementalAlterConfigsRequest([row(kind, name, changes)]), 1
