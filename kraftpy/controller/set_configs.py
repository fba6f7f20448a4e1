"""Setting configs in bulk: the shortest way through the rules, for what no rule can refuse.

A request that sets one key of each resource, to a text that nothing is wrong with, of resources that exist by being
configured, has little to be decided: which of the values stand there already. So it is decided column by column, and
what comes out are records that are encoded already and the values as they will be.

This is no second set of rules: :data:`_UNJUDGED` says which keys no rule can refuse, and everything else (a name that
comes twice or is empty, a text that is too long, another type, another key) is handed to ``configs``, which has the
rules and the words. A test holds the two ways against each other.

Source: KIP-339; Kafka ``ConfigurationControlManager``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import compress
from operator import eq, ne
from typing import Final, overload

from kraftpy.controller.config_schema import ANY_TEXT_KEYS
from kraftpy.controller.configs import alter_configs
from kraftpy.controller.requests import ConfigResource, SetConfigs, SetConfigsResponse
from kraftpy.controller.result import ControllerResult
from kraftpy.image.configs import CLIENT_METRICS, GROUP, Resources, TypeChanges
from kraftpy.image.image import MetadataImage
from kraftpy.model.features import SchemaSet
from kraftpy.records.codec import STRING_BYTES_MAX
from kraftpy.records.metadata import ConfigRecord, decode_record

_UNJUDGED: Final[Mapping[int, frozenset[str]]] = {kind: ANY_TEXT_KEYS[kind] for kind in (CLIENT_METRICS, GROUP)}
"""By type of resource that exists by being configured: the keys that take any text that a record can hold."""

_DONE: Final = SetConfigsResponse()


class WrittenConfigs(Sequence[ConfigRecord]):
    """ConfigRecords that are encoded already, each of another resource of one type, and what they leave.

    As a sequence it is the records; they are decoded when somebody looks at them, which on the common way nobody does.

    Attributes:
        resource_type: of all of them.
        key: of all of them.
        values: the records as they are to be proposed.
        after: name to what the key is set to by the resource's record, which is all that the resource is set to.
    """

    __slots__ = ("after", "key", "resource_type", "values")

    def __init__(self, resource_type: int, key: str, values: Sequence[bytes], after: dict[str, str]) -> None:
        self.resource_type = resource_type
        self.key = key
        self.values = values
        self.after = after

    def __len__(self) -> int:
        return len(self.values)

    @overload
    def __getitem__(self, place: int) -> ConfigRecord: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[ConfigRecord]: ...

    def __getitem__(self, place: int | slice) -> ConfigRecord | Sequence[ConfigRecord]:
        if isinstance(place, slice):
            return tuple(map(_decoded, self.values[place]))
        return _decoded(self.values[place])


def _decoded(value: bytes) -> ConfigRecord:
    record = decode_record(value, SchemaSet.KRAFTPY)
    assert isinstance(record, ConfigRecord)
    return record


def set_configs(
    image: MetadataImage,
    configs_of: Callable[[ConfigResource], Mapping[str, str]],
    of_type: Callable[[int], Resources | TypeChanges],
    request: SetConfigs,
) -> ControllerResult:
    """Decide a whole request as :func:`~kraftpy.controller.configs.alter_configs` does.

    Args:
        image: says what there is; its configs are not looked at.
        configs_of: says what a resource is set to.
        of_type: says what all resources of a type are set to.
        request: what is asked.
    """
    result = _set(of_type(request.resource_type), request) if _is_unjudged(request) else None
    return alter_configs(image, configs_of, request.widened()) if result is None else result


def _is_unjudged(request: SetConfigs) -> bool:
    """Say whether no rule can refuse any of it, whatever is set now."""
    names, keys = request.names, _UNJUDGED.get(request.resource_type)
    if keys is None or not all(names) or not keys.issuperset(request.keys):
        return False
    # A record that is no longer than a string may be holds none that is longer.
    return len(set(names)) == len(names) and max(map(len, request.records)) <= STRING_BYTES_MAX


def _set(resources: Resources | TypeChanges, request: SetConfigs) -> ControllerResult | None:
    """Find what changes; ``None`` when a resource has more than this one key, or not all have the same."""
    names, values, written, key = request.names, request.values, request.records, request.keys[0]
    if request.keys.count(key) != len(request.keys):
        return None
    now = resources.under(key, names)
    if now is None:
        return None
    after = dict(zip(names, values, strict=True))
    if any(map(eq, now, values)):
        # What stands there already is not written again.
        changes = list(map(ne, now, values))
        after = dict(compress(after.items(), changes))
        written = tuple(compress(written, changes))
    if not written:
        return ControllerResult((), _DONE)
    return ControllerResult(WrittenConfigs(request.resource_type, key, written, after), _DONE)
