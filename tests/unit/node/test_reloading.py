"""What SIGHUP changes: keys that a running node follows, at once; of all others the names are logged."""

from __future__ import annotations

import logging
import os

import pytest
import structlog
from structlog.testing import capture_logs

from kraftpy.config.node_config import load_config
from kraftpy.image.delta import MetadataDelta
from kraftpy.image.image import EMPTY
from kraftpy.image.publishing import Publication
from kraftpy.node.logs import configure_logging, set_log_level
from kraftpy.node.reloading import ConfigReloader
from kraftpy.node.running_settings import RunningSettings
from kraftpy.records.metadata import ConfigRecord

TEXT = """process.roles=controller
node.id=1
controller.quorum.voters=1@localhost:9093
listeners=CONTROLLER://localhost:9093
controller.listener.names=CONTROLLER
log.dirs=/var/lib/x
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "server.properties"
    path.write_text(TEXT)
    return path


def settings_of(path, overrides=None):
    return RunningSettings(load_config(path, overrides or {}), lambda _: None)


def reloader_of(path, overrides=None):
    given = overrides or {}
    reloader = ConfigReloader(load_config(path, given), lambda: load_config(path, given))
    reloader.attach(settings_of(path, given))
    return reloader


def reloaded(reloader):
    with capture_logs() as logs:
        reloader.reload()
    return [{key: value for key, value in entry.items() if key != "log_level"} for entry in logs]


@pytest.fixture
def levels(monkeypatch):
    found = []
    monkeypatch.setattr("kraftpy.node.running_settings.set_log_level", found.append)
    return found


def test_the_level_of_the_logs_changes_at_once_and_only_once(file, levels):
    reloader = reloader_of(file)
    assert reloaded(reloader) == []
    file.write_text(TEXT + "log.level=debug\n")
    changed = {"event": "log_level_changed", "key": "log.level", "source": "STATIC_BROKER_CONFIG"}
    assert reloaded(reloader) == [changed | {"before": "info", "after": "debug"}]
    assert reloaded(reloader) == []
    file.write_text(TEXT)
    assert reloaded(reloader) == [changed | {"before": "debug", "after": "info"}]
    assert levels == ["debug", "info"]


def test_what_the_metadata_log_decides_is_named(file):
    """Else an operator believes that the file is in use."""
    reloader, settings = reloader_of(file), settings_of(file)
    delta = MetadataDelta(EMPTY)
    delta.replay_all([ConfigRecord(4, "1", "max.connections", "5")])
    published = Publication.complete(EMPTY, delta.apply(EMPTY.provenance))
    settings.on_metadata_update(published.delta, published.image, published.manifest)
    reloader.attach(settings)
    file.write_text(TEXT + "max.connections=7\n")
    assert reloaded(reloader) == [{"event": "config_overridden", "keys": ["max.connections"]}]


def test_a_node_that_is_started_again_in_the_process_has_the_newest_file(file, levels):
    """Its configuration is that of the process; it would go back to an older file unnoticed."""
    reloader = reloader_of(file)
    file.write_text(TEXT + "max.connections=7\n")
    reloaded(reloader)
    again = settings_of(file)
    file.write_text(TEXT)
    reloader.attach(again)
    assert again.values["max.connections"] == 7


def test_keys_that_wait_for_a_restart_are_named_without_their_values(file, levels):
    """It is silent, and an operator believes that the file is in use; or it prints a password."""
    reloader = reloader_of(file)
    file.write_text(TEXT.replace("log.dirs=/var/lib/x", "log.dirs=/secret") + "metadata.log.segment.bytes=9388608\n")
    assert reloaded(reloader) == [{"event": "config_needs_restart", "keys": ["log.dirs", "metadata.log.segment.bytes"]}]
    file.write_text(TEXT)
    assert reloaded(reloader) == []
    assert levels == []


def test_values_of_the_command_line_stay_in_place_of_the_files(file, levels):
    reloader = reloader_of(file, {"node.id": "1", "log.level": "warning"})
    file.write_text(TEXT.replace("node.id=1", "node.id=7") + "log.level=debug\n")
    assert reloaded(reloader) == []
    assert levels == []


@pytest.mark.parametrize("text", ["node.id=x\n", "log.level=loud\n", "process.roles=none\n", None])
def test_a_file_that_cannot_be_used_changes_nothing(file, levels, text):
    reloader = reloader_of(file)
    if text is None:
        file.unlink()
    else:
        file.write_text(TEXT + text if "level" in text else text)
    (line,) = reloaded(reloader)
    assert line["event"] == "config_not_reloaded"
    assert str(file) in line["reason"]
    assert levels == []


@pytest.mark.timeout(10)
def test_a_pipe_is_not_read_again(tmp_path, file, levels):
    """The event loop waits for a writer."""
    reloader = reloader_of(file)
    file.unlink()
    os.mkfifo(file)
    (line,) = reloaded(reloader)
    assert line["event"] == "config_not_reloaded"


def test_loggers_that_were_made_before_follow_the_level(capsys):
    """Each logger is made once, with its first line."""
    before = structlog.get_config(), logging.root.level, logging.root.handlers[:]
    logging.root.handlers.clear()
    try:
        configure_logging(level="info", form="json", node_id=None)
        ours, library = structlog.get_logger("kraftpy.test"), logging.getLogger("a.library")
        for level in ("info", "debug", "error"):
            set_log_level(level)
            for log in (ours, library):
                for write in (log.debug, log.warning):
                    line = f"{write.__name__}_at_{level}"
                    write(line)
        lines = capsys.readouterr().err
    finally:
        structlog.configure(**before[0])
        logging.root.handlers[:] = before[2]
        set_log_level("info")
        logging.root.setLevel(before[1])
    for event, times in {
        "debug_at_info": 0, "warning_at_info": 2, "debug_at_debug": 2, "warning_at_debug": 2, "debug_at_error": 0,
        "warning_at_error": 0,
    }.items():  # fmt: skip
        assert lines.count(event) == times, (event, lines)
