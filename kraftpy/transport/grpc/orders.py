"""The keys of the lists of the public API in order, so that a page costs what is on it.

An order is made when the first page of a list is asked for: some keys at a time, between which the loop turns. From
then on it follows what is published: a change is noted when it is published, and applied before the next page. An order
that is not read while much changes is dropped. A page is always made of the state that it names: an order belongs to
one version of its map, which is compared by identity, and an order of another version is made again.

With 100,000 keys, on one of 2 cores: an order takes 0.2 s (hosts) to 1.3 s (entities that have quotas) to make, and a
page of ten after a change 0.3 ms. To sort the keys for each of 100 pages would take up to 130 s.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Awaitable, Callable, Hashable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

from immutables import Map

from kraftpy.controller.acls import by_resource
from kraftpy.image.acls import AccessControlEntry
from kraftpy.image.client_quotas import QuotaEntity
from kraftpy.image.delta import MetadataDelta
from kraftpy.image.image import MetadataImage
from kraftpy.image.publishing import Manifest, MetadataPublisher, SnapshotManifest
from kraftpy.image.scram import ScramUser
from kraftpy.model.errors import BusyError
from kraftpy.model.ids import Uuid
from kraftpy.transport.grpc.key_order import KeyOrder
from kraftpy.transport.node_api import MetadataView

SORTED_AT_ONCE: Final = 1_000
"""How many keys are sorted or applied before others on the loop get their turn: some 5 ms."""

NOTED_MIN: Final = 1_000
"""An order is dropped when more changes were noted than this, and than a quarter of its keys."""

ATTEMPTS_MAX: Final = 10
"""How often a page is begun again because the state changed while its order was made."""


class AclKey(NamedTuple):
    """An access control entry as it is compared with others, and its id: the log may hold two that are equal."""

    entry: tuple[int, str, int, str, str, int, int]
    id: Uuid


class KeyList(NamedTuple):
    """A map whose keys are listed.

    Attributes:
        name: of the list, the same for every version of the map; the first part names a row of RANKS.
        map: the version.
    """

    name: tuple[Hashable, ...]
    map: Map[Any, Any]


def acl_key(acl_id: Uuid, entry: AccessControlEntry) -> AclKey:
    """Return the key of an entry in its list."""
    return AclKey(by_resource(entry), acl_id)


def quota_rank(entity: QuotaEntity) -> tuple[tuple[str, bool, str], ...]:
    """Return what entities are compared by; the default of a type precedes the named ones."""
    return tuple((kind, name is not None, name or "") for kind, name in entity)


def scram_rank(user: ScramUser) -> tuple[str, int]:
    """Return what credentials are compared by: all of a user are neighbours."""
    return user.name, user.mechanism


def _itself(key: Any) -> Any:
    return key


RANKS: Final[dict[Hashable, Callable[[Any], Any]]] = {"client_quotas": quota_rank, "scram": scram_rank}
"""What keys of a list are compared by; those of other lists by themselves."""


class _Kept:
    """An order, the version of the map that it leads to, and what was noted for it: key to whether it is there."""

    def __init__(self, listed: KeyList) -> None:
        self.version = listed.map
        self.order: KeyOrder[Any] = KeyOrder(RANKS.get(listed.name[0], _itself))
        self.noted: dict[Any, bool] = {}
        self.is_made = False

    def apply(self, count: int) -> None:
        """Apply some of the noted changes, this many at most."""
        for key in list(islice(self.noted, count)):
            if self.noted.pop(key):
                self.order.add(key)
            else:
                self.order.discard(key)


class Orders(MetadataPublisher):
    """The orders of one node, shared by all its callers."""

    name = "list orders"

    def __init__(self) -> None:
        self._kept: dict[tuple[Hashable, ...], _Kept] = {}
        self._making = asyncio.Lock()

    def on_metadata_update(self, delta: MetadataDelta, image: MetadataImage, manifest: Manifest) -> None:
        """Note which keys come and go."""
        if not self._kept:
            return
        if isinstance(manifest, SnapshotManifest):
            self._kept.clear()
            return
        for before, after, keys in _changes(delta, image):
            kept = self._kept.get(after.name)
            if kept is None:
                continue
            if kept.version is not before:
                del self._kept[after.name]
                continue
            kept.version = after.map
            kept.noted.update(keys)
            if len(kept.noted) > max(NOTED_MIN, len(kept.order) // 4):
                del self._kept[after.name]

    async def view(
        self, take_view: Callable[[], Awaitable[MetadataView]], lists: Callable[[MetadataView], Sequence[KeyList]]
    ) -> MetadataView:
        """Return a state whose orders are there, until the loop turns.

        Args:
            take_view: waits for the state that a call asks for; a later one is as good.
            lists: returns which lists of a state are read.

        Raises:
            BusyError: the state changed whenever its orders were made.
        """
        for _ in range(ATTEMPTS_MAX):
            view = await take_view()
            wanted = lists(view)
            if self._are_ready(wanted):
                return view
            async with self._making:
                for each in wanted:
                    if not self._is_ready(each):
                        await self._make(each)
        raise BusyError(f"the state changed {ATTEMPTS_MAX} times while its lists were put in order")

    def of(self, listed: KeyList) -> KeyOrder[Any]:
        """Return the keys of a map in order, those of a small one without :meth:`view`."""
        kept = self._kept.get(listed.name)
        if kept is None or kept.version is not listed.map or not kept.is_made:
            kept = self._kept[listed.name] = _Kept(listed)
            for key in sorted(_keys(listed), key=RANKS.get(listed.name[0], _itself)):
                kept.order.append(key)
            kept.is_made = True
        kept.apply(len(kept.noted))
        return kept.order

    def _are_ready(self, wanted: Iterable[KeyList]) -> bool:
        return all(map(self._is_ready, wanted))

    def _is_ready(self, listed: KeyList) -> bool:
        """Return whether an order can be used in this turn."""
        kept = self._kept.get(listed.name)
        if kept is None or kept.version is not listed.map:
            return len(listed.map) <= SORTED_AT_ONCE
        return kept.is_made and len(kept.noted) <= SORTED_AT_ONCE

    async def _make(self, listed: KeyList) -> None:
        """Make an order, or bring one up to date, in slices."""
        kept = self._kept.get(listed.name)
        if kept is not None and kept.version is listed.map and kept.is_made:
            while len(kept.noted) > SORTED_AT_ONCE:
                kept.apply(SORTED_AT_ONCE)
                await asyncio.sleep(0)
            return
        # It is there from now on, so that what is published meanwhile is noted.
        kept = self._kept[listed.name] = _Kept(listed)
        rank = RANKS.get(listed.name[0], _itself)
        pieces: list[list[Any]] = []
        keys = _keys(listed)
        while piece := sorted(islice(keys, SORTED_AT_ONCE), key=rank):
            pieces.append(piece)
            await asyncio.sleep(0)
        for number, key in enumerate(heapq.merge(*pieces, key=rank), 1):
            kept.order.append(key)
            if number % SORTED_AT_ONCE == 0:
                await asyncio.sleep(0)
        kept.is_made = True


def _keys(listed: KeyList) -> Iterator[Any]:
    if listed.name[0] == "acls":
        return (acl_key(acl_id, entry) for acl_id, entry in listed.map.items())
    return iter(listed.map)


_Change = tuple[Map[Any, Any], KeyList, dict[Any, bool]]
"""The map before, its list now, and which keys are there now or not."""


def _changes(delta: MetadataDelta, image: MetadataImage) -> Iterator[_Change]:
    """Yield what a delta changes in the lists."""
    if delta.client_quotas is not None:
        yield _change(delta.client_quotas.base.entities, quotas_of(image), delta.client_quotas.changes)
    if delta.scram is not None:
        yield _change(delta.scram.base.credentials, scram_of(image), delta.scram.changes)
    if delta.broker_hosts is not None:
        yield _change(delta.broker_hosts.base.ids, hosts_of(image), delta.broker_hosts.changes)
    if delta.delegation_tokens is not None:
        yield _change(delta.delegation_tokens.base.tokens, tokens_of(image), delta.delegation_tokens.changes)
    if delta.acls is not None:
        before, changed = delta.acls.base.entries, delta.acls.changes
        keys = {acl_key(one, entry or before[one]): entry is not None for one, entry in changed.items()}
        yield before, acls_of(image), keys
    if delta.configs is not None:
        by_type: dict[int, dict[Any, bool]] = {}
        for kind, name in delta.configs.changed:
            by_type.setdefault(kind, {})[name] = bool(image.configs.of(kind, name))
        for kind, names in by_type.items():
            now = configs_of(image, kind)
            yield delta.configs.base.by_type.get(kind, now.map), now, names


def _change(before: Map[Any, Any], now: KeyList, changed: dict[Any, Any]) -> _Change:
    return before, now, {key: value is not None for key, value in changed.items()}


def configs_of(image: MetadataImage, resource_type: int) -> KeyList:
    """List the resources of a type that have configs, by name."""
    return KeyList(("configs", resource_type), image.configs.by_type.get(resource_type, Map()))


def all_configs_of(image: MetadataImage) -> list[KeyList]:
    """List the resources that have configs, by type."""
    return [configs_of(image, resource_type) for resource_type in sorted(image.configs.by_type)]


def quotas_of(image: MetadataImage) -> KeyList:
    """List the entities that have quotas."""
    return KeyList(("client_quotas",), image.client_quotas.entities)


def scram_of(image: MetadataImage) -> KeyList:
    """List SCRAM credentials, by user."""
    return KeyList(("scram",), image.scram.credentials)


def acls_of(image: MetadataImage) -> KeyList:
    """List access control entries, by resource."""
    return KeyList(("acls",), image.acls.entries)


def hosts_of(image: MetadataImage) -> KeyList:
    """List hosts that have a broker id."""
    return KeyList(("broker_hosts",), image.broker_hosts.ids)


def tokens_of(image: MetadataImage) -> KeyList:
    """List delegation tokens, by id."""
    return KeyList(("delegation_tokens",), image.delegation_tokens.tokens)
