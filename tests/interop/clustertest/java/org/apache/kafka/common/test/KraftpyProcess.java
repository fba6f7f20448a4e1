package org.apache.kafka.common.test;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One controller of kraftpy: a configuration file, a port that is held until the process binds it, and the process.
 *
 * <p>The system property {@code kraftpy.logs} names the directory for the processes' output.
 */
final class KraftpyProcess {
    private static final Path LOGS = Path.of(System.getProperty("kraftpy.logs", "."));
    private static final AtomicInteger STARTED = new AtomicInteger();
    private static final long WAIT_S = 60;
    private static final int TAIL_CHARS = 4_000;

    private final int id;
    private final int port;
    private final Path config;
    private final Path log;
    private ServerSocket holder;
    private KraftpyLauncher.Child child;

    KraftpyProcess(int id, File baseDirectory) throws IOException {
        this.id = id;
        this.holder = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        this.port = holder.getLocalPort();
        this.config = baseDirectory.toPath().resolve("kraftpy-" + id + ".properties");
        this.log = LOGS.resolve("%04d-%d.log".formatted(STARTED.incrementAndGet(), id));
    }

    int port() {
        return port;
    }

    /** Write the configuration in the form of a server.properties. */
    void configure(Map<String, Object> values) throws IOException {
        Properties properties = new Properties();
        new TreeMap<>(values).forEach((key, value) -> properties.setProperty(key, String.valueOf(value)));
        try (var out = Files.newOutputStream(config)) {
            properties.store(out, null);
        }
    }

    void format(List<String> options) {
        List<String> command = new ArrayList<>(List.of("storage", "format", "-c", config.toString()));
        command.addAll(options);
        int code = KraftpyLauncher.start(log.toString(), command).exit().join();
        if (code != 0) {
            throw new IllegalStateException("kraftpy storage format ended with " + code + ": " + logTail());
        }
    }

    synchronized void start() {
        if (child == null || !child.isAlive()) {
            releasePort();
            child = KraftpyLauncher.start(log.toString(), List.of("controller", "--config", config.toString()));
        }
    }

    /** Wait until the controller's port is open. */
    void awaitOpen() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_S);
        while (true) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return;
            } catch (IOException e) {
                if (!child.isAlive() || System.nanoTime() > deadline) {
                    throw new IllegalStateException("controller " + id + " does not serve: " + logTail());
                }
            }
            pause();
        }
    }

    /** Ask the process to end and wait; throw when it had ended by itself or does not end in order. */
    synchronized void stop() {
        releasePort();
        if (child == null) {
            return;
        }
        KraftpyLauncher.Child stopped = child;
        child = null;
        boolean ran = stopped.isAlive();
        stopped.terminate();
        int code;
        try {
            code = stopped.exit().get(WAIT_S, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            stopped.kill();
            code = stopped.exit().join();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("controller " + id, e);
        }
        if (!ran || code != 0) {
            String what = "controller %d %s with exit code %d".formatted(id, ran ? "was stopped" : "ended by itself", code);
            note("FAILED: " + what);
            throw new IllegalStateException(what + ": " + logTail());
        }
    }

    private void releasePort() {
        if (holder != null) {
            try {
                holder.close();
            } catch (IOException e) {
                throw new IllegalStateException("port " + port, e);
            }
            holder = null;
        }
    }

    private void note(String line) {
        try {
            Files.writeString(log, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new IllegalStateException(log.toString(), e);
        }
    }

    private String logTail() {
        try {
            String text = Files.readString(log, StandardCharsets.UTF_8);
            return text.substring(Math.max(0, text.length() - TAIL_CHARS));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
