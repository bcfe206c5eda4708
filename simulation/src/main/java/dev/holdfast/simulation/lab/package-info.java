/**
 * The policy lab: what a client's policy does to latency, success and cost, before production does. A client with that policy, the
 * one that runs in production, makes the calls of a {@link dev.holdfast.simulation.Profile} on virtual time, again for each seed and each
 * setting that is tried.
 *
 * <pre>{@code
 * Report report = Experiment.of(Profile.named("published"))
 *         .withPolicies(LabPolicy.named("adaptive"))
 *         .withSweep(Sweep.of("retry.max-attempts=1,2,3"))
 *         .withObjective(Objective.parse("success>=99.5, min p99"))
 *         .run((done, all) -> {});
 * System.out.print(report.text());
 * }</pre>
 *
 * <p>The same seed gives the same figures and the same bytes of every report. Values are immutable; no argument or result is null unless
 * annotated.
 */
@NullMarked
package dev.holdfast.simulation.lab;

import org.jspecify.annotations.NullMarked;
