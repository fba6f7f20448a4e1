"""How long one single-key config request takes: decide, encode, append, commit.

Run: python bench/micro_controller.py [requests]
"""

import gc
import sys
import time
from dataclasses import replace

from kraftpy.controller.config import ControllerConfig
from kraftpy.controller.controller import Controller
from kraftpy.controller.requests import AlterOp, ConfigAlteration, ConfigResource, IncrementalAlterConfigs, ResourceType
from kraftpy.image.image import EMPTY

WINDOW = 256
"""How many results wait for their commit at a time."""


class OneUuid:
    def next(self) -> bytes:
        return bytes(range(16))


def active_controller() -> Controller:
    controller = Controller(config=ControllerConfig(), node_id=1, uuids=OneUuid())
    result = controller.activate(
        now_ms=0, epoch=1, image=EMPTY, next_offset=1, cluster_id=None, bootstrap=None, open_transaction=False
    )
    controller.appended(result, len(result.records), 1)
    return controller


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    controller = active_controller()
    resource = ConfigResource(ResourceType.BROKER, "")
    requests = [
        IncrementalAlterConfigs(
            resources=((resource, (ConfigAlteration(f"key-{i % 10_000}", AlterOp.SET, f"{i:0256d}"),)),)
        )
        for i in range(count)
    ]
    gc.freeze()
    spent = {"decide": 0.0, "encode": 0.0, "appended": 0.0, "committed": 0.0}
    offset = controller.next_offset - 1
    clock = time.perf_counter
    begin = clock()
    for number, request in enumerate(requests):
        t0 = clock()
        result = controller.decide(number, request)
        t1 = clock()
        controller.encode(result)
        t2 = clock()
        offset += 1
        controller.appended(result, offset, 1)
        t3 = clock()
        if number % WINDOW == WINDOW - 1:
            controller.committed(offset, replace(controller.image))
        t4 = clock()
        spent["decide"] += t1 - t0
        spent["encode"] += t2 - t1
        spent["appended"] += t3 - t2
        spent["committed"] += t4 - t3
    total = clock() - begin
    print(f"{count} requests of one key, Python {sys.version.split()[0]}")
    for step, seconds in spent.items():
        print(f"{step:10} {seconds / count * 1e6:6.2f} us")
    print(f"{'all':10} {total / count * 1e6:6.2f} us, {count / total:,.0f} requests/s")


if __name__ == "__main__":
    main()
