package org.apache.kafka.common.test;

import kafka.raft.KafkaRaftManager;
import kafka.server.BrokerServer;
import kafka.server.ControllerServer;
import kafka.server.FaultHandlerFactory;
import kafka.server.KafkaConfig;
import kafka.server.SharedServer;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.controller.Controller;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.apache.kafka.metadata.bootstrap.BootstrapDirectory;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.raft.QuorumConfig;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.Feature;
import org.apache.kafka.server.fault.FaultHandler;
import org.opentest4j.TestAbortedException;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The cluster that Kafka's tests ask for, with controllers of kraftpy and brokers of Kafka.
 *
 * <p>It takes the place of the class of this name in Kafka's jars, whose public methods it has. A controller is a
 * process (KraftpyProcess); tests see it through KraftpyController. A broker is Kafka's BrokerServer in this JVM.
 * What cannot be had from kraftpy aborts the test, with the reason.
 */
public class KafkaClusterTestKit implements AutoCloseable {
    private static final String BROKER_DEDUPE_BUFFER = "2097152";
    private static final String MAX_STARTUP_MS = Long.toString(TimeUnit.MINUTES.toMillis(10));
    private static final long FIRST_CONTROLLER_ID = 3000;

    private static final List<String> CLASSES_OF_CONTROLLERS =
        List.of("authorizer.class.name", "client.quota.callback.class");

    /** Faults of brokers, kept for the test to read. */
    private static final class Faults implements FaultHandlerFactory {
        private final MockFaultHandler fatal = new MockFaultHandler("fatalFaultHandler");
        private final MockFaultHandler nonFatal = new MockFaultHandler("nonFatalFaultHandler");

        @Override
        public FaultHandler build(String name, boolean isFatal, Runnable action) {
            return isFatal ? fatal : nonFatal;
        }
    }

    public static class Builder {
        private final TestKitNodes nodes;
        private final Map<String, Object> configProps = new HashMap<>();
        private boolean standalone;
        private boolean deleteOnClose = true;
        private Optional<Map<Integer, Uuid>> initialVoterSet = Optional.empty();

        public Builder(TestKitNodes nodes) {
            this.nodes = nodes;
        }

        public Builder setConfigProp(String key, Object value) {
            configProps.put(key, value);
            return this;
        }

        public Builder setStandalone(boolean standalone) {
            this.standalone = standalone;
            return this;
        }

        public Builder setInitialVoterSet(Map<Integer, Uuid> initialVoterSet) {
            this.initialVoterSet = Optional.of(initialVoterSet);
            return this;
        }

        public Builder setDeleteOnClose(boolean deleteOnClose) {
            this.deleteOnClose = deleteOnClose;
            return this;
        }

        public KafkaClusterTestKit build() throws Exception {
            if (nodes.brokerNodes().keySet().stream().anyMatch(nodes::isCombined)) {
                throw new TestAbortedException("asks for combined mode: Kafka's broker and its controller in one process");
            }
            for (String key : CLASSES_OF_CONTROLLERS) {
                Object name = configProps.get(key);
                if (name != null && !name.equals(StandardAuthorizer.class.getName())) {
                    throw new TestAbortedException("asks for a Java class in the controller: " + key);
                }
            }
            return new KafkaClusterTestKit(this);
        }
    }

    private final Builder builder;
    private final TestKitNodes nodes;
    private final File baseDirectory;
    private final Faults faults = new Faults();
    private final PreboundSocketFactoryManager brokerSockets = new PreboundSocketFactoryManager();
    private final Map<Integer, KraftpyProcess> processes = new TreeMap<>();
    private final Map<Integer, KraftpyController> controllers = new TreeMap<>();
    private final Map<Integer, BrokerServer> brokers = new TreeMap<>();
    private final Optional<File> jaasFile;
    private final ExecutorService executor;
    private Admin controllerAdmin;

