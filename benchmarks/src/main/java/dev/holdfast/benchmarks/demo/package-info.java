/** The demo: real calls to a local provider that fails on purpose. */
@NullMarked
package dev.holdfast.benchmarks.demo;

import org.jspecify.annotations.NullMarked;
