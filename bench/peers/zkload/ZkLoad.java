import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/**
 * Makes the benchmark's writes on ZooKeeper with its asynchronous Java client. It speaks to the harness by lines:
 * "measuring" when the warm-up is over, then one JSON object (see bench/peers/loadtool.py); as a prober it answers
 * every line on its input with the time of the next success; as a background writer it writes for as many seconds as a
 * line says, and answers with one JSON object.
 *
 * <p>Arguments: name=value, with the names of {@link #main}.
 */
public final class ZkLoad {
    private static final String ROOT = "/bench";
    private static final int SESSION_MS = 20_000;
    private static final int PROBE_MS = 200;
    private static final int PROBE_PAUSE_MS = 2;
    private static final int SETUP_BATCH = 128;
    private static final int OUTSTANDING_MAX = 4096;

    private static String endpoints = "";
    private static int inFlight = 1;
    private static int batch = 1;
    private static int valueBytes = 256;
    private static double seconds = 3;
    private static double warmup = 1;
    private static double rate = 0;
    private static int total = 0;
    private static int names = 4096;
    private static double giveUp = 10;

    /** The writes of the file, if there is one: for each index the name of a node and its values. */
    private static String[] givenNames = {};
    private static byte[][][] givenValues = {};

    public static void main(String[] arguments) throws Exception {
        String mode = "load";
        for (String argument : arguments) {
            String[] pair = argument.split("=", 2);
            switch (pair[0]) {
                case "mode": mode = pair[1]; break;
                case "endpoints": endpoints = pair[1]; break;
                case "in-flight": inFlight = Integer.parseInt(pair[1]); break;
                case "batch": batch = Integer.parseInt(pair[1]); break;
                case "value-bytes": valueBytes = Integer.parseInt(pair[1]); break;
                case "seconds": seconds = Double.parseDouble(pair[1]); break;
                case "warmup": warmup = Double.parseDouble(pair[1]); break;
                case "rate": rate = Double.parseDouble(pair[1]); break;
                case "total": total = Integer.parseInt(pair[1]); break;
                case "give-up": giveUp = Double.parseDouble(pair[1]); break;
                case "names": names = Integer.parseInt(pair[1]); break;
                case "writes": readWrites(pair[1]); break;
                case "connections": break;
                default: throw new IllegalArgumentException(argument);
            }
        }
        if (total > 0 && givenNames.length > 0) {
            throw new IllegalArgumentException("total has names of its own, the file of writes has others");
        }
        if (mode.equals("probe")) {
            probe();
        } else if (mode.equals("background")) {
            background();
        } else {
            load();
        }
        System.exit(0);
    }