    private KafkaClusterTestKit(Builder builder) throws Exception {
        this.builder = builder;
        this.nodes = builder.nodes;
        this.baseDirectory = new File(nodes.baseDirectory());
        this.executor = Executors.newCachedThreadPool(new KafkaClusterThreadFactory("kraftpy-cluster-test-kit-"));
        this.jaasFile = brokersSpeakSasl() || controllersSpeakSasl() ? Optional.of(writeJaasFile()) : Optional.empty();
        try {
            makeControllers();
            makeBrokers();
        } catch (Exception e) {
            brokers.values().forEach(BrokerServer::shutdown);
            close();
            throw e;
        }
    }

    private void makeControllers() throws IOException {
        for (TestKitNode node : nodes.controllerNodes().values()) {
            makeDirectories(node);
            processes.put(node.id(), new KraftpyProcess(node.id(), baseDirectory));
        }
        for (TestKitNode node : nodes.controllerNodes().values()) {
            KraftpyProcess process = processes.get(node.id());
            Map<String, Object> properties = properties(node, "controller");
            process.configure(properties);
            SharedServer shared = sharedServer(node, properties);
            controllers.put(node.id(), new KraftpyController(shared, nodes.bootstrapMetadata(), process, this::controllerAdmin));
        }
    }

    private void makeBrokers() throws IOException {
        for (TestKitNode node : nodes.brokerNodes().values()) {
            makeDirectories(node);
            brokers.put(node.id(), new BrokerServer(sharedServer(node, properties(node, "broker"))));
        }
    }

    private void makeDirectories(TestKitNode node) throws IOException {
        for (String directory : node.logDataDirectories()) {
            java.nio.file.Files.createDirectories(java.nio.file.Path.of(directory));
        }
    }

    private SharedServer sharedServer(TestKitNode node, Map<String, Object> properties) {
        KafkaConfig config = new KafkaConfig(properties, false);
        return new SharedServer(
            config,
            node.initialMetaPropertiesEnsemble(),
            Time.SYSTEM,
            new Metrics(),
            CompletableFuture.completedFuture(QuorumConfig.parseVoterConnections(config.quorumConfig().voters())),
            QuorumConfig.parseBootstrapServers(config.quorumConfig().bootstrapServers()),
            faults,
            brokerSockets.getOrCreateSocketFactory(node.id()));
    }

    /** Return the configuration of a node: what the test set, and what the cluster needs where it set nothing. */
    private Map<String, Object> properties(TestKitNode node, String role) {
        boolean isController = role.equals("controller");
        String brokerListener = nodes.brokerListenerName().value();
        String controllerListener = nodes.controllerListenerName().value();
        Map<String, Object> properties = new HashMap<>(builder.configProps);
        properties.put("process.roles", role);
        properties.put("node.id", Integer.toString(node.id()));
        properties.put("server.max.startup.time.ms", MAX_STARTUP_MS);
        properties.put("metadata.log.dir", node.metadataDirectory());
        properties.put("log.dirs", String.join(",", node.logDataDirectories()));
        properties.putIfAbsent("controller.listener.names", controllerListener);
        properties.putIfAbsent("inter.broker.listener.name", brokerListener);
        properties.putIfAbsent("listener.security.protocol.map",
            brokerListener + ":" + nodes.brokerListenerProtocol() + ","
                + controllerListener + ":" + nodes.controllerListenerProtocol());
        properties.putIfAbsent("unstable.feature.versions.enable", "true");
        properties.putIfAbsent("unstable.api.versions.enable", "true");
        properties.putIfAbsent("log.cleaner.dedupe.buffer.size", BROKER_DEDUPE_BUFFER);
        if (isController) {
            properties.put("listeners", controllerListener + "://localhost:" + processes.get(node.id()).port());
        } else {
            properties.remove("controller.quorum.auto.join.enable");
            properties.putIfAbsent("listeners", brokerListener + "://localhost:0");
        }
        if (brokersSpeakSasl()) {
            properties.putIfAbsent("authorizer.class.name", StandardAuthorizer.class.getName());
            properties.putIfAbsent("super.users", "User:" + JaasUtils.KAFKA_PLAIN_ADMIN);
        }
        if (controllersSpeakSasl() || (brokersSpeakSasl() && !isController)) {
            properties.putIfAbsent("sasl.enabled.mechanisms", "PLAIN");
            properties.putIfAbsent("sasl.mechanism.inter.broker.protocol", "PLAIN");
        }
        if (controllersSpeakSasl()) {
            properties.putIfAbsent("sasl.mechanism.controller.protocol", "PLAIN");
            if (isController) {
                // Java controllers find their users in the system property that writeJaasFile sets.
                properties.put(
                    "listener.name.%s.plain.sasl.jaas.config".formatted(controllerListener.toLowerCase(Locale.ROOT)),
                    plainUsers());
            }
        }
        if (isDynamic()) {
            properties.put("controller.quorum.bootstrap.servers", bootstrapControllers());
        } else {
            properties.put("controller.quorum.voters", processes.entrySet().stream()
                .map(entry -> entry.getKey() + "@localhost:" + entry.getValue().port())
                .collect(Collectors.joining(",")));
        }
        properties.putAll(node.propertyOverrides());
        return properties;
    }

