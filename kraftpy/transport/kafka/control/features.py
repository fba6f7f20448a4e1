"""UpdateFeatures, versions 0 to 2. Version 1 has kinds of upgrades and a dry run, 2 has no result per feature.

Source: KIP-584, KIP-778, KIP-1022.
"""

from __future__ import annotations

from typing import Any, Final, cast

from kraftpy.controller.requests import FeatureUpdate, FeatureUpdateKind, UpdateFeatures
from kraftpy.model.errors import ApiError
from kraftpy.records.generated import rpc
from kraftpy.transport.node_api import Outcome

KINDS_VERSION: Final = 1
"""From this version on a request says which kind of change it wants."""


def update_from_wire(message: rpc.UpdateFeaturesRequest, version: int) -> UpdateFeatures:
    """Decode the updates; the controller rejects unknown kinds."""
    return UpdateFeatures(
        updates=tuple(
            FeatureUpdate(one.feature, one.max_version_level, _kind(one, version)) for one in message.feature_updates
        ),
        validate_only=message.validate_only,
    )


def _kind(update: rpc.UpdateFeaturesRequestFeatureUpdateKey, version: int) -> FeatureUpdateKind:
    if version < KINDS_VERSION:
        return FeatureUpdateKind.SAFE_DOWNGRADE if update.allow_downgrade else FeatureUpdateKind.UPGRADE
    return cast("FeatureUpdateKind", update.upgrade_type)


def update_to_wire(outcome: Outcome, message: Any) -> rpc.UpdateFeaturesResponse:
    """Write what became of all of them; a version that has no results per feature drops them."""
    assert isinstance(message, rpc.UpdateFeaturesRequest)
    if isinstance(outcome, ApiError):
        return rpc.UpdateFeaturesResponse(error_code=outcome.code, error_message=outcome.message)
    return rpc.UpdateFeaturesResponse(
        error_message=None,
        results=[
            rpc.UpdateFeaturesResponseUpdatableFeatureResult(one.feature, error_message=None)
            for one in message.feature_updates
        ],
    )
