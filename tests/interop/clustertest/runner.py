"""Run suites of Kafka's in a JVM with our kit before the jars, and read JUnit's reports."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.interop.clustertest.core_suites import has_flaky_tests
from tests.interop.clustertest.results import Method, Suites
from tests.interop.clustertest.suites import builds_clusters
from tests.interop.jars import Jars

JAVA = Path(__file__).with_name("java")
CORE_JAVA = Path(__file__).with_name("core")
ROOT = Path(__file__).resolve().parents[3]
LOG4J = Path(__file__).with_name("log4j2.properties")
OPENED = (
    *(f"java.base/java.{name}" for name in ("io", "lang", "nio", "nio.file", "util", "util.concurrent", "util.regex")),
    *(f"java.base/java.{name}" for name in ("util.stream", "text", "time")),
    "java.security.jgss/sun.security.krb5",
)
"""What Kafka's build opens to its tests; the key distribution centre needs the last one."""

JVM = (
    *("-Xmx1g", "-Xss4m", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Djava.awt.headless=true"),
    *(f"--add-opens={package}=ALL-UNNAMED" for package in OPENED),
)
FIRST_COMPILER = "-XX:TieredStopAtLevel=1"
"""Starts faster, but the other compiler alone makes keys for RSA in less than many seconds."""

LAUNCHER = "org.junit.platform.console.ConsoleLauncher"
COMPILE_TIMEOUT_S = 300
REASON_CHARS = 200
REPORT = "TEST-junit-jupiter.xml"
EVERY_TEST = "every test"
FLAKY = "has only tests that Kafka marks as flaky, which its own runner leaves out"
UNIQUE_ID = re.compile(r"unique-id: (.+)")
KNOWN_AS = re.compile(r"\[class:(?P<suite>[^]]+)\]/\[(?P<kind>[a-z-]+):(?P<method>\w+)")
TROUBLE = re.compile(r"^(FAILED: .*|Traceback .*)$", re.MULTILINE)


class RunError(Exception):
    """A run that gave no results; the text has the reason."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run of one method: JUnit's id for it, and what came of it."""

    unique_id: str
    outcome: str
    reason: str = ""

    @property
    def place(self) -> tuple[str, str]:
        """The class and the method."""
        match = KNOWN_AS.search(self.unique_id)
        assert match is not None, self.unique_id
        return match["suite"], match["method"]


class Judge:
    """The compiled kit, and runs with it; each leaves its output in a directory of its own."""

    jvm: Sequence[str] = (*JVM, FIRST_COMPILER)

    def __init__(self, jars: Jars, root: Path) -> None:
        self.jars = jars
        self.root = root
        self.classpath = self._compiled(JAVA, jars.classpath)

    def _compiled(self, java: Path, classpath: str) -> str:
        """Compile a directory of sources; return a classpath on which they come first."""
        classes = self.root / f"classes-{java.name}"
        sources = [str(path) for path in sorted(java.rglob("*.java"))]
        command = ["javac", "-nowarn", "-proc:none", "-d", str(classes), "-cp", classpath, *sources]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=COMPILE_TIMEOUT_S)
        if done.returncode != 0:
            raise RunError(f"the kit does not compile: {done.stderr}")
        return f"{classes}:{classpath}"

    def judge(self, suites: Sequence[str], *, timeout_s: float) -> tuple[Suites, list[str]]:
        """Run whole classes; what fails is run once more, without the others.

        Returns:
            The results, and the lines in which controllers say what went wrong with themselves.
        """
        options = [f"--select-class={name}" for name in suites]
        first, trouble = self._run(options, timeout_s)
        failed = [run for run in first if run.outcome == "failed"]
        second: dict[str, Run] = {}
        if failed:
            again, more = self._run([f"--select-unique-id={run.unique_id}" for run in failed], timeout_s)
            second = {one.unique_id: one for one in again}
            trouble += more
        results: Suites = {name: {} for name in suites}
        for name in results.keys() - {run.place[0] for run in first}:
            if not has_flaky_tests(self.jars, name):
                raise RunError(f"{name}: no test ran; see {self.root}")
            results[name][EVERY_TEST] = Method(aborted=Counter({FLAKY: 1}))
        for run in first:
            suite, name = run.place
            method = results[suite].setdefault(name, Method())
            last = second.get(run.unique_id, run)
            if last.outcome == "passed":
                method.passed += 1
                method.again += run.outcome == "failed"
            else:
                (method.failed if last.outcome == "failed" else method.aborted)[last.reason] += 1
        return results, trouble

    def _run(self, selected: Sequence[str], timeout_s: float) -> tuple[list[Run], list[str]]:
        directory = Path(tempfile.mkdtemp(prefix="run-", dir=self.root))
        logs = directory / "controllers"
        logs.mkdir()
        command = ["java", *self.jvm, f"-Dlog4j2.configurationFile={LOG4J}", f"-Djava.io.tmpdir={directory}"]
        command += [f"-Dkraftpy.python={sys.executable}", f"-Dkraftpy.logs={logs}"]
        command += ["-Djunit.jupiter.extensions.autodetection.enabled=true"]
        command += ["-cp", self.classpath, LAUNCHER, "execute", *selected]
        command += ["--include-engine=junit-jupiter", f"--reports-dir={directory}", "--disable-banner"]
        output = directory / "output"
        with output.open("wb") as out:
            process = subprocess.Popen(command, stdout=out, stderr=out, cwd=ROOT, start_new_session=True)
        try:
            process.wait(timeout_s)
        except subprocess.TimeoutExpired as error:
            raise RunError(f"{' '.join(selected)}: not within {timeout_s:.0f} s; see {output}") from error
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        report = directory / REPORT
        if not report.is_file():
            raise RunError(f"{' '.join(selected)}: no report; see {output}")
        runs = list(self._read(report))
        trouble = [
            f"{log}: {line}"
            for log in sorted(logs.iterdir())
            for line in TROUBLE.findall(log.read_text(encoding="utf-8", errors="replace"))
        ]
        return runs, trouble

    def _read(self, report: Path) -> Iterator[Run]:
        return read_report(report, lambda suite: builds_clusters(self.jars, suite))


