"""storage format and info: flags, rejections, and what is on the disk afterwards."""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path

import pytest

from kraftpy.cli.errors import CommandError
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.scram_text import parse_scram
from kraftpy.model.ids import uuid_to_text

DIRECTORY = "aAaAaAaAaAaAaAaAaAaAaA"


def properties(directory: Path) -> dict[str, str]:
    lines = (directory / "meta.properties").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if not line.startswith("#"))


def test_no_flags_are_needed(run, controller_config: Path, tmp_path: Path) -> None:
    """KIP-1262: without --cluster-id the files are version 2 and hold no cluster id (K1262-8)."""
    result = run("storage", "format", "-c", controller_config)
    assert result.exit_code == ExitCode.OK
    assert result.stdout == (
        f"Formatting metadata directory {tmp_path}/a with metadata.version 5.0-IV0.\n"
        f"Formatting data directory {tmp_path}/b with metadata.version 5.0-IV0.\n"
    )
    first, second = properties(tmp_path / "a"), properties(tmp_path / "b")
    assert first.keys() == {"version", "node.id", "directory.id"}
    assert (first["version"], first["node.id"]) == ("2", "1")
    assert first["directory.id"] != second["directory.id"]


def test_given_cluster_id_is_written(run, controller_config: Path, tmp_path: Path) -> None:
    """K1262-8 and K1262-9: a given id is in meta.properties and, as a record, in the bootstrap file."""
    assert run("storage", "format", "-c", controller_config, "-t", "my-id").exit_code == ExitCode.OK
    assert properties(tmp_path / "a")["cluster.id"] == "my-id"
    dumped = run("dump-log", tmp_path / "a" / "bootstrap.checkpoint").stdout
    assert '{"type":"CLUSTER_ID_RECORD","version":0,"data":{"clusterId":"my-id"}}' in dumped


def test_older_release_needs_a_cluster_id(run, controller_config: Path, tmp_path: Path) -> None:
    """K1262-8: below the level with a ClusterIdRecord the id cannot be left out, and the file is version 1."""
    result = run("storage", "format", "-c", controller_config, "-r", "4.3")
    assert result.exit_code == ExitCode.FAILURE
    assert "You must specify the cluster id." in result.stderr
    assert not (tmp_path / "a").exists()
    assert run("storage", "format", "-c", controller_config, "-r", "4.3", "-t", "x").exit_code == ExitCode.OK
    assert properties(tmp_path / "a")["version"] == "1"


def test_formatting_twice_is_refused_unless_ignored(run, controller_config: Path, tmp_path: Path) -> None:
    """A second run changes nothing."""
    assert run("storage", "format", "-c", controller_config).exit_code == ExitCode.OK
    before = properties(tmp_path / "a")
    again = run("storage", "format", "-c", controller_config)
    assert again.exit_code == ExitCode.FAILURE
    assert "is already formatted. Use --ignore-formatted to ignore this directory" in again.stderr
    ignored = run("storage", "format", "-c", controller_config, "-g")
    assert ignored.stdout == "All of the log directories are already formatted.\n"
    assert properties(tmp_path / "a") == before


def test_another_cluster_id_than_the_formatted_one_is_reported_with_its_source(
    run, controller_config, tmp_path
) -> None:
    """It came from the command line, not from cluster.id.expected, and the file stays."""
    assert run("storage", "format", "-c", controller_config, "-t", "good").exit_code == ExitCode.OK
    before = properties(tmp_path / "a")
    for flags in ((), ("-g",)):
        result = run("storage", "format", "-c", controller_config, "-t", "zzz", *flags)
        assert result.exit_code == ExitCode.FAILURE
        assert f"Invalid cluster.id in: {tmp_path}/a/meta.properties. Expected zzz, but read good." in result.stderr
        assert "(zzz is from --cluster-id.)" in result.stderr
    assert properties(tmp_path / "a") == before


@pytest.mark.parametrize("text", [" a", "a\nb", "x\t", "\x00"])
def test_a_cluster_id_is_one_line(run, controller_config: Path, tmp_path: Path, text: str) -> None:
    """Control characters, and blanks around it, would be lost where it is shown; blanks in it are Kafka's right."""
    result = run("storage", "format", "-c", controller_config, "-t", text)
    assert (result.exit_code, f"--cluster-id {text!r}" in result.stderr) == (ExitCode.USAGE, True)
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize("name", ["b", "b/deeper/still"])
def test_file_in_the_way_of_one_directory_stops_all(run, tmp_path: Path, controller_config: Path, name: str) -> None:
    """It is found before the first directory is made, and named with the way out."""
    (tmp_path / "b").write_text("a file")
    text = controller_config.read_text().replace(f"{tmp_path}/b", f"{tmp_path}/{name}")
    controller_config.write_text(text)
    result = run("storage", "format", "-c", controller_config, "-t", "x")
    assert result.exit_code == ExitCode.FAILURE
    assert f"{tmp_path}/{name} cannot be made a directory: {tmp_path}/b is a file. Move it away" in result.stderr
    assert not (tmp_path / "a").exists()


