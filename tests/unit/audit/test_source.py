"""The data source "kraft" without a session: what its reader lists, filters and gives; ``tests/spark`` has the rest."""

from __future__ import annotations

import json
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from pyspark.sql import datasource as spark_source

from kraftpy.audit.reading.arrow import record_rows
from kraftpy.audit.reading.columns import RECORD_COLUMNS, arrow_table
from kraftpy.audit.reading.discovery import discover
from kraftpy.audit.reading.splits import InputSplit
from kraftpy.audit.source.datasource import KraftDataSource, KraftReader
from kraftpy.audit.source.options import parse_options
from kraftpy.audit.source.views import view_names, view_schema
from kraftpy.model.errors import ConfigError, CorruptError
from tests.unit.audit import histories
from tests.unit.audit.singly import batches


def read(path, *filters, names=None, **options) -> pa.Table:
    """Read as Spark does: one reader, filters pushed, every partition in turn."""
    parsed = parse_options({"path": str(path), "pushdown": "true", **options})
    reader = KraftReader(parsed, names or view_schema(parsed.view).names)
    left = list(reader.pushFilters(list(filters)))
    assert not left
    batches = [batch for each in reader.partitions() for batch in reader.read(each)]
    schema = pa.schema([view_schema(parsed.view).field(name) for name in names or view_schema(parsed.view).names])
    return pa.Table.from_batches(batches, schema)


def in_one_piece(path) -> pa.Table:
    rows = arrow_table(
        RECORD_COLUMNS,
        [
            row
            for file in discover([str(path)])
            if file.has_batches
            for split in [InputSplit(file, 0, file.size)]
            for found in batches(split)
            for row in record_rows(split, found)
        ],
    )
    return rows.cast(view_schema("records"))


def corrupt_log(tmp_path) -> Path:
    log = histories.small_log()
    data = bytearray(log.data)
    data[500] ^= 1
    path = log.write(tmp_path / "__cluster_metadata-0")
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("split_bytes", ["100", "2200", "100000"])
def test_partitions_give_what_one_piece_gives(tmp_path, split_bytes):
    path = corrupt_log(tmp_path)
    assert read(path, splitBytes=split_bytes, partitionBytes=split_bytes, rowsPerBatch="7") == in_one_piece(path)


@pytest.mark.parametrize(
    ("sql", "filters"),
    [
        ('"offset" > 10', [spark_source.GreaterThan(("offset",), 10)]),
        ('"offset" <= 3', [spark_source.LessThanOrEqual(("offset",), 3)]),
        ('"offset" IN (2, 5, 11)', [spark_source.In(("offset",), (2, 5, 11))]),
        ("epoch = 2", [spark_source.EqualTo(("epoch",), 2)]),
        ("timestamp_ms >= 1729857660000", [spark_source.GreaterThanOrEqual(("timestamp_ms",), 1729857660000)]),
        ("control", [spark_source.EqualTo(("control",), value=True)]),
        ("type IN ('CORRUPT', 'NO_OP_RECORD')", [spark_source.In(("type",), ("CORRUPT", "NO_OP_RECORD"))]),
        ("type = 'TOPIC_RECORD'", [spark_source.EqualNullSafe(("type",), "TOPIC_RECORD")]),
        ("api_key < 4", [spark_source.LessThan(("api_key",), 4)]),
        ("kind = 'snapshot'", [spark_source.EqualTo(("kind",), "snapshot")]),
        (
            "type = 'PARTITION_RECORD' AND \"offset\" < 20",
            [spark_source.EqualTo(("type",), "PARTITION_RECORD"), spark_source.LessThan(("offset",), 20)],
        ),
    ],
)
def test_pushed_filters_are_applied_in_full(tmp_path, sql, filters):
    path = corrupt_log(tmp_path)
    everything = in_one_piece(path)
    expected = duckdb.sql(f"SELECT * FROM everything WHERE {sql}").to_arrow_table()
    found = read(path, *filters)
    assert found.to_pylist() == expected.to_pylist()
    assert found.num_rows < everything.num_rows


def test_filters_that_reading_cannot_apply_are_given_back(tmp_path):
    path = str(corrupt_log(tmp_path))
    reader = KraftReader(parse_options({"path": path, "pushdown": "true"}), view_schema("records").names)
    filters = [
        spark_source.StringContains(("fields",), "x"),
        spark_source.Not(spark_source.EqualTo(("type",), "x")),
        spark_source.EqualTo(("fields", "name"), "x"),
        spark_source.EqualNullSafe(("type",), None),
        spark_source.EqualTo(("offset",), 3),
    ]
    assert list(reader.pushFilters(filters)) == filters[:-1]
    careful = KraftReader(parse_options({"path": path}), view_schema("records").names)
    assert list(careful.pushFilters(filters)) == filters


def test_filters_by_options(tmp_path):
    path = corrupt_log(tmp_path)
    found = read(path, types="TOPIC_RECORD, NO_OP_RECORD", fromOffset="7", untilOffset="20").to_pylist()
    assert found == [
        row
        for row in in_one_piece(path).to_pylist()
        if row["type"] in {"TOPIC_RECORD", "NO_OP_RECORD"} and 7 <= row["offset"] < 20
    ]
    assert len(found) > 2
    late = read(path, view="topics", fromTimestampMs="1729858020000")
    assert {row["log_timestamp_ms"] >= 1729858020000 for row in late.to_pylist() if not row["problem"]} == {True}
    assert not read(path, nodes="no_one").num_rows


