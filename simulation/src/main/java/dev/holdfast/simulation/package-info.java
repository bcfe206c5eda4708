/**
 * A provider that fails on purpose, as a real server and in virtual time.
 *
 * <p>{@link dev.holdfast.simulation.Reply} is one scripted answer, {@link dev.holdfast.simulation.FaultScript} says which
 * request gets which. {@link dev.holdfast.simulation.FaultyProvider} plays them on a real socket:
 *
 * <pre>{@code
 * try (var provider = FaultyProvider.start(FaultScript.of(Reply.rateLimited(Duration.ofSeconds(2))))) {
 *     URI base = provider.baseUrl();
 * }
 * }</pre>
 *
 * <p>{@link dev.holdfast.simulation.VirtualTime} runs the production pipeline on virtual threads and virtual time, one task at
 * a time: the same seed, the same result. {@link dev.holdfast.simulation.SimulatedTransport} plays replies there without a
 * socket; {@link dev.holdfast.simulation.Weather} decides which; a {@link dev.holdfast.simulation.Profile} is one in a file:
 *
 * <pre>{@code
 * var time = new VirtualTime();
 * var transport = new SimulatedTransport(time, Weather.of(FaultScript.of(Reply.status(503))));
 * time.run(() -> {
 *     try (var client = ResilientClient.builder()
 *             .endpoint(endpoint).transport(transport).timekeeper(time).build()) {
 *         client.call(request);
 *     }
 * });
 * }</pre>
 */
package dev.holdfast.simulation;
