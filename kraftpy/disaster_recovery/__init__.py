"""Disaster recovery: what to do with directories when the quorum itself cannot help any more.

Purpose: to read the directories that are left, report what is certain about them and what is not, plan the changes that
let a cluster start again, and apply them so that no change is left half done and each can be undone.
Must not depend on: asyncio, gRPC, sockets, clocks, running nodes. It works on stopped directories through the port of
``storage``; the caller holds their locks.

Reading order: ``tar_bundle`` (many files in one, which detects every change), ``plan_files`` (plans and records),
``changes`` (several files of a directory changed atomically, and the undo), ``inspection`` (what a directory holds),
``epochs`` (by how much an epoch must be raised), ``recovery_plan`` (what is lost, what is kept, which nodes vote: a
pure function of the inspections and the operator's options), ``recovery`` (applies the plan);
``unreplayable_record`` (a committed record that replay rejects); ``archive`` (backup and restore);
``cluster_shutdown`` (stops a whole cluster in order, and starts it again).

Invariants:

* Inspection changes nothing. Every change is first a plan whose digest the caller repeats.
* A directory whose change was interrupted does not start, in kraftpy or in Kafka, and the error describes the undo.
* A change can be undone byte for byte until a node has started on the directory.
* A bundle that was cut or altered anywhere is rejected before a byte of it is used.

Source: KIP-853 §Recovery (which leaves it to the operator); etcd ``--force-new-cluster``; Redpanda's recovery mode.
"""
