"""DescribeConfigs, a page at a time; a part of ``reads``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from kraftpy.controller.config_schema import is_sensitive
from kraftpy.image.configs import ConfigsImage
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.resource_types import ResourceType
from kraftpy.pb.v1 import cluster_pb2
from kraftpy.transport.config_entries import ConfigEntries, DescribedKey
from kraftpy.transport.grpc.orders import KeyList, Orders, all_configs_of, configs_of
from kraftpy.transport.grpc.pages import PAGE_ITEMS_MAX, Page, number
from kraftpy.transport.grpc.reads import HIDDEN, position, resource_to_pb
from kraftpy.transport.node_api import MetadataView

RESOURCES_NAMED_MAX: Final = 10_000
"""How many resources a request may name; without names it lists all that have configs."""

FIELD_BYTES: Final = 8
"""What a resource or a key takes in a message besides its texts, about."""

_TYPE_DIGITS_MAX: Final = 3


class _Cursor(NamedTuple):
    """The last key that was listed: of a resource without configs the empty one."""

    type: int
    name: str
    key: str


def lists_of_configs(request: cluster_pb2.DescribeConfigsRequest, view: MetadataView) -> list[KeyList]:
    """Return which lists a request needs in order."""
    return [] if request.resources else all_configs_of(view.image)


def describe_configs(
    request: cluster_pb2.DescribeConfigsRequest, view: MetadataView, orders: Orders, answer_bytes_max: int
) -> cluster_pb2.DescribeConfigsResponse:
    """List the config keys of the resources asked for, or of all that have any.

    Raises:
        ApiError: INVALID_REQUEST for too many resources or a wrong token, POLICY_VIOLATION for one value that is larger
            than an answer may be.
    """
    if len(request.resources) > RESOURCES_NAMED_MAX:
        text = f"{len(request.resources)} resources are named, at most {RESOURCES_NAMED_MAX} may be"
        raise ApiError(ErrorCode.INVALID_REQUEST, text)
    page = Page(request, 3, answer_bytes_max)
    after = None
    if page.after is not None:
        after = _Cursor(number(page.after[0], _TYPE_DIGITS_MAX), page.after[1], page.after[2])
    response = cluster_pb2.DescribeConfigsResponse(position=position(view))
    last: _Cursor | None = None
    explained = ConfigEntries(view, _explanation)
    for type_, name in _resources(request, view, orders, after):
        shown = _Resource(response, page, type_, name)
        begun = after is not None and (type_, name) == after[:2]
        above = after.key if begun and after is not None else None
        if request.include_defaults:
            entries = _explained(type_, name, view, explained, above)
        else:
            entries = _set(type_, view.image.configs.of(type_, name), orders, above)
        entry = next(entries, None)
        if entry is None and begun:
            continue
        while shown.add(entry):
            last = _Cursor(type_, name, "" if entry is None else entry.name)
            entry = next(entries, None)
            if entry is None:
                break
        else:
            assert last is not None, "a page takes one item at least"
            page.end(response, (str(last.type), last.name, last.key))
            return response
    page.end(response, None)
    return response


class _Resource:
    """One resource on a page."""

    def __init__(
        self, response: cluster_pb2.DescribeConfigsResponse, page: Page, resource_type: int, name: str
    ) -> None:
        self._response = response
        self._page = page
        self._type = resource_type
        self._name = name
        self._row: cluster_pb2.ResourceConfigs | None = None

    def add(self, entry: cluster_pb2.ConfigEntry | None) -> bool:
        """Show a key, and the resource with its first one; return whether they fit."""
        size = FIELD_BYTES + (0 if entry is None else entry.ByteSize())
        if self._row is None:
            size += len(self._name.encode()) + FIELD_BYTES
        if not self._page.fits(size):
            return False
        if self._row is None:
            self._row = self._response.resources.add(resource=resource_to_pb(self._type, self._name))
            self._page.take(len(self._name.encode()) + FIELD_BYTES)
            size -= len(self._name.encode()) + FIELD_BYTES
        if entry is not None:
            self._row.entries.append(entry)
            self._page.take(size)
        return True


def _set(type_: int, values: Mapping[str, str], orders: Orders, above: str | None) -> Iterator[cluster_pb2.ConfigEntry]:
    """Return the keys of a resource that are set, above one, in order."""
    for key in _keys(values, orders, above):
        yield cluster_pb2.ConfigEntry(name=key, value=HIDDEN if is_sensitive(type_, key) else values[key])


def _explained(
    type_: int, name: str, view: MetadataView, explained: ConfigEntries[cluster_pb2.ConfigEntry], above: str | None
) -> Iterator[cluster_pb2.ConfigEntry]:
    """Return the keys of a resource, set or not, above one, in order, with where their values come from."""
    if type_ == ResourceType.TOPIC and view.image.topics.named(name) is None:
        return iter(())
    return explained.of(type_, name, above)


def _explanation(entry: DescribedKey) -> cluster_pb2.ConfigEntry:
    row = cluster_pb2.ConfigEntry(name=entry.name, value=_shown(entry.value), is_sensitive=entry.is_sensitive)
    row.source = int(entry.source)  # type: ignore[assignment] # the numbers are the same
    for one in entry.synonyms:
        synonym = row.synonyms.add(name=one.name, value=_shown(one.value))
        synonym.source = int(one.source)  # type: ignore[assignment] # as above
    return row


def _shown(value: str | None) -> str:
    return HIDDEN if value is None else value


def _resources(
    request: cluster_pb2.DescribeConfigsRequest, view: MetadataView, orders: Orders, after: _Cursor | None
) -> Iterable[tuple[int, str]]:
    """Return the resources from that of the cursor on, in order."""
    if request.resources:
        named = sorted({(int(each.type), each.name) for each in request.resources})
        return named if after is None else [each for each in named if each >= after[:2]]
    return _all_resources(view, orders, after)


def _all_resources(view: MetadataView, orders: Orders, after: _Cursor | None) -> Iterator[tuple[int, str]]:
    configs: ConfigsImage = view.image.configs
    for type_ in sorted(configs.by_type):
        if after is not None and type_ < after.type:
            continue
        above = None
        if after is not None and type_ == after.type:
            if configs.of(type_, after.name):
                yield type_, after.name
            above = after.name
        for name in orders.of(configs_of(view.image, type_)).above(above):
            yield type_, name


def _keys(values: Mapping[str, str], orders: Orders, after: str | None) -> Iterator[str]:
    """Return the keys of a resource above one, in order."""
    if len(values) > PAGE_ITEMS_MAX:
        return orders.of(KeyList(("entries",), values)).above(after)  # type: ignore[arg-type] # one value is no Map
    return iter(sorted(values) if after is None else sorted(key for key in values if key > after))
