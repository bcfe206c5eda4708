/** Judges routers by the quality they keep at a share of calls to the strong model. */
@org.jspecify.annotations.NullMarked
package dev.holdfast.benchmarks.routing;
