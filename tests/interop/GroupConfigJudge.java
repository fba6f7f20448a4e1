import java.util.List;
import java.util.Map;
import java.util.Scanner;

import kafka.server.KafkaConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.coordinator.group.GroupConfig;

/** Kafka's keys of groups: "= NAME TYPE DEFAULT" each, then a verdict for each line KEY, tab, VALUE: "+", or "-" and the reason. */
public class GroupConfigJudge {
    public static void main(String[] arguments) {
        for (ConfigDef.ConfigKey key : GroupConfig.CONFIG_DEF.configKeys().values()) {
            System.out.println("= " + key.name + " " + key.type + " " + key.defaultValue);
        }
        KafkaConfig config = new KafkaConfig(Map.of(
            "process.roles", "controller", "node.id", "1", "controller.quorum.voters", "1@localhost:9",
            "listeners", "CONTROLLER://localhost:9", "controller.listener.names", "CONTROLLER"));
        Scanner lines = new Scanner(System.in, "UTF-8");
        while (lines.hasNextLine()) {
            List<String> asked = List.of(lines.nextLine().split("\t", 2));
            try {
                GroupConfig.validate(Map.of(asked.get(0), asked.get(1)), config.groupCoordinatorConfig(), config.shareGroupConfig());
                System.out.println("+");
            } catch (RuntimeException refused) {
                System.out.println("- " + refused.getMessage());
            }
        }
    }
}
