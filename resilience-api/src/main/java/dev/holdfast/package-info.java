/**
 * The values a user of Holdfast reads and builds: requests, responses, options, endpoints, events and errors.
 *
 * <pre>{@code
 * ModelRequest request = ModelRequest.chat("gpt-4.1").user("Name three rivers.").maxTokens(100).build();
 * ModelResponse response = client.call(request);
 * System.out.println(response.text().orElse(""));
 * response.attempts().forEach(System.out::println);
 * }</pre>
 *
 * <h2>Words</h2>
 *
 * A <em>call</em> is one logical request. It makes one or more <em>attempts</em>, numbered from 1. An <em>endpoint</em>
 * is a base URL with its dialect and credentials; a <em>target</em> is a model on an endpoint; a <em>route</em> is the
 * models to try, best first. A <em>retry</em> goes to the same target again, a <em>failover</em> to the same model on
 * another endpoint, a <em>fallback</em> to another model. What was <em>rejected</em> was never sent; what
 * <em>failed</em> was sent and went wrong. A <em>timeout</em> is a duration for one attempt, a <em>deadline</em> a point
 * in time for the whole call.
 *
 * <h2>Rules that hold for every type here</h2>
 *
 * Values are immutable and safe for use by many threads. No parameter, component or result is null unless it is marked
 * {@code @Nullable}; whoever passes null anyway gets a {@link NullPointerException}, at the latest when the value is used. No {@code toString} shows a key, a
 * prompt or an answer.
 */
package dev.holdfast;
