"""Quotas and SCRAM credentials over the public API: what is read, what is answered, and what is refused."""

from __future__ import annotations

import pytest

from kraftpy.client import values as v
from kraftpy.client.async_client import AsyncClient
from kraftpy.controller import account_requests as r
from kraftpy.image.delta import MetadataDelta
from kraftpy.image.image import EMPTY
from kraftpy.image.provenance import Provenance
from kraftpy.image.scram import ScramUser
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.pb.v1 import admin_pb2, cluster_pb2, common_pb2
from kraftpy.records.metadata import ClientQuotaRecord, ClientQuotaRecordEntityData, UserScramCredentialRecord
from kraftpy.transport.grpc import account_reads, account_writes
from kraftpy.transport.grpc.orders import Orders
from kraftpy.transport.node_api import MetadataView
from tests.unit.transport.fake_backend import FakeBackend, serving

MIB = 1 << 20
ENTITIES = (
    {"client-id": "c"},
    {"client-id": "c", "user": "alice"},
    {"ip": "127.0.0.1"},
    {"user": None},
    {"user": "alice"},
)
SECRETS = (b"the salt", b"stored key", b"server key")


def image():
    delta = MetadataDelta(EMPTY)
    for entity in reversed(ENTITIES):
        pairs = [ClientQuotaRecordEntityData(kind, name) for kind, name in entity.items()]
        delta.replay(ClientQuotaRecord(entity=pairs, key="k", value=1.5, remove=False))
    for name, mechanism in (("bob", 2), ("bob", 1), ("alice", 1)):
        salt, stored, server = SECRETS
        delta.replay(
            UserScramCredentialRecord(
                name=name, mechanism=mechanism, salt=salt, stored_key=stored, server_key=server, iterations=5000
            )
        )
    return delta.apply(Provenance(7, 1, 0, batch_aligned=True))


def view():
    return MetadataView(7, 1, 0, image(), "cluster")


FILTERS = {
    "all": ({}, ENTITIES),
    "a name": ({"entity": {"user": "alice"}}, (ENTITIES[1], ENTITIES[4])),
    "a name, strict": ({"entity": {"user": "alice"}, "strict": True}, (ENTITIES[4],)),
    "the default": ({"entity": {"user": None}}, (ENTITIES[3],)),
    "any name": ({"any_name": ["client-id"]}, ENTITIES[:2]),
    "both": ({"entity": {"user": "alice"}, "any_name": ["client-id"], "strict": True}, (ENTITIES[1],)),
    "another type": ({"any_name": ["robot"]}, ()),
}


@pytest.mark.parametrize("case", FILTERS)
async def test_quotas_are_filtered_by_entity(case):
    """Filters match as those of Kafka's DescribeClientQuotas do."""
    asked, expected = FILTERS[case]
    backend = FakeBackend()
    backend.image = image()
    async with serving(backend) as server, AsyncClient([f"127.0.0.1:{server.port}"], timeout_s=10) as client:
        found = await client.describe_client_quotas(**asked)
    assert found.entities == tuple((entity, {"k": 1.5}) for entity in expected)


def test_credentials_are_listed_without_salts_and_keys():
    """Names, mechanisms and iterations are all that an answer has."""
    request = cluster_pb2.DescribeUserScramCredentialsRequest()
    answer = account_reads.describe_user_scram_credentials(request, view(), Orders(), MIB)
    shown = {row.user: [(one.mechanism, one.iterations) for one in row.credentials] for row in answer.users}
    assert list(shown.items()) == [("alice", [(1, 5000)]), ("bob", [(1, 5000), (2, 5000)])]
    assert not any(secret in answer.SerializeToString() for secret in SECRETS)
    request.users.extend(["bob", "nobody"])
    answer = account_reads.describe_user_scram_credentials(request, view(), Orders(), MIB)
    assert [row.user for row in answer.users] == ["bob"]


