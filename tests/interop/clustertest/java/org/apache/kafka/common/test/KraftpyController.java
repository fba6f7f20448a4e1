package org.apache.kafka.common.test;

import kafka.network.SocketServer;
import kafka.raft.KafkaRaftManager;
import kafka.server.ControllerServer;
import kafka.server.KafkaRaftServer;
import kafka.server.KafkaRequestHandlerPool;
import kafka.server.SharedServer;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.internals.Plugin;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.controller.Controller;
import org.apache.kafka.controller.QuorumController;
import org.apache.kafka.image.publisher.ControllerRegistrationsPublisher;
import org.apache.kafka.metadata.ControllerRegistration;
import org.apache.kafka.metadata.KRaftMetadataCache;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.metadata.publisher.FeaturesPublisher;
import org.apache.kafka.raft.LogOffsetMetadata;
import org.apache.kafka.raft.RaftLog;
import org.apache.kafka.server.authorizer.Authorizer;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.opentest4j.TestAbortedException;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;

import scala.Option;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.withSettings;

/**
 * A controller of kraftpy behind the class that tests know.
 *
 * <p>It answers what can be asked of a process from outside: its configuration, its port, whether it is active and
 * where its log ends (DescribeQuorum), its access control entries (DescribeAcls). Whatever else a test wants of a
 * ControllerServer is in a Java object that does not exist: the test is aborted, and the reason names the method.
 */
public final class KraftpyController extends ControllerServer {
    private static final String NO_OBJECT = "looks into a Java controller's memory: ";

    private final KraftpyProcess process;
    private final Supplier<Admin> admin;
    private final SocketServer socketServer;
    private final Controller controller;
    private final ControllerRegistrationsPublisher registrations;
    private final Option<Plugin<Authorizer>> authorizer;

    KraftpyController(SharedServer shared, BootstrapMetadata bootstrap, KraftpyProcess process, Supplier<Admin> admin) {
        super(shared, KafkaRaftServer.configSchema(), bootstrap);
        this.process = process;
        this.admin = admin;
        this.socketServer = view(SocketServer.class, Map.of(
            "boundPort", args -> process.port(),
            "config", args -> config()));
        // The class, not the interface: tests cast to it.
        this.controller = view(QuorumController.class, Map.of(
            "isActive", args -> isActive(),
            "nodeId", args -> config().nodeId()));
        this.registrations = view(ControllerRegistrationsPublisher.class, Map.of("controllers", args -> registered()));
        shared.raftManager_$eq(viewOfRaft());
        this.authorizer = config().getString("authorizer.class.name").isEmpty() ? Option.empty() : Option.apply(authorizer());
    }

    @SuppressWarnings("unchecked")
    private KafkaRaftManager<ApiMessageAndVersion> viewOfRaft() {
        RaftLog log = view(RaftLog.class, Map.of("endOffset", args -> new LogOffsetMetadata(logEndOffset())));
        return view(KafkaRaftManager.class, Map.of(
            "raftLog", args -> log,
            "shutdown", args -> {
                process.stop();
                return null;
            }));
    }

    /** Return the registered controllers with the listener that their clients are told. */
    private Map<Integer, ControllerRegistration> registered() {
        String listener = config().controllerListenerNames().get(0);
        Map<Integer, ControllerRegistration> found = new TreeMap<>();
        for (Node node : asked(() -> admin.get().describeCluster().nodes().get())) {
            Endpoint endpoint = new Endpoint(listener, SecurityProtocol.PLAINTEXT, node.host(), node.port());
            found.put(node.id(), new ControllerRegistration.Builder()
                .setId(node.id()).setListeners(Map.of(listener, endpoint)).build());
        }
        return found;
    }

    private Plugin<Authorizer> authorizer() {
        Authorizer entries = view(StandardAuthorizer.class, Map.of(
            "acls", args -> asked(() -> admin.get().describeAcls((AclBindingFilter) args[0]).values().get())));
        return Plugin.wrapInstance(entries, null, "authorizer.class.name");
    }

    boolean isActive() {
        return quorum().leaderId() == config().nodeId();
    }

    private long logEndOffset() {
        return quorum().voters().stream()
            .filter(voter -> voter.replicaId() == config().nodeId())
            .findFirst().map(QuorumInfo.ReplicaState::logEndOffset).orElse(0L);
    }

    private QuorumInfo quorum() {
        return asked(() -> admin.get().describeMetadataQuorum().quorumInfo().get());
    }

    private static <T> T asked(Callable<T> question) {
        try {
            return question.call();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void startup() {
        process.start();
        process.awaitOpen();
    }

    @Override
    public void shutdown() {
        process.stop();
    }

    @Override
    public SocketServer socketServer() {
        return socketServer;
    }

    @Override
    public Controller controller() {
        return controller;
    }

    @Override
    public Option<Plugin<Authorizer>> authorizerPlugin() {
        return authorizer;
    }

    @Override
    public Metrics metrics() {
        throw noObject("metrics");
    }

    @Override
    public KRaftMetadataCache metadataCache() {
        throw noObject("metadataCache");
    }

    @Override
    public FeaturesPublisher featuresPublisher() {
        throw noObject("featuresPublisher");
    }

    @Override
    public ControllerRegistrationsPublisher registrationsPublisher() {
        return registrations;
    }

    @Override
    public KafkaRequestHandlerPool controllerApisHandlerPool() {
        throw noObject("controllerApisHandlerPool");
    }

    @Override
    public kafka.server.QuotaFactory.QuotaManagers quotaManagers() {
        throw noObject("quotaManagers");
    }

    static TestAbortedException noObject(String name) {
        return new TestAbortedException(NO_OBJECT + name);
    }

    /** Return an object of a class of Kafka's that answers some methods by their names and aborts in all others. */
    private static <T> T view(Class<T> type, Map<String, Function<Object[], Object>> answers) {
        return mock(type, withSettings().stubOnly().defaultAnswer(call -> {
            String name = call.getMethod().getName();
            if (name.equals("toString")) {
                return "view of " + type.getSimpleName();
            }
            Function<Object[], Object> answer = answers.get(name);
            if (answer == null) {
                throw noObject(type.getSimpleName() + "." + name);
            }
            return answer.apply(call.getArguments());
        }));
    }
}
