package dev.holdfast.tests.peers;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs contracts as tests within a test, and keeps what became of each promise. */
final class Trial implements TestExecutionListener {
    /** Whoever waits longer waits for a delay that it should not have. */
    private static final String PATIENCE = "20 s";

    private final Map<String, Map<String, Outcome>> outcomes = Collections.synchronizedMap(new TreeMap<>());
    private final Map<String, String> reasons = Collections.synchronizedMap(new TreeMap<>());

    private volatile TestPlan tree;

    private Trial() {}

    /**
     * Runs the tests of the classes, the classes beside each other: most of them only wait.
     *
     * @param classes their names
     * @param unasked tests that are left out, by class and name
     */
    static Trial of(Iterable<String> classes, Set<String> unasked) {
        var trial = new Trial();
        var request = LauncherDiscoveryRequestBuilder.request()
                .filters(EngineFilter.includeEngines("junit-jupiter"))
                .configurationParameter("junit.jupiter.execution.timeout.test.method.default", PATIENCE)
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                .configurationParameter("junit.jupiter.execution.parallel.mode.default", "same_thread")
                .configurationParameter("junit.jupiter.execution.parallel.mode.classes.default", "concurrent")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "8");
        request.filters((PostDiscoveryFilter) test -> FilterResult.includedIf(!unasked.contains(name(test))));
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
    public void testPlanExecutionStarted(TestPlan plan) {
        tree = plan;
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (test.isTest() && test.getSource().orElse(null) instanceof MethodSource source) {
            String name = tree.getParent(test)
                    .flatMap(TestIdentifier::getSource)
                    .map(each -> each instanceof ClassSource parent ? parent.getClassName() : "")
                    .orElse("");
            outcomes.computeIfAbsent(name, each -> Collections.synchronizedMap(new TreeMap<>()))
                    .put(source.getMethodName(), outcome(result));
            result.getThrowable()
                    .ifPresent(thrown -> reasons.put(name + "." + source.getMethodName(), String.valueOf(thrown)));
        }
    }

    private static String name(TestDescriptor test) {
        return test.getSource().orElse(null) instanceof MethodSource source
                ? test.getParent().flatMap(Trial::className).orElse("") + "." + source.getMethodName()
                : "";
    }

    /** The class that the test was found in, which need not be the one that declares it. */
    private static Optional<String> className(TestDescriptor test) {
        return test.getSource().map(each -> each instanceof ClassSource source ? source.getClassName() : "");
    }

    private static Outcome outcome(TestExecutionResult result) {
        return switch (result.getStatus()) {
            case SUCCESSFUL -> Outcome.KEPT;
            case FAILED -> Outcome.BROKEN;
            case ABORTED -> Outcome.NOT_APPLICABLE;
        };
    }
}
