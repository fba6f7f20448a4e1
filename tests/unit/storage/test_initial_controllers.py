"""The text form of a first voter set."""

from __future__ import annotations

import re

import pytest

from kraftpy.model.errors import ConfigError
from kraftpy.model.ids import uuid_from_text
from kraftpy.model.voters import Endpoint
from kraftpy.storage.initial_controllers import parse_initial_controllers, standalone_voters

A = "AAECAwQFRgeICQoLDA0ODw"
B = "EBESExQVRheYGRobHB0eHw"


def test_a_list_of_controllers():
    """Ids, hosts (IPv6 in brackets), ports and directory ids are read; the listener is upper case."""
    voters = parse_initial_controllers(f"3@[2001:db8::1]:9094:{B}, 1@localhost:9093:{A}", "controller")
    assert voters.ids == (1, 3)
    first, second = voters
    assert (str(first.endpoints[0]), first.key.directory_id) == ("CONTROLLER://localhost:9093", uuid_from_text(A))
    assert (str(second.endpoints[0]), second.kraft_version_max) == ("CONTROLLER://[2001:db8::1]:9094", 1)
    assert standalone_voters(1, Endpoint("CONTROLLER", "localhost", 9093), uuid_from_text(A)).voters == (first,)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "No voters given."),
        ("1", "No @ found in dynamic voter string."),
        (f"@h:1:{A}", "Invalid @ at beginning of dynamic voter string."),
        (f"x@h:1:{A}", "Failed to parse node id in dynamic voter string."),
        (f"-2@h:1:{A}", "Invalid negative node id -2 in dynamic voter string."),
        ("1@", "No hostname found after node id."),
        (f"1@:1:{A}", "No hostname found after node id."),
        (f"1@[::1:1:{A}", "Hostname began with left bracket, but no right bracket was found."),
        ("1@h", "No colon following hostname could be found."),
        (f"1@[::1]1:{A}", "Port section must start with a colon."),
        ("1@h:1", "No colon following port could be found."),
        (f"1@h:65536:{A}", "Invalid port 65536 in dynamic voter string."),
        (f"1@h:x:{A}", "Invalid port x in dynamic voter string."),
        (" , ", "No voters given."),
        ("1@h:1:short", "Failed to parse directory ID in dynamic voter string."),
        (f"1@h:1:{A},1@i:1:{B}", "Duplicate controller ID"),
    ],
)
def test_refusals(text, error):
    """Each fault is named in Kafka's words."""
    with pytest.raises(ConfigError, match=re.escape(error)):
        parse_initial_controllers(text, "CONTROLLER")
