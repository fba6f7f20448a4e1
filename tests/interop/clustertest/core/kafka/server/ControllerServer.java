package kafka.server;

import kafka.network.SocketServer;
import kafka.raft.KafkaRaftManager;

import org.apache.kafka.common.internals.Plugin;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.test.CoreController;
import org.apache.kafka.controller.Controller;
import org.apache.kafka.metadata.KafkaConfigSchema;
import org.apache.kafka.metadata.bootstrap.BootstrapMetadata;
import org.apache.kafka.server.authorizer.Authorizer;
import org.apache.kafka.server.common.ApiMessageAndVersion;

import java.util.concurrent.CompletableFuture;

import scala.Option;

/**
 * The controller that QuorumTestHarness, the base of Kafka's core tests, starts: a process of kraftpy.
 *
 * <p>It takes the place of the class of this name in Kafka's jars, and has those of its public methods that the tests
 * use. The harness has formatted the metadata directory before, with Kafka's Formatter, and started nothing in it.
 */
public class ControllerServer {
    private final SharedServer sharedServer;
    private final CoreController kraftpy;
    private final CompletableFuture<Integer> firstPort = new CompletableFuture<>();

    public ControllerServer(SharedServer sharedServer, KafkaConfigSchema schema, BootstrapMetadata bootstrapMetadata) {
        this.sharedServer = sharedServer;
        this.kraftpy = new CoreController(sharedServer.controllerConfig());
    }

    public void startup() {
        try {
            kraftpy.start();
            firstPort.complete(kraftpy.port());
        } catch (RuntimeException e) {
            firstPort.completeExceptionally(e);
            throw e;
        }
    }

    public void shutdown() {
        kraftpy.stop();
    }

    public void awaitShutdown() {
        kraftpy.awaitEnd();
    }

    public CompletableFuture<Integer> socketServerFirstBoundPortFuture() {
        return firstPort;
    }

    public SharedServer sharedServer() {
        return sharedServer;
    }

    public KafkaConfig config() {
        return sharedServer.controllerConfig();
    }

    public String clusterId() {
        return sharedServer.clusterId();
    }

    public SocketServer socketServer() {
        return kraftpy.socketServer();
    }

    public Controller controller() {
        return kraftpy.controller();
    }

    public KafkaRaftManager<ApiMessageAndVersion> raftManager() {
        return kraftpy.raftManager();
    }

    public Option<Plugin<Authorizer>> authorizerPlugin() {
        return kraftpy.authorizer();
    }

    public QuotaFactory.QuotaManagers quotaManagers() {
        return kraftpy.quotaManagers();
    }

    public Metrics metrics() {
        throw kraftpy.noObject("metrics");
    }
}
