import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.common.metrics.internals.PluginMetricsImpl;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.security.auth.KafkaPrincipal;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.apache.kafka.metadata.authorizer.StandardAcl;
import org.apache.kafka.metadata.authorizer.StandardAuthorizer;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;

/** Kafka's StandardAuthorizer over entries and questions of standard input, one answer a line. */
public final class AuthorizerJudge {
    private record Caller(KafkaPrincipal principal, InetAddress clientAddress) implements AuthorizableRequestContext {
        public String listenerName() { return "CONTROLLER"; }
        public SecurityProtocol securityProtocol() { return SecurityProtocol.SSL; }
        public int requestType() { return 3; }
        public int requestVersion() { return 12; }
        public String clientId() { return "judge"; }
        public int correlationId() { return 1; }
    }

    public static void main(String[] args) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        StringBuilder answers = new StringBuilder();
        Map<Uuid, StandardAcl> acls = new HashMap<>();
        StandardAuthorizer authorizer = null;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] word = line.split("\t");
            switch (word[0]) {
                case "world" -> {
                    authorizer = new StandardAuthorizer();
                    authorizer.configure(Map.of(
                        "super.users", "User:admin", "allow.everyone.if.no.acl.found", word[1]));
                    authorizer.withPluginMetrics(new PluginMetricsImpl(new Metrics(), Map.of("class", "judge")));
                    acls.clear();
                }
                case "acl" -> acls.put(new Uuid(1, acls.size() + 1), new StandardAcl(
                    ResourceType.fromCode(Byte.parseByte(word[1])), word[2],
                    PatternType.fromCode(Byte.parseByte(word[3])), word[4], word[5],
                    AclOperation.fromCode(Byte.parseByte(word[6])),
                    AclPermissionType.fromCode(Byte.parseByte(word[7]))));
                case "load" -> {
                    authorizer.loadSnapshot(acls);
                    authorizer.completeInitialLoad();
                }
                case "ask" -> {
                    String[] principal = word[1].split(":", 2);
                    Caller caller = new Caller(
                        new KafkaPrincipal(principal[0], principal[1]), InetAddress.getByName(word[2]));
                    Action action = new Action(
                        AclOperation.fromCode(Byte.parseByte(word[3])),
                        new ResourcePattern(
                            ResourceType.fromCode(Byte.parseByte(word[4])), word[5], PatternType.LITERAL), 1, false, false);
                    answers.append(authorizer.authorize(caller, List.of(action)).get(0)).append('\n');
                }
                default -> throw new IllegalArgumentException(line);
            }
        }
        System.out.print(answers);
    }
}