    private boolean isDynamic() {
        return builder.standalone || builder.initialVoterSet.isPresent();
    }

    private boolean brokersSpeakSasl() {
        return nodes.brokerListenerProtocol() == SecurityProtocol.SASL_PLAINTEXT;
    }

    private boolean controllersSpeakSasl() {
        return nodes.controllerListenerProtocol() == SecurityProtocol.SASL_PLAINTEXT;
    }

    private static String plainUsers() {
        return "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"%1$s\" password=\"%2$s\" "
            .formatted(JaasUtils.KAFKA_PLAIN_ADMIN, JaasUtils.KAFKA_PLAIN_ADMIN_PASSWORD)
            + "user_%1$s=\"%2$s\" user_%3$s=\"%4$s\";".formatted(
                JaasUtils.KAFKA_PLAIN_ADMIN, JaasUtils.KAFKA_PLAIN_ADMIN_PASSWORD,
                JaasUtils.KAFKA_PLAIN_USER1, JaasUtils.KAFKA_PLAIN_USER1_PASSWORD);
    }

    private File writeJaasFile() throws IOException {
        JaasModule users = JaasModule.plainLoginModule(
            JaasUtils.KAFKA_PLAIN_ADMIN, JaasUtils.KAFKA_PLAIN_ADMIN_PASSWORD, true,
            Map.of(
                JaasUtils.KAFKA_PLAIN_USER1, JaasUtils.KAFKA_PLAIN_USER1_PASSWORD,
                JaasUtils.KAFKA_PLAIN_ADMIN, JaasUtils.KAFKA_PLAIN_ADMIN_PASSWORD));
        File file = JaasUtils.writeJaasContextsToFile(
            Set.of(new JaasUtils.JaasSection(JaasUtils.KAFKA_SERVER_CONTEXT_NAME, List.of(users))));
        JaasUtils.refreshJavaLoginConfigParam(file);
        return file;
    }

    public void format() throws Exception {
        List<Runnable> tasks = new ArrayList<>();
        for (TestKitNode node : nodes.controllerNodes().values()) {
            tasks.add(() -> {
                processes.get(node.id()).format(formatOptions(node));
                if (isDynamic()) {
                    giveDirectoryId(node);
                } else {
                    addBootstrapRecords(node);
                }
            });
        }
        for (BrokerServer broker : brokers.values()) {
            tasks.add(() -> formatBroker(broker.sharedServer().metaPropsEnsemble()));
        }
        all(tasks);
    }

    /** Add what the test names besides features to the checkpoint that the format wrote. */
    private void addBootstrapRecords(TestKitNode node) {
        List<ApiMessageAndVersion> more = nodes.bootstrapMetadata().records().stream()
            .filter(record -> !(record.message() instanceof FeatureLevelRecord)).toList();
        if (more.isEmpty()) {
            return;
        }
        BootstrapDirectory directory = new BootstrapDirectory(node.metadataDirectory());
        try {
            List<ApiMessageAndVersion> records = new ArrayList<>(directory.read().records());
            records.addAll(more);
            directory.writeBinaryFile(BootstrapMetadata.fromRecords(records, "test"));
        } catch (Exception e) {
            throw new IllegalStateException(node.metadataDirectory(), e);
        }
    }

