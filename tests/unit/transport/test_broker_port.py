"""A broker's own listener is no way into the quorum."""

from __future__ import annotations

from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.model.voters import ReplicaKey
from kraftpy.raft import messages as m
from kraftpy.records.rpc import encode_request
from kraftpy.transport.kafka.framing import frame
from kraftpy.transport.kafka.translate import BY_REQUEST
from tests.requirements.nodes import free_ports, lab, until
from tests.unit.transport.conftest import connect, read_to_end


async def test_a_vote_asked_at_a_brokers_listener_is_not_heard(tmp_path):
    """Tokens are counted per listener: an answer to one of a broker's would go to a peer of the controller's."""
    async with lab(tmp_path) as place:
        voters = place.quorum(1)
        port = free_ports(1)[0]
        controller_port = voters.rpartition(":")[2]
        path = place.controller(
            voters,
            process_roles="broker,controller",
            listeners=f"CONTROLLER://127.0.0.1:{controller_port},PLAINTEXT://127.0.0.1:{port}",
        )
        running = place.start(path)
        await until(lambda: running.leads, "the node leads")
        epoch = running.node.replica.epoch
        vote = m.VoteRequest(
            cluster_id=None,
            voter=None,
            candidate=ReplicaKey(2),
            epoch=epoch + 7,
            last=OffsetAndEpoch(epoch=epoch, offset=1_000),
        )
        api = BY_REQUEST[m.VoteRequest]
        async with connect(port) as (reader, writer):
            writer.write(frame(encode_request("peer", 1, api.request_to_wire(vote, 1), 1)))
            assert await read_to_end(reader) == b""
        assert running.node.replica.epoch == epoch
