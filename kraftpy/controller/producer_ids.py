"""Blocks of producer ids: each is given to one broker, and none is given twice.

The checks, in order:

1. STALE_BROKER_EPOCH: no broker is registered with this id and epoch.
2. UNKNOWN_SERVER_ERROR: no whole block is left.

Source: Kafka ``ProducerIdControlManager``; KIP-730.
"""

from __future__ import annotations

from typing import Final

from kraftpy.controller.account_requests import AllocateProducerIds, AllocateProducerIdsResponse
from kraftpy.controller.decision_context import DecisionContext
from kraftpy.controller.registration import check_broker_epoch
from kraftpy.controller.result import ControllerResult
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.records.metadata import ProducerIdsRecord

BLOCK_IDS: Final = 1_000
"""How many ids a block has. Source: Kafka ``ProducerIdsBlock.PRODUCER_ID_BLOCK_SIZE``."""

PRODUCER_ID_MAX: Final = 2**63 - 1


def allocate_producer_ids(view: DecisionContext, request: AllocateProducerIds) -> ControllerResult:
    """Give a broker the next block.

    Raises:
        ApiError: STALE_BROKER_EPOCH; UNKNOWN_SERVER_ERROR when there is no whole block left, as in Kafka.
    """
    check_broker_epoch(view.image, request.broker_id, request.broker_epoch)
    start = max(view.image.producer_ids.next_producer_id, 0)
    if start > PRODUCER_ID_MAX - BLOCK_IDS:
        raise ApiError(
            ErrorCode.UNKNOWN_SERVER_ERROR,
            f"All producer ids are given out: the next block would begin at {start}, and ids end at {PRODUCER_ID_MAX}",
        )
    record = ProducerIdsRecord(
        broker_id=request.broker_id, broker_epoch=request.broker_epoch, next_producer_id=start + BLOCK_IDS
    )
    return ControllerResult((record,), AllocateProducerIdsResponse(start=start, length=BLOCK_IDS))