    /**
     * Only voters are named with their directories when they are formatted; a test may ask for the others' ids, too, or
     * name a voter with the directory that it had before.
     */
    private static void giveDirectoryId(TestKitNode node) {
        java.nio.file.Path file = java.nio.file.Path.of(node.metadataDirectory(), "meta.properties");
        try {
            String text = java.nio.file.Files.readString(file);
            String others = text.replaceAll("(?m)^(directory\\.id|#crc32c)=.*\\R?", "");
            java.nio.file.Files.writeString(file, others + "directory.id=" + node.metadataDirectoryId() + "\n");
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private List<String> formatOptions(TestKitNode node) {
        List<String> options = new ArrayList<>(List.of("-t", nodes.clusterId()));
        options.addAll(List.of("-r", nodes.bootstrapMetadata().metadataVersion().version()));
        for (Feature feature : Feature.PRODUCTION_FEATURES) {
            if (feature != Feature.KRAFT_VERSION) {
                // A feature without a record is at level 0, which is not the default of a release.
                short level = nodes.bootstrapMetadata().featureLevel(feature.featureName());
                options.addAll(List.of("-f", feature.featureName() + "=" + level));
            }
        }
        if (builder.standalone && node.id() != FIRST_CONTROLLER_ID) {
            options.add("-N");
        } else if (isDynamic()) {
            options.addAll(List.of("-I", initialVoters().entrySet().stream()
                .map(voter -> "%d@localhost:%d:%s".formatted(
                    voter.getKey(), processes.get(voter.getKey()).port(), voter.getValue()))
                .collect(Collectors.joining(","))));
        }
        return options;
    }

    private Map<Integer, Uuid> initialVoters() {
        TestKitNode first = nodes.controllerNodes().get((int) FIRST_CONTROLLER_ID);
        return builder.initialVoterSet.orElseGet(() -> Map.of(first.id(), first.metadataDirectoryId()));
    }

    private void formatBroker(MetaPropertiesEnsemble ensemble) {
        try {
            new Formatter()
                .setPrintStream(new PrintStream(new ByteArrayOutputStream()))
                .setNodeId(ensemble.nodeId().getAsInt())
                .setClusterId(nodes.clusterId())
                .setDirectories(ensemble.logDirProps().keySet())
                .setMetadataLogDirectory(ensemble.metadataLogDir())
                .setReleaseVersion(nodes.bootstrapMetadata().metadataVersion())
                .setUnstableFeatureVersionsEnabled(true)
                .setControllerListenerName(nodes.controllerListenerName().value())
                .setHasDynamicQuorum(isDynamic())
                .run();
        } catch (Exception e) {
            throw new IllegalStateException("format of broker " + ensemble.nodeId(), e);
        }
    }

    public void startup() throws ExecutionException, InterruptedException {
        all(Stream.<Runnable>concat(
            controllers.values().stream().map(controller -> controller::startup),
            brokers.values().stream().map(broker -> broker::startup)).toList());
    }

    /** Wait until every broker knows of every other that it is registered and not fenced. */
    public void waitForReadyBrokers() throws ExecutionException, InterruptedException {
        TestUtils.waitForCondition(
            () -> brokers.values().stream().allMatch(
                broker -> brokers.keySet().stream().allMatch(broker.metadataCache()::hasAliveBroker)),
            "every broker knows that all brokers are alive");
    }

    public Admin admin() {
        return admin(Map.of(), false);
    }

    public Admin admin(Map<String, Object> configs) {
        return admin(configs, false);
    }

    public Admin admin(Map<String, Object> configs, boolean usingBootstrapControllers) {
        Map<String, Object> properties = new HashMap<>(configs);
        SecurityProtocol protocol =
            usingBootstrapControllers ? nodes.controllerListenerProtocol() : nodes.brokerListenerProtocol();
        properties.putIfAbsent("security.protocol", protocol.name);
        if (protocol == SecurityProtocol.SASL_PLAINTEXT) {
            properties.putIfAbsent("sasl.mechanism", "PLAIN");
            properties.putIfAbsent("sasl.jaas.config",
                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"%s\" password=\"%s\";".formatted(
                    JaasUtils.KAFKA_PLAIN_ADMIN, JaasUtils.KAFKA_PLAIN_ADMIN_PASSWORD));
        }
        String asked = usingBootstrapControllers ? "bootstrap.controllers" : "bootstrap.servers";
        properties.remove(usingBootstrapControllers ? "bootstrap.servers" : "bootstrap.controllers");
        properties.putIfAbsent(asked, usingBootstrapControllers ? bootstrapControllers() : bootstrapServers());
        return Admin.create(properties);
    }

    private synchronized Admin controllerAdmin() {
        if (controllerAdmin == null) {
            controllerAdmin = admin(Map.of(), true);
        }
        return controllerAdmin;
    }

    public String bootstrapServers() {
        ListenerName listener = ListenerName.normalised(nodes.brokerListenerName().value());
        return addresses(brokers.values(), broker -> broker.boundPort(listener));
    }

    public String bootstrapControllers() {
        return addresses(processes.values(), KraftpyProcess::port);
    }

    private static <T> String addresses(Collection<T> servers, ToIntFunction<T> port) {
        return servers.stream().map(server -> "localhost:" + port.applyAsInt(server)).collect(Collectors.joining(","));
    }

    public Map<Integer, ControllerServer> controllers() {
        return new TreeMap<>(controllers);
    }

    public Map<Integer, BrokerServer> brokers() {
        return brokers;
    }

    public Controller waitForActiveController() throws InterruptedException {
        TestUtils.waitForCondition(
            () -> controllers.values().stream().anyMatch(KraftpyController::isActive), 60_000, "a controller is active");
        return controllers.values().stream().filter(KraftpyController::isActive).findFirst().orElseThrow().controller();
    }

    public Map<Integer, KafkaRaftManager<ApiMessageAndVersion>> raftManagers() {
        Map<Integer, KafkaRaftManager<ApiMessageAndVersion>> managers = new TreeMap<>();
        controllers.forEach((id, controller) -> managers.put(id, controller.raftManager()));
        brokers.forEach((id, broker) -> managers.put(id, broker.sharedServer().raftManager()));
        return managers;
    }

    public TestKitNodes nodes() {
        return nodes;
    }

    public MockFaultHandler fatalFaultHandler() {
        return faults.fatal;
    }

    public MockFaultHandler nonFatalFaultHandler() {
        return faults.nonFatal;
    }

    @Override
    public void close() throws Exception {
        try {
            if (controllerAdmin != null) {
                controllerAdmin.close();
            }
            try {
                all(brokers.values().stream().<Runnable>map(broker -> broker::shutdown).toList());
            } finally {
                all(processes.values().stream().<Runnable>map(process -> process::stop).toList());
            }
        } finally {
            executor.shutdown();
            executor.awaitTermination(1, TimeUnit.MINUTES);
            brokerSockets.close();
            if (builder.deleteOnClose) {
                Utils.delete(baseDirectory);
                jaasFile.ifPresent(File::delete);
            }
        }
        faults.fatal.maybeRethrowFirstException();
        faults.nonFatal.maybeRethrowFirstException();
    }

    /** Run tasks at once; wait for all of them, then throw the first failure. */
    private void all(List<Runnable> tasks) throws ExecutionException, InterruptedException {
        List<Future<?>> futures = new ArrayList<>();
        tasks.forEach(task -> futures.add(executor.submit(task)));
        ExecutionException failure = null;
        for (Future<?> future : futures) {
            try {
                future.get();
            } catch (ExecutionException e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
