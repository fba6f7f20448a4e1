"""All targets, by name."""

from __future__ import annotations

from importlib import import_module

from tests.fuzz.target import Target

NAMES = (
    "audit_reading", "authors", "batches", "bundles", "checkpoints", "control_records", "controller_requests",
    "endpoints", "grpc_authentication", "grpc_pages", "grpc_session", "grpc_writes", "image_replay", "kafka_channel",
    "kafka_listener", "login_lines", "meta_properties", "metadata_records", "port_kinds", "quorum_state",
    "recovery_point", "replica_steps", "rpc_messages", "sasl_exchange", "server_properties", "snapshots",
    "storage_recovery",
)  # fmt: skip


def find(name: str) -> Target:
    """Import one target."""
    target: Target = import_module(f"tests.fuzz.targets.{name}").TARGET
    assert target.name == name
    return target
