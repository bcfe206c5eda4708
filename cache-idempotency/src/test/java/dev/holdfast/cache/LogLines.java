package dev.holdfast.cache;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What the module logs while a test runs. The platform's logger writes to {@code java.logging}, which the module under test does
 * not read: it is reached by reflection.
 */
final class LogLines implements AutoCloseable {
    private static final String LOGGING = "java.util.logging.";

    private final Object logger;
    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());

    LogLines() {
        logger = reflect(
                () -> type("Logger").getMethod("getLogger", String.class).invoke(null, "dev.holdfast.cache"));
        Object filter = Proxy.newProxyInstance(
                LogLines.class.getClassLoader(),
                new Class<?>[] {reflect(() -> type("Filter"))},
                (proxy, method, given) -> {
                    lines.add(line(given[0]));
                    return false;
                });
        setFilter(filter);
    }

    List<String> lines() {
        return lines;
    }

    private static String line(Object record) throws ReflectiveOperationException {
        Object formatter = type("SimpleFormatter").getConstructor().newInstance();
        Object message =
                type("Formatter").getMethod("formatMessage", type("LogRecord")).invoke(formatter, record);
        return type("LogRecord").getMethod("getLevel").invoke(record) + " " + message;
    }

    private void setFilter(Object filter) {
        reflect(() -> type("Logger").getMethod("setFilter", type("Filter")).invoke(logger, filter));
    }

    private static Class<?> type(String name) throws ClassNotFoundException {
        return Class.forName(LOGGING + name);
    }

    private static <T> T reflect(Reflection<T> work) {
        try {
            return work.run();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private interface Reflection<T> {
        T run() throws ReflectiveOperationException;
    }

    @Override
    public void close() {
        setFilter(null);
    }
}
