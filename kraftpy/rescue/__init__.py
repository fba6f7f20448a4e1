"""Coming back from the worst: what to do with directories when the quorum itself cannot help any more.

What this room is for: to read the directories that are left, to say what is certain about them and what is not, to
decide how they must be changed so that a cluster can start again, and to change them so that nothing is half done and
everything can be put back. What it may not know: asyncio, gRPC, sockets, clocks, running nodes. It works on stopped
directories through the port of ``storage``; whoever calls it holds their locks.

Reading order: ``bundle`` (many files in one, which shows every change), ``documents`` (plans and records), ``changes``
(several files of a directory changed as one, and put back), ``survey`` (what a directory holds), ``epochs`` (how far an
epoch must jump), ``recovery_plan`` (what is lost, what is kept, who votes: a pure function of the surveys and the
wishes), ``recovery`` (the plan carried out); ``unreplayable_record`` (a record that cannot be applied); ``archive``
(backup and restore); ``hibernation`` (a whole cluster put to rest, and woken).

Invariants of the room:

* Looking changes nothing. Every change is first a plan whose digest the caller repeats.
* A directory whose change was interrupted refuses to start, in kraftpy and in Kafka, and says how to put it back.
* What was changed can be put back byte for byte until a node has started on it.
* A bundle that was cut or altered anywhere is refused before a byte of it is used.

Source: KIP-853 §Recovery (which leaves it to the operator); etcd ``--force-new-cluster``; Redpanda's recovery mode.
"""
