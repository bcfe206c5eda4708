package dev.holdfast.tests.peers;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs contracts as tests within a test, and keeps what became of each promise. */
final class Trial implements TestExecutionListener {
    /** Whoever waits longer waits for a delay that it should not have. */
    private static final String PATIENCE = "20 s";

    private final Map<String, Map<String, Outcome>> outcomes = Collections.synchronizedMap(new TreeMap<>());
    private final Map<String, String> reasons = Collections.synchronizedMap(new TreeMap<>());

    private Trial() {}

    /** Runs each class's tests in the order of their names, and the classes beside each other: most of them only wait. */
    static Trial of(Iterable<String> classes) {
        var trial = new Trial();
        var request = LauncherDiscoveryRequestBuilder.request()
                .filters(EngineFilter.includeEngines("junit-jupiter"))
                .configurationParameter("junit.jupiter.execution.timeout.test.method.default", PATIENCE)
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                .configurationParameter("junit.jupiter.execution.parallel.mode.default", "same_thread")
                .configurationParameter("junit.jupiter.execution.parallel.mode.classes.default", "concurrent")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "8");
        classes.forEach(name -> request.selectors(DiscoverySelectors.selectClass(name)));
        LauncherFactory.create().execute(request.build(), trial);
        return trial;
    }

    /** What became of each promise, by the name of its test. */
    Map<String, Outcome> of(String className) {
        return outcomes.getOrDefault(className, Map.of());
    }

    /** Why a promise is not kept, or not asked for. */
    String reason(String className, String method) {
        return reasons.getOrDefault(className + "." + method, "");
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (test.isTest() && test.getSource().orElse(null) instanceof MethodSource source) {
            String name = test.getParentIdObject().flatMap(Trial::className).orElse(source.getClassName());
            outcomes.computeIfAbsent(name, each -> Collections.synchronizedMap(new TreeMap<>()))
                    .put(source.getMethodName(), outcome(result));
            result.getThrowable()
                    .ifPresent(thrown -> reasons.put(name + "." + source.getMethodName(), String.valueOf(thrown)));
        }
    }

    private static java.util.Optional<String> className(org.junit.platform.engine.UniqueId parent) {
        return java.util.Optional.of(parent.getLastSegment().getValue());
    }

    private static Outcome outcome(TestExecutionResult result) {
        return switch (result.getStatus()) {
            case SUCCESSFUL -> Outcome.KEPT;
            case FAILED -> Outcome.BROKEN;
            case ABORTED -> Outcome.NOT_APPLICABLE;
        };
    }
}
