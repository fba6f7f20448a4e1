"""The lean client's ready-made frames say the same as messages built by the library."""

from __future__ import annotations

from bench.work import NAMES, Work
from bench.writes import Frames, alike, changes, finished, frame, is_acknowledged, message, name_of, value_of
from kraftpy.pb.v1 import session_pb2


def parsed(data: bytes):
    (request,) = session_pb2.RequestBatch.FromString(data).requests
    return request


def test_a_frame_is_a_whole_request_with_an_id_for_repeating():
    """The appended id is merged into the options; nothing else changes."""
    request = parsed(finished(frame(300, message(5, 2, alike("v" * 300)))))
    assert request.id == 300
    assert len(request.incremental_alter_configs.options.request_id) == 16
    rows = request.incremental_alter_configs.resources
    assert [(row.resource.name, row.alterations[0].value) for row in rows] == [
        (name_of(5), "v" * 300),
        (name_of(6), "v" * 300),
    ]


def test_frames_follow_one_another_in_a_message():
    """A message is the frames, one after the other."""
    data = finished(frame(1, message(0, 1, alike("a")))) + finished(frame(2, message(1, 1, alike("b"))))
    assert [one.id for one in session_pb2.RequestBatch.FromString(data).requests] == [1, 2]


def test_every_frame_has_an_id_of_its_own():
    """A slot's frames come round again, their request ids never do: else the service would answer from memory."""
    frames = Frames(Work(in_flight=1_000), 1_000)
    ids = {parsed(frames.next(0)).incremental_alter_configs.options.request_id for _ in range(50)}
    assert len(ids) == 50


def test_every_frame_changes_a_value():
    """In one slot's cycle no write sets the value that is there already, for that would append nothing."""
    frames = Frames(Work(in_flight=16, batch=128, value_bytes=100), 16)
    state: dict[str, str] = {}
    for _ in range(20):
        for row in parsed(frames.next(3)).incremental_alter_configs.resources:
            assert state.get(row.resource.name) != row.alterations[0].value
            state[row.resource.name] = row.alterations[0].value


def test_a_run_writes_no_value_that_another_wrote():
    """The second run of the same work finds its own values there, and its writes append nothing."""
    first, second = (Frames(Work(in_flight=1), 1) for _ in range(2))
    values = [
        {parsed(frames.next(0)).incremental_alter_configs.resources[0].alterations[0].value for _ in range(9_000)}
        for frames in (first, second)
    ]
    assert [len(each) for each in values] == [2, 2]
    assert not values[0] & values[1]


def test_slots_share_no_name():
    """Two requests in flight never write the same resource."""
    frames = Frames(Work(in_flight=16, batch=128), 16)
    names = [
        {row.resource.name for _ in range(4) for row in parsed(frames.next(slot)).incremental_alter_configs.resources}
        for slot in range(16)
    ]
    assert sum(map(len, names)) == len(set().union(*names)) <= NAMES


def test_a_load_writes_each_name_once():
    """A load of 1,000 records in batches of 128 ends with a batch of 104."""
    batches = [changes(serial, Work(batch=128, total=1_000)) for serial in range(8)]
    assert [len(batch) for batch in batches] == [128] * 7 + [104]
    assert {resource.name for batch in batches for resource in batch} == {name_of(index) for index in range(1_000)}


def test_values_have_their_size():
    """A value has as many bytes as asked for, and differs from its neighbour's."""
    assert len(value_of(3, 256)) == 256
    assert value_of(3, 256) != value_of(4, 256)


def test_the_public_clients_requests_stay_within_the_names():
    """Serial numbers wrap around, and a batch never holds a name twice."""
    for serial in (0, 31, 32, 1_000_000):
        assert len(changes(serial, Work(batch=128))) == 128


def test_a_refused_record_is_no_acknowledgement():
    """One resource with an error, or an error of the whole call, is not counted as written."""
    good = session_pb2.Response(id=1)
    good.incremental_alter_configs.results.add()
    assert is_acknowledged(good)
    partly = session_pb2.Response(id=1)
    partly.incremental_alter_configs.results.add().error.code = 40
    assert not is_acknowledged(partly)
    refused = session_pb2.Response(id=1)
    refused.error.code = 41
    assert not is_acknowledged(refused)
