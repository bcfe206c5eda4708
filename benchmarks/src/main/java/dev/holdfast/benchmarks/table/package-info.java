/**
 * The strategy table: the published strategies, each run by the real client through the same simulated weather.
 *
 * <p>{@link dev.holdfast.benchmarks.table.StrategyRun} makes one run, {@link dev.holdfast.benchmarks.table.StrategyTable} all of
 * them.
 */
@NullMarked
package dev.holdfast.benchmarks.table;

import org.jspecify.annotations.NullMarked;
