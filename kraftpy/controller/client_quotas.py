"""Quotas of users, client ids and ip addresses.

An ip must be an address. Kafka also accepts a host name that its controller can resolve.

The checks of each entity, in order; each is INVALID_REQUEST, and leaves the other entities alone:

1. The request names it more than once. It has one result, and none of its changes; Kafka makes those of the first.
2. It is empty.

Of one of its types after the other:

3. There is no such type.
4. Ours: it names the type twice.
5. The name is empty.
6. Ours: no record holds the name.

Of all of them:

7. An ip is named together with another type.
8. An ip is no address.

Of one key after the other; 10 to 13 of those that are set:

9. Ours: the key is named twice.
10. The entity has no such key.
11. The value is not above 0.
12. The value is too large for its type.
13. The value has a fraction, and its type has none.

Source: Kafka ``ClientQuotaControlManager``, ``QuotaConfig``; KIP-546, KIP-599, KIP-612.
"""

from __future__ import annotations

import enum
import ipaddress
import math
from collections import Counter
from collections.abc import Mapping
from typing import Final

from kraftpy.controller.account_requests import (
    AlterClientQuotas,
    AlterClientQuotasResponse,
    QuotaAlteration,
    QuotaResult,
)
from kraftpy.controller.decision_context import DecisionContext
from kraftpy.controller.limits import check_string, shown_topic
from kraftpy.controller.result import ControllerResult
from kraftpy.image.client_quotas import QuotaEntity
from kraftpy.image.image import MetadataImage
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.records.metadata import ClientQuotaRecord, ClientQuotaRecordEntityData

USER, CLIENT_ID, IP = "user", "client-id", "ip"


class QuotaType(enum.Enum):
    """The type of a quota's value: its largest value, and whether it is a whole number."""

    INT = (2**31 - 1, True)
    # Kafka compares with the double nearest to the largest long: a client that wants no limit sends that.
    LONG = (2**63, True)
    DOUBLE = (float("inf"), False)


CLIENT_KEYS: Final[Mapping[str, QuotaType]] = {
    "producer_byte_rate": QuotaType.LONG,
    "consumer_byte_rate": QuotaType.LONG,
    "request_percentage": QuotaType.DOUBLE,
    "controller_mutation_rate": QuotaType.DOUBLE,
}
IP_KEYS: Final[Mapping[str, QuotaType]] = {"connection_creation_rate": QuotaType.INT}

FRACTION_MAX: Final = 1e-6
"""How far a value of a whole number may be above one. Source: Kafka ``validateQuotaKeyValue``."""


def alter_client_quotas(view: DecisionContext, request: AlterClientQuotas) -> ControllerResult:
    """Decide a whole request; errors of an entity are values in the response, and all changes are one batch."""
    records: list[ClientQuotaRecord] = []
    results = []
    times = Counter(frozenset(entry.entity) for entry in request.entries)
    for entry in {frozenset(entry.entity): entry for entry in request.entries}.values():
        try:
            if times[frozenset(entry.entity)] > 1:
                raise _refusal(f"Ignoring duplicate entity {_shown(entry.entity)}")
            records += _decide(view.image, entry)
        except ApiError as refused:
            results.append(QuotaResult(entry.entity, refused.code, refused.message))
            continue
        results.append(QuotaResult(entry.entity))
    return ControllerResult(tuple(records), AlterClientQuotasResponse(results=tuple(results)))


def _shown(entity: tuple[tuple[str, str | None], ...]) -> str:
    """Show an entity as Kafka's text does."""
    pairs = ", ".join(f"{shown_topic(kind)}={'null' if name is None else shown_topic(name)}" for kind, name in entity)
    return f"ClientQuotaEntity(entries={{{pairs}}})"


def _refusal(text: str) -> ApiError:
    return ApiError(ErrorCode.INVALID_REQUEST, text)


def _decide(image: MetadataImage, entry: QuotaAlteration) -> list[ClientQuotaRecord]:
    """Return the records of one entity: one for each key that changes."""
    entity = _checked_entity(entry)
    keys = IP_KEYS if entity[0][0] == IP else CLIENT_KEYS
    present = image.client_quotas.of(entity)
    records = []
    seen = set[str]()
    for key, value in entry.values:
        if key in seen:
            raise _refusal(
                f"Duplicate quota key {shown_topic(key)} not updating quota for this entity {_shown(entity)}"
            )
        seen.add(key)
        if value is not None:
            _check_value(keys, key, value)
        if present.get(key) != value:
            pairs = [ClientQuotaRecordEntityData(kind, name) for kind, name in entity]
            records.append(ClientQuotaRecord(pairs, key, 0.0 if value is None else value, remove=value is None))
    return records


def _checked_entity(entry: QuotaAlteration) -> QuotaEntity:
    """Return an entity with its types in order."""
    if not entry.entity:
        raise _refusal("Invalid empty client quota entity")
    kinds = [kind for kind, _ in entry.entity]
    for kind, name in entry.entity:
        if kind not in {USER, CLIENT_ID, IP}:
            raise _refusal(f"Unhandled client quota entity type: {shown_topic(kind)}")
        if kinds.count(kind) > 1:
            raise _refusal(f"The entity names the type {kind} more than once.")
        if name == "":
            raise _refusal(f"Empty {kind} not supported")
        check_string(ErrorCode.INVALID_REQUEST, f"The name of the {kind}", name)
    if IP in kinds:
        _check_ip(entry.entity)
    return tuple(sorted(entry.entity))


def _check_ip(entity: tuple[tuple[str, str | None], ...]) -> None:
    if len(entity) > 1:
        raise _refusal("Invalid quota entity combination, IP entity should not be combined with User or ClientId")
    name = entity[0][1]
    if name is None:
        return
    try:
        ipaddress.ip_address(name)
    except ValueError:
        raise _refusal(f"{shown_topic(name)} is not a valid IP address.") from None


def _check_value(keys: Mapping[str, QuotaType], key: str, value: float) -> None:
    kind = keys.get(key)
    if kind is None:
        raise _refusal(f"Invalid configuration key {shown_topic(key)}")
    most, is_whole = kind.value
    if not value > 0:
        raise _refusal(f"Quota {key} must be greater than 0")
    if value > most or value == float("inf"):
        article = "an" if kind is QuotaType.INT else "a"
        raise _refusal(f"Proposed value for {key} is too large for {article} {kind.name}.")
    if is_whole and math.fmod(value, 1.0) > FRACTION_MAX:
        raise _refusal(f"{key} cannot be a fractional value.")
