package org.apache.kafka.common.test;

import kafka.network.SocketServer;
import kafka.raft.KafkaRaftManager;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.internals.Plugin;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.apache.kafka.raft.LogOffsetMetadata;
import org.apache.kafka.raft.RaftLog;
import org.apache.kafka.server.authorizer.Authorizer;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.opentest4j.TestAbortedException;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.withSettings;

/**
 * Objects of a controller as Kafka's tests know them, which answer from outside what can be asked of a process.
 *
 * <p>Whatever else a test wants of them is in a Java object that does not exist: the test is aborted, and the reason
 * names the method.
 */
class ControllerView {
    private static final String NO_OBJECT = "looks into a Java controller's memory: ";

    private final int nodeId;
    private final Supplier<Admin> admin;

    ControllerView(int nodeId, Supplier<Admin> admin) {
        this.nodeId = nodeId;
        this.admin = admin;
    }

    Admin admin() {
        return admin.get();
    }

    boolean isActive() {
        return quorum().leaderId() == nodeId;
    }

    QuorumInfo quorum() {
        return asked(() -> admin().describeMetadataQuorum().quorumInfo().get());
    }

    private long logEndOffset() {
        return quorum().voters().stream()
            .filter(voter -> voter.replicaId() == nodeId)
            .findFirst().map(QuorumInfo.ReplicaState::logEndOffset).orElse(0L);
    }

    static SocketServer socketServer(Function<Object[], Object> boundPort, Supplier<Object> config) {
        return view(SocketServer.class, Map.of("boundPort", boundPort, "config", args -> config.get()));
    }

    /** Return a raft manager that knows where the log ends, and what is given. */
    @SuppressWarnings("unchecked")
    KafkaRaftManager<ApiMessageAndVersion> raftManager(Map<String, Function<Object[], Object>> more) {
        RaftLog log = view(RaftLog.class, Map.of("endOffset", args -> new LogOffsetMetadata(logEndOffset())));
        return view(KafkaRaftManager.class, joined(Map.of("raftLog", args -> log), more));
    }

    /** Return an authorizer that knows the access control entries, and what is given. */
    Plugin<Authorizer> authorizer(Map<String, Function<Object[], Object>> more) {
        Authorizer entries = view(StandardAuthorizer.class, joined(Map.of(
            "acls", args -> asked(() -> admin().describeAcls((AclBindingFilter) args[0]).values().get())), more));
        return Plugin.wrapInstance(entries, null, "authorizer.class.name");
    }

    static <T> T asked(Callable<T> question) {
        try {
            return question.call();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    static TestAbortedException noObject(String name) {
        return new TestAbortedException(NO_OBJECT + name);
    }

    /** Return an object of a class of Kafka's that answers some methods by their names and aborts in all others. */
    static <T> T view(Class<T> type, Map<String, Function<Object[], Object>> answers) {
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

    private static <K, V> Map<K, V> joined(Map<K, V> one, Map<K, V> other) {
        Map<K, V> both = new HashMap<>(one);
        both.putAll(other);
        return both;
    }
}
