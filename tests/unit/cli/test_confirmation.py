"""What a user is asked before a change, and that no script is."""

from __future__ import annotations

import contextlib
import io

import pytest

from kraftpy.cli import connection
from kraftpy.cli.confirmation import NAMES_MAX, confirm, some_of
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.client.values import AclOutcome, TopicOutcome
from tests.fakes.terminal import run_on_terminal

C = ("-C", "localhost:9193")
REFUSED = "error: nothing was changed: the answer was not yes (--yes goes on without a question)\n"
ASKED = {
    ("topics", "delete", "--topic", "test-.*"): "Delete 2 topics with their data: test-1, test-2?",
    ("acls", "remove", "--operation", "Read", "--topic", "orders", "--transactional-id", "\x1b[0m"): (
        "Remove every entry, whatever its principal and operation, of topic orders, transactional id \\x1b[0m?"
    ),
    ("cluster", "unregister", "--id", "7"): "Remove the registration of broker 7?",
}
PLAIN = (
    ("topics", "delete", "--topic", "test-1"),
    ("topics", "delete", "--topic-id", "A" * 21 + "w"),
    ("acls", "remove", "--topic", "orders", "--allow-principal", "User:alice"),
    ("acls", "remove", "--topic", "orders", "--deny-principal", "User:alice"),
)


class FakeCluster:
    """Counts the changes that it is asked for, and the dry runs."""

    def __init__(self):
        self.changes = []

    def list_topics(self):
        return ["test-1", "test-2", "other"]

    def delete_topics(self, names, topic_ids, *, validate_only):
        del topic_ids
        self.changes.append(validate_only)
        return [TopicOutcome(name=name, topic_id=None) for name in names or ["test-1"]]

    def delete_acls(self, matches, *, validate_only):
        self.changes.append(validate_only)
        return [AclOutcome() for _ in matches]

    def unregister_broker(self, broker_id, *, validate_only):
        del broker_id
        self.changes.append(validate_only)


@pytest.fixture
def cluster(monkeypatch):
    fake = FakeCluster()
    monkeypatch.setattr(connection, "connect", lambda *_: contextlib.nullcontext(fake))
    return fake


@pytest.mark.parametrize("words", ASKED)
@pytest.mark.parametrize("answer", ["yes", " yes  "])
def test_a_user_who_answers_yes_gets_the_change(cluster, words, answer):
    ended = run_on_terminal(*words, *C, typed=f"{answer}\n")
    assert ended.exit_code == ExitCode.OK
    assert ended.printed.startswith(f"{ASKED[words]} Type yes to go on: ")
    assert cluster.changes == [False]


@pytest.mark.parametrize("words", ASKED)
@pytest.mark.parametrize("answer", ["", "y", "no", "yes, but", "YES", "\udcff", "yes" * 1_000])
def test_any_other_answer_changes_nothing(cluster, words, answer):
    ended = run_on_terminal(*words, *C, typed=f"{answer}\n")
    assert ended.exit_code == ExitCode.FAILURE
    assert ended.printed == f"{ASKED[words]} Type yes to go on: {REFUSED}"
    assert cluster.changes == []


@pytest.mark.parametrize("words", ASKED)
def test_a_script_and_who_decided_are_not_asked(run, cluster, words):
    assert "Type yes" not in run(*words, *C, stdin="no\n").output
    for option in ("--yes", "--dry-run"):
        ended = run_on_terminal(*words, *C, option)
        assert (ended.exit_code, "Type yes" in ended.printed) == (ExitCode.OK, False)
    assert cluster.changes == [False, False, True]


@pytest.mark.parametrize("words", PLAIN)
def test_what_the_command_line_shows_is_not_asked(cluster, words):
    ended = run_on_terminal(*words, *C)
    assert (ended.exit_code, "Type yes" in ended.printed) == (ExitCode.OK, False)
    assert cluster.changes == [False]


def test_no_question_is_asked_where_it_would_not_be_read(cluster, tmp_path):
    """Standard error goes to a file: the user would wait for a command that waits for the user."""
    words = next(iter(ASKED))
    with (tmp_path / "stderr").open("w") as file:
        assert run_on_terminal(*words, *C, stderr=file).exit_code == ExitCode.OK
    assert cluster.changes == [False]


def test_a_question_has_few_names():
    names = [f"t{number}" for number in range(NAMES_MAX + 7)]
    assert some_of(names) == "t0, t1, t2, t3, t4 and 7 more"
    assert some_of(names[:2]) == "t0, t1"


@pytest.mark.parametrize("stream", ["stdin", "stderr"])
def test_without_a_stream_nothing_is_asked(monkeypatch, stream):
    """A daemon's streams are closed: the question failed with an AttributeError."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    for each in ("stdin", "stderr"):
        monkeypatch.setattr(f"sys.{each}", None if each == stream else Terminal())
    confirm("Delete all topics?", is_decided=False)
