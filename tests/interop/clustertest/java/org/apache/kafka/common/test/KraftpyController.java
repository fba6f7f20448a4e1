package org.apache.kafka.common.test;

import kafka.network.SocketServer;
import kafka.server.ControllerServer;
import kafka.server.KafkaRaftServer;
import kafka.server.KafkaRequestHandlerPool;
import kafka.server.SharedServer;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.internals.Plugin;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.controller.Controller;
import org.apache.kafka.controller.QuorumController;
import org.apache.kafka.image.publisher.ControllerRegistrationsPublisher;
import org.apache.kafka.metadata.ControllerRegistration;
import org.apache.kafka.metadata.KRaftMetadataCache;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.metadata.publisher.FeaturesPublisher;
import org.apache.kafka.server.authorizer.Authorizer;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import scala.Option;

import static org.apache.kafka.common.test.ControllerView.noObject;

/**
 * A controller of kraftpy behind the class that tests know.
 *
 * <p>It answers what can be asked of a process from outside: its configuration, its port, whether it is active and
 * where its log ends (DescribeQuorum), its access control entries (DescribeAcls), and which topics its log has
 * (WrittenState). Whatever else a test wants of a ControllerServer is in a Java object that does not exist: the test is
 * aborted, and the reason names the method.
 */
public final class KraftpyController extends ControllerServer {
    private final KraftpyProcess process;
    private final ControllerView view;
    private final SocketServer socketServer;
    private final Controller controller;
    private final ControllerRegistrationsPublisher registrations;
    private final Option<Plugin<Authorizer>> authorizer;

    KraftpyController(SharedServer shared, BootstrapMetadata bootstrap, KraftpyProcess process, Supplier<Admin> admin) {
        super(shared, KafkaRaftServer.configSchema(), bootstrap);
        this.process = process;
        this.view = new ControllerView(config().nodeId(), admin);
        this.socketServer = ControllerView.socketServer(args -> process.port(), this::config);
        // The class, not the interface: tests cast to it.
        this.controller = ControllerView.view(QuorumController.class, Map.of(
            "isActive", args -> isActive(),
            "nodeId", args -> config().nodeId(),
            "findAllTopicIds", args -> CompletableFuture.completedFuture(written().topicIds())));
        this.registrations = ControllerView.view(
            ControllerRegistrationsPublisher.class, Map.of("controllers", args -> registered()));
        shared.raftManager_$eq(view.raftManager(Map.of("shutdown", args -> {
            process.stop();
            return null;
        })));
        boolean hasAuthorizer = !config().getString("authorizer.class.name").isEmpty();
        this.authorizer = hasAuthorizer ? Option.apply(view.authorizer(Map.of())) : Option.empty();
    }

    /** Return the registered controllers with the listener that their clients are told. */
    private Map<Integer, ControllerRegistration> registered() {
        String listener = config().controllerListenerNames().get(0);
        Map<Integer, ControllerRegistration> found = new TreeMap<>();
        for (Node node : ControllerView.asked(() -> view.admin().describeCluster().nodes().get())) {
            Endpoint endpoint = new Endpoint(listener, SecurityProtocol.PLAINTEXT, node.host(), node.port());
            found.put(node.id(), new ControllerRegistration.Builder()
                .setId(node.id()).setIncarnationId(Uuid.randomUuid()).setListeners(Map.of(listener, endpoint)).build());
        }
        return found;
    }

    private WrittenState written() {
        return WrittenState.read(config().metadataLogDir());
    }

    boolean isActive() {
        return view.isActive();
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
}
