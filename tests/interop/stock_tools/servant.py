"""The JVM that runs Kafka's tools one after the other."""

from __future__ import annotations

import base64
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from tests.interop.cluster import jvm
from tests.interop.jars import Jars

SOURCE = Path(__file__).with_name("StockTools.java")
LOG4J = Path(__file__).parents[1] / "log4j2.properties"


@dataclass(frozen=True, slots=True)
class Output:
    """What a tool came to: its exit code, or ``none`` if it did not end, and what it printed."""

    code: str
    out: str
    err: str


class Servant:
    """A context with the JVM in it."""

    def __init__(self, jars: Jars, directory: Path, brokers: str) -> None:
        # Some tools give their shutdown hooks to the JVM, which has to hand them over.
        options = (f"-Dlog4j2.configurationFile={LOG4J}", "--add-opens", "java.base/java.lang=ALL-UNNAMED")
        jar = str(jars.jar("kafka-tools"))
        command = [*jvm(jars), *options, "-cp", jars.classpath, str(SOURCE), jar, brokers]
        self._log = (directory / "tools.log").open("ab")
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, text=True, start_new_session=True
        )

    def __enter__(self) -> Self:
        try:
            ready = self._line()
            assert ready == "ready", ready
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()
        self._log.close()

    def call(self, main: str, arguments: Sequence[str], stdin: str = "") -> Output:
        """Run a tool to its end."""
        code, out, err = self._ask(main, base64.b64encode(stdin.encode()).decode(), *arguments).split("\t")
        return Output(code, *(base64.b64decode(each).decode() for each in (out, err)))

    def settle(self) -> None:
        """Wait until every broker that lives has read what the controllers have decided."""
        answer = self._ask("settle")
        assert answer == "settled", answer

    def _ask(self, *words: str) -> str:
        assert self._process.stdin is not None
        assert not any("\t" in word or "\n" in word for word in words), words
        self._process.stdin.write("\t".join(words) + "\n")
        self._process.stdin.flush()
        return self._line()

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, f"the JVM of the tools ended; its errors are in {self._log.name}"
        return line.rstrip("\n")
