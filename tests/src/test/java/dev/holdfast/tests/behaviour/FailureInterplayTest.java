package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Bytes;
import dev.holdfast.CallOptions;
import dev.holdfast.FailureKind;
import dev.holdfast.Headers;
import dev.holdfast.ModelRequest;
import dev.holdfast.Route;
import dev.holdfast.core.KindPolicy;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.RetryPolicy;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.tests.behaviour.World.Ended;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures of several kinds within one call: which rule moves it, and what the caller hears at the end. */
class FailureInterplayTest {
    private static Reply json(int status, String body) {
        return Reply.of(status, Headers.of("Content-Type", "application/json"), Bytes.utf8(body.replace('\'', '"')));
    }

    private static Reply usedUpForToday() {
        return json(429, "{'error':{'code':429,'message':'Rate limit exceeded: free-models-per-day'}}");
    }

    @Test
    void aLimitOfADayIsNotWaitedOutButLeftForAnotherAccountAndNotAskedAgain() {
        World world =
                new World().provider("p1", FaultScript.always(usedUpForToday())).provider("p2", FaultScript.of());
        try (ResilientClient client = world.builder().build()) {
            assertThat(world.call(client).answer().endpoint()).contains("p2");
            assertThat(world.path()).containsExactly("p1", "p2");
            world.call(client).answer();
            assertThat(world.path()).as("the account rests").containsExactly("p1", "p2", "p2");
            assertThat(world.times()).containsOnly(Duration.ZERO);
        }
    }

    @Test
    void aSuccessThatSaysItFailedIsTriedAgainLikeTheStatusItNames() {
        World world = World.of(
                json(200, "{'success':false,'errors':[{'code':503,'message':'x'}],'result':null}"),
                json(200, "{'base_resp':{'status_code':1002,'status_msg':'x'}}"));
        try (ResilientClient client = world.builder().build()) {
            assertThat(world.call(client).answer().attempts()).hasSize(3);
        }
        assertThat(world.times()).containsExactly(Duration.ZERO, Duration.ofSeconds(1), Duration.ofSeconds(2));
    }

    @Test
    void aDateOfRfc3339IsObeyedToTheSecond() {
        World world = World.of(Reply.status(429).withHeader("Retry-After", "2026-01-01T00:00:04Z"));
        try (ResilientClient client = world.builder().build()) {
            world.call(client).answer();
        }
        assertThat(world.times().getLast()).isBetween(Duration.ofSeconds(4), Duration.ofMillis(4_500));
    }

    @Test
    void anInstantInASentenceIsObeyed() {
        World world =
                World.of(json(429, "{'error':{'message':'Slow down. Please try again after 2026-01-01T00:00:03Z.'}}"));
        try (ResilientClient client = world.builder().build()) {
            world.call(client).answer();
        }
        assertThat(world.times().getLast()).isBetween(Duration.ofSeconds(3), Duration.ofMillis(3_500));
    }

    @Test
    void retryThenFailoverThenFallbackEachHaveTheirTurn() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.status(503)))
                .provider("p2", FaultScript.always(Reply.status(401)))
                .provider("p3", FaultScript.of());
        try (ResilientClient client = world.builder()
                .model(ModelSettings.of(World.MODEL).withEndpoints("p1", "p2"))
                .model(ModelSettings.of("gpt-4.1-mini").withEndpoints("p3"))
                .router(request -> new Route(List.of(World.MODEL, "gpt-4.1-mini"), "as listed"))
                .retry(World.retry().withMaxAttempts(2))
                .build()) {
            Ended call = world.call(client);
            assertThat(call.answer().endpoint()).contains("p3");
        }
        assertThat(world.path()).containsExactly("p1", "p2", "p1", "p3");
    }

    @Test
    void theServersWordAgainstRetryingStillLeavesOtherTargets() {
        World world = new World()
                .provider("p1", FaultScript.always(Reply.status(503).withHeader("x-should-retry", "False")))
                .provider("p2", FaultScript.of());
        try (ResilientClient client = world.builder().build()) {
            assertThat(world.call(client).answer().endpoint()).contains("p2");
        }
        assertThat(world.path()).containsExactly("p1", "p2");
    }

    @Test
    void aKindThatIsNeverRepeatedEndsTheTargetAlthoughAnotherKindWasRepeatedBefore() {
        World world = World.of(Reply.status(503), Reply.status(500), Reply.status(503));
        RetryPolicy policy = World.retry().withKind(FailureKind.SERVER_ERROR, KindPolicy.never());
        try (ResilientClient client = world.builder().retry(policy).build()) {
            assertThat(world.call(client).failure().kind()).isEqualTo(FailureKind.SERVER_ERROR);
        }
        assertThat(world.sent()).hasSize(2);
    }

    @Test
    void aHintThatDoesNotFitTheDeadlineEndsTheCallWithoutSleepAndTellsTheHint() {
        World world = World.of(
                Reply.status(503), json(429, "{'error':{'message':'x','retry_after':30}}"), Reply.completion("late"));
        try (ResilientClient client = world.builder().build()) {
            Ended call = world.call(client, CallOptions.none().withDeadline(Duration.ofSeconds(20)));
            assertThat(call.failure().kind()).isEqualTo(FailureKind.RATE_LIMITED);
            assertThat(call.failure().retryAfter()).contains(Duration.ofSeconds(30));
            assertThat(call.took()).isEqualTo(Duration.ofSeconds(1));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'error':{'message':'Invalid key AIzaSyA1234567890abcdefghijklmnopqrstuv in https://h/v1?key=AIzaSyA1234567890abcdefghijklmnopqrstuv'}}",
                "{'error':{'message':'Invalid header Authorization: Bearer sk-test-0123456789abcdef0123456789abcdef-p1'}}",
                "{'error':{'message':'input_value=^My secret plan is PRIVATE-4711^, input_type=str'}}",
                "{'error':{'kind':'x','echo':{'messages':[{'content':'My secret plan is PRIVATE-4711'}]}}}",
                "{'error':{'message':'{\\'messages\\':[{\\'content\\':\\'My secret plan is PRIVATE-4711\\'}]} is wrong'}}",
                "{'error':{'code':'PRIVATE-4711','message':'x'}}",
                "{'error':{'message':'x'},'request_id':'sk-test-0123456789abcdef0123456789abcdef-p1'}"
            })
    void neitherKeyNorPromptIsInWhatTheCallerOrTheLogHears(String body) {
        World world = World.always(json(400, body.replace("\\'", "\\\"").replace('^', '\'')));
        ModelRequest request = ModelRequest.chat(World.MODEL)
                .user("My secret plan is PRIVATE-4711")
                .build();
        var shown = new StringWriter();
        try (var log = new LogCapture();
                ResilientClient client = world.builder().build()) {
            Ended call = world.call(client, request, CallOptions.none());
            call.failure().printStackTrace(new PrintWriter(shown));
            shown.append(call.failure().failure().toString())
                    .append(call.failure().attempts().toString());
            world.events().forEach(event -> shown.append(event.toString()));
            shown.append(client.toString()).append(log.text());
        }
        assertThat(shown.toString()).doesNotContain("PRIVATE-4711", "0123456789abcdef", "AIzaSyA1234567890");
    }
}
