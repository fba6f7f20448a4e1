"""Print what a quorum commits, and continue after a break where the last run ended.

    python docs/examples/follow_a_quorum.py 127.0.0.1:9193 [OFFSET_FILE]

Two kinds of breaks have two answers. When the connection breaks, the client reconnects and continues at the next offset
by itself. When this program ends, the next offset is lost with it, so it is kept in OFFSET_FILE. Ctrl-C ends it.
"""

import asyncio
import sys
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path

from kraftpy.client import AsyncClient, SnapshotBegins, SnapshotEnds, SnapshotPart, WatchedBatch, WatchEvent


async def main(address: str, offset_file: Path) -> None:
    """Follow the log from the stored offset on."""
    start = load_offset(offset_file)
    print(f"following {address} from offset {start}", flush=True)
    # `aclosing` ends the watch before the client, also when Ctrl-C breaks the loop.
    async with AsyncClient([address]) as client, aclosing(client.watch(start, include_json=True)) as events:
        async for event in events:
            handle(event, lambda offset: store_offset(offset_file, offset))


def handle(event: WatchEvent, store: Callable[[int], None]) -> None:
    """Print one event, then store the offset to continue at.

    In this order a crash between the two repeats an event and never skips one.
    """
    match event:
        case WatchedBatch():
            # A control batch is the quorum's own, such as one that announces a new leader; it has no JSON.
            for record in event.json or ["control batch"]:
                print(f"{event.base_offset}-{event.last_offset} epoch {event.epoch}: {record}", flush=True)
            store(event.last_offset + 1)
        # The next three come when the log no longer contains the offset: a snapshot has replaced it.
        case SnapshotBegins():
            print(f"discard the state: a snapshot of everything before {event.end_offset} follows", flush=True)
        case SnapshotPart():
            for record in event.json:
                print(f"snapshot: {record}", flush=True)
        case SnapshotEnds():
            print(f"the snapshot is complete; the log continues at {event.end_offset}", flush=True)
            store(event.end_offset)


def load_offset(path: Path) -> int:
    """Return the stored offset, or 0, the start of the log, when there is none."""
    return int(path.read_text(encoding="ascii")) if path.exists() else 0


def store_offset(path: Path, offset: int) -> None:
    """Replace the file in one step, so that a crash leaves the old offset or the new one."""
    temporary = path.with_name(path.name + ".tmp")
    temporary.write_text(str(offset), encoding="ascii")
    temporary.replace(path)


if __name__ == "__main__":
    if len(sys.argv) not in {2, 3}:
        sys.exit(__doc__)
    try:
        asyncio.run(main(sys.argv[1], Path(sys.argv[2] if len(sys.argv) == 3 else "next-offset")))
    except KeyboardInterrupt:
        sys.exit(130)