def test_release_may_come_from_the_configuration(run, controller_config: Path) -> None:
    """inter.broker.protocol.version is used where no release is given."""
    controller_config.write_text(controller_config.read_text() + "inter.broker.protocol.version=4.0\n")
    result = run("storage", "format", "-c", controller_config, "-t", "x")
    assert "with metadata.version 4.0-IV3." in result.stdout


def test_standalone_makes_a_dynamic_quorum(run, dynamic_config: Path, tmp_path: Path) -> None:
    """The zero checkpoint holds this controller under the directory id that meta.properties has."""
    result = run("storage", "format", "-c", dynamic_config, "--standalone", "-o", "json")
    assert result.exit_code == ExitCode.OK
    directory = tmp_path / "dynamic"
    assert f"Formatting dynamic metadata voter directory {directory}" in result.stdout
    zero = directory / "__cluster_metadata-0" / "00000000000000000000-0000000000.checkpoint"
    lines = run("dump-log", zero, "-o", "jsonl").stdout.splitlines()
    voters = next(each["data"] for each in map(json.loads, lines) if each.get("controlType") == "KRAFT_VOTERS(6)")
    assert voters["voters"][0]["voterDirectoryId"] == properties(directory)["directory.id"]
    assert voters["voters"][0]["endpoints"] == [{"name": "CONTROLLER", "host": "localhost", "port": 9093}]
    assert voters["voters"][0]["kRaftVersionFeature"] == {"minSupportedVersion": 0, "maxSupportedVersion": 1}


def test_own_directory_id_comes_from_the_list(run, dynamic_config: Path, tmp_path: Path) -> None:
    """The id stated for this node in --initial-controllers is the metadata directory's."""
    listed = f"1@localhost:9093:{DIRECTORY},2@h2:9093:{uuid_to_text(b'2' * 16)}"
    assert run("storage", "format", "-c", dynamic_config, "-I", listed).exit_code == ExitCode.OK
    assert properties(tmp_path / "dynamic")["directory.id"] == DIRECTORY


def test_joining_controller_gets_no_voters(run, dynamic_config: Path, tmp_path: Path) -> None:
    """--no-initial-controllers leaves the voters to the quorum that exists."""
    result = run("storage", "format", "-c", dynamic_config, "-N")
    assert "Formatting metadata directory" in result.stdout
    assert not (tmp_path / "dynamic" / "__cluster_metadata-0").exists()


def test_features_and_credentials_are_in_the_bootstrap_file(run, controller_config: Path, tmp_path: Path) -> None:
    """--feature is handed on, --add-scram becomes a record without the password."""
    scram = "SCRAM-SHA-512=[name=alice,password=secret,iterations=5000]"
    done = run("storage", "format", "-c", controller_config, "-f", "group.version=1", "-S", scram)
    assert done.exit_code == ExitCode.OK
    text = run("dump-log", tmp_path / "a" / "bootstrap.checkpoint").stdout
    assert '"data":{"name":"group.version","featureLevel":1}' in text
    assert '"name":"alice","mechanism":2' in text
    assert '"iterations":5000' in text
    assert "secret" not in text


REFUSED = {
    "Unsupported feature: no.version. Supported features are: ",
    "Cannot set kraft.version to 0 if KIP-853 configuration is present.",
    "Cannot set kraft.version to 1 unless KIP-853 configuration is present.",
    "metadata.version 4.4-IV1 is not yet stable.",
    "kraft.version could not be set to 1 because it depends on metadata.version",
    "SCRAM is only supported in",
}


