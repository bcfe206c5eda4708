package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.core.JsonText;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.FaultyProvider;
import dev.holdfast.simulation.Reply;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class AlertsTest {
    private static final String BREAKER =
            "breaker: {consecutive-failures: 2, open-for: 100ms, half-open-probes: 1, successes-to-close: 1}\n"
                    + "retry: {max-attempts: 1}\n";

    /** How long an alert waits for its receiver. */
    private static final Duration WAITED_FOR = Duration.ofSeconds(10);

    private static String alerts(FaultyProvider receiver, String more) {
        return BREAKER + "alerts: {webhook: \"" + receiver.uri() + "/hook/secret-3f9a\"" + more + "}";
    }

    private static List<JsonObject> told(FaultyProvider receiver) {
        return receiver.requests().stream()
                .map(request -> JsonText.parse(request.body()).asObject().orElseThrow())
                .toList();
    }

    @Test
    void anOpenBreakerIsToldOnceAndSoIsItsEnd() {
        FaultScript script = FaultScript.of(Reply.status(500), Reply.status(500), Reply.status(500))
                .thenAnswering(FaultScript.healthy()::reply);
        try (FaultyProvider receiver = FaultyProvider.start(FaultScript.always(Reply.json(200, JsonObject.empty())));
                Served served = Served.by(script, alerts(receiver, ", form: json"))) {
            Eventually.holds(() -> served.chat().statusCode() == 200);
            Eventually.holds(() -> subjects(receiver, "resolved", "breaker").size() == 1);
            assertThat(subjects(receiver, "firing", "breaker")).containsExactly("breaker of m@up");
            assertThat(receiver.requests()).allSatisfy(request -> {
                assertThat(request.path()).isEqualTo("/hook/secret-3f9a");
                assertThat(request.body().toUtf8()).doesNotContain("one two three", Served.UPSTREAM_KEY, "3f9a");
            });
        }
    }

    private static List<String> subjects(FaultyProvider receiver, String status, String about) {
        return told(receiver).stream()
                .filter(alert -> alert.text("status").orElseThrow().equals(status))
                .map(alert -> alert.text("subject").orElseThrow())
                .filter(subject -> subject.startsWith(about))
                .toList();
    }

    @Test
    void aKeyThatIsRefusedIsToldInSlacksForm() {
        try (FaultyProvider receiver = FaultyProvider.start(FaultScript.always(Reply.json(200, JsonObject.empty())));
                Served served = Served.by(FaultScript.always(Reply.status(401)), alerts(receiver, ""))) {
            served.chat();
            Eventually.holds(() -> !receiver.requests().isEmpty());
            assertThat(told(receiver).getFirst().text("text").orElseThrow())
                    .startsWith("Holdfast, critical: setup of m@up has to be set right");
        }
    }

    @Test
    void pagerDutyGetsItsKeyAndWhatBelongsTogether() {
        try (FaultyProvider receiver = FaultyProvider.start(FaultScript.always(Reply.json(202, JsonObject.empty())));
                Served served = Served.by(
                        FaultScript.always(Reply.status(401)),
                        alerts(receiver, ", form: pagerduty, routing-key: r0ut1ng"))) {
            served.chat();
            Eventually.holds(() -> !receiver.requests().isEmpty());
            JsonObject told = told(receiver).getFirst();
            assertThat(told.text("routing_key")).contains("r0ut1ng");
            assertThat(told.text("event_action")).contains("trigger");
            assertThat(told.text("dedup_key")).contains("holdfast setup of m@up");
            assertThat(told.object("payload").orElseThrow().text("severity")).contains("critical");
        }
    }

    /** Calls go on as they would without it, however the receiver fails. */
    @Test
    void aReceiverThatHangsHoldsUpNoCall() {
        FaultScript script =
                FaultScript.of(Reply.status(500), Reply.status(500)).thenAnswering(FaultScript.healthy()::reply);
        try (FaultyProvider receiver = FaultyProvider.start(FaultScript.always(Reply.hang()));
                Served served = Served.by(script, alerts(receiver, ""))) {
            Eventually.holds(() -> served.chat().statusCode() == 200);
            Eventually.holds(() -> !receiver.requests().isEmpty());
            assertThat(served.chat().statusCode()).isEqualTo(200);
            assertThat(told(receiver))
                    .as("the first alert is still under way, however often it was sent")
                    .containsOnly(told(receiver).getFirst());
        }
    }

    @Test
    void aReceiverThatFailsIsTriedAgain() {
        FaultScript failing = FaultScript.of(Reply.status(503)).thenAnswering(r -> Reply.json(200, JsonObject.empty()));
        try (FaultyProvider receiver = FaultyProvider.start(failing);
                Served served = Served.by(FaultScript.always(Reply.status(401)), alerts(receiver, ""))) {
            served.chat();
            Eventually.holds(() -> receiver.requests().size() == 2);
            assertThat(told(receiver))
                    .hasSize(2)
                    .allMatch(each -> each.equals(told(receiver).getFirst()));
        }
    }

    /** A receiver that hangs would be waited for three times ten seconds, and two or four seconds in between. */
    @Test
    void aReceiverIsAskedNoMoreOnceAnotherHasItsPlaceOrTheGatewayEnds() {
        FaultScript hanging = FaultScript.always(Reply.hang());
        try (FaultyProvider first = FaultyProvider.start(hanging);
                FaultyProvider second = FaultyProvider.start(hanging)) {
            long secondAsked;
            try (Served served = Served.by(FaultScript.always(Reply.status(401)), alerts(first, ""))) {
                long firstAsked = System.nanoTime();
                served.chat();
                Eventually.holds(() -> first.requests().size() == 1);
                served.gateway.reload(Served.settings(served.provider, alerts(first, "") + "\nmax-body: 2MiB"));
                Eventually.holds(() -> served.gateway.retiredConfigurations() == 0);
                int open = first.connectionsOpen();
                assumeStillWaiting(firstAsked);
                assertThat(open).as("the same receiver").isEqualTo(1);
                String other = "\nmodels: {n: {endpoints: [up]}}";
                served.gateway.reload(Served.settings(served.provider, alerts(second, "") + other));
                assumeStillWaiting(firstAsked);
                assertAskedNoMore(first, firstAsked);
                secondAsked = System.nanoTime();
                served.send(served.post("/v1/chat/completions", Served.CHAT.replace("\"m\"", "\"n\"")));
                Eventually.holds(() -> second.requests().size() == 1);
            }
            assertAskedNoMore(second, secondAsked);
            assertThat(first.requests()).hasSize(1);
        }
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    /** A machine that took so long for a few requests has let the alert time out, and shows nothing. */
    private static void assumeStillWaiting(long asked) {
        assumeThat(since(asked)).as("so long the first try waits").isLessThan(WAITED_FOR);
    }

    /** Its connection ends before its time is up; where the machine is too slow to tell, there is no second try. */
    private static void assertAskedNoMore(FaultyProvider receiver, long asked) {
        Eventually.holds(() -> receiver.connectionsOpen() == 0);
        if (since(asked).compareTo(WAITED_FOR) >= 0) {
            Eventually.holds(() -> since(asked).compareTo(WAITED_FOR.multipliedBy(2)) > 0);
        }
        assertThat(receiver.requests()).hasSize(1);
    }

    @Test
    void anAddressThatIsNotSafeIsRefusedAndNotQuoted() {
        try (FaultyProvider provider = FaultyProvider.start()) {
            for (String address : new String[] {"http://hooks.example/T0/s3cret", "ftp://x/s3cret", "s3cret", ""}) {
                assertThatThrownBy(() -> Served.settings(provider, "alerts: {webhook: \"" + address + "\"}"))
                        .as(address)
                        .hasMessageContaining("webhook")
                        .hasMessageContaining("https://")
                        .hasMessageNotContaining("s3cret");
            }
            assertThatThrownBy(() -> Served.settings(
                            provider, "alerts: {webhook: \"https://events.example/v2\", form: pagerduty}"))
                    .hasMessageContaining("routing-key");
        }
    }
}
