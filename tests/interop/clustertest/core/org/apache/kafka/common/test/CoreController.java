package org.apache.kafka.common.test;

import kafka.network.SocketServer;
import kafka.raft.KafkaRaftManager;
import kafka.server.KafkaConfig;
import kafka.server.QuotaFactory.QuotaManagers;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigsOptions;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DeleteAclsResult;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.internals.Plugin;
import org.apache.kafka.common.message.BrokerRegistrationRequestData;
import org.apache.kafka.common.metrics.Quota;
import org.apache.kafka.common.network.ListenerName;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.BrokerRegistrationRequest;
import org.apache.kafka.common.requests.BrokerRegistrationResponse;
import org.apache.kafka.controller.Controller;
import org.apache.kafka.controller.ResultOrError;
import org.apache.kafka.metadata.BrokerRegistrationReply;
import org.apache.kafka.raft.KafkaRaftClient;
import org.apache.kafka.raft.LeaderAndEpoch;
import org.apache.kafka.raft.LogOffsetMetadata;
import org.apache.kafka.raft.RaftLog;
import org.apache.kafka.server.IntegrationTestUtils;
import org.apache.kafka.server.authorizer.AclCreateResult;
import org.apache.kafka.server.authorizer.AclDeleteResult;
import org.apache.kafka.server.authorizer.Authorizer;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.quota.ControllerMutationQuotaManager;
import org.opentest4j.TestAbortedException;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

import scala.Option;

import static org.apache.kafka.common.protocol.Errors.UNKNOWN_TOPIC_OR_PARTITION;
import static org.apache.kafka.common.test.ControllerView.asked;
import static org.apache.kafka.common.test.ControllerView.view;

/**
 * The only controller of a cluster of QuorumTestHarness: a process of kraftpy, and what tests ask of its objects.
 *
 * <p>Questions go to the process's port of the listener CONTROLLER, which is in plaintext in all tests; what no request
 * asks a controller for is read from its log (WrittenState).
 */
public final class CoreController {
    private static final String MUTATIONS = "controller_mutation_rate";

    private final KafkaConfig config;
    private final KraftpyProcess process;
    private final CoreProperties properties;
    private final ControllerView view;
    private final SocketServer socketServer;
    private final Controller controller;
    private final KafkaRaftManager<ApiMessageAndVersion> raftManager;
    private final Option<Plugin<Authorizer>> authorizer;
    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private Admin admin;

