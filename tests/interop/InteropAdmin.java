import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigsOptions;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeClusterResult;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.clients.admin.UserScramCredentialDeletion;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.StringSerializer;

/** Kafka's admin client as a line-by-line servant: one command a line in, one line of outcome out. */
public final class InteropAdmin {
    private static final long TIMEOUT_S = 30;
    private static String servers;

    public static void main(String[] args) throws Exception {
        servers = args[1];
        Properties properties = new Properties();
        properties.put(args[0], args[1]);
        properties.put("default.api.timeout.ms", "20000");
        properties.put("request.timeout.ms", "5000");
        properties.put("reconnect.backoff.max.ms", "200");
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        try (Admin admin = Admin.create(properties)) {
            System.out.println("ok ready");
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                System.out.println(answer(admin, line.trim().split(" ")));
                System.out.flush();
            }
        }
    }

    private static String answer(Admin admin, String[] words) throws Exception {
        try {
            return "ok " + carryOut(admin, words);
        } catch (ExecutionException error) {
            return "error " + String.valueOf(error.getCause()).replace('\n', ' ');
        } catch (RuntimeException error) {
            return "error " + String.valueOf(error).replace('\n', ' ');
        }
    }

    private static String carryOut(Admin admin, String[] words) throws Exception {
        switch (words[0]) {
            case "topic":
                short replicas = words.length > 3 ? Short.parseShort(words[3]) : 1;
                NewTopic topic = new NewTopic(words[1], Integer.parseInt(words[2]), replicas);
                wait(admin.createTopics(List.of(topic)).all());
                return "";
            case "partitions":
                NewPartitions more = NewPartitions.increaseTo(Integer.parseInt(words[2]));
                wait(admin.createPartitions(Map.of(words[1], more)).all());
                return "";
            case "reassign":
                List<Integer> brokers =
                    Arrays.stream(words[3].split(",")).map(Integer::valueOf).collect(Collectors.toList());
                TopicPartition partition = new TopicPartition(words[1], Integer.parseInt(words[2]));
                wait(admin.alterPartitionReassignments(
                    Map.of(partition, Optional.of(new NewPartitionReassignment(brokers)))).all());
                return "";
            case "reassigning":
                return String.valueOf(wait(admin.listPartitionReassignments().reassignments()).size());
            case "delete-topic":
                wait(admin.deleteTopics(List.of(words[1])).all());
                return "";
            case "config":
                return config(admin, words);
            case "alter":
                return alter(admin, words);
            case "describe":
                return describe(admin, words);
            case "feature":
                FeatureUpdate update = new FeatureUpdate(
                    Short.parseShort(words[2]), FeatureUpdate.UpgradeType.valueOf(words[3].toUpperCase()));
                wait(admin.updateFeatures(Map.of(words[1], update), new UpdateFeaturesOptions()).all());
                return "";
            case "unregister":
                wait(admin.unregisterBroker(Integer.parseInt(words[1])).all());
                return "";
            case "cluster":
                DescribeClusterResult cluster = admin.describeCluster();
                return "id=" + wait(cluster.clusterId()) + " controller=" + wait(cluster.controller()).id()
                    + " nodes=" + wait(cluster.nodes()).stream()
                        .map(each -> each.idString()).sorted().collect(Collectors.joining(","));
            case "scram":
                ScramCredentialInfo info = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_256, 4096);
                wait(admin.alterUserScramCredentials(
                    List.of(new UserScramCredentialUpsertion(words[1], info, words[2]))).all());
                return "";
            case "delete-scram":
                wait(admin.alterUserScramCredentials(
                    List.of(new UserScramCredentialDeletion(words[1], ScramMechanism.SCRAM_SHA_256))).all());
                return "";
            case "acl":
                wait(admin.createAcls(List.of(acl(words))).all());
                return "";
            case "delete-acl":
                wait(admin.deleteAcls(List.of(acl(words).toFilter())).all());
                return "";
            case "quota":
                ClientQuotaEntity entity = new ClientQuotaEntity(Map.of("user", words[1]));
                ClientQuotaAlteration.Op op =
                    new ClientQuotaAlteration.Op("producer_byte_rate", Double.valueOf(words[2]));
                wait(admin.alterClientQuotas(List.of(new ClientQuotaAlteration(entity, List.of(op)))).all());
                return "";
            case "produce":
                return produce(words[1]);
            case "quorum":
                return quorum(wait(admin.describeMetadataQuorum().quorumInfo()));
            default:
                return "unknown command " + words[0];
        }
    }

    /** config TYPE NAME KEY VALUE...: a name of "-" is the default entity, a value of "-" deletes. */
    private static String config(Admin admin, String[] words) throws Exception {
        String name = words[2].equals("-") ? "" : words[2];
        ConfigResource resource = new ConfigResource(ConfigResource.Type.valueOf(words[1].toUpperCase()), name);
        String value = String.join(" ", Arrays.copyOfRange(words, 4, words.length));
        boolean deletes = value.equals("-");
        AlterConfigOp op = new AlterConfigOp(
            new ConfigEntry(words[3], deletes ? null : value),
            deletes ? AlterConfigOp.OpType.DELETE : AlterConfigOp.OpType.SET);
        wait(admin.incrementalAlterConfigs(Map.of(resource, List.of(op))).all());
        return "";
    }

    private static ConfigResource resource(String type, String name) {
        return new ConfigResource(
            ConfigResource.Type.valueOf(type.toUpperCase()), name.equals("-") ? "" : name);
    }

    /** alter MODE TYPE NAME OP KEY VALUE [TYPE NAME OP KEY VALUE]...: what became of each resource, in this order. */
    private static String alter(Admin admin, String[] words) throws Exception {
        Map<ConfigResource, Collection<AlterConfigOp>> asked = new LinkedHashMap<>();
        for (int at = 2; at < words.length; at += 5) {
            AlterConfigOp op = new AlterConfigOp(
                new ConfigEntry(words[at + 3], words[at + 4].equals("-") ? null : words[at + 4]),
                AlterConfigOp.OpType.valueOf(words[at + 2].toUpperCase()));
            asked.computeIfAbsent(resource(words[at], words[at + 1]), key -> new ArrayList<>()).add(op);
        }
        AlterConfigsOptions options = new AlterConfigsOptions().validateOnly(words[1].equals("validate"));
        Map<ConfigResource, KafkaFuture<Void>> values = admin.incrementalAlterConfigs(asked, options).values();
        StringBuilder told = new StringBuilder();
        for (ConfigResource each : asked.keySet()) {
            told.append(told.length() == 0 ? "" : " | ").append(each.name()).append(": ");
            try {
                wait(values.get(each));
                told.append("done");
            } catch (ExecutionException error) {
                told.append(String.valueOf(error.getCause()).replace('\n', ' '));
            }
        }
        return told.toString();
    }

    /** describe TYPE NAME: what is not a default, sorted by key. */
    private static String describe(Admin admin, String[] words) throws Exception {
        ConfigResource asked = resource(words[1], words[2]);
        DescribeConfigsOptions options = new DescribeConfigsOptions().includeSynonyms(true);
        return wait(admin.describeConfigs(List.of(asked), options).all()).get(asked).entries().stream()
            .filter(each -> each.source() != ConfigEntry.ConfigSource.DEFAULT_CONFIG)
            .filter(each -> each.source() != ConfigEntry.ConfigSource.STATIC_BROKER_CONFIG)
            .map(each -> each.name() + "=" + each.value() + "(" + each.source() + "," + each.type()
                + (each.isSensitive() ? ",sensitive" : "") + "," + each.synonyms().size() + ")")
            .sorted().collect(Collectors.joining(" "));
    }

    /** One idempotent write, so that the controller hands out producer ids. */
    private static String produce(String topic) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", servers);
        settings.put("enable.idempotence", "true");
        settings.put("key.serializer", StringSerializer.class.getName());
        settings.put("value.serializer", StringSerializer.class.getName());
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(settings)) {
            producer.send(new ProducerRecord<>(topic, "value"));
            producer.flush();
        }
        return "";
    }

    private static AclBinding acl(String[] words) {
        ResourcePattern pattern = new ResourcePattern(ResourceType.TOPIC, words[2], PatternType.PREFIXED);
        return new AclBinding(
            pattern, new AccessControlEntry("User:" + words[1], "*", AclOperation.READ, AclPermissionType.ALLOW));
    }

    private static String quorum(QuorumInfo info) {
        String voters = info.voters().stream()
            .map(each -> each.replicaId() + ":" + each.logEndOffset()).collect(Collectors.joining(","));
        String observers = info.observers().stream()
            .map(each -> each.replicaId() + ":" + each.logEndOffset()).collect(Collectors.joining(","));
        return "leader=" + info.leaderId() + " epoch=" + info.leaderEpoch() + " hw=" + info.highWatermark()
            + " voters=" + voters + " observers=" + observers;
    }

    private static <T> T wait(KafkaFuture<T> future) throws Exception {
        return future.get(TIMEOUT_S, TimeUnit.SECONDS);
    }
}
