"""``kraftpy metadata-quorum add-controller | remove-controller | ok-to-stop``: who votes, asked of the leader.

These speak Kafka's protocol to the controllers' own listener (not gRPC), so they work on a real Kafka quorum, too.

Source: Kafka ``MetadataQuorumCommand``; KIP-853 §kafka-metadata-quorum.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import click

from kraftpy.cli.dry_run import dry_run_option
from kraftpy.cli.errors import CommandError, RequestRefusedError, UnreachableError
from kraftpy.cli.examples import examples
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.observe import access_options, controllers_option
from kraftpy.cli.options import NODE_ID, TIMEOUT_SECONDS, PathParam, Seconds, output_option
from kraftpy.cli.output import Output, show
from kraftpy.cli.overrides import override_option
from kraftpy.cli.waiting import answer_from, answered

if TYPE_CHECKING:
    from kraftpy.model.voters import Endpoint, ReplicaKey
    from kraftpy.quorum_tools.access import QuorumAccess
    from kraftpy.quorum_tools.quorum_admin import QuorumAdmin
    from kraftpy.quorum_tools.voter_change_checks import VoterChangeVerdict
    from kraftpy.raft.messages import DescribeQuorumResponse

REASON_S = 1.0
"""How long the leader is asked what a change waits for; then the answer itself is what is waited for."""

Answer = TypeVar("Answer")
Command = TypeVar("Command", bound=Callable[..., Any])


def _quorum_options(command: Command) -> Command:
    """Add where the quorum is and how long to wait, passed as ``admin``'s makings."""
    command = access_options(command)
    command = click.option("--timeout", type=Seconds(), default=TIMEOUT_SECONDS, show_default=True, metavar="SECONDS",
                           help="Timeout of the request, in seconds.")(command)  # fmt: skip
    return controllers_option(command)


@examples(
    "kraftpy quorum add-controller -C localhost:9093 --config controller-4.properties",
)
@click.command("add-controller")
@_quorum_options
@click.option("--config", "config_path", required=True, metavar="FILE", type=PathParam(dir_okay=False),
              help="server.properties of the new controller: its id, listener and directory.")  # fmt: skip
@override_option
@dry_run_option("Ask the leader whether it would accept that, and change nothing.")
@output_option
def add_controller(
    controllers: tuple[Endpoint, ...],
    timeout: float,
    access: QuorumAccess,
    config_path: str,
    overrides: Mapping[str, str],
    output: Output,
    *,
    dry_run: bool,
) -> None:
    """Add a running controller to the voters once it has caught up (needs kraft.version 1)."""
    from kraftpy.quorum_tools.voter_change_checks import check_addition

    key, endpoints = _described_by(config_path, overrides)
    shown = ", ".join(str(endpoint) for endpoint in endpoints)
    an_answer = partial(_an_answer, controllers, timeout)

    async def add(admin: QuorumAdmin) -> str | None:
        if dry_run:
            described = (await answered(admin.describe(), an_answer)).described
            return _accepted(check_addition(key, endpoints, described), described)

        async def lacking() -> str:
            try:
                async with asyncio.timeout(REASON_S):
                    described = (await admin.describe()).described
            except TimeoutError:
                return await an_answer()
            verdict = check_addition(key, endpoints, described)
            return await _commit() if verdict.accepted and not verdict.must_catch_up else verdict.reason

        await answered(admin.add(key, endpoints), lacking)
        return None

    reason = _ask(controllers, timeout, access, add)
    word = "Added" if reason is None else "DRY RUN of adding"
    data = {**_as_json(key), "endpoints": [str(each) for each in endpoints], "dryRun": dry_run, "reason": reason}
    done = f"{word} controller {key.node_id} with directory id {_directory(key)} and endpoints: {shown}"
    show(output, data, [done] if reason is None else [done, reason])


@examples(
    "kraftpy quorum remove-controller -C localhost:9093 --controller-id 1 --dry-run",
    "kraftpy quorum remove-controller -C localhost:9093 --controller-id 1",
)
@click.command("remove-controller")
@_quorum_options
@click.option("--controller-id", required=True, type=NODE_ID, metavar="ID", help="Node id of the controller.")
@click.option("--controller-directory-id", metavar="UUID",
              help="Directory id of the controller. Default: that of the voter with this node id.")  # fmt: skip
@dry_run_option("Ask the leader whether it would accept that, and change nothing.")
@output_option
def remove_controller(
    controllers: tuple[Endpoint, ...],
    timeout: float,
    access: QuorumAccess,
    controller_id: int,
    controller_directory_id: str | None,
    output: Output,
    *,
    dry_run: bool,
) -> None:
    """Remove a controller from the voters (needs kraft.version 1)."""
    from kraftpy.model.voters import ReplicaKey
    from kraftpy.quorum_tools.voter_change_checks import check_removal

    directory_id = None if controller_directory_id is None else _uuid(controller_directory_id)

    async def remove(admin: QuorumAdmin) -> tuple[ReplicaKey, str | None]:
        described = (await answered(admin.describe(), partial(_an_answer, controllers, timeout))).described
        voters = [voter.key for voter in described.voters]
        found = next((key for key in voters if key.node_id == controller_id), None)
        wanted = found if directory_id is None else ReplicaKey(controller_id, directory_id)
        if wanted is None or found is None:
            known = ", ".join(str(key) for key in voters)
            raise RequestRefusedError(f"controller {controller_id} is not a voter; the voters are {known}")
        if found.directory_id is not None and wanted.directory_id != found.directory_id:
            raise RequestRefusedError(
                f"controller {controller_id} votes with directory id {_directory(found)}, not {_directory(wanted)}; "
                "nothing was asked of the leader. Leave --controller-directory-id out to take the one that votes"
            )
        if dry_run:
            return wanted, _accepted(check_removal(wanted, described), described)
        await answered(admin.remove(wanted), _commit)
        return wanted, None

    key, reason = _ask(controllers, timeout, access, remove)
    word = "Removed" if reason is None else "DRY RUN of removing"
    data = {**_as_json(key), "dryRun": dry_run, "reason": reason}
    done = f"{word} KRaft controller {key.node_id} with directory id {_directory(key)}"
    show(output, data, [done] if reason is None else [done, reason])


