"""Control calls over Kafka's protocol: what Kafka's own nodes, admin client and tools ask of a controller's listener.

``calls`` (which calls there are, and how each is answered), ``members`` (registrations, heartbeats, who is there),
``alter_configs`` (both calls that change configs), ``describe_configs``, ``features``, ``partitions`` (ISR changes,
elections, reassignments, directories of replicas), ``topics``, ``accounts`` (quotas, SCRAM credentials, producer ids),
``acls``, ``broker_ids``, ``delegation_tokens``, ``envelope`` (requests that brokers forward), ``broker_apis`` (which
APIs a broker will miss).

A write is handed to the node's controller, which answers it once it is committed, and refuses it with NOT_CONTROLLER
when it is not the active one: Kafka's clients then look for the active one themselves. Reads are answered from what
this node has published. Errors are Kafka's, by code and by text.

Without an authorizer any client that can connect to a controller's listener may call (KIP-919: close that port, or
demand certificates). With one, each call is authorized by the principal of its connection
(``transport.authorization``), or by the one that a broker forwards.

Source: KIP-919; Kafka ``ControllerApis``.
"""

from kraftpy.transport.kafka.control.calls import ControlCalls

__all__ = ("ControlCalls",)