def test_reads_are_bounded():
    """A read that names too much is refused, and one item that is larger than an answer may be."""
    users = cluster_pb2.DescribeUserScramCredentialsRequest(users=["u"] * (account_reads.USERS_MAX + 1))
    with pytest.raises(ApiError, match=f"at most {account_reads.USERS_MAX} are allowed"):
        account_reads.describe_user_scram_credentials(users, view(), Orders(), MIB)
    twice = cluster_pb2.DescribeClientQuotasRequest(filters=[cluster_pb2.QuotaFilter(type="user")] * 2)
    with pytest.raises(ApiError, match="2 filters, at most 3 of different types"):
        account_reads.describe_client_quotas(twice, view(), Orders(), MIB)
    for describe, request in (
        (account_reads.describe_client_quotas, cluster_pb2.DescribeClientQuotasRequest()),
        (account_reads.describe_user_scram_credentials, cluster_pb2.DescribeUserScramCredentialsRequest()),
    ):
        with pytest.raises(ApiError, match="an answer may take 20: ") as refused:
            describe(request, view(), Orders(), 20)
        assert refused.value.code is ErrorCode.POLICY_VIOLATION


MANY = account_writes.ACCOUNTS_MAX + 1
REFUSED = {
    "entries": (admin_pb2.AlterClientQuotasRequest(entries=[admin_pb2.QuotaAlteration()] * MANY), f"{MANY} entries"),
    "changes": (
        admin_pb2.AlterClientQuotasRequest(
            entries=[admin_pb2.QuotaAlteration(changes=[admin_pb2.QuotaChange()] * MANY)]
        ),
        f"{MANY} changes",
    ),
    "parts": (
        admin_pb2.AlterClientQuotasRequest(
            entries=[admin_pb2.QuotaAlteration(entity=[common_pb2.QuotaEntityPart()] * 4)]
        ),
        "4 parts, at most 3",
    ),
    "credentials": (
        admin_pb2.AlterUserScramCredentialsRequest(
            deletions=[admin_pb2.ScramDeletion()] * (MANY - 1), upsertions=[admin_pb2.ScramUpsertion()]
        ),
        f"{MANY} deletions and upsertions",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused_at_the_gateway(case):
    """Each limit is named."""
    message, text = REFUSED[case]
    is_quotas = isinstance(message, admin_pb2.AlterClientQuotasRequest)
    decode = account_writes.alter_client_quotas if is_quotas else account_writes.alter_user_scram_credentials
    with pytest.raises(ApiError, match=text) as refused:
        decode(message)
    assert refused.value.code is ErrorCode.INVALID_REQUEST


async def test_the_client_asks_and_reads_outcomes():
    """Each argument of the client reaches the controller, and each outcome comes back; a secret is never shown."""
    backend = FakeBackend()
    new = v.NewScramCredential("u", v.ScramMechanism.SHA_512, 8192, b"salt", b"as good as a password")
    async with serving(backend) as server, AsyncClient([f"127.0.0.1:{server.port}"], timeout_s=10) as client:
        quotas = await client.alter_client_quotas(
            [({"user": None, "client-id": "c"}, {"a": 1.5, "b": None})], validate_only=True
        )
        scram = await client.alter_user_scram_credentials([new], deletions=[("w", v.ScramMechanism.SHA_256)])
    asked = [one.request for group in backend.groups for one in group]
    assert asked == [
        r.AlterClientQuotas(
            entries=(r.QuotaAlteration((("user", None), ("client-id", "c")), (("a", 1.5), ("b", None))),),
            validate_only=True,
        ),
        r.AlterUserScramCredentials(
            deletions=(ScramUser(1, "w"),),
            upsertions=(
                r.ScramUpsertion(
                    user=ScramUser(2, "u"), iterations=8192, salt=b"salt", salted_password=b"as good as a password"
                ),
            ),
        ),
    ]
    assert quotas.outcomes == (
        v.QuotaOutcome({"user": None, "client-id": "c"}),
        v.QuotaOutcome({"user": "u"}, ErrorCode.INVALID_REQUEST, "no"),
    )
    assert scram.outcomes == (v.ScramOutcome("u"), v.ScramOutcome("w", ErrorCode.RESOURCE_NOT_FOUND, "none"))
    assert "password" not in repr(new) + repr(asked[1])
