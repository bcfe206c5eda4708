package dev.holdfast.tests.streams;

import net.jqwik.api.lifecycle.LifecycleContext;
import net.jqwik.api.lifecycle.SkipExecutionHook;
import org.opentest4j.TestAbortedException;

/** Skips properties over recorded exchanges where there are none, as in a clone without the data: jqwik takes an assumption within for a try. */
final class NeedsRecordings implements SkipExecutionHook {
    @Override
    public SkipResult shouldBeSkipped(LifecycleContext context) {
        try {
            Recording.all();
            return SkipResult.doNotSkip();
        } catch (TestAbortedException e) {
            return SkipResult.skip(e.getMessage());
        }
    }
}