    private static ZooKeeper connect(String where, int timeoutMs) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper client = new ZooKeeper(where, SESSION_MS, event -> {
            if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
            }
        });
        if (!connected.await(timeoutMs, TimeUnit.MILLISECONDS)) {
            client.close(0);
            throw new KeeperException.ConnectionLossException();
        }
        return client;
    }

    /** Reads lines of a name and its values, with tabs between; they are written instead of values of one size. */
    private static void readWrites(String file) throws IOException {
        List<String> lines = Files.readAllLines(Path.of(file), StandardCharsets.UTF_8);
        names = lines.size();
        givenNames = new String[names];
        givenValues = new byte[names][][];
        for (int index = 0; index < names; index++) {
            String[] texts = lines.get(index).split("\t", -1);
            if (texts.length < 3) {
                throw new IOException(file + ", line " + (index + 1) + ": not a name and at least two values");
            }
            givenNames[index] = texts[0];
            givenValues[index] = new byte[texts.length - 1][];
            for (int value = 1; value < texts.length; value++) {
                givenValues[index][value - 1] = texts[value].getBytes(StandardCharsets.UTF_8);
            }
        }
    }

    private static String path(long index) {
        return ROOT + "/" + (givenNames.length > 0 ? givenNames[(int) index] : String.format("bench-%07d", index));
    }

    /** Returns the value of the number-th write: with a file, a node gets its values in turn. */
    private static byte[] given(long number) {
        byte[][] values = givenValues[(int) (number % names)];
        return values[(int) (number / names % values.length)];
    }

    private static byte[] value(long serial) {
        byte[] value = new byte[valueBytes];
        Arrays.fill(value, (byte) 'x');
        byte[] digits = String.format("%010d", serial).getBytes();
        System.arraycopy(digits, 0, value, 0, Math.min(digits.length, value.length));
        return value;
    }

    /** Makes the nodes that the load overwrites, unless they are there. */
    private static void prepare(ZooKeeper client) throws Exception {
        if (client.exists(ROOT, false) == null) {
            client.create(ROOT, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        }
        if (total > 0 || client.exists(path(names - 1), false) != null) {
            return;
        }
        for (int first = 0; first < names; first += SETUP_BATCH) {
            List<Op> operations = new ArrayList<>();
            for (int index = first; index < Math.min(names, first + SETUP_BATCH); index++) {
                byte[] value = givenNames.length > 0 ? new byte[0] : value(0);
                operations.add(Op.create(path(index), value, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
            }
            client.multi(operations);
        }
    }

    private static void send(ZooKeeper client, long serial, BiConsumer<Integer, String> done) {
        byte[] value = givenNames.length > 0 ? null : value(serial);
        if (batch == 1 && total == 0) {
            AsyncCallback.StatCallback answered = (code, path, context, stat) -> done.accept(code, path);
            client.setData(path(serial % names), value == null ? given(serial) : value, -1, answered, null);
            return;
        }
        List<Op> operations = new ArrayList<>(batch);
        for (long index = serial * batch; index < (serial + 1) * batch; index++) {
            if (total == 0) {
                operations.add(Op.setData(path(index % names), value == null ? given(index) : value, -1));
            } else if (index < total) {
                operations.add(Op.create(path(index), value, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
            }
        }
        AsyncCallback.MultiCallback answered = (code, path, context, results) -> done.accept(code, path);
        client.multi(operations, answered, null);
    }

    private static void load() throws Exception {
        ZooKeeper client = connect(endpoints, 10_000);
        prepare(client);
        int limit = rate > 0 ? OUTSTANDING_MAX : inFlight;
        Semaphore room = new Semaphore(limit);
        long requests = total > 0 ? (total + batch - 1) / batch : Long.MAX_VALUE;
        Measurement measurement = total > 0 ? Measurement.counted() : Measurement.timed(rate, warmup, seconds);
        for (long serial = 0, due; serial < requests && (due = measurement.due(serial)) >= 0; serial++) {
            room.acquire();
            long started = measurement.start(due);
            send(client, serial, (code, path) -> {
                measurement.answered(started, code == 0 ? null : KeeperException.Code.get(code) + " " + path);
                room.release();
            });
        }
        room.acquire(limit);
        measurement.report(batch, total);
    }

    /** Says whether a server belongs to a working quorum, without waiting for the client's own retries. */
    private static boolean serves(String server) {
        String[] parts = server.split(":");
        try (Socket socket = new Socket(parts[0], Integer.parseInt(parts[1]))) {
            socket.setSoTimeout(PROBE_MS);
            socket.getOutputStream().write("srvr".getBytes());
            return new String(socket.getInputStream().readAllBytes()).contains("Mode:");
        } catch (IOException error) {
            return false;
        }
    }

    /** Tries every server in turn, each with a connection of its own, so that no client's back-off is measured. */
    private static void probe() throws Exception {
        String[] servers = endpoints.split(",");
        ZooKeeper first = connect(endpoints, 10_000);
        prepare(first);
        first.close();
        long serial = 0;
        while (System.in.read() >= 0) {
            for (int turn = 0; ; turn++) {
                serial++;
                String server = servers[turn % servers.length];
                ZooKeeper client = null;
                try {
                    if (!serves(server)) {
                        Thread.sleep(PROBE_PAUSE_MS);
                        continue;
                    }
                    client = connect(server, PROBE_MS);
                    client.setData(path(serial % names), value(serial), -1);
                    System.out.printf("%.6f%n", System.currentTimeMillis() / 1e3);
                    System.out.flush();
                    client.close(0);
                    break;
                } catch (KeeperException error) {
                    if (client != null) {
                        client.close(0);
                    }
                }
            }
        }
    }

    /** Writes at a rate for as long as each line on the input says, in seconds. */
    private static void background() throws Exception {
        Background writer = new Background();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            System.out.println(writer.writeFor(Double.parseDouble(line)));
            System.out.flush();
        }
    }

    /**
     * Starts each write when it is due, through one session, and repeats it until it is acknowledged or is given up.
     * When the session's server is gone, one thread looks for a server that serves, as the prober does, and the writes
     * wait for it: the client's own back-off before it connects again, of up to a second, is not measured.
     */
    private static final class Background {
        private final String[] servers = endpoints.split(",");
        private final Semaphore room = new Semaphore(inFlight);
        private final LinkedBlockingQueue<Due> toRepeat = new LinkedBlockingQueue<>();
        private ZooKeeper client;
        private int turn;
        private long serial;

        private Background() throws Exception {
            client = connect(endpoints, 10_000);
            prepare(client);
            Thread repeating = new Thread(this::repeat);
            repeating.setDaemon(true);
            repeating.start();
        }

        private String writeFor(double time) throws InterruptedException {
            int count = (int) Math.ceil(rate * time - 1e-9);
            Due[] writes = new Due[count];
            CountDownLatch left = new CountDownLatch(count);
            long begin = System.nanoTime();
            double beganAt = System.currentTimeMillis() / 1e3;
            for (int number = 0; number < count; number++) {
                long due = begin + (long) (number / rate * 1e9);
                writes[number] = new Due(serial++, due, left);
                TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
                room.acquire();
                send(writes[number]);
            }
            left.await();
            StringBuilder due = new StringBuilder();
            StringBuilder took = new StringBuilder();
            String failure = "";
            for (Due write : writes) {
                String comma = due.length() == 0 ? "" : ",";
                due.append(comma).append(String.format("%.6f", beganAt + (write.due - begin) / 1e9));
                took.append(comma).append(write.failure == null ? String.format("%.3f", write.tookMs) : "null");
                failure = failure.isEmpty() && write.failure != null ? write.failure : failure;
            }
            return "{\"due\":[" + due + "],\"latencies_ms\":[" + took + "],\"first_error\":\"" + failure + "\"}";
        }

        /** Sends a write through the current session; while there is none, it waits for the next one. */
        private void send(Due write) {
            ZooKeeper through = current();
            if (through == null) {
                toRepeat.add(write);
                return;
            }
            write.through = through;
            through.setData(path(write.serial % names), value(write.serial), -1, (code, path, context, stat) -> {
                if (code == 0) {
                    end(write, null);
                } else {
                    write.failure = KeeperException.Code.get(code) + " " + path;
                    toRepeat.add(write);
                }
            }, null);
        }

        private void end(Due write, String failure) {
            write.tookMs = (System.nanoTime() - write.due) / 1e6;
            boolean isLate = failure == null && write.tookMs > giveUp * 1e3;
            write.failure = isLate ? "not acknowledged " + giveUp + " s after it was due" : failure;
            room.release();
            write.left.countDown();
        }

        /** Repeats what was not acknowledged, through another session when that of the last attempt broke. */
        private void repeat() {
            try {
                while (true) {
                    Due write = toRepeat.take();
                    if (write.through != null && write.through == current()) {
                        search();
                    }
                    if (System.nanoTime() - write.due > giveUp * 1e9) {
                        end(write, write.failure == null ? "no server serves" : write.failure);
                    } else {
                        send(write);
                    }
                }
            } catch (InterruptedException error) {
                Thread.currentThread().interrupt();
            }
        }

        /** Leaves the current session, and connects to the servers in turn until one of them serves. */
        private void search() throws InterruptedException {
            ZooKeeper left = change(null);
            Thread closing = new Thread(() -> {
                try {
                    left.close(0);
                } catch (InterruptedException error) {
                    Thread.currentThread().interrupt();
                }
            });
            closing.setDaemon(true);
            closing.start();
            while (true) {
                String server = servers[turn++ % servers.length];
                try {
                    if (serves(server)) {
                        change(connect(server, PROBE_MS));
                        return;
                    }
                    Thread.sleep(PROBE_PAUSE_MS);
                } catch (InterruptedException error) {
                    throw error;
                } catch (Exception error) {
                    Thread.sleep(PROBE_PAUSE_MS);
                }
            }
        }

        private synchronized ZooKeeper current() {
            return client;
        }

        private synchronized ZooKeeper change(ZooKeeper next) {
            ZooKeeper before = client;
            client = next;
            return before;
        }
    }

    /** A write, when it was due, and what became of it. */
    private static final class Due {
        private final long serial;
        private final long due;
        private final CountDownLatch left;
        private volatile ZooKeeper through;
        private volatile double tookMs;
        private volatile String failure;

        private Due(long serial, long due, CountDownLatch left) {
            this.serial = serial;
            this.due = due;
            this.left = left;
        }
    }
}
