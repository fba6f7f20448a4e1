"""franz-go's own tests of its client, unmodified, with a stock broker on controllers of ours.

``go.mod`` and ``go.sum`` pin the module; Go fetches it and compiles its tests. All that speak to a cluster are run:
they are recognized by the helpers that they call.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.interop.client_cluster import ClientCluster
from tests.interop.cluster import java

MODULE = Path(__file__).parent
PACKAGE = "github.com/twmb/franz-go/pkg/kgo"
FETCH_TIMEOUT_S = 300
COMPILE_TIMEOUT_S = 1_200
RUN_TIMEOUT_S = 600
RECORDS = 3_000
"""franz-go's default is 500,000, for each of a dozen pipelines."""

USER, PASSWORD = "franz", "secret"
"""The user of the tests of SCRAM."""

TEST = re.compile(r"^func (Test\w+)\(t \*testing\.T\) \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
SPEAKS_TO_A_CLUSTER = re.compile(
    r"\b(newTestClient|testClientOpts|getSeedBrokers|tmpTopic\w*|adm|scramSeeds|oauthSeeds)\b"
)
PRINTED = re.compile(r"^ +\w+_test\.go:\d+: (.*)")
CLEANING_UP = re.compile(r"FAILED TESTING|(?:unable to )?delet(?:e|ing) ")
"""What tests print after the reason why they failed."""

OUTCOMES = {"pass": "passed", "fail": "failed", "skip": "skipped"}
REASON_CHARS = 200


class NoFranzGoError(Exception):
    """franz-go's tests cannot be had on this machine; the text is the reason."""


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one test, and what it printed when it did not pass."""

    outcome: str
    reason: str = ""


Results = dict[str, Result]


class RunError(Exception):
    """A run that gave no results; the text has the reason."""


def version() -> str:
    """Return the version of franz-go that is pinned."""
    match = re.search(r"^require github\.com/twmb/franz-go (v\S+)$", (MODULE / "go.mod").read_text(), re.MULTILINE)
    assert match is not None, MODULE
    return match[1]


def fetch() -> Path:
    """Return the directory of the package's sources; the module is downloaded if Go does not have it.

    Raises:
        NoFranzGoError: there is no Go, it is too old, or it could not download the module.
    """
    if shutil.which("go") is None:
        raise NoFranzGoError("no go on the PATH: franz-go's tests are compiled by it")
    try:
        done = go("mod", "download", timeout_s=FETCH_TIMEOUT_S)
        if done.returncode == 0:
            done = go("list", "-f", "{{.Dir}}", PACKAGE, timeout_s=FETCH_TIMEOUT_S)
    except subprocess.TimeoutExpired as error:
        raise NoFranzGoError(f"go did not download franz-go within {FETCH_TIMEOUT_S} s") from error
    if done.returncode != 0:
        raise NoFranzGoError(f"go could not download franz-go: {done.stderr.strip()[-300:]}")
    return Path(done.stdout.strip())


def compiled(into: Path) -> Path:
    """Compile the package's tests; return the program."""
    program = into / "kgo.test"
    done = go("test", "-c", "-o", str(program), PACKAGE, timeout_s=COMPILE_TIMEOUT_S)
    if done.returncode != 0:
        raise RunError(f"go could not compile {PACKAGE}: {done.stderr[-2000:]}")
    return program


def go(*words: str, timeout_s: int) -> subprocess.CompletedProcess[str]:
    """Run Go in our module; it must neither change the pins nor fetch another Go."""
    environment = {**os.environ, "GOTOOLCHAIN": "local", "GOFLAGS": "-mod=readonly", "GOWORK": "off"}
    try:
        return subprocess.run(
            ["go", *words], cwd=MODULE, env=environment, capture_output=True, text=True, check=False, timeout=timeout_s
        )
    except subprocess.TimeoutExpired as late:
        raise RunError(f"go {words[0]} did not end within {timeout_s} s") from late


def tests_with_a_cluster(sources: Path) -> list[str]:
    """Return the names of the tests that speak to a cluster, out of the package's sources."""
    texts = (path.read_text(encoding="utf-8") for path in sorted(sources.glob("*_test.go")))
    return sorted(name for text in texts for name, body in TEST.findall(text) if SPEAKS_TO_A_CLUSTER.search(body))


def judge(cluster: ClientCluster, program: Path, tests: Iterable[str], log: Path) -> Results:
    """Run tests against a cluster; return what came of each, and of its parts, by name.

    Raises:
        RunError: the run ended before its last test.
    """
    environment = {
        **os.environ,
        "KGO_SEEDS": cluster.plain,
        "KGO_TEST_RF": "1",
        "KGO_TEST_RECORDS": str(RECORDS),
        "KGO_TEST_SCRAM": f"{USER}:{PASSWORD}",
        "KGO_TEST_SCRAM_SEEDS": cluster.sasl,
        "KGO_LOG_LEVEL": "none",
    }
    wanted = sorted(tests)
    run = f"^({'|'.join(wanted)})$"
    options = ["-test.v=test2json", "-test.run", run, "-test.timeout", f"{RUN_TIMEOUT_S}s"]
    command = ["go", "tool", "test2json", "-p", PACKAGE, str(program), *options]
    with log.open("w", encoding="utf-8") as output:
        subprocess.run(
            command, cwd=log.parent, env=environment, stdout=output, stderr=subprocess.STDOUT, check=False,
            timeout=RUN_TIMEOUT_S + 60,
        )  # fmt: skip
    results = read_events(log.read_text(encoding="utf-8").splitlines())
    missing = [name for name in wanted if name not in results]
    if missing:
        raise RunError(f"{', '.join(missing)}: no result; see {log}")
    return results


def failed(results: Mapping[str, Result]) -> list[str]:
    """Return the names of the tests that failed; a part of one is not run without the rest."""
    return sorted(name for name, one in results.items() if one.outcome == "failed" and "/" not in name)


def again(first: Result | None, second: Result) -> Result:
    """Return the result of a test that was run twice: a failure that does not repeat keeps its reason."""
    if first is not None and (first.outcome, second.outcome) == ("failed", "passed"):
        return Result("again", first.reason)
    return second


def add_user(cluster: ClientCluster) -> None:
    """Add the user of the tests of SCRAM, by Kafka's tool."""
    done = java(
        cluster.quorum.jars, "kafka.admin.ConfigCommand", "--bootstrap-server", cluster.plain, "--alter",
        "--entity-type", "users", "--entity-name", USER, "--add-config", f"SCRAM-SHA-256=[password={PASSWORD}]",
    )  # fmt: skip
    if done.returncode != 0:
        raise RunError(f"no user could be added: {done.stdout}{done.stderr}")


def read_events(lines: Iterable[str]) -> Results:
    """Read what ``go tool test2json`` prints."""
    printed: dict[str, str] = {}
    results: Results = {}
    for event in events(lines):
        name = event.get("Test")
        action = event["Action"]
        if name is None:
            continue
        if action == "output" and (match := PRINTED.match(event["Output"])) and not CLEANING_UP.match(match[1]):
            printed[name] = match[1]
        elif action in OUTCOMES:
            reason = "" if action == "pass" else printed.get(name, "")[:REASON_CHARS]
            results[name] = Result(OUTCOMES[action], reason)
    return results


def events(lines: Iterable[str]) -> Iterator[dict[str, str]]:
    """Yield the events; what a test prints by itself may be between them."""
    for line in lines:
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if isinstance(event, dict) and "Action" in event:
            yield event