    public CoreController(KafkaConfig config) {
        this.config = config;
        try {
            Path directory = Files.createTempDirectory("kraftpy-");
            this.process = new KraftpyProcess(config.nodeId(), directory.toFile());
            this.properties = new CoreProperties(config, process.port(), directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.view = new ControllerView(config.nodeId(), this::admin);
        this.socketServer = ControllerView.socketServer(
            args -> properties.port(((ListenerName) args[0]).value()), () -> config);
        this.controller = view(Controller.class, Map.of(
            "isActive", args -> view.isActive(),
            "findAllTopicIds", args -> CompletableFuture.completedFuture(written().topicIds()),
            "findTopicIds", this::findTopicIds,
            "incrementalAlterConfigs", this::alterConfigs,
            "registerBroker", this::registerBroker));
        KafkaRaftClient<?> client = view(KafkaRaftClient.class, Map.of("leaderAndEpoch", args -> leaderAndEpoch()));
        RaftLog log = view(RaftLog.class, Map.of("endOffset", args -> new LogOffsetMetadata(written().endOffset())));
        this.raftManager = view.raftManager(Map.of("client", args -> client, "raftLog", args -> log));
        this.authorizer = properties.hasAuthorizer() ? Option.apply(makeAuthorizer()) : Option.empty();
    }

    public void start() {
        try {
            process.configure(properties.all());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        properties.releasePorts();
        process.start();
        process.awaitOpen();
    }

    public int port() {
        return process.port();
    }

    public synchronized void stop() {
        try {
            if (admin != null) {
                admin.close(Duration.ZERO);
                admin = null;
            }
            properties.releasePorts();
            process.stop();
        } finally {
            end.complete(null);
        }
    }

    public void awaitEnd() {
        end.join();
    }

    public SocketServer socketServer() {
        return socketServer;
    }

    public Controller controller() {
        return controller;
    }

    public KafkaRaftManager<ApiMessageAndVersion> raftManager() {
        return raftManager;
    }

    public Option<Plugin<Authorizer>> authorizer() {
        return authorizer;
    }

    public QuotaManagers quotaManagers() {
        ControllerMutationQuotaManager mutations =
            view(ControllerMutationQuotaManager.class, Map.of("quota", args -> mutationQuota((String) args[0])));
        return new QuotaManagers(null, null, null, mutations, null, null, null, Optional.empty());
    }

    public TestAbortedException noObject(String name) {
        return ControllerView.noObject(name);
    }

    private synchronized Admin admin() {
        if (admin == null) {
            admin = Admin.create(Map.of("bootstrap.controllers", "localhost:" + process.port()));
        }
        return admin;
    }

    private WrittenState written() {
        return WrittenState.read(config.metadataLogDir());
    }

    private LeaderAndEpoch leaderAndEpoch() {
        var quorum = view.quorum();
        return new LeaderAndEpoch(OptionalInt.of(quorum.leaderId()), (int) quorum.leaderEpoch());
    }

    private Quota mutationQuota(String user) {
        Double bound = written().quotas(Map.of(ClientQuotaEntity.USER, user)).get(MUTATIONS);
        return Quota.upperBound(bound == null ? Long.MAX_VALUE : bound);
    }

    private Object registerBroker(Object[] args) {
        var request = new BrokerRegistrationRequest.Builder((BrokerRegistrationRequestData) args[1]).build();
        BrokerRegistrationResponse answer = asked(() -> IntegrationTestUtils.connectAndReceive(request, process.port()));
        Errors error = Errors.forCode(answer.data().errorCode());
        return error == Errors.NONE
            ? CompletableFuture.completedFuture(new BrokerRegistrationReply(answer.data().brokerEpoch()))
            : CompletableFuture.failedFuture(error.exception());
    }

    @SuppressWarnings("unchecked")
    private Object findTopicIds(Object[] args) {
        Map<String, Uuid> known = written().topicIds();
        Map<String, ResultOrError<Uuid>> found = new HashMap<>();
        for (String name : (Collection<String>) args[1]) {
            Uuid id = known.get(name);
            found.put(name, id == null ? new ResultOrError<>(new ApiError(UNKNOWN_TOPIC_OR_PARTITION)) : new ResultOrError<>(id));
        }
        return CompletableFuture.completedFuture(found);
    }

    @SuppressWarnings("unchecked")
    private Object alterConfigs(Object[] args) {
        Map<ConfigResource, Collection<AlterConfigOp>> changes = new HashMap<>();
        ((Map<ConfigResource, Map<String, Map.Entry<AlterConfigOp.OpType, String>>>) args[1]).forEach((resource, entries) ->
            changes.put(resource, entries.entrySet().stream().map(entry -> new AlterConfigOp(
                new ConfigEntry(entry.getKey(), entry.getValue().getValue()), entry.getValue().getKey())).toList()));
        var options = new AlterConfigsOptions().validateOnly((boolean) args[2]);
        Map<ConfigResource, ApiError> errors = new HashMap<>();
        admin().incrementalAlterConfigs(changes, options).values().forEach((resource, done) ->
            errors.put(resource, outcome(done).map(ApiError::fromThrowable).orElse(ApiError.NONE)));
        return CompletableFuture.completedFuture(errors);
    }

    private Plugin<Authorizer> makeAuthorizer() {
        Map<String, Function<Object[], Object>> changes = Map.of(
            "createAcls", args -> createAcls(args[1]),
            "deleteAcls", args -> deleteAcls(args[1]));
        return view.authorizer(changes);
    }

    @SuppressWarnings("unchecked")
    private List<CompletableFuture<AclCreateResult>> createAcls(Object bindings) {
        List<AclBinding> wanted = (List<AclBinding>) bindings;
        var created = admin().createAcls(wanted).values();
        return wanted.stream().map(binding -> CompletableFuture.completedFuture(
            outcome(created.get(binding)).map(AclCreateResult::new).orElse(AclCreateResult.SUCCESS))).toList();
    }

    @SuppressWarnings("unchecked")
    private List<CompletableFuture<AclDeleteResult>> deleteAcls(Object filters) {
        List<AclBindingFilter> wanted = (List<AclBindingFilter>) filters;
        var deleted = admin().deleteAcls(wanted).values();
        return wanted.stream().map(filter -> CompletableFuture.completedFuture(deleteResult(deleted.get(filter)))).toList();
    }

    private static AclDeleteResult deleteResult(KafkaFuture<DeleteAclsResult.FilterResults> deleted) {
        return outcome(deleted).map(AclDeleteResult::new).orElseGet(() -> new AclDeleteResult(
            asked(deleted::get).values().stream().map(each -> each.exception() == null
                ? new AclDeleteResult.AclBindingDeleteResult(each.binding())
                : new AclDeleteResult.AclBindingDeleteResult(each.binding(), each.exception())).toList()));
    }

    /** Wait for an answer; return the refusal, if it is one. */
    private static Optional<ApiException> outcome(KafkaFuture<?> answer) {
        try {
            answer.get();
            return Optional.empty();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ApiException refusal) {
                return Optional.of(refusal);
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
