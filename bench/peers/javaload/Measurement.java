import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures requests for a load tool: when they are due, how long they took, and what the harness is told (see
 * bench/peers/loadtool.py). Times are of System.nanoTime.
 */
final class Measurement {
    private final double rate;
    private final long begin;
    private final long begins;
    private final long ends;
    private final Thread announcer;
    private final List<Double> latencies = new ArrayList<>();
    private final AtomicLong failures = new AtomicLong();
    private volatile String firstError = "";
    private volatile long last;
    private volatile double cpuBefore;

    private Measurement(double rate, double warmup, double seconds, boolean isEndless) {
        this.rate = rate;
        begin = System.nanoTime();
        begins = begin + (long) (warmup * 1e9);
        ends = isEndless ? Long.MAX_VALUE : begins + (long) (seconds * 1e9);
        last = begins;
        announcer = new Thread(this::announce);
        announcer.start();
    }

    /** Begins the warm-up of requests that are made for some seconds; a rate of 0 is that of a closed loop. */
    static Measurement timed(double rate, double warmup, double seconds) {
        return new Measurement(rate, warmup, seconds, false);
    }

    /** Begins a closed loop that ends with its last request. */
    static Measurement counted() {
        return new Measurement(0, 0, 0, true);
    }

    /** Waits until the serial-th request is due; returns when that was, or -1 if it is after the end. */
    long due(long serial) throws InterruptedException {
        long due = System.nanoTime();
        if (rate > 0) {
            due = begin + (long) (serial / rate * 1e9);
            TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
        }
        return due < ends ? due : -1;
    }

    /** Returns when the latency of a request begins that is sent now: in an open loop, when it was due. */
    long start(long due) {
        return rate > 0 ? due : System.nanoTime();
    }

    /** Counts an answer; the error is null for a success. */
    void answered(long started, String error) {
        long now = System.nanoTime();
        if (error != null) {
            if (failures.getAndIncrement() == 0) {
                firstError = error.replaceAll("[\"\\\\\\p{Cntrl}]", " ");
            }
        } else if (now >= begins && (rate > 0 || now < ends)) {
            synchronized (latencies) {
                latencies.add((now - started) / 1e3);
                last = now;
            }
        }
    }

    /** Prints the result, once all requests are answered; all is how many records there are if none has failed. */
    void report(int batch, long all) throws InterruptedException {
        announcer.join();
        boolean endsWithTime = rate == 0 && ends != Long.MAX_VALUE;
        long end = endsWithTime ? ends : last;
        int count = latencies.size();
        long records = all > 0 && failures.get() == 0 ? all : (long) count * batch;
        StringBuilder out = new StringBuilder();
        out.append(String.format(Locale.ROOT,
            "{\"requests\":%d,\"records\":%d,\"elapsed_s\":%f,\"errors\":%d,\"first_error\":\"%s\","
                + "\"client_cpu_s\":%f,\"latencies_us\":[",
            count, records, (end - begins) / 1e9, failures.get(), firstError, cpu() - cpuBefore));
        for (int i = 0; i < count; i++) {
            out.append(i == 0 ? "" : ",").append(String.format(Locale.ROOT, "%.1f", latencies.get(i)));
        }
        System.out.println(out.append("]}"));
    }

    private void announce() {
        try {
            TimeUnit.NANOSECONDS.sleep(begins - System.nanoTime());
        } catch (InterruptedException error) {
            return;
        }
        cpuBefore = cpu();
        System.out.println("measuring");
        System.out.flush();
    }

    private static double cpu() {
        return ((com.sun.management.OperatingSystemMXBean)
            java.lang.management.ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() / 1e9;
    }
}
