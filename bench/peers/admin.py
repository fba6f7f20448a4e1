"""Kafka's own admin client (Java), at the controllers of kraftpy and of Kafka alike (KIP-919): the form ``admin``.

It is a client that neither of them wrote for a benchmark: it finds the active controller by itself, and has one request
under way on a connection. So each request in flight has an admin client of its own, :data:`CLIENTS_MAX` at most; the
others wait in the queues of these.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from bench.peers.javatool import java_tool
from bench.peers.loadtool import arguments_of, run_tool
from bench.peers.writes_file import FILE_NAME, write_file
from bench.work import Address, Measuring, Outcome, SkippedError, Work
from tests.interop.jars import NoKafkaError, fetch

CLIENTS_MAX: Final = 64
SOURCE: Final = Path(__file__).parent / "adminload" / "AdminLoad.java"
HEAP: Final = "1g"
IN_FILE: Final = frozenset({"total", "value-bytes"})
"""Arguments of other tools; here, the file says what is written."""


def tool() -> tuple[str, ...]:
    """Return the beginning of the load tool's command line; build it when it is older than its source.

    Raises:
        SkippedError: there is no Java, no compiler, or no Kafka.
    """
    try:
        jars = fetch()
    except NoKafkaError as error:
        raise SkippedError(str(error)) from error
    classes = java_tool(SOURCE, jars.classpath)
    return ("java", f"-Xmx{HEAP}", "-cp", f"{jars.classpath}:{classes}", "AdminLoad")


async def run_admin(controllers: Iterable[Address], work: Work, measuring: Measuring) -> Outcome:
    """Do the work through admin clients that know all controllers.

    Raises:
        SkippedError: there is no such client here, or the work is a load with a total.
        RuntimeError: the tool failed.
    """
    if work.total:
        raise SkippedError("Kafka's admin client writes for a time, not a number of records")
    program = tool()
    arguments = {name: value for name, value in arguments_of(work).items() if name not in IN_FILE}
    arguments["endpoints"] = ",".join(f"{host}:{port}" for host, port in controllers)
    arguments["connections"] = str(CLIENTS_MAX)
    with tempfile.TemporaryDirectory(prefix="kraftpy-bench-") as directory:
        file = Path(directory) / FILE_NAME
        write_file(file, work)
        arguments["writes"] = str(file)
        return await run_tool([*program, *(f"{name}={value}" for name, value in arguments.items())], measuring)
