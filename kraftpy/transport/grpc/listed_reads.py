"""The reads of the public API that list a part of the state in pages, and how a page is made of a state."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from kraftpy.transport.grpc import account_reads, acl_reads, config_reads, host_reads, token_reads
from kraftpy.transport.grpc.orders import KeyList, Orders
from kraftpy.transport.node_api import MetadataView


class ListedRead(NamedTuple):
    """A read of a list.

    Attributes:
        lists: returns which lists a request needs in order.
        page: makes the answer, without waiting.
    """

    lists: Callable[[Any, MetadataView], Sequence[KeyList]]
    page: Callable[[Any, MetadataView, Orders, int], Any]


LISTED: Final[Mapping[str, ListedRead]] = {
    "describe_configs": ListedRead(config_reads.lists_of_configs, config_reads.describe_configs),
    "describe_client_quotas": ListedRead(account_reads.lists_of_quotas, account_reads.describe_client_quotas),
    "describe_user_scram_credentials": ListedRead(
        account_reads.lists_of_scram, account_reads.describe_user_scram_credentials
    ),
    "describe_acls": ListedRead(acl_reads.lists_of_acls, acl_reads.describe_acls),
    "describe_broker_hosts": ListedRead(host_reads.lists_of_hosts, host_reads.describe_broker_hosts),
    "describe_delegation_tokens": ListedRead(token_reads.lists_of_tokens, token_reads.describe_delegation_tokens),
}
"""By the name of the call."""


async def list_page(
    name: str,
    request: Any,
    take_view: Callable[[], Awaitable[MetadataView]],
    orders: Orders,
    answer_bytes_max: int,
) -> Any:
    """Answer a read of a list with one page.

    Raises:
        ApiError: the request is refused.
        BusyError: see :meth:`Orders.view`.
    """
    read = LISTED[name]
    view = await orders.view(take_view, lambda view: read.lists(request, view))
    return read.page(request, view, orders, answer_bytes_max)
