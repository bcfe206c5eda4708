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
 */
package dev.holdfast.simulation;
