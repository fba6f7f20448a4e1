"""IncrementalAlterConfigs, versions 0 and 1: from the bytes of a request to config changes, and to the bytes back.

This is the call that is made most, and in bulk, so nothing is made that is not needed. Version 1 (which every client of
today sends) is read in straight lines into the controller's own values, and its most frequent form into columns
(``plain_configs``). What a success will look like is known as soon
as the request is read, because it repeats each resource's type and name: those bytes are cut out of the request and
put into the answer as they are.

Whatever the straight lines do not know (a count, a tag or a length that is not what it should be) goes through the
generated decoder, which tells what is wrong and where; so both read the same, or refuse for the same reason.

Source: KIP-339; Kafka ``IncrementalAlterConfigsRequest.json``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from struct import Struct
from typing import Any, Final

from kraftpy.controller.dedupe import NO_STAMP
from kraftpy.controller.requests import (
    ConfigAlteration,
    ConfigResource,
    ControllerResponse,
    IncrementalAlterConfigs,
    IncrementalAlterConfigsResponse,
    SetConfigs,
    SetConfigsResponse,
)
from kraftpy.model.errors import ApiError, MalformedError
from kraftpy.records.codec import DECODE_ERRORS, SHORT, FieldError, length_prefix, read_string_length, read_uvarint
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import body_decoder
from kraftpy.transport.grpc.backend import Outcome, Submission
from kraftpy.transport.kafka.apis import BodyDecoder, WireRequest
from kraftpy.transport.kafka.control.plain_configs import read_plain
from kraftpy.transport.kafka.items import ITEMS_MAX

KEY: Final = rpc.IncrementalAlterConfigsRequest.API_KEY
RESOURCE_BYTES_MIN: Final = 4
"""Type, empty name, no configs, no tags: no resource is shorter."""
SIGN: Final = 0x80
"""A type from here on is a negative number."""

_HEAD: Final = Struct(">ixi").pack
"""The start of an answer: correlation id, no tags, throttle time."""
_NO_ERROR: Final = b"\0\0\0"
"""Error code 0 and a null message."""
_NO_TAGS: Final = b"\0"

_new: Final[Any] = tuple.__new__
"""Makes a NamedTuple of a tuple without the detour over its ``__new__``, which is written in Python."""


class AlterConfigsCall:
    """One request on its way: what is asked, and how to answer.

    Attributes:
        submission: what the controller gets.
    """

    __slots__ = ("_request", "_rows", "submission")

    def __init__(self, asked: IncrementalAlterConfigs | SetConfigs, rows: Sequence[bytes] | None) -> None:
        self.submission: Submission = _new(Submission, (asked, b"", None, NO_STAMP, 0))
        self._rows = rows
        self._request: WireRequest | None = None

    def answered_by(self, request: WireRequest) -> None:
        """Say where the answer goes."""
        self._request = request

    def settle(self, outcome: Outcome) -> None:
        """Answer."""
        # The two name each other: unless one lets go, everything that was asked waits for the garbage collector.
        request, self._request = self._request, None
        assert request is not None, "a call knows its request before it is submitted"
        try:
            self._answer(request, outcome)
        except Exception as error:  # noqa: BLE001 - this runs in the driver's turn, and no request ends the process
            request.break_off(error)

    def _answer(self, request: WireRequest, outcome: Outcome) -> None:
        if self._rows is not None and not isinstance(outcome, ApiError):
            response = outcome.response
            if isinstance(response, SetConfigsResponse) or _is_success(response):
                request.answer_encoded(_success(request.correlation_id, self._rows))
                return
        asked = self.submission.request
        if isinstance(asked, SetConfigs):
            asked = asked.widened()
        assert isinstance(asked, IncrementalAlterConfigs)
        request.answer(_to_wire(asked, outcome))


def _is_success(response: ControllerResponse) -> bool:
    assert isinstance(response, IncrementalAlterConfigsResponse)
    return not response.refused


def _success(correlation_id: int, rows: Sequence[bytes]) -> bytes:
    """Encode a version 1 answer in which every resource was altered; ``rows`` are their types and names."""
    head = _HEAD(correlation_id, 0) + length_prefix(len(rows))
    if not rows:
        return head + _NO_TAGS
    # Between two rows stand the tags of the one before and the error of the next.
    return b"".join((head, _NO_ERROR, (_NO_TAGS + _NO_ERROR).join(rows), _NO_TAGS, _NO_TAGS))


def _to_wire(asked: IncrementalAlterConfigs, outcome: Outcome) -> rpc.IncrementalAlterConfigsResponse:
    """Write one row per resource, in the order asked; a refusal of the whole request is every resource's."""
    row = rpc.IncrementalAlterConfigsResponseAlterConfigsResourceResponse
    if isinstance(outcome, ApiError):
        rows = [row(outcome.code, outcome.message, one.type, one.name) for one, _ in asked.resources]
    else:
        response = outcome.response
        assert isinstance(response, IncrementalAlterConfigsResponse)
        rows = [row(one.error, one.message or None, one.resource.type, one.resource.name) for one in response.results]
    return rpc.IncrementalAlterConfigsResponse(responses=rows)


