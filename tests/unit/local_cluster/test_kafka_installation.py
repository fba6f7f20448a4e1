"""Finding Java and Kafka: what is named wins, what is missing is named with the ways out."""

from __future__ import annotations

import pytest

from kraftpy.local_cluster import kafka_download
from kraftpy.local_cluster.kafka_download import KAFKA_VERSION, first_error
from kraftpy.local_cluster.kafka_installation import cache_directory, find_java, find_kafka, java_major
from kraftpy.model.errors import ConfigError
from tests.fakes.fake_kafka import CORE_JAR, java_home, kafka_home, maven, script


@pytest.fixture
def environment(tmp_path):
    """A user with Java 17, an empty PATH and an empty cache."""
    (tmp_path / "bin").mkdir()
    return {
        "JAVA_HOME": str(java_home(tmp_path / "java")),
        "PATH": str(tmp_path / "bin"),
        "HOME": str(tmp_path / "home"),
    }


def no_report(line):
    """What is to print nothing."""
    raise AssertionError(line)


@pytest.mark.parametrize(
    ("shown", "major"),
    [
        ('openjdk version "17.0.15" 2025-04-15\n', 17),
        ('java version "1.8.0_202"\n', 1),
        ('openjdk version "25-ea" 2025-09-16\n', 25),
        ("No Java runtime present\n", None),
        ("", None),
    ],
)
def test_java_states_its_version(shown, major) -> None:
    """An old Java, or a program that only looks like one, would be started and fail in every broker's log."""
    assert java_major(shown) == major


def test_java_is_that_of_java_home_else_of_the_path(tmp_path, environment) -> None:
    """Another Java than the one that the user chose would run the brokers."""
    assert find_java(environment) == str(tmp_path / "java" / "bin" / "java")
    on_path = java_home(tmp_path / "other") / "bin"
    assert find_java({"PATH": str(on_path)}) == str(on_path / "java")


def test_no_java_is_an_error_with_the_ways_out(tmp_path) -> None:
    """A user without Java would see a traceback, or not learn which version is needed."""
    with pytest.raises(ConfigError, match=r"need Java 17, and there is no java on the PATH\. Install .* JAVA_HOME"):
        find_java({"PATH": str(tmp_path)})
    with pytest.raises(ConfigError, match=rf"there is no {tmp_path}/bin/java \(JAVA_HOME\)\. Install"):
        find_java({"PATH": str(tmp_path), "JAVA_HOME": str(tmp_path)})


@pytest.mark.parametrize("version", ["11.0.2", "1.8.0_202"])
def test_a_java_that_is_too_old_is_an_error_with_its_version(tmp_path, version) -> None:
    """The brokers would die with a class-file version that says nothing to an operator."""
    home = java_home(tmp_path / "java", version)
    with pytest.raises(ConfigError, match=rf"need Java 17; `{home}/bin/java -version` printed .*{version}.*Install"):
        find_java({"JAVA_HOME": str(home)})


def test_a_java_that_cannot_run_is_an_error(tmp_path) -> None:
    """A broken link or a file for another machine would end in a traceback."""
    java = script(tmp_path / "bin" / "java")
    java.write_bytes(b"\x7fELF nothing")
    with pytest.raises(ConfigError, match=rf"`{java} -version`: .*Install"):
        find_java({"PATH": str(java.parent)})


def test_the_option_is_before_the_environment(tmp_path, environment) -> None:
    """The brokers would be of another Kafka than the one that was named on the command line."""
    named = kafka_home(tmp_path / "named")
    environment["KAFKA_HOME"] = str(kafka_home(tmp_path / "other", "kafka_2.13-4.1.0.jar"))
    found = find_kafka(str(named), environment, no_report)
    assert (found.jars, found.version, found.scripts) == (named / "libs", "4.3.0", None)
    found = find_kafka(None, environment, no_report)
    assert (found.jars, found.version) == (tmp_path / "other" / "libs", "4.1.0")
    script(tmp_path / "other" / "bin" / "kafka-topics.sh")
    assert find_kafka(None, environment, no_report).scripts == tmp_path / "other" / "bin"


def test_a_kafka_without_jars_is_an_error_that_names_its_source(tmp_path, environment) -> None:
    """The user would search the wrong one of the two places, or get a JVM that finds no class."""
    home = tmp_path / "kafka"
    environment["KAFKA_HOME"] = str(home)
    stated = rf"KAFKA_HOME is {home}: {home}/libs has no jar of Apache Kafka's core.*Name the directory"
    with pytest.raises(ConfigError, match=stated):
        find_kafka(None, environment, no_report)
    kafka_home(home, "kafka-clients-4.3.0.jar", "kafka_2.13-4.3.0-sources.jar")
    with pytest.raises(ConfigError, match=stated):
        find_kafka(None, environment, no_report)
    with pytest.raises(ConfigError, match=f"--kafka-home is {home}: "):
        find_kafka(str(home), environment, no_report)


def test_an_old_kafka_is_refused(tmp_path, environment) -> None:
    """Its brokers would start with a logging that they do not have, and die without a word."""
    home = kafka_home(tmp_path / "kafka", "kafka_2.13-3.9.1.jar")
    with pytest.raises(ConfigError, match=rf"{home}: this is Kafka 3\.9\.1; brokers from 4\.0 on"):
        find_kafka(str(home), environment, no_report)


