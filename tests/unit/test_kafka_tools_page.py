"""docs/kafka-tools.md is what the kept results say, and the judge of Kafka's tools excuses no more than it says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.interop.stock_tools import results
from tests.interop.stock_tools.differences import DIFFERENCES, SAME, WRONG, judged
from tests.interop.stock_tools.normal import Answer, Names
from tests.interop.stock_tools.script import Broker, Call, File, Reassigned, load, steps
from tests.interop.stock_tools.servant import Output

TOPICS = Call("kafka-topics --bootstrap-server {brokers} --describe --topic orders")
FEATURES = Call("kafka-features --bootstrap-controller {controllers} describe")


def test_the_page_is_written_from_the_results():
    """A change of the results or of the text is followed by ``make kafka-tools``."""
    assert results.PAGE.read_text(encoding="utf-8") == results.page(*results.load())


def test_the_results_are_those_of_the_script():
    """Each call was made on both, in the script's order, and came to the same or to a difference on purpose."""
    _, kept = results.load()
    assert [one.call for one in kept] == [step for step in load() if isinstance(step, Call)]
    assert {one.verdict for one in kept} == {SAME, *(one.name for one in DIFFERENCES)}


def test_a_result_is_kept_as_it_is():
    kept = results.Result(TOPICS, Answer("1", "a\nb\n", ""), "own-levels")
    assert results.Result.from_json(kept.to_json()) == kept


def test_a_script_is_files_brokers_and_calls():
    text = (
        "# about\n\nfile a.txt one\\ntwo\n@stop 103\n@start 103\n@reassigned\nkafka-topics --list '{dir}/a b' < a.txt\n"
    )
    *others, call = steps(text)
    assert others == [
        File("a.txt", "one\ntwo"),
        Broker(starts=False, node_id=103),
        Broker(starts=True, node_id=103),
        Reassigned(),
    ]
    assert isinstance(call, Call)
    assert (call.tool, call.stdin, call.arguments({"dir": "/tmp"})) == ("kafka-topics", "a.txt", ["--list", "/tmp/a b"])


def test_a_line_that_is_no_step_is_refused():
    with pytest.raises(ValueError, match=r"commands.txt:2: 'kafka-topic' is no tool"):
        list(steps("\nkafka-topic --list\n"))


@pytest.mark.parametrize(
    ("text", "reads_only"),
    [
        ("kafka-topics --bootstrap-server b --describe", True),
        ("kafka-get-offsets --bootstrap-server b --topic t", True),
        ("kafka-topics --bootstrap-server b --delete --topic t", False),
        ("kafka-reassign-partitions --bootstrap-server b --cancel --reassignment-json-file f", False),
    ],
)
def test_only_what_reads_is_repeated(text: str, reads_only: bool):
    assert Call(text).reads_only is reads_only


ID, NONE = "AbCdEfGhIjKlMnOpQrStUv", "A" * 22


@pytest.mark.parametrize(
    ("printed", "compared"),
    [
        (f"Topic: a\tTopicId: {ID}\tPartitionCount: 1", "Topic: a\tTopicId: {id}\tPartitionCount: 1"),
        ("\tAlterShareGroupOffsets(91): 0 [usable: 0],", "\tAlterShareGroupOffsets(91): 0 [usable: 0],"),
        ("LeaderId:       3\nHighWatermark:  69", "LeaderId:       {n}\nHighWatermark:  {n}"),
        (f"1    \t{NONE}\t85 \t0  \t17 \t17 \tFollower\t", f"{{node}}\t{NONE}\t{{n}}\t{{t}}\tFollower"),
        (f"101  \t{ID}\t85 \t0  \t9 ms ago \t9 ms ago \tObserver\t", "{node}\t{id}\t{n}\t{t}\tObserver"),
        ("Error: no\n\tat a.B.c(B.java:1)\n\t... 3 more\nCaused by: d", "Error: no\nCaused by: d"),
        ("1 127.0.0.1:4001 14001", "1 127.0.0.1:{plain-101} 14001"),
    ],
)
def test_what_differs_in_each_run_is_replaced_and_nothing_else(printed: str, compared: str):
    names = Names({"127.0.0.1:4001": "127.0.0.1:{plain-101}", "4001": "{plain-101}"})
    assert names.answer(TOPICS, Output("0", printed, printed)) == Answer("0", compared, compared)


