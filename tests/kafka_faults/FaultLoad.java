import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.SharePartitionOffsetInfo;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Load for a cluster under faults: one line on standard output for each fact (README.md), commands on standard input.
 *
 * <p>Each value is written once by this program, so one that is found twice was written twice by the cluster's clients.
 */
public final class FaultLoad {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int PAUSE_MS = 15;
    private static final int PER_TRANSACTION = 3;
    private static final int ABORTS_EACH = 7;
    private static final int ELECTED_AT_ONCE = 1_000;
    private static final String PLAIN = "plain";
    private static final String TRANSACTIONS = "transactions";
    private static final String SINK = "sink";
    private static final String SHARED = "shared";
    private static volatile boolean produces = true;
    private static volatile boolean consumes = true;
    private static String servers;

    public static void main(String[] args) throws Exception {
        servers = args[0];
        List<Thread> producers = new ArrayList<>();
        List<Thread> consumers = new ArrayList<>();
        try (Admin admin = Admin.create(common("admin"))) {
            BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
            say("ready");
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.trim().split(" ");
                long began = System.nanoTime();
                String found = "";
                try {
                    switch (words[1]) {
                        case "start" -> start(admin, producers, consumers);
                        case "create" -> create(admin, words);
                        case "alter" -> alter(admin, ConfigResource.Type.TOPIC, words[2], words[3], words[4]);
                        case "delete" -> delete(admin, words[2]);
                        case "elect" -> elect(admin);
                        case "eligible" -> found = eligible(admin, words[2]);
                        case "features" -> found = features(admin);
                        case "drain" -> drain(admin, producers, consumers, 1_000L * Long.parseLong(words[2]));
                        default -> throw new IllegalArgumentException(line);
                    }
                    say("answer", words[0], "ok", millis(began), found);
                } catch (Exception error) {
                    say("answer", words[0], "error", error);
                }
            }
        }
        System.exit(0);
    }

    private static void start(Admin admin, List<Thread> producers, List<Thread> consumers) throws Exception {
        alter(admin, ConfigResource.Type.GROUP, SHARED, "share.auto.offset.reset", "earliest");
        producers.add(thread("p1", () -> produce("p1")));
        producers.add(thread("p2", () -> produce("p2")));
        producers.add(thread("t1", () -> transact("t1")));
        consumers.add(thread("r1", () -> read("r1")));
        consumers.add(thread("r2", () -> read("r2")));
        consumers.add(thread("copy", FaultLoad::copy));
        consumers.add(thread("s1", () -> share("s1")));
        consumers.add(thread("s2", () -> share("s2")));
    }

    /** Arguments: name, partitions, and replicas, the preferred leader first. */
    private static void create(Admin admin, String[] words) throws Exception {
        Map<Integer, List<Integer>> assignments = new HashMap<>();
        List<Integer> replicas = new ArrayList<>();
        for (int place = 4; place < words.length; place++) {
            replicas.add(Integer.valueOf(words[place]));
        }
        int count = Integer.parseInt(words[3]);
        for (int partition = 0; partition < count; partition++) {
            assignments.put(partition, replicas);
        }
        NewTopic topic =
            replicas.isEmpty()
                ? new NewTopic(words[2], Optional.of(count), Optional.of((short) 3))
                : new NewTopic(words[2], assignments);
        try {
            admin.createTopics(List.of(topic)).all().get(60, TimeUnit.SECONDS);
        } catch (ExecutionException error) {
            // A request that is repeated, because its answer was lost, finds what it made.
            if (!(error.getCause() instanceof TopicExistsException)) {
                throw error;
            }
        }
    }

    private static void delete(Admin admin, String topic) throws Exception {
        try {
            admin.deleteTopics(List.of(topic)).all().get(60, TimeUnit.SECONDS);
        } catch (ExecutionException error) {
            // As above: a request that is repeated does not find what it deleted.
            if (!(error.getCause() instanceof UnknownTopicOrPartitionException)) {
                throw error;
            }
        }
    }

    private static void alter(Admin admin, ConfigResource.Type type, String name, String key, String value)
            throws Exception {
        AlterConfigOp change = new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET);
        admin.incrementalAlterConfigs(Map.of(new ConfigResource(type, name), List.of(change)))
            .all()
            .get(60, TimeUnit.SECONDS);
    }

    /** Elect preferred leaders of all partitions, in requests that Kafka's controllers hold in one batch of records. */
    private static void elect(Admin admin) throws Exception {
        Set<String> topics = admin.listTopics(new ListTopicsOptions().listInternal(true)).names().get(60, TimeUnit.SECONDS);
        Set<TopicPartition> some = new HashSet<>();
        for (TopicDescription topic : admin.describeTopics(topics).allTopicNames().get(60, TimeUnit.SECONDS).values()) {
            for (TopicPartitionInfo partition : topic.partitions()) {
                some.add(new TopicPartition(topic.name(), partition.partition()));
                if (some.size() == ELECTED_AT_ONCE) {
                    admin.electLeaders(ElectionType.PREFERRED, some).partitions().get();
                    some = new HashSet<>();
                }
            }
        }
        if (!some.isEmpty()) {
            admin.electLeaders(ElectionType.PREFERRED, some).partitions().get();
        }
    }

    /** Return the eligible leader replicas (KIP-966) of a topic's first partition. */
    private static String eligible(Admin admin, String topic) throws Exception {
        TopicPartitionInfo first =
            admin.describeTopics(List.of(topic)).allTopicNames().get(60, TimeUnit.SECONDS).get(topic).partitions().get(0);
        return first.elr().stream().map(Node::idString).sorted().collect(Collectors.joining(","));
    }

    /** Return the finalized levels of all features. */
    private static String features(Admin admin) throws Exception {
        return admin.describeFeatures().featureMetadata().get(60, TimeUnit.SECONDS).finalizedFeatures().entrySet().stream()
            .map(one -> one.getKey() + "=" + one.getValue().maxVersionLevel())
            .sorted()
            .collect(Collectors.joining(","));
    }

    // Producers.

    private static void produce(String name) throws InterruptedException {
        int number = 0;
        while (produces) {
            AtomicBoolean broken = new AtomicBoolean();
            try (KafkaProducer<String, String> producer = new KafkaProducer<>(writer(name, null))) {
                while (produces && !broken.get()) {
                    String value = name + "-" + number++;
                    long began = System.nanoTime();
                    producer.send(
                        new ProducerRecord<>(PLAIN, value, value),
                        (at, error) -> {
                            if (error == null) {
                                say("ack", at.partition(), at.offset(), value, millis(began));
                            } else {
                                say("fail", value, error.getClass().getSimpleName());
                                broken.compareAndSet(false, isFatal(error));
                            }
                        });
                    Thread.sleep(PAUSE_MS);
                }
            } catch (KafkaException error) {
                say("note", name, error);
            }
        }
    }

    private static void transact(String name) throws InterruptedException {
        int number = 0;
        while (produces) {
            try (KafkaProducer<String, String> producer = new KafkaProducer<>(writer(name, name))) {
                begin(producer);
                while (produces) {
                    if (!transaction(producer, name + "-" + number, number % ABORTS_EACH == 0)) {
                        number++;
                        break;
                    }
                    number++;
                    Thread.sleep(10L * PAUSE_MS);
                }
            } catch (KafkaException error) {
                say("note", name, error);
            }
        }
    }

    /** Write one transaction; return whether the producer can go on. */
    private static boolean transaction(KafkaProducer<String, String> producer, String value, boolean aborts) {
        long began = System.nanoTime();
        boolean mayBeDone = false;
        try {
            producer.beginTransaction();
            for (int part = 0; part < PER_TRANSACTION; part++) {
                String each = value + "-" + part;
                producer.send(new ProducerRecord<>(TRANSACTIONS, each, each));
            }
            if (aborts) {
                producer.abortTransaction();
                say("aborted", value);
                return true;
            }
            producer.flush();
            mayBeDone = true;
            commit(producer);
            say("committed", value, millis(began));
            return true;
        } catch (KafkaException error) {
            say(mayBeDone ? "unsure" : "undone", value, error.getClass().getSimpleName());
            return false;
        }
    }

    /** Ask until it is known: a commit that took too long may be repeated. */
    private static void commit(KafkaProducer<String, String> producer) {
        while (true) {
            try {
                producer.commitTransaction();
                return;
            } catch (TimeoutException again) {
                say("note", "commit", again);
            }
        }
    }

    private static void begin(KafkaProducer<String, String> producer) {
        while (true) {
            try {
                producer.initTransactions();
                return;
            } catch (TimeoutException again) {
                say("note", "init", again);
            }
        }
    }

    // Consumers.

    private static void read(String name) {
        while (consumes) {
            try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(reader(name, "readers", "consumer"))) {
                consumer.subscribe(List.of(PLAIN), reporter("readers", consumer));
                while (consumes) {
                    ConsumerRecords<String, String> found = consumer.poll(POLL);
                    if (found.isEmpty()) {
                        continue;
                    }
                    for (ConsumerRecord<String, String> one : found) {
                        say("read", one.partition(), one.offset(), one.value());
                    }
                    Map<TopicPartition, OffsetAndMetadata> offsets = next(found);
                    consumer.commitSync(offsets);
                    report("readers", offsets);
                }
            } catch (KafkaException error) {
                say("note", name, error);
            }
        }
    }

    /** Read, process, write: each value of one topic exactly once in another. */
    private static void copy() {
        while (consumes) {
            try (KafkaProducer<String, String> producer = new KafkaProducer<>(writer("copy", "copy"));
                    KafkaConsumer<String, String> consumer = new KafkaConsumer<>(reader("copy", "copy", "classic"))) {
                begin(producer);
                consumer.subscribe(List.of(PLAIN), reporter("copy", consumer));
                while (consumes) {
                    ConsumerRecords<String, String> found = consumer.poll(POLL);
                    if (found.isEmpty()) {
                        continue;
                    }
                    producer.beginTransaction();
                    for (ConsumerRecord<String, String> one : found) {
                        producer.send(new ProducerRecord<>(SINK, one.key(), one.value()));
                    }
                    Map<TopicPartition, OffsetAndMetadata> offsets = next(found);
                    producer.sendOffsetsToTransaction(offsets, consumer.groupMetadata());
                    commit(producer);
                    report("copy", offsets);
                }
            } catch (KafkaException error) {
                say("note", "copy", error);
            }
        }
    }

    /** Read as a member of a share group (KIP-932): each record at least once, with an acknowledgement of its own. */
    private static void share(String name) {
        while (consumes) {
            try (KafkaShareConsumer<String, String> consumer = new KafkaShareConsumer<>(sharer(name))) {
                consumer.subscribe(List.of(PLAIN));
                while (consumes) {
                    ConsumerRecords<String, String> found = consumer.poll(POLL);
                    for (ConsumerRecord<String, String> one : found) {
                        consumer.acknowledge(one);
                    }
                    if (found.isEmpty()) {
                        continue;
                    }
                    Map<TopicIdPartition, Optional<KafkaException>> outcomes = consumer.commitSync();
                    Set<Integer> failed = new HashSet<>();
                    outcomes.forEach((at, error) -> error.ifPresent(why -> failed.add(at.partition())));
                    for (ConsumerRecord<String, String> one : found) {
                        // Where the acknowledgement failed, the record is given to a member again.
                        say(failed.contains(one.partition()) ? "unshared" : "shared", one.partition(), one.offset(), one.value());
                    }
                }
            } catch (KafkaException error) {
                say("note", name, error);
            }
        }
    }

    private static ConsumerRebalanceListener reporter(String group, KafkaConsumer<String, String> consumer) {
        return new ConsumerRebalanceListener() {
            @Override
            public void onPartitionsRevoked(Collection<TopicPartition> partitions) {}

            @Override
            public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
                for (TopicPartition one : partitions) {
                    say("position", group, one.partition(), consumer.position(one));
                }
            }
        };
    }

    private static Map<TopicPartition, OffsetAndMetadata> next(ConsumerRecords<String, String> found) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        for (TopicPartition one : found.partitions()) {
            List<ConsumerRecord<String, String>> records = found.records(one);
            offsets.put(one, new OffsetAndMetadata(records.get(records.size() - 1).offset() + 1));
        }
        return offsets;
    }

    private static void report(String group, Map<TopicPartition, OffsetAndMetadata> offsets) {
        offsets.forEach((at, offset) -> say("offset", group, at.partition(), offset.offset()));
    }

    // The end.

    /** Let producers end, consumers read everything in so much time, and print what the topics hold. */
    private static void drain(Admin admin, List<Thread> producers, List<Thread> consumers, long drainMs) throws Exception {
        produces = false;
        for (Thread one : producers) {
            one.join(drainMs);
        }
        try (KafkaConsumer<String, String> all = new KafkaConsumer<>(reader("final", null, "classic"))) {
            List<TopicPartition> plain = partitions(all, PLAIN);
            Map<TopicPartition, Long> ends = all.endOffsets(plain);
            long gone = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(drainMs);
            for (String group : List.of("readers", "copy")) {
                while (!has(admin, group, ends)) {
                    if (System.nanoTime() > gone) {
                        throw new IllegalStateException(group + " does not come to the end " + ends);
                    }
                    Thread.sleep(100);
                }
            }
            while (!hasShared(admin, ends)) {
                if (System.nanoTime() > gone) {
                    throw new IllegalStateException(SHARED + " does not come to the end " + ends);
                }
                Thread.sleep(100);
            }
            consumes = false;
            for (Thread one : consumers) {
                one.join(drainMs);
            }
            for (String topic : List.of(PLAIN, TRANSACTIONS, SINK)) {
                dump(all, partitions(all, topic));
            }
        }
    }

    private static boolean has(Admin admin, String group, Map<TopicPartition, Long> ends) throws Exception {
        Map<TopicPartition, OffsetAndMetadata> found =
            admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
        boolean all = true;
        for (Map.Entry<TopicPartition, Long> end : ends.entrySet()) {
            OffsetAndMetadata offset = found.get(end.getKey());
            all &= end.getValue() == 0 || (offset != null && offset.offset() >= end.getValue());
        }
        if (all) {
            found.forEach((at, offset) -> say("last", group, at.partition(), offset.offset()));
        }
        return all;
    }

    /** Return whether all records of the topic were delivered to the share group. */
    private static boolean hasShared(Admin admin, Map<TopicPartition, Long> ends) throws Exception {
        Map<TopicPartition, SharePartitionOffsetInfo> found =
            admin.listShareGroupOffsets(Map.of(SHARED, new ListShareGroupOffsetsSpec()))
                .partitionsToOffsetInfo(SHARED)
                .get();
        boolean all = true;
        for (Map.Entry<TopicPartition, Long> end : ends.entrySet()) {
            SharePartitionOffsetInfo offset = found.get(end.getKey());
            // The start stays before a record whose state could not be written, though all after it are delivered.
            all &= end.getValue() == 0
                || (offset != null && (offset.startOffset() >= end.getValue() || offset.lag().equals(Optional.of(0L))));
        }
        return all;
    }

    private static List<TopicPartition> partitions(KafkaConsumer<String, String> consumer, String topic) {
        return consumer.partitionsFor(topic).stream().map(one -> new TopicPartition(topic, one.partition())).toList();
    }

    private static void dump(KafkaConsumer<String, String> consumer, List<TopicPartition> partitions) {
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        while (partitions.stream().anyMatch(one -> consumer.position(one) < ends.get(one))) {
            for (ConsumerRecord<String, String> one : consumer.poll(POLL)) {
                say("final", one.topic(), one.partition(), one.offset(), one.value());
            }
        }
    }

    // What all need.

    private static boolean isFatal(Exception error) {
        return error instanceof ProducerFencedException
            || error instanceof OutOfOrderSequenceException
            || error instanceof InvalidProducerEpochException
            || error instanceof AuthorizationException;
    }

    private static Properties common(String name) {
        Properties made = new Properties();
        made.putAll(
            Map.of(
                "bootstrap.servers", servers,
                "client.id", name,
                "request.timeout.ms", "4000",
                "default.api.timeout.ms", "60000",
                "reconnect.backoff.max.ms", "200",
                "socket.connection.setup.timeout.ms", "2000",
                "metadata.max.age.ms", "2000"));
        return made;
    }

    private static Properties writer(String name, String transactionalId) {
        Properties made = common(name);
        made.remove("default.api.timeout.ms");
        made.putAll(
            Map.of(
                "key.serializer", StringSerializer.class.getName(),
                "value.serializer", StringSerializer.class.getName(),
                "acks", "all",
                "enable.idempotence", "true",
                "delivery.timeout.ms", "120000",
                "max.block.ms", "30000",
                "buffer.memory", "4194304"));
        if (transactionalId != null) {
            made.put("transactional.id", transactionalId);
            made.put("transaction.timeout.ms", "15000");
        }
        return made;
    }

    private static Properties reader(String name, String group, String protocol) {
        Properties made = common(name);
        made.putAll(
            Map.of(
                "key.deserializer", StringDeserializer.class.getName(),
                "value.deserializer", StringDeserializer.class.getName(),
                "isolation.level", "read_committed",
                "auto.offset.reset", "earliest",
                "enable.auto.commit", "false",
                "group.protocol", protocol));
        if (group != null) {
            made.put("group.id", group);
        }
        return made;
    }

    private static Properties sharer(String name) {
        Properties made = common(name);
        made.putAll(
            Map.of(
                "key.deserializer", StringDeserializer.class.getName(),
                "value.deserializer", StringDeserializer.class.getName(),
                "group.id", SHARED,
                "share.acknowledgement.mode", "explicit"));
        return made;
    }

    private interface Work {
        void run() throws Exception;
    }

    private static Thread thread(String name, Work work) {
        Thread made =
            new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (Exception | Error error) {
                        say("died", name, error);
                    }
                },
                name);
        made.setDaemon(true);
        made.start();
        return made;
    }

    private static long millis(long began) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    }

    private static synchronized void say(Object... words) {
        StringBuilder line = new StringBuilder();
        for (Object word : words) {
            line.append(line.isEmpty() ? "" : " ").append(String.valueOf(word).replace('\n', ' '));
        }
        System.out.println(line);
        System.out.flush();
    }
}
