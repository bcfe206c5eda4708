package dev.holdfast.benchmarks.jmh.contender;

/** A library's way to run guarded work. */
@FunctionalInterface
public interface Guard {
    /**
     * Runs the work.
     *
     * @throws Exception what it threw, or why it did not run
     */
    Object call(Work work) throws Exception;
}
