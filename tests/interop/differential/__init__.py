"""Kafka's controller is the judge: the same seeded requests to it and to ours, and everything compared that follows.

``names`` makes ids that are drawn comparable; ``log_tail`` and ``side`` are one controller; ``asking`` and ``kinds``
draw requests; ``comparing`` and ``differences`` say what differs and what may; ``judge`` runs episodes, and ``reset``
ends them.
"""
