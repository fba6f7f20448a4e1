"""How a driver's ``run`` ends, of itself alone: whatever ended before it or around it is none of its business.

``test_driver.py`` does not run on the compiled form; this does, and there it once was otherwise (mypyc issue 1114).
"""

from __future__ import annotations

import asyncio
import sys

import pytest

from kraftpy.model.errors import StorageError, SyncFailedError
from tests.fakes.filesystem import SimulatedFileSystem
from tests.unit.runtime.parts import LoneController


async def until(condition):
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110 - a condition of plain values
            await asyncio.sleep(0)


async def begun(controller):
    """Let a controller's driver run until it waits for something to do."""
    running = asyncio.create_task(controller.driver.run())
    await until(lambda: controller.host.controller.active and not len(controller.driver.inbox))
    return running


async def handled_by_the_thread():
    """Return the exception that is being handled at the bottom of the loop, where none should be."""
    found = asyncio.get_running_loop().create_future()
    asyncio.get_running_loop().call_soon(lambda: found.set_result(sys.exc_info()[1]))
    return await found


def unwritten(_now_ms):
    raise StorageError("no room")


async def cancelled(controller):
    running = await begun(controller)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def failed(controller):
    running = await begun(controller)
    controller.driver.inbox.put_nowait(unwritten)
    with pytest.raises(StorageError, match="no room"):
        await running


@pytest.mark.parametrize("end", [cancelled, failed])
async def test_a_driver_ends_in_order_after_another_one_did_not(end):
    """Two nodes of one process: what ended the first leaves nothing behind, and the second stops without an error."""
    await end(LoneController())
    assert await handled_by_the_thread() is None
    second = LoneController()
    running = await begun(second)
    second.driver.stop()
    await running


async def test_a_driver_ends_in_order_where_an_error_is_handled():
    """A node that is run again by the handler of the error of the one before."""
    controller = LoneController()
    controller.driver.stop()
    try:
        unwritten(0)
    except StorageError as error:
        await controller.driver.run()
        assert sys.exc_info()[1] is error  # noqa: PT017 - that it is still the one that is handled


@pytest.mark.parametrize("impatient", [False, True])
async def test_an_error_is_heard_of_although_the_disk_is_waited_for(impatient):
    """The driver fails while the thread is at work: others run meanwhile, and the error comes when the job is done."""
    controller = LoneController()
    running = await begun(controller)
    controller.lane.slow = True
    controller.lane.put(lambda: None, lambda _: None)
    controller.driver.inbox.put_nowait(unwritten)
    await until(lambda: controller.driver._failed)
    await asyncio.sleep(0)
    assert await handled_by_the_thread() is None
    assert not running.done()
    if impatient:
        running.cancel()
        await asyncio.wait([running])
        assert running.cancelled()
        return
    controller.lane.complete()
    with pytest.raises(StorageError, match="no room"):
        await running
    assert controller.lane.closed


async def test_a_stop_waits_for_the_last_word_of_the_disk():
    """What was committed is written down last of all, on a slow disk, too; and that it could not be is heard of."""
    fs = SimulatedFileSystem()
    controller = LoneController(fs=fs)
    running = await begun(controller)
    controller.lane.slow = True
    controller.driver.stop()
    await until(lambda: controller.lane.handed_over)
    assert not running.done()
    fs.failing_syncs.add("*")
    controller.lane.complete()
    with pytest.raises(SyncFailedError):
        await running
