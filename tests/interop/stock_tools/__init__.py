"""Kafka's tools, called as one types them, on a cluster with Kafka's controllers and on one with ours.

``commands.txt`` has the calls and ``script`` reads it; ``StockTools.java`` runs tools in one JVM, ``servant`` speaks to
it; ``running`` starts a cluster and makes the calls; ``normal`` replaces what is drawn or measured by names;
``differences`` says what may differ, ``judging`` compares; ``results`` keeps ``results.json``, the answers of Kafka's
controllers, and writes docs/kafka-tools.md from it.
"""