def _decode_0(data: bytes, at: int) -> AlterConfigsCall:
    """Read a version 0 message.

    Raises:
        MalformedError: the bytes are none; the text names the field.
    """
    return _from_message(body_decoder(KEY, 0)(data, at))


def _decode_1(data: bytes, at: int) -> AlterConfigsCall:
    """Read a version 1 message.

    Raises:
        MalformedError: the bytes are none; the text names the field.
    """
    plain = read_plain(data, at)
    if plain is not None:
        return AlterConfigsCall(*plain)
    try:
        return _read_1(data, at)
    except DECODE_ERRORS:
        # The generated decoder says which field it is; or it reads what only looked strange here.
        return _from_message(body_decoder(KEY, 1)(data, at))


def _read_1(data: bytes, at: int) -> AlterConfigsCall:
    count = data[at]
    at += 1
    if count >= SHORT:
        count, at = read_uvarint(data, at - 1)
    if not 0 < count <= (len(data) - at) // RESOURCE_BYTES_MIN + 1:
        raise FieldError(f"{count - 1} resources")
    items = count - 1
    _check_items(items)
    resources: list[tuple[ConfigResource, tuple[ConfigAlteration, ...]]] = []
    rows: list[bytes] = []
    for _ in range(count - 1):
        start = at
        kind = data[at]
        size = data[at + 1]
        at += 2
        if size >= SHORT:
            size, at = read_string_length(data, at - 1)
        stop = at + size - 1
        name = data[at:stop].decode()
        rows.append(data[start:stop])
        if kind >= SIGN or not size:
            raise FieldError("type or name")
        if data[stop] == 2:  # one config, as in most requests
            alteration, at = _read_alteration(data, stop + 1)
            alterations: tuple[ConfigAlteration, ...] = (alteration,)
        else:
            alterations, at = _read_alterations(data, stop)
        items += len(alterations)
        if data[at]:
            raise FieldError("tags")
        at += 1
        resources.append((_new(ConfigResource, (kind, name)), alterations))
    validate_only = data[at]
    if data[at + 1] or validate_only > 1 or at + 2 != len(data):
        raise FieldError("the end")
    _check_items(items)
    asked: IncrementalAlterConfigs = _new(IncrementalAlterConfigs, (tuple(resources), validate_only == 1))
    return AlterConfigsCall(asked, tuple(rows))


def _read_alteration(data: bytes, at: int) -> tuple[ConfigAlteration, int]:
    size = data[at]
    at += 1
    if size >= SHORT:
        size, at = read_string_length(data, at - 1)
    stop = at + size - 1
    name = data[at:stop].decode()
    op = data[stop]
    length = data[stop + 1]
    at = stop + 2
    if length >= SHORT:
        length, at = read_string_length(data, at - 1)
    value = None
    if length:
        stop = at + length - 1
        value = data[at:stop].decode()
        at = stop
    if not size or op >= SIGN or data[at]:
        raise FieldError("name, operation or tags")
    return _new(ConfigAlteration, (name, op, value)), at + 1


def _read_alterations(data: bytes, at: int) -> tuple[tuple[ConfigAlteration, ...], int]:
    count, at = read_uvarint(data, at)
    if not 0 < count <= (len(data) - at) // RESOURCE_BYTES_MIN + 1:
        raise FieldError(f"{count - 1} configs")
    _check_items(count - 1)
    found: list[ConfigAlteration] = []
    for _ in range(count - 1):
        alteration, at = _read_alteration(data, at)
        found.append(alteration)
    return tuple(found), at


def _check_items(items: int) -> None:
    """Refuse what :func:`~kraftpy.transport.kafka.items.names_too_much` refuses in other requests.

    Raises:
        MalformedError: more resources and configs than ITEMS_MAX.
    """
    if items > ITEMS_MAX:
        raise MalformedError(f"it names {items} resources and configs, at most {ITEMS_MAX} are allowed")


def _from_message(message: Any) -> AlterConfigsCall:
    _check_items(len(message.resources) + sum(len(one.configs) for one in message.resources))
    resources = tuple(
        (
            ConfigResource(one.resource_type, one.resource_name),
            tuple(ConfigAlteration(each.name, each.config_operation, each.value) for each in one.configs),
        )
        for one in message.resources
    )
    return AlterConfigsCall(IncrementalAlterConfigs(resources=resources, validate_only=message.validate_only), None)


DECODERS: Final[Mapping[int, BodyDecoder]] = {
    0: _decode_0,
    1: _decode_1,
}
"""What reads a request of each version into an :class:`AlterConfigsCall`."""
