"""Which quota applies to a user and a client id, and whose usage it limits.

The most specific one applies, alone. In this order, as in Kafka:

1. the user and the client id
2. the user, and the default of client ids
3. the user
4. the default of users, and the client id
5. the defaults of both
6. the default of users
7. the client id
8. the default of client ids

Where the quota names both types, the usage of each pair is counted by itself; where it names one, that of each user or
of each client id. So a default gives every user or client id a limit of its own.

Names are compared as they are. Kafka percent-encodes users first (``Sanitizer``), which equal names survive equal and
different names different, so the result is the same. The type of a principal does not count, only its name.

One difference: a client without a client id, or with an empty one, is under the quotas of the default client id here.
In Kafka no quota that names a client id applies to it, so that a client could escape by leaving its id out.

Source: Kafka ``ClientQuotaManager.DefaultQuotaCallback``; KIP-257.
"""

from __future__ import annotations

import hashlib
import math
from typing import Final, NamedTuple

from kraftpy.image.client_quotas import ClientQuotasImage, QuotaEntity

MUTATION_RATE: Final = "controller_mutation_rate"
REQUEST_PERCENTAGE: Final = "request_percentage"

NAME_CHARACTERS_MAX: Final = 256
"""How long a name may be that is remembered as it is; of a longer one its digest is."""

PRINCIPAL_SEPARATOR: Final = ":"


class QuotaClient(NamedTuple):
    """Who makes a request, as quotas see it: the name of a user, and the client id of the request's header."""

    user: str
    client_id: str = ""


class UsageKey(NamedTuple):
    """Whose usage is counted together; ``None`` where the quota does not name that type."""

    user: str | None
    client_id: str | None


class Quota(NamedTuple):
    """The limit that applies, and whose usage it limits."""

    limit: float
    key: UsageKey


def user_of(principal: str) -> str:
    """Return the name of a principal such as ``User:alice``."""
    return principal.partition(PRINCIPAL_SEPARATOR)[2] or principal


def resolve(quotas: ClientQuotasImage, key: str, client: QuotaClient) -> Quota | None:
    """Return the quota of a client for a key, such as :data:`MUTATION_RATE`; ``None`` when it has none."""
    if not quotas.entities:
        return None
    user, client_id = client
    for user_part, client_part in (((user,), (client_id,)), ((user,), (None,)), ((user,), ()),
                                   ((None,), (client_id,)), ((None,), (None,)), ((None,), ()),
                                   ((), (client_id,)), ((), (None,))):  # fmt: skip
        limit = quotas.of(_entity(user_part, client_part)).get(key)
        # No request sets what is not finite; a log may have it.
        if limit is not None and math.isfinite(limit):
            usage = UsageKey(_remembered(user) if user_part else None, _remembered(client_id) if client_part else None)
            return Quota(limit, usage)
    return None


def _entity(user: tuple[str | None, ...], client_id: tuple[str | None, ...]) -> QuotaEntity:
    return (*(("client-id", name) for name in client_id), *(("user", name) for name in user))


def _remembered(name: str) -> str:
    """Return a name, or the digest of a long one."""
    if len(name) <= NAME_CHARACTERS_MAX:
        return name
    return f"sha256:{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()}"
