/** One thin adapter for each library in each scenario: what a user of that library would write, and nothing else. */
@NullMarked
package dev.holdfast.benchmarks.jmh.contender;

import org.jspecify.annotations.NullMarked;
