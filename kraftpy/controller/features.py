"""Changing feature levels: all of a request or nothing, but for kraft.version, whose records the quorum writes behind.

A level is set only if every node that would have to live with it supports it: this controller, every registered broker,
and from metadata.version 15 on every registered controller, among which every voter must be. A metadata.version goes
down only where no level in between changed the format of the metadata.

Crossing into the level of KIP-1262 writes the ClusterIdRecord directly behind the new metadata.version, in the same
atomic batch: there is no moment at which the log is at that level without an id.

The checks, in order. Of the request:

1. INVALID_REQUEST, ours: it has more than :data:`UPDATES_MAX` updates.
2. INVALID_REQUEST, ours: it names a feature twice.

Of one update after the other; the first error is that of the request, and INVALID_UPDATE_VERSION but for 3:

3. INVALID_REQUEST, ours: no record holds the name.
4. There is no such direction.
5. The level is negative.
6. Ours: the level is 0, and no node knows the feature.
7. A metadata.version is not stable, and ``unstable.feature.versions.enable`` is not set.
8. A node does not support the level, or a voter has not registered.
9. The level is lower, and the request is for an upgrade.
10. The level is higher, and the request is for a downgrade.
11. A metadata.version is none.
12. A metadata.version is below 7.
13. A metadata.version is lower, and a level in between changed the format.
14. A kraft.version is lower.
15. A level of another feature that it needs is not in force after the request.
16. Ours: a metadata.version needs the cluster id in the log, and this controller does not know it.

Source: Kafka ``FeatureControlManager``; KIP-584; KIP-778; KIP-1262; controller reference §14.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from kraftpy.controller.decision_context import DecisionContext
from kraftpy.controller.limits import check_string
from kraftpy.controller.requests import (
    FeatureUpdate,
    FeatureUpdateKind,
    UpdateFeatures,
    UpdateFeaturesResponse,
)
from kraftpy.controller.result import ControllerResult
from kraftpy.controller.topic_rules import MIN_ISR, is_elr_enabled
from kraftpy.image.configs import BROKER, CLUSTER_DEFAULT, NO_RESOURCES
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.feature_registry import ELR_VERSION, FEATURES_BY_NAME
from kraftpy.model.features import (
    BY_LEVEL,
    CLUSTER_ID_LEVEL,
    CONTROLLER_REGISTRATION_LEVEL,
    KRAFT_VERSION,
    METADATA_VERSION,
    MINIMUM_LEVEL,
    changes_metadata_between,
)
from kraftpy.model.registrations import SupportedFeature
from kraftpy.records.codec import Record
from kraftpy.records.metadata import ClusterIdRecord, ConfigRecord, FeatureLevelRecord

UPDATES_MAX: Final = 100
"""How many features one request may change."""

FAILED_FOR_ALL = "The update failed for all features since the following feature had an error: "


def update_features(view: DecisionContext, request: UpdateFeatures) -> ControllerResult:
    """Decide all updates of a request.

    Raises:
        ApiError: INVALID_UPDATE_VERSION for the first update that cannot be made, INVALID_REQUEST for a feature that is
            named twice.
    """
    if len(request.updates) > UPDATES_MAX:
        raise ApiError(ErrorCode.INVALID_REQUEST, f"{len(request.updates)} updates, at most {UPDATES_MAX} are allowed")
    names = [update.name for update in request.updates]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ApiError(ErrorCode.INVALID_REQUEST, f"The request names the feature {twice} more than once")
    records: list[Record] = []
    kraft_version = None
    levels = _levels_after(view, request)
    for update in request.updates:
        check_string(ErrorCode.INVALID_REQUEST, "A feature name", update.name)
        _check(view, update)
        _check_dependencies(update, levels)
        record = FeatureLevelRecord(name=update.name, feature_level=update.level)
        if update.name == METADATA_VERSION:
            # Ahead of the others, and the id right behind it: each is written under the level before it.
            records[:0] = [record, *_cluster_id_records(view, update)]
        elif update.name != KRAFT_VERSION:
            if update.name == ELR_VERSION and update.level > 0 and not is_elr_enabled(view.image):
                records += _one_min_isr(view)
            records.append(record)
        elif update.level != view.quorum.kraft_version:
            kraft_version = update.level
    return ControllerResult(tuple(records), UpdateFeaturesResponse(), kraft_version=kraft_version)


def _one_min_isr(view: DecisionContext) -> list[Record]:
    """Leave one ``min.insync.replicas`` for all brokers: eligible leader replicas are worked out by it.

    Source: KIP-966; Kafka ``ConfigurationControlManager.maybeGenerateElrSafetyRecords``.
    """
    records: list[Record] = []
    if MIN_ISR not in view.image.configs.broker(None):
        value = str(view.config.min_insync_replicas)
        records.append(ConfigRecord(BROKER, CLUSTER_DEFAULT, MIN_ISR, value))
    brokers = view.image.configs.by_type.get(BROKER, NO_RESOURCES)
    records += [
        ConfigRecord(BROKER, name, MIN_ISR, None) for name in sorted(brokers) if name and MIN_ISR in brokers[name]
    ]
    return records


def _levels_after(view: DecisionContext, request: UpdateFeatures) -> dict[str, int]:
    """Return the finalized levels as they will be when every update of the request is done."""
    asked = {update.name: update.level for update in request.updates}
    return {**view.image.features.levels, KRAFT_VERSION: view.quorum.kraft_version, **asked}


def _check_dependencies(update: FeatureUpdate, levels: Mapping[str, int]) -> None:
    """Check that what a level of a feature needs is in force after the request.

    Source: KIP-1022; Kafka ``Feature.validateVersion``.
    """
    feature = FEATURES_BY_NAME.get(update.name)
    found = feature.at(update.level) if feature is not None else None
    for name, needed in found.needs if found is not None else ():
        if levels.get(name, 0) < needed:
            raise _refusal(update, f"It depends on {name} level {needed}, and that is at {levels.get(name, 0)}.")


def _cluster_id_records(view: DecisionContext, update: FeatureUpdate) -> list[Record]:
    """Return the ClusterIdRecord that has to accompany a metadata.version, if any."""
    if update.level < CLUSTER_ID_LEVEL or view.image.cluster_id.value is not None:
        return []
    if view.cluster_id is None:
        raise _refusal(
            update,
            "this controller does not know the cluster id that this level writes to the log. "
            "Set cluster.id in its meta.properties and restart it",
        )
    return [ClusterIdRecord(cluster_id=view.cluster_id)]


def _refusal(update: FeatureUpdate, reason: str) -> ApiError:
    what = f"Invalid update version {update.level} for feature {update.name}. "
    return ApiError(ErrorCode.INVALID_UPDATE_VERSION, f"{FAILED_FOR_ALL}{what}{reason}")


def _level_refusal(update: FeatureUpdate, reason: str) -> ApiError:
    """Refuse what only metadata.version has rules for."""
    what = f"Invalid metadata.version {update.level}. "
    return ApiError(ErrorCode.INVALID_UPDATE_VERSION, f"{FAILED_FOR_ALL}{what}{reason}")


def _downgrade_refusal(current: int, update: FeatureUpdate, reason: str) -> ApiError:
    what = f"Unsupported metadata.version downgrade from {current} to {update.level}. "
    return ApiError(ErrorCode.INVALID_UPDATE_VERSION, f"{FAILED_FOR_ALL}{what}{reason}")


def _check(view: DecisionContext, update: FeatureUpdate) -> None:
    """Judge one update, in the order of the controller reference."""
    is_kraft_version = update.name == KRAFT_VERSION
    current = view.quorum.kraft_version if is_kraft_version else view.image.features.levels.get(update.name, 0)
    if update.kind not in set(FeatureUpdateKind):
        raise _refusal(update, "The controller does not support the given upgrade type.")
    if update.level < 0:
        raise _refusal(update, "A feature version cannot be less than 0.")
    if update.level == 0 and not _is_known(view, update.name):
        raise _refusal(update, f"Feature {update.name} not found: nothing supports it, and it was never set.")
    if update.name == METADATA_VERSION:
        _check_is_stable(view, update)
    reason = next(_unsupporting(view, update), None)
    if reason is not None:
        raise _refusal(update, reason)
    if update.level < current and update.kind == FeatureUpdateKind.UPGRADE:
        raise _refusal(
            update,
            "Can't downgrade the version of this feature without setting the upgrade type to either safe or unsafe "
            "downgrade.",
        )
    if update.level > current and update.kind != FeatureUpdateKind.UPGRADE:
        raise _refusal(update, "Can't downgrade to a newer version.")
    if update.name == METADATA_VERSION:
        _check_metadata_version(current, update)
    elif is_kraft_version and update.level < current:
        raise _refusal(update, "The voters are in the log, and there is no way back to a configured set.")


def _is_known(view: DecisionContext, name: str) -> bool:
    """Return whether a feature is in force, or supported by this controller or by any node that is registered."""
    nodes = (*view.image.cluster.brokers.values(), *view.image.cluster.controllers.values())
    return (
        name in view.image.features.levels
        or any(one.name == name for one in view.config.features)
        or any(one.name == name for node in nodes for one in node.features)
    )


def _check_is_stable(view: DecisionContext, update: FeatureUpdate) -> None:
    known = BY_LEVEL.get(update.level)
    if known is not None and not known.production and not view.config.allow_unstable:
        raise _level_refusal(
            update,
            f"{known.name} is not yet stable, and cannot be taken back. To try it in a cluster that you can lose, set "
            "unstable.feature.versions.enable=true on every node.",
        )


def _check_metadata_version(current: int, update: FeatureUpdate) -> None:
    if update.level not in BY_LEVEL:
        raise _level_refusal(update, f"Unknown metadata.version {update.level}.")
    if update.level < MINIMUM_LEVEL:
        raise _level_refusal(update, f"Unable to set a metadata.version less than {BY_LEVEL[MINIMUM_LEVEL].name}.")
    if update.level < current and changes_metadata_between(update.level, current):
        if update.kind == FeatureUpdateKind.UNSAFE_DOWNGRADE:
            raise _downgrade_refusal(current, update, "Unsafe metadata downgrade is not supported in this version.")
        raise _downgrade_refusal(
            current, update, "Refusing to perform the requested downgrade because it might delete metadata information."
        )


def _unsupporting(view: DecisionContext, update: FeatureUpdate) -> Iterator[str]:
    """Say which nodes could not live with the level, this controller first, then by id."""
    image, name, level = view.image, update.name, update.level
    own = {feature.name: (feature.min_level, feature.max_level) for feature in view.config.features}
    if name not in own and level != 0:
        yield f"Local controller {view.node_id} does not support this feature."
    if name in own:
        yield from _out_of_range(f"Local controller {view.node_id}", own[name], name, level)
    for broker_id in sorted(image.cluster.brokers):
        levels = _declared(image.cluster.brokers[broker_id].features, name)
        yield from _out_of_range(f"Broker {broker_id}", levels, name, level)
    if image.level < CONTROLLER_REGISTRATION_LEVEL:
        return
    for controller_id in sorted(image.cluster.controllers):
        levels = _declared(image.cluster.controllers[controller_id].features, name)
        yield from _out_of_range(f"Controller {controller_id}", levels, name, level)
    for voter_id in sorted(view.quorum.voter_ids):
        if voter_id not in image.cluster.controllers and voter_id != view.node_id:
            yield f"controller {voter_id} has not registered, and may not support this feature"


def _declared(features: Iterable[SupportedFeature], name: str) -> tuple[int, int]:
    """Return the range that a node declared; one that does not name the feature supports level 0 only."""
    return next(((one.min_level, one.max_level) for one in features if one.name == name), (0, 0))


def _out_of_range(who: str, levels: tuple[int, int], name: str, level: int) -> Iterator[str]:
    low, high = levels
    # Level 0 takes a feature away, which every node can live with; not so metadata.version.
    if (level != 0 or name == METADATA_VERSION) and not low <= level <= high:
        if levels == (0, 0):
            yield f"{who} does not support this feature."
        else:
            yield f"{who} only supports versions {low}-{high}"
