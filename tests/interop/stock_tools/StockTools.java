import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.QuorumInfo;
import org.apache.kafka.common.utils.Exit;

/**
 * Kafka's tools in one JVM, as a line-by-line servant.
 *
 * <p>Arguments: the jar with the tools and the bootstrap servers. A line in is a main class, the tool's standard input in
 * Base64 and its arguments, separated by tabs; or "settle", which waits until every live broker has fetched what the leader has.
 * A line out is the exit code ("none" when main did not end in time), the standard output and the standard error, in Base64.
 */
public final class StockTools {
    private static final long CALL_TIMEOUT_MS = 40_000;
    private static final long HOOKS_TIMEOUT_MS = 5_000;
    private static final long SETTLE_TIMEOUT_MS = 20_000;
    private static final String TOOLS = "org.apache.kafka.tools.";

    /** Where a standard stream goes now; nowhere between calls, and after a tool has asked to exit. */
    private static final class Sink extends OutputStream {
        private ByteArrayOutputStream kept = new ByteArrayOutputStream();
        private boolean open;

        @Override
        public synchronized void write(int one) {
            if (open) {
                kept.write(one);
            }
        }

        @Override
        public synchronized void write(byte[] bytes, int from, int count) {
            if (open) {
                kept.write(bytes, from, count);
            }
        }

        synchronized void begin() {
            kept = new ByteArrayOutputStream();
            open = true;
        }

        synchronized void end() {
            open = false;
        }

        synchronized void resume() {
            open = true;
        }

        synchronized String kept() {
            return Base64.getEncoder().encodeToString(kept.toByteArray());
        }
    }

    /** What a tool that exits sees instead of the end of the JVM. */
    private static final class Exited extends Error {
        Exited() {
            super("exited", null, false, false);
        }
    }

    /** Each call has the tools' classes anew, because some count in static fields. */
    private static final class ToolsLoader extends URLClassLoader {
        ToolsLoader(URL jar) {
            super(new URL[] {jar}, StockTools.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(TOOLS) || name.startsWith(TOOLS + "api.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> found = findLoadedClass(name);
                return found == null ? findClass(name) : found;
            }
        }
    }

    private static final Sink OUT = new Sink();
    private static final Sink ERR = new Sink();
    private static final List<Runnable> HOOKS = new ArrayList<>();
    /** Hooks of the JVM that are not of the call that runs. */
    private static final Set<Thread> BEFORE = Collections.newSetFromMap(new IdentityHashMap<>());
    private static Integer code;

    public static void main(String[] args) throws Exception {
        PrintStream answers = System.out;
        PrintStream errors = System.err;
        Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> {
            error.printStackTrace(errors);
            errors.flush();
            Runtime.getRuntime().halt(1);
        });
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        // Before any class of a tool is loaded: Scala's Console keeps the streams that it finds.
        System.setOut(new PrintStream(OUT, true));
        System.setErr(new PrintStream(ERR, true));
        Exit.setExitProcedure((status, message) -> exit(status));
        Exit.setHaltProcedure((status, message) -> exit(status));
        Exit.setShutdownHookAdder((name, hook) -> HOOKS.add(hook));
        URL jar = Path.of(args[0]).toUri().toURL();
        Properties properties = new Properties();
        properties.put("bootstrap.servers", args[1]);
        try (Admin admin = Admin.create(properties)) {
            answers.println("ready");
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split("\t", -1);
                answers.println(words[0].equals("settle") ? settled(admin) : called(jar, words));
                answers.flush();
            }
        }
    }

    private static synchronized void exit(int status) {
        if (code == null) {
            code = status;
            OUT.end();
            ERR.end();
        }
        throw new Exited();
    }

    private static String called(URL jar, String[] words) throws Exception {
        code = null;
        HOOKS.clear();
        BEFORE.addAll(jvmHooks());
        System.setIn(new ByteArrayInputStream(Base64.getDecoder().decode(words[1])));
        OUT.begin();
        ERR.begin();
        try (ToolsLoader loader = new ToolsLoader(jar)) {
            Thread thread = new Thread(() -> run(loader, words[0], Arrays.copyOfRange(words, 2, words.length)), "main");
            thread.setContextClassLoader(loader);
            thread.start();
            thread.join(CALL_TIMEOUT_MS);
            boolean inTime = !thread.isAlive();
            thread.interrupt();
            OUT.resume();
            ERR.resume();
            Thread hooks = new Thread(StockTools::runHooks, "hooks");
            hooks.start();
            hooks.join(HOOKS_TIMEOUT_MS);
            OUT.end();
            ERR.end();
            return (inTime ? String.valueOf(code) : "none") + "\t" + OUT.kept() + "\t" + ERR.kept();
        }
    }

    private static void run(ClassLoader loader, String main, String[] args) {
        try {
            Method method = loader.loadClass(main).getMethod("main", String[].class);
            method.invoke(null, (Object) args);
            ended(0);
        } catch (InvocationTargetException error) {
            if (!(error.getCause() instanceof Exited)) {
                System.err.print("Exception in thread \"main\" ");
                error.getCause().printStackTrace();
                ended(1);
            }
        } catch (ReflectiveOperationException error) {
            error.printStackTrace();
            ended(1);
        }
    }

    /** What tools asked to be run when the JVM ends; some ask the JVM itself. */
    private static void runHooks() {
        HOOKS.forEach(Runnable::run);
        for (Thread hook : jvmHooks()) {
            if (BEFORE.add(hook) && Runtime.getRuntime().removeShutdownHook(hook)) {
                hook.run();
            }
        }
    }

    private static List<Thread> jvmHooks() {
        try {
            Field hooks = Class.forName("java.lang.ApplicationShutdownHooks").getDeclaredField("hooks");
            hooks.setAccessible(true);
            return ((Map<?, ?>) hooks.get(null)).keySet().stream().map(Thread.class::cast).collect(Collectors.toList());
        } catch (ReflectiveOperationException error) {
            throw new IllegalStateException("needs --add-opens java.base/java.lang=ALL-UNNAMED", error);
        }
    }

    private static synchronized void ended(int status) {
        code = code == null ? Integer.valueOf(status) : code;
    }

    private static String settled(Admin admin) throws Exception {
        long ends = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SETTLE_TIMEOUT_MS);
        QuorumInfo first = admin.describeMetadataQuorum().quorumInfo().get();
        long wanted = first.voters().stream().mapToLong(QuorumInfo.ReplicaState::logEndOffset).max().orElse(0);
        while (System.nanoTime() < ends) {
            Set<Integer> live =
                admin.describeCluster().nodes().get().stream().map(each -> each.id()).collect(Collectors.toSet());
            QuorumInfo now = admin.describeMetadataQuorum().quorumInfo().get();
            if (now.observers().stream().allMatch(
                    each -> !live.contains(each.replicaId()) || each.logEndOffset() >= wanted)) {
                return "settled";
            }
            Thread.sleep(10);
        }
        return "not settled";
    }
}
