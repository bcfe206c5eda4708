/** How much memory waiting calls take. */
@NullMarked
package dev.holdfast.benchmarks.waiting;

import org.jspecify.annotations.NullMarked;
