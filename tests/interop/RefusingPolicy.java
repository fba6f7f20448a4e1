import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.server.policy.AlterConfigPolicy;
import org.apache.kafka.server.policy.CreateTopicPolicy;

/** The rules of policy_rules.py in Java: a refusal repeats all that the policy receives. */
public final class RefusingPolicy {
    private RefusingPolicy() {
    }

    private static void judge(String name, String text) {
        if (name.contains("boom")) {
            throw new IllegalStateException(text);
        }
        if (name.contains("no")) {
            throw new PolicyViolationException(text);
        }
    }

    public static final class Topics implements CreateTopicPolicy {
        @Override
        public void configure(Map<String, ?> configs) {
        }

        @Override
        public void validate(RequestMetadata asked) {
            Map<Integer, List<Integer>> assignments = asked.replicasAssignments();
            judge(asked.topic(), "topic " + asked.topic() + " " + asked.numPartitions() + " " + asked.replicationFactor()
                + " " + (assignments == null ? null : new TreeMap<>(assignments)) + " " + new TreeMap<>(asked.configs()));
        }

        @Override
        public void close() {
        }
    }

    public static final class Configs implements AlterConfigPolicy {
        @Override
        public void configure(Map<String, ?> configs) {
        }

        @Override
        public void validate(RequestMetadata asked) {
            String name = asked.resource().name();
            judge(name.startsWith("configs") || asked.configs().containsKey("no.such.key") ? name + " no" : "",
                asked.resource().type() + " " + name + " " + new TreeMap<>(asked.configs()));
        }

        @Override
        public void close() {
        }
    }
}
