"""All constants of time: elections, discovery of the leader, pauses after an error. The timeouts are in ``config``.

None of them is needed for safety. They decide how fast a leader is replaced and how often an unreachable peer is asked.
"""

from __future__ import annotations

from typing import Final

# Elections.

ELECTION_STAGGER_MS: Final = 25
"""Voters that lose the same leader start their elections this far apart, by rank, so that the first one wins."""

LEADER_LOST_JITTER_MS: Final = 10
"""A random part below this is added when an election is scheduled because the leader's process is gone."""

RESIGNATION_NOTICE_MS: Final = 50
"""A voter that learns of a resignation only by a rejected fetch gives the preferred successors this head start."""

FIRST_BACK_OFF_MS: Final = 50
"""The pause after a first lost election is drawn below this; each further loss doubles it."""

BACK_OFF_DOUBLINGS_MAX: Final = 10
"""How often that pause doubles at most; ``RaftConfig.election_backoff_max_ms`` limits it as well."""

HASTY_ROUNDS: Final = 5
"""After this many rounds that were lost because of voters' directories, the next ones are an election timeout apart."""

TRUST_WAIT_TIMEOUTS: Final = 5
"""How many election timeouts a trusted empty voter waits for a voter that it has not heard, or that has rejected it."""

INELIGIBLE_YIELD: Final = 2
"""An ineligible replica leaves each new leader to the others for this part of a fetch timeout."""

# Resigning.

RESIGNED_CHECK_MS: Final = 100
"""How often a leader that is shutting down sends EndQuorumEpoch again to a voter that has acknowledged it."""

# Discovery of the leader, and pauses after an error.

DISCOVERY_PAUSE_MS: Final = 50
"""How long a replica without a leader waits between two fetches that ask its peers for the leader."""

REJECTED_PAUSE_MS: Final = 500
"""The pause towards a peer that rejected a request for a reason that does not pass by itself."""

# Observers.

OBSERVER_SESSION_MS: Final = 300_000
"""An observer that has not fetched for this long is forgotten."""
