"""A real HDFS on loopback, out of Hadoop's jars, and what its client needs.

The jars come from maven, as Kafka's do (``hadoop.xml`` names the version). The client's library, ``libhdfs.so``, comes
with Hadoop's distribution alone: it is taken where pyarrow would look for it.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Self

import pyspark

from tests.interop.cluster import JVM
from tests.interop.jars import check_java, resolve

POM = Path(__file__).with_name("hadoop.xml")
LAST = "hadoop-client-minicluster"
LIBRARY = "libhdfs.so"
CLIENT_JARS = Path(pyspark.__file__).parent / "jars" / "*"
"""PySpark brings Hadoop's client, which is all that libhdfs asks for."""


def library_directory() -> Path | None:
    """Where the client's library is, if it is anywhere."""
    named = os.environ.get("ARROW_LIBHDFS_DIR"), os.environ.get("HADOOP_HOME")
    places = [Path(named[0])] if named[0] else []
    places += [Path(named[1], "lib", "native")] if named[1] else []
    return next((place for place in places if (place / LIBRARY).is_file()), None)


def fetch() -> Path:
    """Return the directory of Hadoop's jars, fetching them if the cache has none.

    Raises:
        NoKafkaError: java or maven is missing, or maven could not resolve the jars.
    """
    check_java()
    found = re.search(r"<hadoop\.version>([^<]+)<", POM.read_text(encoding="utf-8"))
    assert found is not None, POM
    cache = Path(os.environ.get("KRAFTPY_INTEROP_JARS", "~/.cache/kraftpy/interop")).expanduser()
    directory, last = cache / f"hadoop-{found[1]}", f"{LAST}-{found[1]}.jar"
    if not (directory / last).is_file():
        resolve(POM, directory, last, "Hadoop")
    return directory


class MiniHdfs:
    """A name node and a data node in one JVM.

    Attributes:
        uri: its address.
    """

    def __init__(self, jars: Path, directory: Path) -> None:
        source = Path(__file__).with_name("MiniHdfs.java")
        self._log_file = directory / "hdfs.log"
        self._log = self._log_file.open("ab")
        command = ["java", *JVM, "-cp", f"{jars}/*", str(source), str(directory / "hdfs")]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, text=True, start_new_session=True
        )
        self.uri = self._line()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()
        self._log.close()

    def ask(self, command: str) -> int:
        """Carry out a command, and return how many bytes of files were read since the start."""
        assert self._process.stdin is not None
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()
        return int(self._line())

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline().strip()
        assert line, self._log_file.read_text(encoding="utf-8", errors="replace")[-6_000:]
        return line
