"""What does not run on the compiled form, by name and with the reason; see ``deploy/compiled``.

``make test-compiled`` runs what ``make test`` does on the compiled form, but for these. Of the tests that start
processes it has starts, deaths, transfers of leadership, snapshots, retries, topics and hostile requests.
``tests/unit/node/test_build_info.py`` checks that the list is current.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kraftpy.node.build_info import compiled_modules, form_text

REQUIRED = os.environ.get("KRAFTPY_COMPILED") == "required"

PATCHED = "it patches what is compiled: a constant is a number in the code, a method a call of a C function"
SUBSTITUTE = "it puts a stand-in where compiled code asks for the class itself"
COPIED = "it copies frozen values, which the compiled form refuses to be copied into"
CHECKOUT = "it looks for the checkout around the package, and this package stands in build"

NOT_COMPILED = "what it tests is not compiled, and reads by codecs that other tests run compiled"
OTHER_PROCESSES = "what is compiled of its nodes is what the nodes of the other files in tests/integration run"

_CHANNEL = "tests/unit/transport/test_channel.py"
_FIGURES = "tests/unit/runtime/test_controller_figures.py"
_HOST = "tests/unit/runtime/test_controller_host.py"
_LARGE_WRITES = "tests/unit/runtime/test_large_writes.py"
_STATE_MACHINE = "tests/unit/runtime/test_state_machine.py"

_LEFT_OUT = ("command_line", "examples", "quickstart", "quotas", "refusals")

SKIPPED: dict[str, str] = {
    **{f"tests/integration/test_{name}.py": OTHER_PROCESSES for name in _LEFT_OUT},
    "tests/audit": NOT_COMPILED,
    "tests/spark": NOT_COMPILED,
    "tests/unit/audit": NOT_COMPILED,
    "tests/unit/bench": NOT_COMPILED,
    "tests/unit/cli": NOT_COMPILED,
    "tests/unit/config": NOT_COMPILED,
    "tests/unit/disaster_recovery": NOT_COMPILED,
    "tests/simulator/test_fitting.py::test_a_planted_bug_fits_the_code": PATCHED,
    "tests/simulator/test_simulator.py::test_a_planted_bug_is_found_as_the_table_states": PATCHED,
    "tests/unit/controller/test_controller.py::test_too_many_uncommitted_results_are_busy": PATCHED,
    "tests/unit/raft/test_digests.py::test_only_so_many_replicas_are_remembered": PATCHED,
    f"{_HOST}::test_a_committed_record_that_does_not_replay_stops_the_node": SUBSTITUTE,
    f"{_HOST}::test_a_halted_node_has_no_controller": SUBSTITUTE,
    f"{_HOST}::test_a_log_that_this_version_cannot_serve_stops_the_node": SUBSTITUTE,
    f"{_HOST}::test_a_record_that_cannot_be_encoded_is_refused": SUBSTITUTE,
    f"{_HOST}::test_a_leader_epoch_does_not_begin_while_its_leadership_is_handed_over": SUBSTITUTE,
    f"{_HOST}::test_a_leader_that_hands_over_leaves_the_answer_to_the_replica": SUBSTITUTE,
    f"{_HOST}::test_a_leadership_ends_with_its_epoch": SUBSTITUTE,
    f"{_HOST}::test_a_request_that_was_refused_half_way_is_refused_again": SUBSTITUTE,
    f"{_HOST}::test_a_request_whose_leader_was_lost_half_way_has_an_unknown_outcome": SUBSTITUTE,
    f"{_HOST}::test_a_standby_states_who_is_active": SUBSTITUTE,
    f"{_HOST}::test_an_activation_that_is_not_written_stops_the_node": SUBSTITUTE,
    f"{_HOST}::test_an_activation_that_loses_its_epoch_is_no_failure": SUBSTITUTE,
    f"{_HOST}::test_an_elected_node_waits_for_its_own_first_record": SUBSTITUTE,
    f"{_HOST}::test_an_election_that_is_over_begins_no_leader_epoch": SUBSTITUTE,
    f"{_HOST}::test_the_controllers_own_work_waits_for_room": SUBSTITUTE,
    f"{_HOST}::test_what_the_log_does_not_take_is_refused": SUBSTITUTE,
    f"{_HOST}::test_a_request_to_a_leader_that_is_deposed_before_it_is_active_is_answered": SUBSTITUTE,
    f"{_HOST}::test_what_the_quorum_refuses_leaves_no_feature_behind": PATCHED,
    f"{_HOST}::test_what_does_not_replay_is_refused_before_it_is_appended": PATCHED,
    f"{_FIGURES}::test_a_large_decision_of_the_controller_is_one_operation": PATCHED,
    f"{_FIGURES}::test_unexpected_errors_are_counted": PATCHED,
    "tests/unit/runtime/test_driver.py": SUBSTITUTE,
    f"{_STATE_MACHINE}::test_publishers_are_closed_last_one_first": PATCHED,
    f"{_STATE_MACHINE}::test_the_collector_is_left_as_it_was_found": PATCHED,
    "tests/unit/node/test_readiness.py": PATCHED,
    "tests/unit/raft/test_step_errors.py::test_a_leader_whose_answer_raises_is_not_asked_at_once": PATCHED,
    "tests/unit/raft/test_step_errors.py::test_an_error_anywhere_in_a_step_leaves_a_replica_that_is_right": COPIED,
    "tests/unit/runtime/test_backend.py::test_a_node_that_has_not_loaded_its_state_answers_no_read": PATCHED,
    "tests/unit/runtime/test_confirmed_reads.py::test_a_read_shows_what_was_committed_when_it_came": PATCHED,
    f"{_LARGE_WRITES}::test_a_full_disk_queue_delays_the_next_part": PATCHED,
    f"{_LARGE_WRITES}::test_a_part_that_cannot_be_written_aborts_the_transaction": PATCHED,
    f"{_LARGE_WRITES}::test_a_result_that_is_not_atomic_keeps_what_was_appended": PATCHED,
    f"{_LARGE_WRITES}::test_an_own_decision_that_cannot_be_written_as_a_whole_is_written_in_parts_later": PATCHED,
    f"{_LARGE_WRITES}::test_an_abort_that_the_log_does_not_take_ends_the_leadership": PATCHED,
    f"{_LARGE_WRITES}::test_lost_leadership_in_a_transaction_is_no_unknown_outcome": PATCHED,
    f"{_LARGE_WRITES}::test_own_decisions_are_appended_part_by_part": PATCHED,
    f"{_LARGE_WRITES}::test_own_decisions_one_after_the_other_leave_room_for_writes": PATCHED,
    "tests/unit/runtime/test_request_errors.py": PATCHED,
    "tests/unit/runtime/test_slices.py": SUBSTITUTE,
    f"{_CHANNEL}::test_a_peer_that_cannot_be_reached_is_not_hammered": PATCHED,
    f"{_CHANNEL}::test_addresses_that_are_not_used_are_forgotten": PATCHED,
    f"{_CHANNEL}::test_an_answer_that_cannot_be_read_fails_its_request": PATCHED,
    "tests/unit/transport/test_generate.py": CHECKOUT,
    "tests/unit/transport/test_listener.py::test_an_answer_that_cannot_be_made_closes_its_connection_alone": SUBSTITUTE,
}
"""Directories, test files, or tests of them, and why they are not run."""


def check_form() -> None:
    """Refuse to run as the compiled form what is not.

    Raises:
        pytest.UsageError: the sources would be tested in its place.
    """
    if REQUIRED and not compiled_modules():
        raise pytest.UsageError(
            "KRAFTPY_COMPILED=required, but the sources of kraftpy are imported: make test-compiled"
        )


def leaves_out(file: Path, root: Path) -> bool:
    """Return whether a whole file or directory is left out; it need not even be importable then."""
    return bool(compiled_modules()) and file.relative_to(root).as_posix() in SKIPPED


def header() -> list[str]:
    """Say which form is tested, and which files are left out."""
    if not compiled_modules():
        return []
    files = [f"left out: {file}: {reason}" for file, reason in SKIPPED.items() if "::" not in file]
    return [f"kraftpy compiled: {form_text()}", *files]


def skip_what_cannot_run(items: list[pytest.Item], root: Path) -> None:
    """Skip the tests that the list names."""
    if not compiled_modules():
        return
    for item in items:
        name = f"{item.path.relative_to(root).as_posix()}::{item.name.partition('[')[0]}"
        if name in SKIPPED:
            item.add_marker(pytest.mark.skip(reason=f"compiled form: {SKIPPED[name]}"))
