"""Which of a listener's connections are voters': what they asked says so, as far as anything does without certificates.

A connection is a voter's from its first well-formed Raft request under the key of a current voter. Anybody can write
such a key, so each voter has :data:`CONNECTIONS_PER_VOTER_MAX` places, and the connection that spoke last takes the
place of the one that has been silent longest: who forges an id holds no place against the voter itself, which speaks
all the time.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Final, Generic, TypeVar

from kraftpy.model.ids import NodeId

CONNECTIONS_PER_VOTER_MAX: Final = 4
"""How many connections count as one voter's; it has one, and another while the first one's end is not known here."""

C = TypeVar("C", bound=Hashable)


class VoterConnections(Generic[C]):
    """The connections that spoke as voters, by voter, the longest silent first.

    Attributes:
        displaced: how many gave their place to another connection of the same voter, ever.
    """

    def __init__(self) -> None:
        self._places: dict[NodeId, OrderedDict[C, None]] = {}
        self._voter_of: dict[C, NodeId] = {}
        self.displaced = 0
        self._addresses: dict[NodeId, OrderedDict[str, None]] = {}

    def __contains__(self, connection: object) -> bool:
        return connection in self._voter_of

    def __len__(self) -> int:
        return len(self._voter_of)

    def is_known(self, address: str) -> bool:
        """Whether a voter spoke from this address lately, from a connection that may have ended."""
        return any(address in addresses for addresses in self._addresses.values())

    def note(self, connection: C, voter: NodeId, address: str = "") -> None:
        """Take it that a connection spoke as this voter just now, from an address."""
        addresses = self._addresses.setdefault(voter, OrderedDict())
        addresses[address] = None
        addresses.move_to_end(address)
        if len(addresses) > CONNECTIONS_PER_VOTER_MAX:
            addresses.popitem(last=False)
        if self._voter_of.get(connection, voter) != voter:
            self.forget(connection)
        places = self._places.setdefault(voter, OrderedDict())
        places[connection] = None
        places.move_to_end(connection)
        self._voter_of[connection] = voter
        if len(places) > CONNECTIONS_PER_VOTER_MAX:
            silent, _ = places.popitem(last=False)
            del self._voter_of[silent]
            self.displaced += 1

    def forget(self, connection: C) -> None:
        """Remove a connection that ended, or no longer belongs to a voter."""
        voter = self._voter_of.pop(connection, None)
        if voter is not None:
            del self._places[voter][connection]
            if not self._places[voter]:
                del self._places[voter]

    def keep(self, voters: tuple[NodeId, ...]) -> None:
        """Take out the connections of those that vote no longer."""
        for voter in [one for one in self._addresses if one not in voters]:
            del self._addresses[voter]
        for voter in [one for one in self._places if one not in voters]:
            for connection in tuple(self._places[voter]):
                self.forget(connection)
