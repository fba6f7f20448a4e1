import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;

/**
 * Makes the benchmark's writes with Kafka's own admin client, at the controllers (KIP-919): incrementalAlterConfigs,
 * with the client's defaults. It speaks to the harness by lines: "measuring" when the warm-up is over, then one JSON
 * object (see bench/peers/loadtool.py).
 *
 * <p>An admin client has one request under way and keeps the others in a queue, so there is one for each request in
 * flight, up to a number ("connections"): each has a thread and a selector of its own. A request goes to a client that
 * is free, as long as there is one. The open loop has all of them; a request that finds none free waits for one, and
 * its latency begins when it was due.
 *
 * <p>Arguments: name=value, with the names of {@link #main}.
 */
public final class AdminLoad {
    private static final int CONNECT_TIMEOUT_S = 30;

    private static String endpoints = "";
    private static int inFlight = 1;
    private static int connections = 64;
    private static int batch = 1;
    private static double seconds = 3;
    private static double warmup = 1;
    private static double rate = 0;

    /** The writes of the file: for each index its resource, its key and its values. */
    private static ConfigResource[] resources = {};
    private static ConfigEntry[][] entries = {};

    public static void main(String[] arguments) throws Exception {
        for (String argument : arguments) {
            String[] pair = argument.split("=", 2);
            switch (pair[0]) {
                case "endpoints": endpoints = pair[1]; break;
                case "in-flight": inFlight = Integer.parseInt(pair[1]); break;
                case "connections": connections = Integer.parseInt(pair[1]); break;
                case "batch": batch = Integer.parseInt(pair[1]); break;
                case "seconds": seconds = Double.parseDouble(pair[1]); break;
                case "warmup": warmup = Double.parseDouble(pair[1]); break;
                case "rate": rate = Double.parseDouble(pair[1]); break;
                case "writes": readWrites(pair[1]); break;
                default: throw new IllegalArgumentException(argument);
            }
        }
        load();
        System.exit(0);
    }

    /** Reads lines of kind/resource/key and its values, with tabs between. A resource's name may have slashes. */
    private static void readWrites(String file) throws IOException {
        List<String> lines = Files.readAllLines(Path.of(file), StandardCharsets.UTF_8);
        resources = new ConfigResource[lines.size()];
        entries = new ConfigEntry[lines.size()][];
        for (int index = 0; index < resources.length; index++) {
            String[] texts = lines.get(index).split("\t", -1);
            int name = texts[0].indexOf('/') + 1;
            int key = texts[0].lastIndexOf('/') + 1;
            if (texts.length < 3 || name == 0 || key <= name) {
                throw new IOException(
                    file + ", line " + (index + 1) + ": not kind/resource/key and at least two values");
            }
            resources[index] =
                new ConfigResource(kind(texts[0].substring(0, name - 1)), texts[0].substring(name, key - 1));
            entries[index] = new ConfigEntry[texts.length - 1];
            for (int value = 1; value < texts.length; value++) {
                entries[index][value - 1] = new ConfigEntry(texts[0].substring(key), texts[value]);
            }
        }
    }

    private static ConfigResource.Type kind(String name) {
        return ConfigResource.Type.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    private static List<Admin> connect(int count) throws Exception {
        Properties properties = new Properties();
        properties.put("bootstrap.controllers", endpoints);
        List<Admin> clients = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            clients.add(Admin.create(properties));
        }
        for (Admin client : clients) {
            client.describeCluster().nodes().get(CONNECT_TIMEOUT_S, TimeUnit.SECONDS);
        }
        return clients;
    }

    /** Returns the serial-th request; an index gets its values in turn. */
    private static Map<ConfigResource, Collection<AlterConfigOp>> request(long serial) {
        Map<ConfigResource, Collection<AlterConfigOp>> changes = new LinkedHashMap<>();
        for (long number = serial * batch; number < (serial + 1) * batch; number++) {
            int index = (int) (number % resources.length);
            ConfigEntry[] values = entries[index];
            ConfigEntry value = values[(int) (number / resources.length % values.length)];
            changes.computeIfAbsent(resources[index], resource -> new ArrayList<>())
                .add(new AlterConfigOp(value, AlterConfigOp.OpType.SET));
        }
        return changes;
    }

    private static void load() throws Exception {
        List<Admin> clients = connect(rate > 0 ? connections : Math.min(inFlight, connections));
        int limit = rate > 0 ? connections : inFlight;
        BlockingQueue<Admin> free = new LinkedBlockingQueue<>();
        for (int number = 0; number < limit; number++) {
            free.add(clients.get(number % clients.size()));
        }
        Measurement measurement = Measurement.timed(rate, warmup, seconds);
        for (long serial = 0, due; (due = measurement.due(serial)) >= 0; serial++) {
            Admin client = free.take();
            long started = measurement.start(due);
            // Done when every resource of the request is: one that is refused fails it.
            client.incrementalAlterConfigs(request(serial)).all().whenComplete((nothing, error) -> {
                measurement.answered(started, error == null ? null : error.toString());
                free.add(client);
            });
        }
        for (int number = 0; number < limit; number++) {
            free.take();
        }
        measurement.report(batch, 0);
    }
}