@examples(
    "kraftpy quorum ok-to-stop 1 -C localhost:9093",
)
@click.command("ok-to-stop")
@click.argument("node_id", type=NODE_ID, metavar="NODE")
@_quorum_options
@output_option
def ok_to_stop(
    node_id: int,
    controllers: tuple[Endpoint, ...],
    timeout: float,
    access: QuorumAccess,
    output: Output,
) -> None:
    """Check whether the quorum keeps a majority without this node; exit with 3 when it does not.

    Asks over Kafka's protocol, about voters only. `kraftpy cluster ok-to-stop` knows brokers and partitions, too.
    """
    from kraftpy.quorum_tools.ok_to_stop import ok_to_stop as decide

    an_answer = partial(_an_answer, controllers, timeout)
    quorum = _ask(controllers, timeout, access, lambda admin: answered(admin.describe(), an_answer)).described
    answer = decide(node_id, quorum.leader.leader_id, quorum.voters, quorum.observers)
    data = {"nodeId": node_id, "okToStop": answer.ok, "reason": answer.reason}
    show(output, data, [f"{'yes' if answer.ok else 'no'}: {answer.reason}"])
    if not answer.ok:
        raise SystemExit(ExitCode.FINDINGS)


async def _an_answer(controllers: Sequence[Endpoint], timeout_s: float) -> str:
    from kraftpy.cli.kafka_port import addresses_of

    return answer_from(addresses_of(controllers), timeout_s)


async def _commit() -> str:
    return "the voters to commit the change"


def _accepted(verdict: VoterChangeVerdict, described: DescribeQuorumResponse) -> str:
    """Return why the leader would accept a change.

    Raises:
        RequestRefusedError: it would refuse it, or could not commit it.
    """
    if not verdict.accepted:
        raise RequestRefusedError(f"this would fail: {verdict.reason}. Nothing was changed")
    return f"Leader {described.leader.leader_id} would accept it: {verdict.reason}"


def _ask(
    controllers: tuple[Endpoint, ...],
    timeout: float,
    access: QuorumAccess,
    question: Callable[[QuorumAdmin], Coroutine[Any, Any, Answer]],
) -> Answer:
    from kraftpy.cli.kafka_port import at_controllers
    from kraftpy.quorum_tools.quorum_admin import NoLeaderError, QuorumAdmin

    def asked(found: Sequence[Endpoint]) -> Coroutine[Any, Any, Answer]:
        return question(QuorumAdmin(found, access=access, timeout_s=timeout))

    try:
        return at_controllers(controllers, asked, failure=NoLeaderError, access=access, timeout_s=timeout)
    except NoLeaderError as error:
        raise UnreachableError(str(error)) from error


def _described_by(config_path: str, overrides: Mapping[str, str]) -> tuple[ReplicaKey, tuple[Endpoint, ...]]:
    """Read who a controller is from its configuration and its metadata directory."""
    from kraftpy.config.node_config import load_config
    from kraftpy.model.voters import ReplicaKey
    from kraftpy.storage.filesystem import RealFileSystem, read_file
    from kraftpy.storage.meta_properties import meta_properties_path, parse_meta_properties

    # Without the environment: it belongs to the node that runs here, and this may be the file of another one.
    config = load_config(config_path, overrides)
    if not config.is_controller:
        raise CommandError(f"{config_path}: process.roles does not include controller, and only a controller can vote")
    path = meta_properties_path(config.log.metadata_log_dir)
    try:
        text = read_file(RealFileSystem(), path).decode()
    except FileNotFoundError as error:
        raise CommandError(
            f"{path} does not exist, so the controller has no directory id yet: start it first, then add it"
        ) from error
    properties = parse_meta_properties(text)
    if properties.directory_id is None:
        raise CommandError(f"{path} has no directory.id; start the controller once, which writes it")
    return ReplicaKey(config.node_id, properties.directory_id), config.raft.own_endpoints


def _uuid(text: str) -> bytes:
    from kraftpy.model.ids import uuid_from_text

    try:
        return uuid_from_text(text)
    except ValueError as error:
        raise click.BadParameter(f"{text!r}: {error}", param_hint="--controller-directory-id") from error


def _as_json(key: ReplicaKey) -> dict[str, Any]:
    from kraftpy.model.ids import uuid_to_text

    directory_id = None if key.directory_id is None else uuid_to_text(key.directory_id)
    return {"controllerId": key.node_id, "directoryId": directory_id}


def _directory(key: ReplicaKey) -> str:
    from kraftpy.model.ids import uuid_to_text

    return "(none)" if key.directory_id is None else uuid_to_text(key.directory_id)