@pytest.mark.parametrize(
    ("args", "stated"),
    [
        ([], "Because controller.quorum.voters is not set on this controller, you must specify one of"),
        (["-s", "-N"], "Use only one of --standalone, --no-initial-controllers and --initial-controllers."),
        (["-I", "1"], "--initial-controllers: No @ found in dynamic voter string. ('1'; expected id@host:port:"),
        (["-I", "1@h:65536:short"], "--initial-controllers: Invalid port 65536 in dynamic voter string."),
        (["-s", "-t", " "], "--cluster-id is empty"),
        (["-s", "-f", "group.version"], "Can't parse feature=level string group.version: equals sign not found."),
        (["-s", "-f", "group.version=x"], "unable to parse x as a short."),
        (
            ["-s", "-f", "group.version=1", "-f", "group.version=1"],
            "Feature group.version was specified more than once.",
        ),
        (["-s", "-f", "no.version=1"], "Unsupported feature: no.version. Supported features are: "),
        (["-s", "-f", "kraft.version=0"], "Cannot set kraft.version to 0 if KIP-853 configuration is present."),
        (["-N", "-f", "kraft.version=1"], "Cannot set kraft.version to 1 unless KIP-853 configuration is present."),
        (["-s", "-t", "x", "-r", "4.4-IV1"], "metadata.version 4.4-IV1 is not yet stable."),
        (["-s", "-r", "3.0-IV1"], "Unknown release version '3.0-IV1'."),
        (["-s", "-r", "4.3", "-f", "metadata.version=30"], "Use --release-version or --feature metadata.version="),
        (["-s", "-r", "3.4", "-t", "x"], "kraft.version could not be set to 1 because it depends on metadata.version"),
        (["-N", "-r", "3.4", "-t", "x", "-S", "SCRAM-SHA-256=[name=a,password=b]"], "SCRAM is only supported in"),
    ],
)
def test_contradictions_are_refused_before_anything_is_written(
    run, dynamic_config: Path, tmp_path: Path, args: list[str], stated: str
) -> None:
    """Each rule has Kafka's words and leaves no directory behind; 2 is for words that no configuration would suit."""
    result = run("storage", "format", "-c", dynamic_config, *args)
    assert result.exit_code == (ExitCode.FAILURE if stated in REFUSED else ExitCode.USAGE)
    assert stated in result.stderr
    assert not (tmp_path / "dynamic").exists()


def test_static_quorum_takes_no_initial_controllers(run, controller_config: Path) -> None:
    """The two kinds of quorum are not mixed."""
    assert "controller.quorum.voters is set" in run("storage", "format", "-c", controller_config, "-s").stderr


def test_standalone_is_for_controllers(run, tmp_path: Path) -> None:
    """A broker cannot be a quorum."""
    config = tmp_path / "b.properties"
    config.write_text(
        "process.roles=broker\nnode.id=2\ncontroller.quorum.bootstrap.servers=h:1\ncontroller.listener.names=C\n"
        f"listeners=PLAINTEXT://h:2\nlog.dirs={tmp_path}/x\n"
    )
    assert "You can only use --standalone on a controller." in run("storage", "format", "-c", config, "-s").stderr


def test_legacy_configuration_is_refused_in_kafka_s_words(run, tmp_path: Path) -> None:
    """A ZooKeeper configuration is recognised for what it is."""
    config = tmp_path / "zk.properties"
    config.write_text("broker.id=1\nzookeeper.connect=h:2181\n")
    for command in ("format", "info"):
        result = run("storage", command, "-c", config)
        assert result.exit_code == ExitCode.FAILURE
        assert "The kafka configuration file appears to be for a legacy cluster." in result.stderr
        assert "sets no process.roles.)" in result.stderr


@pytest.mark.parametrize("command", ["format", "info"])
def test_garbage_instead_of_a_configuration_is_one_line(run, tmp_path: Path, command: str) -> None:
    """A missing file, a directory and noise end with code 1 and the file's name."""
    noise = tmp_path / "noise"
    noise.write_bytes(os.urandom(2000) + b"\xff\xfe")
    for path in (tmp_path / "missing", tmp_path, noise):
        result = run("storage", command, "-c", path)
        assert result.exit_code == ExitCode.FAILURE
        assert str(path) in result.stderr
        assert result.stderr.count("\n") == 1


def test_unwritable_place_is_one_line(run, controller_config: Path, tmp_path: Path) -> None:
    """A file where a directory should be is not a traceback."""
    (tmp_path / "a").write_text("in the way")
    result = run("storage", "format", "-c", controller_config)
    assert result.exit_code == ExitCode.FAILURE
    assert str(tmp_path / "a") in result.stderr


