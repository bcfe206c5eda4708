package dev.holdfast.tests.transport;

import static dev.holdfast.tests.transport.Exchanging.PROMPT;
import static dev.holdfast.tests.transport.Exchanging.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.Reply;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The provider under TLS, tried with the JDK's own client. */
@Timeout(300)
class FaultyProviderSecureTest {
    @Test
    @Tag("concurrency")
    void executesAKeyOnceHoweverManyAskAtOnce() throws Exception {
        try (var provider = FaultyProvider.builder(FaultScript.healthy())
                        .secure()
                        .honoursIdempotencyKeys()
                        .start();
                var client = HttpClient.newBuilder()
                        .sslContext(provider.sslContext())
                        .build()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(provider.baseUrl() + "/chat/completions"))
                    .header("Idempotency-Key", "k")
                    .POST(BodyPublishers.ofString(PROMPT))
                    .build();
            client.send(request, BodyHandlers.discarding());
            var answers = new ArrayList<CompletableFuture<HttpResponse<String>>>();
            for (int i = 0; i < 50; i++) {
                answers.add(client.sendAsync(request, BodyHandlers.ofString()));
            }
            for (CompletableFuture<HttpResponse<String>> answer : answers) {
                assertThat(answer.get().body()).contains("\"content\":\"ok\"");
            }
            assertThat(provider.executions("k")).isEqualTo(1);
            assertThat(provider.requests()).hasSize(51);
        }
    }

    @Test
    void leavesNeitherThreadNorConnectionBehindUnderTls() throws Exception {
        Reply slow = Reply.stream("a", "b").withPauses(Duration.ofMinutes(10));
        try (var provider =
                FaultyProvider.builder(FaultScript.always(slow)).secure().start()) {
            var client =
                    HttpClient.newBuilder().sslContext(provider.sslContext()).build();
            client.sendAsync(
                    HttpRequest.newBuilder(URI.create(provider.baseUrl() + "/chat/completions"))
                            .POST(BodyPublishers.ofString(PROMPT))
                            .build(),
                    BodyHandlers.ofString());
            await(() -> provider.requests().size() == 1);
            provider.close();
            assertThat(provider.connectionsOpen()).isZero();
            client.shutdownNow();
        }
    }
}
