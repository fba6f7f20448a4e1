package org.apache.kafka.common.test;

import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.ClientQuotaRecord;
import org.apache.kafka.common.metadata.RemoveTopicRecord;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.record.internal.Records;
import org.apache.kafka.metadata.MetadataRecordSerde;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What no request asks a controller for, read with Kafka's own classes from the log that it writes. */
final class WrittenState {
    private final Map<String, Uuid> topicIds = new HashMap<>();
    private final Map<Map<String, String>, Map<String, Double>> quotas = new HashMap<>();

    private long endOffset;

    private WrittenState() {
    }

    static WrittenState read(String metadataDirectory) {
        WrittenState state = new WrittenState();
        try (Stream<Path> files = Files.list(Path.of(metadataDirectory, "__cluster_metadata-0"))) {
            List<Path> segments = files.filter(path -> path.toString().endsWith(".log")).sorted().toList();
            for (Path segment : segments) {
                state.readSegment(segment);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return state;
    }

    /** The offset after the last batch. */
    long endOffset() {
        return endOffset;
    }

    /** Names of topics to their ids. */
    Map<String, Uuid> topicIds() {
        return topicIds;
    }

    /** Quotas of an entity, which is given by its types and names. */
    Map<String, Double> quotas(Map<String, String> entity) {
        return quotas.getOrDefault(entity, Map.of());
    }

    private void readSegment(Path segment) throws IOException {
        ByteBuffer content = ByteBuffer.wrap(Files.readAllBytes(segment));
        for (RecordBatch batch : MemoryRecords.readableRecords(content.limit(writtenBytes(content))).batches()) {
            endOffset = batch.nextOffset();
            if (!batch.isControlBatch()) {
                batch.forEach(record -> apply(message(record)));
            }
        }
    }

    /** A segment's file has zeros after its last batch, and a batch may be half written. */
    private static int writtenBytes(ByteBuffer content) {
        int end = 0;
        while (end + Records.LOG_OVERHEAD <= content.limit()) {
            int size = content.getInt(end + Records.SIZE_OFFSET);
            if (size == 0 || size > content.limit() - end - Records.LOG_OVERHEAD) {
                break;
            }
            end += Records.LOG_OVERHEAD + size;
        }
        return end;
    }

    private static ApiMessage message(Record record) {
        return MetadataRecordSerde.INSTANCE.read(new ByteBufferAccessor(record.value()), record.valueSize()).message();
    }

    private void apply(ApiMessage message) {
        if (message instanceof TopicRecord created) {
            topicIds.put(created.name(), created.topicId());
        } else if (message instanceof RemoveTopicRecord removed) {
            topicIds.values().remove(removed.topicId());
        } else if (message instanceof ClientQuotaRecord quota) {
            Map<String, String> entity = quota.entity().stream().collect(
                Collectors.toMap(ClientQuotaRecord.EntityData::entityType, part -> String.valueOf(part.entityName())));
            Map<String, Double> values = quotas.computeIfAbsent(entity, key -> new HashMap<>());
            if (quota.remove()) {
                values.remove(quota.key());
            } else {
                values.put(quota.key(), quota.value());
            }
        }
    }
}
