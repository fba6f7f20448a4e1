"""``kraftpy migrate``: replace the controllers of a running cluster, one at a time, and go back where that is wanted.

It speaks Kafka's protocol alone, so both groups may be Kafka's controllers or kraftpy's. Nothing is stopped or started
here: processes are the operator's. :mod:`kraftpy.quorum_tools.migration` decides what is next from the state of the
quorum, so an interrupted run goes on where it was.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import click

from kraftpy.cli.errors import CommandError, UnreachableError
from kraftpy.cli.examples import examples
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.observe import access_options, controllers_option
from kraftpy.cli.options import Command, PathParam, Seconds, output_option
from kraftpy.cli.output import Output, aligned, show
from kraftpy.cli.suggestions import CommandGroup
from kraftpy.cli.waiting import waiting_for

if TYPE_CHECKING:
    from kraftpy.cli.migration_file import MigrationFile
    from kraftpy.cli.migration_survey import Survey
    from kraftpy.model.voters import Endpoint, ReplicaKey, Voter
    from kraftpy.quorum_tools.access import QuorumAccess
    from kraftpy.quorum_tools.migration import Migration, QuorumView, Step
    from kraftpy.quorum_tools.migration_checks import MigrationFinding
    from kraftpy.quorum_tools.quorum_admin import QuorumAdmin

DEFAULT_PLAN: Final = "migration.json"
STEP_TIMEOUT_S: Final = 120.0
"""How long one step may take by default: a JVM has to start, and a snapshot to be fetched."""
QUESTION_TIMEOUT_S: Final = 15.0
PAUSE_S: Final = 0.5
"""How often the quorum is asked while a step is waited for."""
GIVE_UP_S: Final = 30.0
"""How long a controller that is to leave is waited for from when it does not follow on, at most half of a step's
timeout: in this time the process of a controller starts again."""
_NUMBERS: Final = re.compile(r"\d+ (ms ago|records)")


def _timeout_option(command: Command) -> Command:
    return click.option(
        "--timeout", type=Seconds(), default=STEP_TIMEOUT_S, show_default=True, metavar="SECONDS",
        help="Timeout of one step, in seconds.",
    )(command)  # fmt: skip


def _plan_argument(command: Command) -> Command:
    return click.argument("path", metavar="[PLAN]", type=PathParam(dir_okay=False), default=DEFAULT_PLAN)(command)


@click.group("migrate", cls=CommandGroup)
def migrate() -> None:
    """Replace the controllers of a running cluster, Kafka's or kraftpy's: plan, run, status, back."""


@examples(
    "kraftpy migrate plan -C kafka-1:9093 --to new-1.properties --to new-2.properties --to new-3.properties",
)
@migrate.command("plan")
@controllers_option
@click.option("--to", "to_paths", required=True, multiple=True, metavar="FILE", type=PathParam(dir_okay=False),
              help="server.properties of a controller that joins; repeatable, in their order.")  # fmt: skip
@click.option("--from", "from_paths", multiple=True, metavar="FILE", type=PathParam(dir_okay=False),
              help="server.properties of a controller that leaves; repeatable. Default: it is asked.")  # fmt: skip
@click.option("--broker-config", "broker_paths", multiple=True, metavar="FILE", type=PathParam(dir_okay=False),
              help="server.properties of a broker; repeatable. Default: the broker is asked.")  # fmt: skip
@click.option("--out", "path", default=DEFAULT_PLAN, show_default=True, metavar="FILE", type=PathParam(dir_okay=False),
              help="File for the plan.")  # fmt: skip
@_timeout_option
@access_options
@output_option
def plan_command(
    controllers: tuple[Endpoint, ...],
    timeout: float,
    access: QuorumAccess,
    output: Output,
    *,
    to_paths: tuple[str, ...],
    from_paths: tuple[str, ...],
    broker_paths: tuple[str, ...],
    path: str,
) -> int:
    """Check a running quorum against the controllers that are to replace its voters, and write a plan.

    Changes nothing else. Exits with 3, and writes no plan, where something is in the way.
    """
    from kraftpy.cli import migration_survey as surveys
    from kraftpy.cli.kafka_port import at_controllers
    from kraftpy.cli.migration_file import MigrationFile, write_migration
    from kraftpy.quorum_tools.migration import Migration
    from kraftpy.quorum_tools.migration_checks import findings, hosts_of

    joining, leaving = surveys.read_controllers(to_paths), surveys.read_controllers(from_paths)
    broker_files = surveys.read_brokers(broker_paths)

    async def look(asked: tuple[Endpoint, ...]) -> tuple[Survey, list[MigrationFinding]]:
        found = await surveys.survey(asked, access=access, timeout_s=timeout)
        with waiting_for("brokers and controllers are asked for their configuration, and names of hosts are resolved"):
            facts = await surveys.cluster_facts(
                found, broker_files=broker_files, access=access, timeout_s=QUESTION_TIMEOUT_S
            )
            facts = replace(facts, addresses=await surveys.resolved(hosts_of(facts, joining), QUESTION_TIMEOUT_S))
        return found, findings(facts, joining, leaving)

    survey, found = at_controllers(controllers, look, failure=UnreachableError, access=access, timeout_s=timeout)
    new = tuple(controller.voter for controller in joining)
    old = tuple(voter for voter in survey.voters if voter.key not in {one.key for one in new})
    if not old:
        raise CommandError("every voter is one of those that join: there is nothing to replace")
    is_possible = not any(finding.is_error for finding in found)
    if is_possible:
        write_migration(path, MigrationFile(survey.cluster_id or "", Migration(leaving=old, joining=new)))
    data = {
        "clusterId": survey.cluster_id,
        "leavingIds": [voter.key.node_id for voter in old],
        "joiningIds": [voter.key.node_id for voter in new],
        "brokerIds": sorted(survey.serving),
        "findings": list(map(_finding_json, found)),
        "planFile": path if is_possible else None,
    }
    show(output, data, _plan_lines(data))
    return ExitCode.OK if is_possible else ExitCode.FINDINGS


def _finding_json(finding: MigrationFinding) -> dict[str, str]:
    severity = "error" if finding.is_error else "warning"
    return {"severity": severity, "message": finding.what, "fix": finding.way_out}


def _plan_lines(data: dict[str, Any]) -> list[str]:
    ids = {name: ", ".join(map(str, data[f"{name}Ids"])) or "none" for name in ("leaving", "joining", "broker")}
    cluster = data["clusterId"] or "(unknown)"
    brokers = f"brokers in service: {ids['broker']}"
    lines = [f"Cluster {cluster}: controllers {ids['joining']} replace {ids['leaving']}; {brokers}."]
    for one in data["findings"]:
        lines += [f"{one['severity'].upper()} {one['message']}", f"  -> {one['fix']}"]
    if data["planFile"] is None:
        return [*lines, "No plan was written: mend the errors first."]
    return [
        *lines,
        f"The plan is in {data['planFile']}. Start the new controllers, then: kraftpy migrate run {data['planFile']}",
    ]


@examples(
    "kraftpy migrate run",
    "kraftpy migrate run --finish",
)
@migrate.command("run")
@_plan_argument
@click.option("--finish", is_flag=True, help="Let the last old controller leave, too.")
@_timeout_option
@access_options
@output_option
def run_command(path: str, timeout: float, access: QuorumAccess, output: Output, *, finish: bool) -> None:
    """Replace the controllers, one at a time; rest before the last old one leaves, until --finish.

    Ends after --timeout where a step waits for something, and says for what. The same command goes on.
    """
    _carry_out(path, timeout, access, output, is_back=False, finishes=finish)


@examples(
    "kraftpy migrate back",
)
@migrate.command("back")
@_plan_argument
@_timeout_option
@access_options
@output_option
def back_command(path: str, timeout: float, access: QuorumAccess, output: Output) -> None:
    """Return to the old controllers, one at a time, from wherever the migration is. They have to be running."""
    _carry_out(path, timeout, access, output, is_back=True, finishes=True)


@examples(
    "kraftpy migrate status",
    "kraftpy migrate status migration.json -o json",
)
@migrate.command("status")
@_plan_argument
@_timeout_option
@access_options
@output_option
def status_command(path: str, timeout: float, access: QuorumAccess, output: Output) -> None:
    """Show who votes, leads and lags, whether the brokers follow, and what is next."""
    from kraftpy.cli.migration_file import read_migration
    from kraftpy.quorum_tools.migration import next_step

    plan = read_migration(path)

    async def look() -> tuple[QuorumView, Step]:
        view = await MigrationRunner(plan, access, timeout).look()
        return view, next_step(plan.migration, view, finishes=False)

    view, step = asyncio.run(look())
    rows = _status_rows(plan.migration, view)
    data = {"clusterId": plan.cluster_id, "leaderId": view.leader_id, "controllers": rows,
            "brokerIds": sorted(view.brokers), "nextStep": step_text(step)}  # fmt: skip
    columns = {"nodeId": "controllerId", "group": "voterGroup", "state": "state", "lag": "lag"}
    lines = aligned(
        list(columns),
        ([row[column] if row[column] is not None else "-" for column in columns.values()] for row in rows),
    )
    show(output, data, [*lines, f"Brokers in service: {', '.join(map(str, sorted(view.brokers))) or 'none'}",
                        f"Next: {step_text(step)}"])  # fmt: skip


def _status_rows(migration: Migration, view: QuorumView) -> list[dict[str, Any]]:
    leader = next((one for one in view.voters if one.key.node_id == view.leader_id), None)
    rows = []
    for group, voters in (("old", migration.leaving), ("new", migration.joining)):
        for voter in voters:
            voting = next((one for one in view.voters if one.key == voter.key), None)
            following = next((one for one in view.observers if one.key == voter.key), None)
            state = "leader" if leader is not None and leader is voting else "voter" if voting is not None else None
            found = voting or following
            known = found is not None and found.log_end_offset is not None and leader is not None
            lag = (leader.log_end_offset or 0) - (found.log_end_offset or 0) if known and leader and found else None
            rows.append({"controllerId": voter.key.node_id, "voterGroup": group, "lag": lag,
                         "state": state or ("observer" if following is not None else "absent")})  # fmt: skip
    return rows


def _carry_out(
    path: str,
    timeout: float,
    access: QuorumAccess,
    output: Output,
    *,
    is_back: bool,
    finishes: bool,
) -> None:
    from kraftpy.cli.migration_file import read_migration

    plan = read_migration(path)
    migration = plan.migration.reverted if is_back else plan.migration
    steps: list[str] = []

    def report(text: str) -> None:
        steps.append(text)
        click.echo(text if output is Output.TABLE else f"# {text}", err=output is not Output.TABLE)

    last = asyncio.run(MigrationRunner(plan, access, timeout).run(migration, report, finishes=finishes))
    if output is not Output.TABLE:
        show(output, {"clusterId": plan.cluster_id, "steps": steps, "finished": last}, [])


class MigrationRunner:
    """Carries steps out, and waits for what they need.

    Args:
        plan: whose controllers are asked.
        access: how connections to them are protected.
        timeout_s: of one step.
    """

    def __init__(self, plan: MigrationFile, access: QuorumAccess, timeout_s: float) -> None:
        from kraftpy.quorum_tools.quorum_admin import QuorumAdmin

        self._plan = plan
        self._access = access
        self._timeout_s = timeout_s
        self._admin: QuorumAdmin = QuorumAdmin(plan.endpoints, access=access, timeout_s=QUESTION_TIMEOUT_S)
        self._brokers: frozenset[int] = frozenset()

    async def look(self) -> QuorumView:
        """Return the quorum now; the brokers are those in service when this was first asked.

        Raises:
            UnreachableError: no controller answers.
            CommandError: it is another cluster.
        """
        from kraftpy.cli.migration_survey import survey

        found = await survey(self._plan.endpoints, access=self._access, timeout_s=self._timeout_s)
        if found.cluster_id != self._plan.cluster_id:
            raise CommandError(
                f"the controllers are of cluster {found.cluster_id}, the plan is for {self._plan.cluster_id}: make a "
                "new plan"
            )
        self._brokers = found.serving
        return await self._view()

    async def _view(self) -> QuorumView:
        from kraftpy.quorum_tools.migration import QuorumView
        from kraftpy.quorum_tools.quorum_admin import NoLeaderError

        try:
            described = (await self._admin.describe()).described
        except NoLeaderError:
            return QuorumView(leader_id=None)
        return QuorumView(
            leader_id=described.leader.leader_id,
            voters=described.voters,
            observers=described.observers,
            brokers=self._brokers,
        )

    async def run(self, migration: Migration, report: Callable[[str], None], *, finishes: bool) -> bool:
        """Take steps until nothing is left to do; return whether the migration is finished, ``False`` for a rest.

        Raises:
            UnreachableError: a step waited longer than its timeout.
            CommandError: no step is safe, or the leader refused one.
        """
        from kraftpy.quorum_tools import migration as steps

        view = await self._first_look(report)
        patience, announced = _Patience(self._timeout_s), ""
        while True:
            if steps.leading_voter(view) is not None:
                patience.note_lost(steps.lost_voters(migration, view, finishes=finishes))
            step = steps.next_step(migration, view, finishes=finishes, given_up=patience.given_up)
            text = step_text(step)
            match step:
                case steps.Blocked():
                    raise CommandError(text)
                case steps.Finished() | steps.Rest():
                    report(text)
                    return isinstance(step, steps.Finished)
                case steps.AddVoter(voter) | steps.RemoveVoter(voter):
                    if text != announced:
                        report(text)
                    announced = text
                    why = await self._change(voter, is_added=isinstance(step, steps.AddVoter))
                    if why is None:
                        patience.begin()
                    else:
                        await patience.wait(f"Waiting: {why}.", report)
                case steps.Wait() | steps.StartController():
                    await patience.wait(text, report)
                    patience.give_up(report)
            view = await self._view()

    async def _first_look(self, report: Callable[[str], None]) -> QuorumView:
        """Look at the quorum; wait for a leader, which a controller that was just killed may have been."""
        patience = _Patience(self._timeout_s)
        while True:
            try:
                return await self.look()
            except UnreachableError as error:
                await patience.wait(f"Waiting: {error}.", report)

    async def _change(self, voter: Voter, *, is_added: bool) -> str | None:
        """Add or remove a voter; return why it was not possible just now, ``None`` when it was done.

        Raises:
            CommandError: the leader refused, and asking again would not help.
        """
        from kraftpy.model.errors import ApiError, ErrorCode
        from kraftpy.quorum_tools.access import LoginRejectedError, ProbeError
        from kraftpy.quorum_tools.quorum_admin import NoLeaderError

        # The leader went or changed, or still has an earlier change to commit, or this change was made and its answer
        # was lost: the next look at the quorum shows what is left to do.
        passing = {
            ErrorCode.REQUEST_TIMED_OUT, ErrorCode.NOT_LEADER_OR_FOLLOWER, ErrorCode.DUPLICATE_VOTER,
            ErrorCode.VOTER_NOT_FOUND,
        }  # fmt: skip
        what = f"{'adding' if is_added else 'removing'} controller {voter.key.node_id}"
        try:
            await (self._admin.add(voter.key, voter.endpoints) if is_added else self._admin.remove(voter.key))
        except ApiError as error:
            text = f"the leader refused {what}: {error.message} ({error.code.name})"
            if error.code in passing:
                return text
            raise CommandError(f"{text}; the same command goes on from here") from error
        except LoginRejectedError:
            raise
        except (NoLeaderError, ProbeError) as error:
            return f"{what}: the leader {error}" if isinstance(error, ProbeError) else f"{what}: {error}"
        return None


class _Patience:
    """How long the present step is waited for, and which controllers no longer."""

    def __init__(self, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._reported = ""
        self._lost_since: dict[ReplicaKey, float] = {}
        self.given_up: frozenset[ReplicaKey] = frozenset()
        self.begin()

    def begin(self) -> None:
        """Start the time of the next step."""
        self._since = asyncio.get_running_loop().time()
        self._reported = ""

    @property
    def _waited_s(self) -> float:
        return asyncio.get_running_loop().time() - self._since

    async def wait(self, text: str, report: Callable[[str], None]) -> None:
        """Pause; report what for, unless only numbers in it have changed.

        Raises:
            UnreachableError: the step has taken its time.
        """
        without_numbers = _NUMBERS.sub("", text)
        if without_numbers != self._reported:
            report(text)
            self._reported = without_numbers
        if self._waited_s > self._timeout_s:
            raise UnreachableError(f"after {self._timeout_s:g} s still: {text}; the same command goes on from here")
        await asyncio.sleep(PAUSE_S)

    def note_lost(self, voters: Sequence[Voter]) -> None:
        """Take it that these, which leave, do not follow now, and that every other one does, whatever was before."""
        now_s = asyncio.get_running_loop().time()
        self._lost_since = {voter.key: self._lost_since.get(voter.key, now_s) for voter in voters}
        self.given_up &= self._lost_since.keys()

    def give_up(self, report: Callable[[str], None]) -> None:
        """Wait no longer for those that have not followed for long: they leave the voters anyway."""
        waits_s = min(GIVE_UP_S, self._timeout_s / 2)
        now_s = asyncio.get_running_loop().time()
        for key, since_s in self._lost_since.items():
            if now_s - since_s > waits_s and key not in self.given_up:
                report(f"Controller {key.node_id} does not follow; it is to leave, so no step waits for it.")
                self.given_up |= {key}


def step_text(step: Step) -> str:
    """Say what a step does, or what it waits for."""
    from kraftpy.quorum_tools import migration as steps

    match step:
        case steps.AddVoter(voter):
            return f"Adding controller {voter.key} to the voters."
        case steps.RemoveVoter(voter):
            return f"Removing controller {voter.key} from the voters."
        case steps.StartController(voter, None):
            return (
                f"Waiting for controller {voter.key.node_id} to follow the leader: start it. Where it runs, its "
                "controller.quorum.bootstrap.servers must name a running controller."
            )
        case steps.StartController(voter, after):
            assert after is not None
            return (
                f"Waiting for controller {voter.key.node_id} to follow the leader: stop controller "
                f"{after.key.node_id}, whose address it takes over, then start {voter.key.node_id}."
            )
        case steps.Wait(reasons):
            return f"Waiting: {'; '.join(reasons)}."
        case steps.Rest(voter, leads):
            hint = "; it leads now, and hands over when its process is stopped and started again" if leads else ""
            return (
                f"Resting: controller {voter.key.node_id} is the last of the old ones{hint}. Stop the others that "
                "left. `migrate run --finish` lets it leave, `migrate back` returns."
            )
        case steps.Blocked(reason):
            return reason
        case steps.Finished():
            return "Finished: all new controllers vote. Stop the old ones."