def test_info_has_kafka_s_layout(run, controller_config: Path, tmp_path: Path) -> None:
    """Found directories, found metadata with sorted keys, found problems; blank lines between."""
    before = run("storage", "info", "-c", controller_config)
    assert before.exit_code == ExitCode.FAILURE
    assert before.stdout == (
        f"Found log directories:\n  {tmp_path}/a\n  {tmp_path}/b\n\n"
        f"Found problems:\n  {tmp_path}/a does not exist\n  {tmp_path}/b does not exist\n\n"
    )
    run("storage", "format", "-c", controller_config)
    after = run("storage", "info", "-c", controller_config)
    directory_id = properties(tmp_path / "a")["directory.id"]
    assert after.exit_code == ExitCode.OK
    assert after.stdout == (
        f"Found log directories:\n  {tmp_path}/a\n  {tmp_path}/b\n\n"
        f"Found metadata: {{directory.id={directory_id}, node.id=1, version=2}}\n\n"
    )


def test_info_finds_what_does_not_belong_together(run, controller_config: Path, tmp_path: Path) -> None:
    """Mixed clusters, mixed nodes, version 0 files, broken files, files in place of directories."""
    run("storage", "format", "-c", controller_config, "-t", "x")
    path = tmp_path / "b" / "meta.properties"
    path.write_text("version=1\ncluster.id=y\nnode.id=2\n")
    text = run("storage", "info", "-c", controller_config).stdout
    assert "Mismatched cluster IDs between storage directories." in text
    assert "Mismatched node IDs between storage directories." in text
    path.write_text("broker.id=1\n")
    assert "formatted for legacy mode" in run("storage", "info", "-c", controller_config).stdout
    path.write_text("version=77\n")
    assert f"Error loading {path}: " in run("storage", "info", "-c", controller_config).stdout
    path.unlink()
    assert f"{tmp_path}/b is not formatted." in run("storage", "info", "-c", controller_config).stdout
    (tmp_path / "b" / "bootstrap.checkpoint").unlink()
    (tmp_path / "b").rmdir()
    (tmp_path / "b").write_text("")
    assert f"{tmp_path}/b is not a directory" in run("storage", "info", "-c", controller_config).stdout


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("SCRAM-SHA-256", "Failed to find equals sign"),
        ("SCRAM-MD5=[name=a,password=b]", "The add-scram mechanism SCRAM-MD5 is not supported."),
        ("SCRAM-SHA-256=name=a,password=b", "enclosed in [ and ]"),
        ("SCRAM-SHA-256=[password=b]", "You must supply 'name' to add-scram"),
        ("SCRAM-SHA-256=[name=a]", "You must supply one of 'password' or 'saltedpassword' to add-scram"),
        ("SCRAM-SHA-256=[name=a,password=b,saltedpassword=YQ==,salt=YQ==]", "You must supply one of 'password' or"),
        ("SCRAM-SHA-256=[name=a,saltedpassword=YQ==]", "You must supply 'salt' with 'saltedpassword' to add-scram"),
        ("SCRAM-SHA-256=[name=a,password=b,color=red]", "Unknown SCRAM configurations: color"),
        ("SCRAM-SHA-256=[name=a,password=b,iterations=4095]", "must be >= 4096 for add-scram using SCRAM-SHA-256"),
        ("SCRAM-SHA-256=[name=a,password=b,iterations=16385]", "must be <= 16384 for add-scram using SCRAM-SHA-256"),
        ("SCRAM-SHA-256=[name=a,password=b,iterations=many]", "is not a whole number"),
        ("SCRAM-SHA-256=[name=a,password=b,salt=!]", "The 'salt' value is not base64"),
    ],
)
def test_scram_is_refused_in_kafka_s_words(text: str, stated: str) -> None:
    """Each slip in a credential names what is missing or wrong."""
    with pytest.raises(CommandError) as caught:
        parse_scram([text], os.urandom)
    assert stated in str(caught.value)


def test_scram_keys_are_those_of_the_rfc() -> None:
    """The example of RFC 7677: user ``user``, password ``pencil``, 4096 iterations."""
    (record,) = parse_scram(
        ['SCRAM-SHA-256=[name="user",password="pencil",salt="W22ZaJ0SNY7soEsUEjb6gQ==",iterations=4096]'], os.urandom
    )
    assert base64.b64encode(record.stored_key) == b"WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY="
    assert base64.b64encode(record.server_key) == b"wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU="
    assert record.iterations == 4096


def test_scram_user_is_given_once() -> None:
    """Two credentials of one user and mechanism contradict each other."""
    one = "SCRAM-SHA-256=[name=a,password=b]"
    with pytest.raises(CommandError, match="more than once"):
        parse_scram([one, one], os.urandom)
