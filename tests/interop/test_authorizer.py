"""Our authorizer and Kafka's StandardAuthorizer over the same entries: the same decisions.

One difference is intended: in Kafka an entry for all names (the literal ``*``) is not about names that begin with ``*``
and go on, such as ``*a``. A DENY for all names has a hole there, so here it is about every name.
"""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

from kraftpy.authorizer.actions import AclResource, Action, Caller
from kraftpy.authorizer.standard import EVERYONE, StandardAuthorizer
from kraftpy.image.acls import AccessControlEntry, AclsDelta, AclsImage
from kraftpy.model.acls import AclOperation, AclResourceType, PatternType, PermissionType
from kraftpy.records.metadata import AccessControlEntryRecord
from tests.interop.cluster import JVM, TOOL_TIMEOUT_S
from tests.interop.jars import Jars

SEED = 1
WORLDS = 400
QUESTIONS = 50
NAMES = ("a", "ab", "abc", "abd", "b", "*", "a*", "*a", "**", "Ä", "Äb")
PRINCIPALS = ("User:alice", "User:bob", "User:CN=x,O=y", "User:*", "Group:g", "Group:*", "User:admin")
ON_PURPOSE = {"*a", "**"}
HOSTS = ("10.0.0.1", "10.0.0.2", "0:0:0:0:0:0:0:1")
OPERATIONS = [each for each in AclOperation if each >= AclOperation.READ]
TYPES = [each for each in AclResourceType if each >= AclResourceType.TOPIC]


def entry(rng: random.Random) -> AccessControlEntry:
    return AccessControlEntry(
        resource_type=rng.choice(TYPES[:2]),
        resource_name=rng.choice(NAMES),
        pattern_type=rng.choice((PatternType.LITERAL, PatternType.PREFIXED)),
        principal=rng.choice(PRINCIPALS),
        host=rng.choice(("*", *HOSTS)),
        operation=rng.choice([AclOperation.ALL, *OPERATIONS]),
        permission_type=rng.choice((PermissionType.DENY, PermissionType.ALLOW, PermissionType.ALLOW)),
    )


def question(rng: random.Random) -> tuple[Caller, Action]:
    # Kafka's class raises IllegalArgumentException for a caller that is named User:*.
    caller = Caller(rng.choice([one for one in PRINCIPALS if one != EVERYONE]), rng.choice(HOSTS))
    return caller, Action(rng.choice(OPERATIONS), AclResource(rng.choice(TYPES[:2]), rng.choice(NAMES)))


def test_the_same_decisions_as_kafkas_standard_authorizer(jars: Jars) -> None:
    """Seeded entries of colliding names, prefixes, wildcards, principals and hosts."""
    rng = random.Random(SEED)
    lines: list[str] = []
    ours: list[bool] = []
    for _ in range(WORLDS):
        is_lenient = rng.random() < 0.5
        authorizer = StandardAuthorizer(["User:admin"], allow_without_entries=is_lenient)
        lines.append(f"world\t{str(is_lenient).lower()}")
        delta = AclsDelta(AclsImage())
        # An entry twice would have two ids here; Kafka's set of entries keeps one.
        for number, one in enumerate(dict.fromkeys(entry(rng) for _ in range(rng.randrange(12))), 1):
            parts = (
                int(one.resource_type), one.resource_name, int(one.pattern_type), one.principal, one.host,
                int(one.operation), int(one.permission_type),
            )  # fmt: skip
            lines.append("acl\t" + "\t".join(map(str, parts)))
            delta.replay_entry(AccessControlEntryRecord(number.to_bytes(16), *parts))
        lines.append("load")
        authorizer.load(delta.apply())
        for _ in range(QUESTIONS):
            caller, action = question(rng)
            resource = action.resource
            lines.append(
                f"ask\t{caller.principal}\t{caller.host}\t{int(action.operation)}\t{int(resource.type)}\t{resource.name}"
            )
            ours.append(authorizer.allows(caller, action))
    source = Path(__file__).with_name("AuthorizerJudge.java")
    command = ["java", *JVM, "-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8", "-cp", jars.classpath, str(source)]
    judged = subprocess.run(
        command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=False, timeout=TOOL_TIMEOUT_S
    )
    assert judged.returncode == 0, judged.stderr
    kafkas = [line == "ALLOWED" for line in judged.stdout.split() if line in {"ALLOWED", "DENIED"}]
    asked = [line for line in lines if line.startswith("ask")]
    different = [asked[place] for place, pair in enumerate(zip(ours, kafkas, strict=True)) if pair[0] != pair[1]]
    assert {line.rpartition("\t")[2] for line in different} == ON_PURPOSE
    assert 0 < sum(ours) < len(ours)
