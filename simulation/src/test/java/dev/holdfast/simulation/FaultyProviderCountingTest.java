package dev.holdfast.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Headers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the provider did, as against what it said. */
@Timeout(300)
class FaultyProviderCountingTest {
    private static final String PROMPT = "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"say it\"}]}";

    private static String post(String key, String body) {
        return RawClient.post(body).replace("Host: x", "Host: x\r\nIdempotency-Key: " + key);
    }

    @Test
    void tellsWorkThatWasDoneFromAnswersThatWentOut() throws Exception {
        FaultScript script =
                FaultScript.of(Reply.completion("ok").cutAfter(5), Reply.cut(), Reply.refused(), Reply.status(503));
        try (var provider = FaultyProvider.start(script)) {
            for (int i = 0; i < 4; i++) {
                try (var client = new RawClient(provider.uri())) {
                    client.send(RawClient.post(PROMPT).replace("Host: x", "Host: x\r\nConnection: close"))
                            .readToEnd();
                }
            }
            assertThat(provider.requests()).hasSize(4);
            assertThat(provider.executions())
                    .as("the cut ones had been worked on")
                    .isEqualTo(2);
            assertThat(provider.answers()).as("only the 503 went out whole").isEqualTo(1);
        }
    }

    @Test
    void countsTheWorkOfEachKey() throws Exception {
        try (var provider =
                FaultyProvider.start(FaultScript.of(Reply.completion("ok").cutAfter(5)))) {
            for (String key : List.of("a", "a", "b")) {
                try (var client = new RawClient(provider.uri())) {
                    client.send(post(key, PROMPT).replace("Host: x", "Host: x\r\nConnection: close"))
                            .readToEnd();
                }
            }
            assertThat(provider.executions("a"))
                    .as("this provider does not honour keys")
                    .isEqualTo(2);
            assertThat(provider.executions("b")).isEqualTo(1);
            assertThat(provider.executions("c")).isZero();
        }
    }

    @Test
    void executesAKeyOnceIfToldTo() throws Exception {
        var script = FaultScript.of(
                Reply.status(503), Reply.completion("the one answer").cutAfter(5));
        try (var provider =
                FaultyProvider.builder(script).honoursIdempotencyKeys().start()) {
            var answers = new ArrayList<String>();
            for (int i = 0; i < 4; i++) {
                try (var client = new RawClient(provider.uri())) {
                    answers.add(client.send(post("k", PROMPT).replace("Host: x", "Host: x\r\nConnection: close"))
                            .readToEnd());
                }
            }
            assertThat(answers.get(0)).contains(" 503 ");
            assertThat(answers.get(1)).contains(" 200 ").doesNotContain("the one answer");
            assertThat(answers.get(2)).contains(" 200 ", "the one answer");
            assertThat(answers.get(3)).contains(" 200 ", "the one answer");
            assertThat(provider.executions("k")).isEqualTo(1);
        }
    }

    @Test
    void refusesAKeyWithAnotherBody() throws Exception {
        try (var provider = FaultyProvider.builder(FaultScript.healthy())
                        .honoursIdempotencyKeys()
                        .start();
                var client = new RawClient(provider.uri())) {
            client.send(post("k", PROMPT)).readUntil("}}");
            assertThat(client.send(post("k", PROMPT.replace("say it", "say more")))
                            .readUntil("}}"))
                    .contains(" 422 ", "idempotency_key_in_use");
            assertThat(provider.executions()).isEqualTo(1);
        }
    }

    @Test
    void sendsHeadsBeforeTheTrueOne() throws Exception {
        Reply early = Reply.status(503).withInterim(103, Headers.of("Link", "</a>"));
        try (var provider = FaultyProvider.start(FaultScript.of(early));
                var client = new RawClient(provider.uri())) {
            assertThat(client.send(RawClient.post(PROMPT)).readUntil("}}"))
                    .startsWith("HTTP/1.1 103 \r\nLink: </a>\r\n\r\nHTTP/1.1 503 ");
        }
        assertThatThrownBy(() -> early.withInterim(101, Headers.empty())).hasMessageContaining("status: 101");
    }

    @Test
    void saysThatAConnectionIsTheLast() throws Exception {
        try (var provider = FaultyProvider.start(
                        FaultScript.of(Reply.completion("ok").goAwayAfter(3)));
                var client = new RawClient(provider.uri())) {
            assertThat(client.send(RawClient.post(PROMPT)).readToEnd())
                    .contains("Connection: close", "\"total_tokens\":6");
        }
    }

    @Test
    void closesAKeptConnectionWithoutAWordAsStaleOnesAre() throws Exception {
        try (var provider = FaultyProvider.start(FaultScript.of(Reply.completion("ok"), Reply.refused()));
                var client = new RawClient(provider.uri())) {
            client.send(RawClient.post(PROMPT)).readUntil("}}");
            assertThat(client.send(RawClient.post(PROMPT)).readToEnd()).isEmpty();
            assertThat(provider.executions()).isEqualTo(1);
        }
    }

    @Test
    void answersInAsManyChoicesAsAreAskedFor() throws Exception {
        try (var provider = FaultyProvider.start();
                var client = new RawClient(provider.uri())) {
            String three = PROMPT.replace("\"model\"", "\"n\":3,\"model\"");
            assertThat(client.send(RawClient.post(three)).readUntil("\"total_tokens\":6}}"))
                    .contains("\"index\":0", "\"index\":1", "\"index\":2")
                    .doesNotContain("\"index\":3");
            String streamed = client.send(RawClient.post(three.replace("\"n\"", "\"stream\":true,\"n\"")))
                    .readUntil("[DONE]");
            assertThat(streamed.split("\"finish_reason\":\"stop\"", -1)).hasSize(4);
            for (String bad : List.of("0", "129", "1.5", "\"2\"")) {
                String body = PROMPT.replace("\"model\"", "\"n\":" + bad + ",\"model\"");
                try (var other = new RawClient(provider.uri())) {
                    assertThat(other.send(RawClient.post(body)).readUntil("}}")).contains(" 400 ", "Invalid 'n'");
                }
            }
        }
    }

    @Test
    void trustsNobodyButItsOwnTls() {
        try (var plain = FaultyProvider.start()) {
            assertThatThrownBy(plain::sslContext)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("secure()");
        }
        assertThatThrownBy(() -> FaultyProvider.builder(FaultScript.healthy()).maxStreams(0))
                .hasMessage("maxStreams: 0 (expected: >= 1)");
        assertThatThrownBy(() -> new Ending(Ending.Kind.REFUSED, 3)).hasMessageContaining("afterBytes: 3");
    }
}
