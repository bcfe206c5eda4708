package dev.holdfast.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What the module logs while a test runs. */
final class LogLines extends Handler implements AutoCloseable {
    private final Logger logger = Logger.getLogger("dev.holdfast.cache");
    private final List<String> lines = new ArrayList<>();

    LogLines() {
        logger.setUseParentHandlers(false);
        logger.addHandler(this);
    }

    List<String> lines() {
        return lines;
    }

    @Override
    public void publish(LogRecord line) {
        lines.add(line.getLevel() + " " + new SimpleFormatter().formatMessage(line));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setUseParentHandlers(true);
    }
}