def test_lines_are_sorted_for_the_tools_whose_order_is_by_chance():
    printed = Output("0", "b\na\n", "")
    assert Names({"x": "y"}).answer(TOPICS, printed).out == "b\na\n"
    assert Names({"x": "y"}).answer(Call("kafka-acls --list"), printed).out == "\na\nb"


def test_members_are_sorted_for_the_clients_whose_order_is_by_chance():
    """The order is that of a JVM's list of a class's methods, which differs from one machine's start to the next."""
    one, other = '{"timestamp":1,"topic":"t","partition":0}\n', '{"timestamp":2,"partition":0,"topic":"t"}\n'
    names, producer = Names({"x": "y"}), Call("kafka-verifiable-producer --topic t")
    outs = {names.answer(producer, Output("0", printed, "")).out for printed in (one, other)}
    assert outs == {'{"partition":0,"timestamp":{t},"topic":"t"}\n'}
    assert names.answer(TOPICS, Output("0", other, "")).out == other.replace("2", "{t}")


def test_the_judge_excuses_a_longer_text_of_the_list_alone():
    theirs = Answer("1", "Illegal client matching pattern: a=b\n", "")
    assert judged(TOPICS, theirs, theirs) == SAME
    assert (
        judged(TOPICS, theirs, replace(theirs, out="Illegal client matching pattern: a=b: expected c\n"))
        == "text-says-more"
    )
    assert judged(TOPICS, theirs, replace(theirs, out="Illegal client pattern: a=b\n")) == WRONG
    assert judged(TOPICS, theirs, replace(theirs, code="0")) == WRONG
    assert judged(TOPICS, theirs, replace(theirs, out=theirs.out + "more\n")) == WRONG
    assert judged(TOPICS, Answer("1", "No such topic\n", ""), Answer("1", "No such topic as a\n", "")) == WRONG


def test_the_judge_excuses_our_own_levels_alone():
    theirs = Answer("0", "SupportedMaxVersion: 4.3-IV0          FinalizedVersionLevel: 4.3-IV0", "")
    ours = replace(theirs, out="SupportedMaxVersion: UNKNOWN 40       FinalizedVersionLevel: 4.3-IV0")
    assert judged(FEATURES, theirs, ours) == "own-levels"
    assert judged(FEATURES, theirs, replace(ours, out=ours.out.replace("l: 4.3", "l: 4.2"))) == WRONG
    finalized = ours.out.replace("l: 4.3-IV0", "l: UNKNOWN 40       ")
    assert judged(FEATURES, replace(theirs, out=f"{theirs.out}          "), replace(ours, out=finalized)) == WRONG
    assert judged(TOPICS, theirs, ours) == WRONG


def test_the_judge_excuses_a_refused_value_of_a_broker_at_the_controllers_alone():
    call = Call("kafka-configs --bootstrap-controller {controllers} --alter --entity-type brokers --add-config a=b")
    text = (
        "Caused by: org.apache.kafka.common.errors.InvalidConfigurationException: Invalid value b for configuration a"
    )
    theirs, ours = Answer("0", "Completed\n", ""), Answer("1", "", text)
    assert judged(call, theirs, ours) == "values-of-brokers"
    assert judged(call, ours, theirs) == WRONG
    assert judged(Call(call.text.replace("controller", "server")), theirs, ours) == WRONG
    assert judged(call, theirs, replace(ours, err="TimeoutException")) == WRONG