class CoreJudge(Judge):
    """The same for the suites of Kafka's core, where ``ControllerServer`` comes before Kafka's own; many use TLS."""

    jvm = JVM

    def __init__(self, jars: Jars, root: Path) -> None:
        super().__init__(jars, root)
        self.classpath = self._compiled(CORE_JAVA, self.classpath)

    def _read(self, report: Path) -> Iterator[Run]:
        """Every test of such a class starts a cluster."""
        return read_all(report)


def read_all(report: Path) -> Iterator[Run]:
    """Yield the runs in a report of JUnit's."""
    yield from map(_read_case, ET.parse(report).getroot().iter("testcase"))


def read_report(report: Path, builds_clusters: Callable[[str], bool] = lambda suite: False) -> Iterator[Run]:
    """Yield the runs in a report of JUnit's; not those of tests that start no cluster, where a class has both.

    Args:
        report: the file.
        builds_clusters: whether a class builds clusters in its methods; then all of its runs count.
    """
    runs = list(read_all(report))
    clusters = {run.place[0] for run in runs if "[test-template:" in run.unique_id}
    clusters = {suite for suite in clusters if not builds_clusters(suite)}
    for run in runs:
        if run.place[0] not in clusters or "[test-template:" in run.unique_id:
            yield run


def _read_case(case: ET.Element) -> Run:
    texts = "".join(one.text or "" for one in case.iter("system-out"))
    match = UNIQUE_ID.search(texts)
    assert match is not None, case.get("name")
    for tag, outcome in (("failure", "failed"), ("error", "failed"), ("skipped", "aborted")):
        found = case.find(tag)
        if found is not None:
            return Run(match[1].strip(), outcome, _reason(found))
    return Run(match[1].strip(), "passed")


def _reason(found: ET.Element) -> str:
    """Return the first line of a throwable, without the class of an abort."""
    first = (found.text or found.get("message") or found.get("type") or "").strip().partition("\n")[0]
    return first.removeprefix("org.opentest4j.TestAbortedException: ")[:REASON_CHARS]
