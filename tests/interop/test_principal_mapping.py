"""Names of principals by our rules and by Kafka's SslPrincipalMapper: the same names, the same refusals.

Not drawn, because the two differ on purpose: patterns that one language of regular expressions has and the other has
not (``a{2``), a reference to a group of a pattern without groups (refused here when the configuration is read, in Kafka
when a certificate is mapped), and two references to groups that do not exist (Kafka escapes the second one wrongly, and
then cannot map any name).
"""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

from kraftpy.authorizer.principal_mapping import PrincipalMapper, parse_rules
from tests.interop.cluster import JVM, TOOL_TIMEOUT_S
from tests.interop.jars import Jars

SEED = 1
QUESTIONS = 20_000
PATTERNS = (
    "^CN=(.*?),OU=(.*?)$", "^CN=(.*?),.*$", "CN=a", ".*", "^.*[Cc][Nn]=([a-zA-Z0-9.]*).*$", "(a)|(b)", r"CN=a\/b",
    "^(C)(N)=(.)(.)?$", "^$", r"CN=\\.*", "(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)", "(", "CN=(?:x|y)",
)  # fmt: skip
REPLACEMENTS = ("$1", "$1@$2", "$0", "x", "", r"\$1", "$12", "$1$1", "$9-x", "$01", r"a\/b", r"a\\b", "Ä$1", "$51")
WITHOUT_GROUPS = {"$0", "x", "", r"\$1", "$01", r"a\/b", r"a\\b"}
NAMES = (
    "CN=Alice,OU=Dev", "CN=a", "CN=b", "cn=duke,ou=sme", "CN=a/b", "CN=", "", "a", "b", "CN=xy", "CN=x", "CN=Äß,O=Ö",
    "O=Org,CN=Bob.1,C=US", r"CN=\,", "CN=123456789",
)  # fmt: skip
BROKEN = ("RULE:a", "RULE:a/b", "rule:a/b/", "DEFAULT2", "RULE:a/b/X", "x", "RULE:/", "RULE://")


def rules(rng: random.Random) -> str:
    """Draw one to three rules; one in ten is malformed."""
    drawn = []
    for _ in range(rng.randrange(1, 4)):
        if rng.random() < 0.1:
            drawn.append(rng.choice(BROKEN))
        elif rng.random() < 0.2:
            drawn.append("DEFAULT")
        else:
            pattern = rng.choice(PATTERNS)
            fitting = [each for each in REPLACEMENTS if "(" in pattern.replace("(?:", "") or each in WITHOUT_GROUPS]
            drawn.append(f"RULE:{pattern}/{rng.choice(fitting)}/{rng.choice(('', 'L', 'U'))}")
    return rng.choice((", ", ",", " ,  ")).join(drawn)


def ours(text: str, name: str) -> str:
    try:
        mapper = PrincipalMapper(parse_rules(text))
    except ValueError:
        return "!"
    found = mapper.name_of(f"User:{name}")
    return "-" if found is None else f"= {found.removeprefix('User:')}"


def test_the_same_names_as_kafkas_mapper(jars: Jars) -> None:
    """Seeded rules and names; references that no group has, escapes, cases, and rules that are none."""
    rng = random.Random(SEED)
    asked = [(rules(rng), rng.choice(NAMES)) for _ in range(QUESTIONS)]
    source = Path(__file__).with_name("MappingJudge.java")
    command = ["java", *JVM, "-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8", "-cp", jars.classpath, str(source)]
    lines = "".join(f"{text}\t{name}\n" for text, name in asked)
    judged = subprocess.run(
        command, input=lines, capture_output=True, text=True, encoding="utf-8", check=False, timeout=TOOL_TIMEOUT_S
    )
    assert judged.returncode == 0, judged.stderr
    kafkas = judged.stdout.split("\n")[:-1]
    made = [ours(*one) for one in asked]
    different = [
        f"{text!r} of {name!r}: ours {one!r}, Kafka's {other!r}"
        for (text, name), one, other in zip(asked, made, kafkas, strict=True)
        if one.rstrip() != other.rstrip()
    ]
    assert not different, f"{len(different)} differ\n" + "\n".join(different[:20])
    assert {one[0] for one in made} == {"!", "-", "="}
