package org.apache.kafka.common.test;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The process that starts kraftpy: one for the JVM, started when it is first needed, and ended by the end of its input.
 *
 * <p>The system property {@code kraftpy.python} names the interpreter. {@code tests/fakes/launcher.py} describes the lines.
 */
final class KraftpyLauncher {
    private static final int SIGTERM = 15;
    private static final int SIGKILL = 9;
    private static final int SIGNALLED = 128;
    private static final Map<String, CompletableFuture<Integer>> RUNNING = new ConcurrentHashMap<>();
    private static final AtomicLong KEYS = new AtomicLong();
    private static OutputStream commands;

    private KraftpyLauncher() {
    }

    /** One command of kraftpy that runs or ran. */
    record Child(String key, CompletableFuture<Integer> exit) {
        boolean isAlive() {
            return !exit.isDone();
        }

        void terminate() {
            send("signal", List.of(key, Integer.toString(SIGTERM)));
        }

        void kill() {
            send("signal", List.of(key, Integer.toString(SIGKILL)));
        }
    }

    static Child start(String log, List<String> arguments) {
        String key = Long.toString(KEYS.incrementAndGet());
        Child child = new Child(key, new CompletableFuture<>());
        RUNNING.put(key, child.exit());
        send("start", java.util.stream.Stream.concat(java.util.stream.Stream.of(key, log), arguments.stream()).toList());
        return child;
    }

    private static synchronized void send(String verb, List<String> fields) {
        try {
            if (commands == null) {
                commands = launch();
            }
            commands.write((verb + "\t" + String.join("\t", fields) + "\n").getBytes(StandardCharsets.UTF_8));
            commands.flush();
        } catch (IOException e) {
            throw new IllegalStateException("the launcher of kraftpy ended", e);
        }
    }

    private static OutputStream launch() throws IOException {
        Process launcher = new ProcessBuilder(
            System.getProperty("kraftpy.python"), "-u", "-m", "tests.fakes.launcher")
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        // Kafka's tests look for threads that are left, other than JUnit's own.
        Thread reader = new Thread(() -> read(launcher), "junit-kraftpy-launcher");
        reader.setDaemon(true);
        reader.start();
        return launcher.getOutputStream();
    }

    private static void read(Process launcher) {
        try (var lines = new BufferedReader(new InputStreamReader(launcher.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] fields = line.split("\t");
                if (fields[0].equals("exited")) {
                    int code = Integer.parseInt(fields[2]);
                    RUNNING.remove(fields[1]).complete(code < 0 ? SIGNALLED - code : code);
                } else if (fields[0].equals("failed")) {
                    RUNNING.remove(fields[1]).completeExceptionally(new IllegalStateException(fields[2]));
                }
            }
            IllegalStateException lost = new IllegalStateException("the launcher of kraftpy ended");
            RUNNING.values().forEach(exit -> exit.completeExceptionally(lost));
        } catch (IOException e) {
            RUNNING.values().forEach(exit -> exit.completeExceptionally(e));
        }
    }
}