def test_files_and_batches_that_cannot_fit_are_not_read(tmp_path):
    for node in (1, 2):
        histories.small_log().write(tmp_path / f"node={node}" / "__cluster_metadata-0")
    broken = tmp_path / "node=2" / "__cluster_metadata-0" / "00000000000000000000.log"
    broken.write_bytes(b"nonsense")
    assert read(tmp_path, spark_source.EqualTo(("node",), "1"), mode="FAILFAST").num_rows > 10
    with pytest.raises(CorruptError, match="cut-off"):
        read(tmp_path, mode="FAILFAST")
    log = histories.LogWriter().add(*histories.topic_values(1)).add(b"\x01\x02\x00\xff")
    path = log.write(tmp_path / "other" / "__cluster_metadata-0")
    assert read(path, spark_source.LessThan(("offset",), 4), mode="FAILFAST").num_rows == 4


def test_modes(tmp_path):
    log = histories.small_log()
    good = in_one_piece(log.write(tmp_path)).num_rows
    log.add(b"\x01\x02\x00\xff")
    path = log.write(tmp_path)
    shown = read(path, spark_source.EqualTo(("type",), "CORRUPT")).to_pylist()
    assert [(row["offset"], row["raw"]) for row in shown] == [(log.offset - 1, b"\x01\x02\x00\xff")]
    assert "TopicRecord" in shown[0]["problem"]
    assert read(path, mode="dropMalformed").num_rows == good
    with pytest.raises(CorruptError, match=f"record at offset {log.offset - 1}"):
        read(path, mode="FAILFAST")
    typed = [row for row in read(path, view="topics").to_pylist() if row["problem"]]
    assert [row["log_offset"] for row in typed] == [log.offset - 1]
    assert read(path, view="topics", mode="DROPMALFORMED").num_rows == len(typed) + 5


def test_typed_views_hold_what_the_json_holds():
    """Every record of the golden files is in exactly one typed view, field by field."""
    records = {
        (row["file"], row["offset"]): json.loads(row["fields"])
        for row in read(histories.GOLDEN).to_pylist()
        if not row["control"]
    }
    seen = {}
    for view in view_names()[4:]:
        for row in read(histories.GOLDEN, view=view).to_pylist():
            key = (row["file"], row["log_offset"])
            assert key not in seen
            seen[key] = view
            for name, stated in records[key].items():
                column = "".join("_" + sign.lower() if sign.isupper() else sign for sign in name)
                if isinstance(stated, list) and stated and isinstance(stated[0], dict):
                    assert [len(each) for each in row[column]] == [len(each) for each in stated]
                elif not isinstance(row[column], bytes):
                    assert row[column] == stated, (view, column)
    assert seen.keys() == records.keys()
    assert {"topics", "partitions", "register_brokers", "client_quotas", "feature_levels"} <= set(seen.values())


def test_addresses_are_read_as_paths_are():
    assert read(f"file://{histories.GOLDEN}").drop_columns(["file"]) == read(histories.GOLDEN).drop_columns(["file"])


def test_fewer_columns(tmp_path):
    path = corrupt_log(tmp_path)
    assert read(path, names=["type", "offset"]).column_names == ["type", "offset"]
    schema = type("Schema", (), {"names": ["type", "colour"]})()
    with pytest.raises(ValueError, match="no column 'colour'"):
        KraftDataSource({"path": str(path)}).reader(schema)


def test_partitions_name_files_so_that_a_worker_with_another_directory_finds_them(tmp_path, monkeypatch):
    corrupt_log(tmp_path)
    monkeypatch.chdir(tmp_path)
    reader = KraftReader(parse_options({"path": "__cluster_metadata-0"}), ["offset"])
    partitions = reader.partitions()
    monkeypatch.chdir("/")
    assert sum(batch.num_rows for each in partitions for batch in reader.read(each)) > 10
    assert partitions[0].group[0].file.path.startswith(str(tmp_path))


def test_small_views(tmp_path):
    assert read(histories.GOLDEN, view="batches").num_rows == 38
    assert read(histories.GOLDEN, view="files").num_rows == 8
    (node,) = [row for row in read(histories.GOLDEN, view="properties").to_pylist() if row["key"] == "node.id"]
    assert node["value"] == "1"


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"view": "nothing"}, "option view is 'nothing'"),
        ({"mode": "sloppy"}, "option mode is 'SLOPPY'"),
        ({"splitBytes": "0"}, "option splitBytes is '0'"),
        ({"colour": "red"}, "no option 'colour'"),
        ({"pushdown": "perhaps"}, "option pushdown is 'perhaps'"),
        ({"fromOffset": "-1"}, "option fromOffset is '-1'"),
        ({"view": "topics", "types": "X"}, "view topics has no column type"),
    ],
)
def test_wrong_options_are_named(options, text):
    with pytest.raises(ConfigError, match=text):
        parse_options({"path": "x", **options})


def test_pyspark_finds_the_source_by_itself():
    import pyspark_kraft

    assert pyspark_kraft.DefaultSource.name() == "kraft"
    assert issubclass(pyspark_kraft.DefaultSource, spark_source.DataSource)