def test_without_kafka_and_maven_the_ways_out_are_named(environment) -> None:
    """The user would not learn that an option, a variable or Maven is enough."""
    with pytest.raises(
        ConfigError, match=r"no Kafka: .*there is no mvn\. Name .*--kafka-home or in KAFKA_HOME, or put"
    ):
        find_kafka(None, environment, no_report)


def test_maven_fetches_once_into_the_cache(tmp_path, environment) -> None:
    """Each start would load a hundred megabytes, or a half-filled directory would count as a Kafka."""
    mvn = maven(tmp_path / "bin")
    lines = []
    found = find_kafka(None, environment, lines.append)
    directory = tmp_path / "home" / ".cache" / "kraftpy" / f"kafka-{KAFKA_VERSION}"
    assert (found.jars, found.version, found.scripts) == (directory, KAFKA_VERSION, None)
    assert lines == [f"fetching the jars of Kafka {KAFKA_VERSION} by Maven into {directory}, once"]
    mvn.unlink()
    assert find_kafka(None, environment, no_report) == found
    assert [path.name for path in directory.parent.iterdir()] == [directory.name]
    (directory / CORE_JAR).unlink()
    with pytest.raises(ConfigError, match=f"{directory} has no jar of Kafka's core: remove it"):
        find_kafka(None, environment, no_report)


def test_a_maven_that_fails_leaves_nothing_and_states_the_cause(tmp_path, environment, monkeypatch) -> None:
    """A later start would take what is there for the whole, and the user would not see what Maven said."""
    maven(tmp_path / "bin", "echo '[INFO] x'; echo '[ERROR] Could not transfer artifact'; exit 1")
    with pytest.raises(ConfigError, match=r"could not fetch Kafka's jars: \[ERROR\] Could not transfer .*--kafka-home"):
        find_kafka(None, environment, lambda _: None)
    maven(tmp_path / "bin", "exec /bin/sleep 60")
    monkeypatch.setattr(kafka_download, "FETCH_TIMEOUT_S", 0.05)
    with pytest.raises(ConfigError, match=r"did not fetch Kafka's jars within 0\.05 s\..*--kafka-home"):
        find_kafka(None, environment, lambda _: None)
    (tmp_path / "bin" / "mvn").write_bytes(b"\x7fELF nothing")
    with pytest.raises(ConfigError, match=r"bin/mvn cannot be run: .*--kafka-home"):
        find_kafka(None, environment, lambda _: None)
    assert list((tmp_path / "home" / ".cache" / "kraftpy").iterdir()) == []


def test_a_cache_that_cannot_be_made_is_named(tmp_path, environment) -> None:
    """A home on a read-only disk would end in a traceback."""
    maven(tmp_path / "bin")
    (tmp_path / "file").touch()
    environment["XDG_CACHE_HOME"] = str(tmp_path / "file")
    with pytest.raises(ConfigError, match=r"file/kraftpy/kafka-4\.3\.0 cannot be made: .*--kafka-home"):
        find_kafka(None, environment, lambda _: None)


def test_the_cache_is_the_user_s(tmp_path) -> None:
    """Jars would be put where the user does not clean up, or below the working directory."""
    home = {"HOME": str(tmp_path)}
    assert cache_directory(home) == tmp_path / ".cache" / "kraftpy"
    assert cache_directory(home | {"XDG_CACHE_HOME": "relative"}) == tmp_path / ".cache" / "kraftpy"
    assert cache_directory(home | {"XDG_CACHE_HOME": "/cache"}).parts[1:] == ("cache", "kraftpy")
    with pytest.raises(ConfigError, match=r"neither HOME nor XDG_CACHE_HOME is set.*--kafka-home"):
        cache_directory({})


def test_the_line_with_maven_s_cause_is_shown() -> None:
    """Its output has a hundred lines; the error is one."""
    assert first_error("[INFO] a\n[ERROR] b\n[ERROR] c\n") == "[ERROR] b"
    assert first_error("x" * 1_000) == "x" * kafka_download.OUTPUT_CHARS_MAX
    assert first_error("") == ""


def test_a_colon_in_the_path_of_the_jars_is_refused(tmp_path, environment) -> None:
    """The JVM would look for Kafka in two directories that do not exist, and Maven fetch jars that are of no use."""
    home = kafka_home(tmp_path / "a:b")
    way_out = "has ':' in its path, .*Move it, or name a link"
    with pytest.raises(ConfigError, match=f"--kafka-home: {home}/libs {way_out}"):
        find_kafka(str(home), environment, no_report)
    with pytest.raises(ConfigError, match=f"KAFKA_HOME: {home}/libs {way_out}"):
        find_kafka(None, environment | {"KAFKA_HOME": str(home)}, no_report)
    with pytest.raises(ConfigError, match=rf"XDG_CACHE_HOME, else HOME\): {home}/.cache/kraftpy/kafka-.* {way_out}"):
        find_kafka(None, environment | {"HOME": str(home)}, no_report)
    (tmp_path / "link").symlink_to(home)
    assert find_kafka(str(tmp_path / "link"), environment, no_report).jars == tmp_path / "link" / "libs"
