/** The JMH benchmarks: {@code ./holdfast jmh -l} lists them. */
@NullMarked
package dev.holdfast.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
