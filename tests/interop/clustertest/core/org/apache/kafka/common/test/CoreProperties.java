package org.apache.kafka.common.test;

import kafka.server.KafkaConfig;

import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.KafkaPrincipalBuilder;
import org.apache.kafka.common.security.auth.PlaintextAuthenticationContext;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.authorizer.AuthorizationResult;
import org.apache.kafka.server.authorizer.Authorizer;
import org.opentest4j.TestAbortedException;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The configuration that the harness made for a controller in Java, as one that kraftpy reads.
 *
 * <p>Ports are chosen here, because the quorum's voters name them. Where a class in Java decides something that is the
 * same in kraftpy, its key is replaced.
 */
final class CoreProperties {
    private static final String CONTROLLER = "CONTROLLER";
    private static final String CLIENTS = "PLAINTEXT";
    private static final String BUILDER = "principal.builder.class";
    private static final String AUTHORIZER = "authorizer.class.name";
    private static final String SUPER_USERS = "super.users";
    /** Settings of Java's TLS, which the tests give to all nodes; no listener of their controllers has TLS. */
    private static final List<String> JAVA_TLS = List.of(
        "ssl.protocol", "ssl.enabled.protocols", "ssl.cipher.suites", "ssl.provider", "ssl.keymanager.algorithm",
        "ssl.trustmanager.algorithm", "ssl.secure.random.implementation");

    private final KafkaConfig config;
    private final Path directory;
    private final Map<String, Integer> ports = new LinkedHashMap<>();
    private final Map<String, ServerSocket> held = new LinkedHashMap<>();

    CoreProperties(KafkaConfig config, int port, Path directory) {
        this.config = config;
        this.directory = directory;
        for (String name : config.controllerListenerNames()) {
            ports.put(name, name.equals(CONTROLLER) ? port : hold(name));
        }
    }

    private int hold(String name) {
        try {
            held.put(name, new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return held.get(name).getLocalPort();
    }

    void releasePorts() {
        for (ServerSocket socket : held.values()) {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        held.clear();
    }

    int port(String listener) {
        return ports.get(listener);
    }

    boolean hasAuthorizer() {
        return !config.getString(AUTHORIZER).isEmpty();
    }

    Map<String, Object> all() {
        Map<String, Object> properties = new TreeMap<>();
        config.originals().forEach((key, value) ->
            properties.put(key, value instanceof Password secret ? secret.value() : value));
        // The harness formats the metadata directory alone, and a controller of Kafka's looks at no other.
        properties.put("log.dirs", config.metadataLogDir());
        properties.put("listeners", ports.entrySet().stream()
            .map(entry -> entry.getKey() + "://localhost:" + entry.getValue()).collect(Collectors.joining(",")));
        properties.put("controller.quorum.voters", config.nodeId() + "@localhost:" + ports.get(CONTROLLER));
        try {
            replaceAuthorizer(properties);
            replacePrincipalBuilder(properties);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
        properties.keySet().removeAll(JAVA_TLS);
        if (!hasTls(properties)) {
            // It is meant for the brokers. Kafka drops it where nothing speaks TLS, which ours takes for a mistake.
            properties.remove("ssl.client.auth");
        }
        PemStores.replace(properties, directory);
        return properties;
    }

    private boolean hasTls(Map<String, Object> properties) {
        String protocols = String.valueOf(properties.getOrDefault("listener.security.protocol.map", ""));
        return List.of(protocols.split(",")).stream()
            .map(each -> each.trim().split(":"))
            .anyMatch(each -> ports.containsKey(each[0]) && each[each.length - 1].endsWith("SSL"));
    }

    /**
     * A subclass of StandardAuthorizer that keeps its rules is replaced by it. One with rules of its own is asked about
     * the principal of clients: if it allows a change of users, that is a super user here, as brokers are.
     */
    private void replaceAuthorizer(Map<String, Object> properties) throws ReflectiveOperationException {
        if (!hasAuthorizer()) {
            return;
        }
        Class<?> authorizer = Class.forName(config.getString(AUTHORIZER));
        if (!StandardAuthorizer.class.isAssignableFrom(authorizer)) {
            throw ownRules(authorizer);
        }
        properties.put(AUTHORIZER, StandardAuthorizer.class.getName());
        Class<?> rules = authorizer.getMethod("authorize", AuthorizableRequestContext.class, List.class).getDeclaringClass();
        if (rules != StandardAuthorizer.class) {
            KafkaPrincipal client = principal(properties, CLIENTS);
            if (!allows((Authorizer) authorizer.getDeclaredConstructor().newInstance(), client)) {
                throw ownRules(authorizer);
            }
            addSuperUser(properties, KafkaPrincipal.ANONYMOUS);
            addSuperUser(properties, client);
        }
    }

    private static TestAbortedException ownRules(Class<?> authorizer) {
        return new TestAbortedException("asks for an authorizer with rules of its own in Java: " + authorizer.getSimpleName());
    }

    /**
     * A builder of a test's own gives brokers, which connect in plaintext, a name that is a super user's: here they are
     * ANONYMOUS, and that is the super user. Clients' names come with the requests that brokers forward.
     */
    private void replacePrincipalBuilder(Map<String, Object> properties) throws ReflectiveOperationException {
        String broker = principal(properties, CONTROLLER).toString();
        if (List.of(superUsers(properties).split(";")).contains(broker)) {
            addSuperUser(properties, KafkaPrincipal.ANONYMOUS);
        }
        properties.remove(BUILDER);
    }

    /** Return how the test's builder, if there is one, names a peer of a listener in plaintext. */
    private static KafkaPrincipal principal(Map<String, Object> properties, String listener) throws ReflectiveOperationException {
        Object builder = properties.get(BUILDER);
        if (builder == null) {
            return KafkaPrincipal.ANONYMOUS;
        }
        var made = (KafkaPrincipalBuilder) Class.forName(builder.toString()).getDeclaredConstructor().newInstance();
        return made.build(new PlaintextAuthenticationContext(InetAddress.getLoopbackAddress(), listener));
    }

    private static boolean allows(Authorizer authorizer, KafkaPrincipal principal) {
        AuthorizableRequestContext context = ControllerView.view(AuthorizableRequestContext.class, Map.of(
            "principal", args -> principal,
            "requestType", args -> (int) ApiKeys.ALTER_USER_SCRAM_CREDENTIALS.id));
        ResourcePattern cluster = new ResourcePattern(ResourceType.CLUSTER, Resource.CLUSTER_NAME, PatternType.LITERAL);
        List<Action> actions = List.of(new Action(AclOperation.ALTER, cluster, 1, true, true));
        return authorizer.authorize(context, actions).equals(List.of(AuthorizationResult.ALLOWED));
    }

    private static String superUsers(Map<String, Object> properties) {
        return String.valueOf(properties.getOrDefault(SUPER_USERS, ""));
    }

    private static void addSuperUser(Map<String, Object> properties, KafkaPrincipal user) {
        String before = superUsers(properties);
        if (!List.of(before.split(";")).contains(user.toString())) {
            properties.put(SUPER_USERS, before.isEmpty() ? user.toString() : before + ";" + user);
        }
    }
}
