/**
 * The client and its policies: what a user builds and calls.
 *
 * <pre>{@code
 * ResilientClient client = ResilientClient.builder()
 *         .endpoint(Endpoint.openAi(Secret.of(System.getenv("OPENAI_API_KEY"))))
 *         .model(ModelSettings.of("gpt-4.1").withFallbacks("gpt-4.1-mini"))
 *         .retry(RetryPolicy.interactive())
 *         .build();
 * ModelResponse response = client.call(ModelRequest.chat("gpt-4.1").user("Hello").build());
 * }</pre>
 *
 * <p>No parameter or result is null. Policies are immutable records: {@code defaults()} or a preset, then {@code with…}.
 */
package dev.holdfast.core;
