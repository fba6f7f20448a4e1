"""How far the epoch must jump when an operator decides for voters that cannot be asked.

A recovered quorum must be in a higher epoch than any that a missing voter has seen: then every message of that voter
is refused as old, and it learns the new epoch from the refusal. How far the missing ones got cannot be known, so the
jump is wide: an epoch takes a won pre-vote and at least a round trip, and a quorum that elects ten times a second
without pause needs fourteen hours for :data:`EPOCH_MARGIN` of them.

It must not be too wide either. A node refuses messages that are further ahead than it can believe
(``raft.epoch_limit.EPOCH_JUMP_MAX``), so the jump is half of that: a returning node believes the recovered quorum, and
the recovered quorum believes a returning node. Epochs are int32: the room is for thousands of recoveries.
"""

from __future__ import annotations

from kraftpy.model.errors import LocalError
from kraftpy.model.offsets import Epoch
from kraftpy.raft.epoch_limit import EPOCH_JUMP_MAX, EPOCH_LAST

EPOCH_MARGIN = EPOCH_JUMP_MAX // 2


def epoch_after(highest_seen: Epoch) -> Epoch:
    """Return the epoch of a recovery.

    Raises:
        LocalError: there is no room left for one.
    """
    epoch = highest_seen + EPOCH_MARGIN
    if epoch > EPOCH_LAST - EPOCH_JUMP_MAX:
        raise LocalError(
            f"the highest epoch that was seen is {highest_seen}: {EPOCH_MARGIN} more leave too little room below "
            f"{EPOCH_LAST}. No quorum gets there by electing; look for corruption in quorum-state."
        )
    return epoch
