package dev.holdfast.tests.behaviour;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything that is logged at any level while it is open, whatever the build's level is. It turns up the loggers that exist
 * and, by a system property, those to come; SLF4J's simple logger has no other way to change a level. The platform's own
 * loggers are heard too.
 */
public final class LogCapture implements AutoCloseable {
    private static final String LEVEL = "org.slf4j.simpleLogger.log.dev.holdfast";
    private static final int TRACE = 0;
    private static final int OFF = 50;

    private final PrintStream before = System.err;
    private final ByteArrayOutputStream captured = new ByteArrayOutputStream();
    private final java.util.logging.Logger platform = java.util.logging.Logger.getLogger("dev.holdfast");
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord record) {
            String line = new SimpleFormatter().format(record) + "\n";
            captured.writeBytes(line.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public void flush() {
            // each record is written at once
        }

        @Override
        public void close() {
            // nothing is held
        }
    };

    public LogCapture() {
        System.setProperty(LEVEL, "trace");
        setLevels(TRACE);
        platform.setLevel(java.util.logging.Level.ALL);
        platform.addHandler(handler);
        System.setErr(new PrintStream(captured, true, StandardCharsets.UTF_8));
    }

    public String text() {
        return captured.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        platform.removeHandler(handler);
        platform.setLevel(null);
        System.setErr(before);
        System.clearProperty(LEVEL);
        setLevels(OFF);
    }

    private static void setLevels(int level) {
        try {
            Field loggers = LoggerFactory.getILoggerFactory().getClass().getDeclaredField("loggerMap");
            loggers.setAccessible(true);
            for (Object logger : ((Map<?, ?>) loggers.get(LoggerFactory.getILoggerFactory())).values()) {
                if (((Logger) logger).getName().startsWith("dev.holdfast")) {
                    Field current = logger.getClass().getDeclaredField("currentLogLevel");
                    current.setAccessible(true);
                    current.setInt(logger, level);
                }
            }
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("the simple logger keeps its levels elsewhere", e);
        }
    }
}
