package dev.holdfast.core.internal.failure;

import static dev.holdfast.FailureKind.OVERLOADED;
import static dev.holdfast.FailureKind.QUOTA_EXHAUSTED;
import static dev.holdfast.FailureKind.RATE_LIMITED;
import static dev.holdfast.FailureKind.SERVER_ERROR;
import static dev.holdfast.FailureKind.TIMEOUT;
import static dev.holdfast.FailureKind.TRUNCATED;
import static dev.holdfast.core.internal.failure.FailedAnswer.NOW;
import static dev.holdfast.core.internal.failure.FailedAnswer.answer;
import static dev.holdfast.core.internal.failure.FailedAnswer.anthropic;
import static dev.holdfast.core.internal.failure.FailedAnswer.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Bytes;
import dev.holdfast.Delivery;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.Headers;
import dev.holdfast.spi.ServerSentEvent;
import dev.holdfast.spi.TransportException;
import dev.holdfast.spi.TransportException.Fault;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a failure says beside its kind, and the failures that no answer tells of. */
class FailureClassifierTest {
    private final FailureClassifier classifier = new FailureClassifier(Redactor.of(List.of()));

    @Test
    void aFailureNamesCodeStatusAndIds() {
        Failure failure = classifier
                .classify(answer(429, anthropic("rate_limit_error", "slow"), "request-id", "req_9", "retry-after", "7"))
                .orElseThrow();
        assertThat(failure.code()).hasValue("rate_limit_error");
        assertThat(failure.status()).hasValue(429);
        assertThat(failure.providerRequestId()).hasValue("req_9");
        assertThat(failure.suggestedDelay()).hasValue(Duration.ofSeconds(7));
        assertThat(failure.scope()).isEqualTo(FailureScope.CREDENTIAL);
        assertThat(classifier
                        .classify(answer(500, anthropic("api_error", "x")))
                        .orElseThrow()
                        .providerRequestId())
                .hasValue("req_1");
    }

    @Test
    void aCutErrorBodyStillHasItsCode() {
        String body = json("{'error':{'code':'insufficient_quota','message':'abc");
        var cut = new ReceivedAnswer(429, Headers.empty(), Bytes.utf8(body), true, NOW);
        assertThat(classifier.classify(cut).orElseThrow().kind()).isEqualTo(QUOTA_EXHAUSTED);
    }

    @Test
    void wordsAreTheProvidersOwn() {
        assertThat(message("{'error':{'message':'outer','innererror':{'message':'inner'}}}"))
                .isEqualTo("outer");
        assertThat(message("{'error':{'message':'Provider returned"
                        + " error','metadata':{'raw':'{\\'message\\':\\'why\\'}'}}}"))
                .isEqualTo("why");
        assertThat(message("{'detail':[{'loc':['body','model'],'msg':'field required','input':'a prompt'}]}"))
                .isEqualTo("body.model: field required");
        assertThat(message("plain words")).isEqualTo("plain words");
        assertThat(message("<html><head><title>Bad\\u0020 Gateway</title>".replace("\\u0020", "\n")))
                .isEqualTo("HTML page: Bad Gateway");
        assertThat(message("{'unheard_of':'thing','prompt':'a prompt','messages':['x']}"))
                .isEqualTo("{\"unheard_of\":\"thing\"}");
        assertThat(message("")).isEqualTo("HTTP 400");
    }

    private String message(String body) {
        return classifier.classify(answer(400, body)).orElseThrow().message();
    }

    @Test
    void eventsOfAStreamMaySayThatItFailed() {
        assertThat(event("error", anthropic("overloaded_error", "Overloaded"))).isEqualTo(OVERLOADED);
        assertThat(event("error", "{'message':'server exploded','code':'server_error'}"))
                .isEqualTo(SERVER_ERROR);
        assertThat(event("error", "boom")).isEqualTo(SERVER_ERROR);
        assertThat(event("", "{'error':{'message':'x','type':'server_error','code':null}}"))
                .isEqualTo(SERVER_ERROR);
        assertThat(event("", "{'error':{'message':'x','code':429}}")).isEqualTo(RATE_LIMITED);
        assertThat(event("", "{'choices':[{'finish_reason':'error','delta':{}}]}"))
                .isEqualTo(SERVER_ERROR);
        assertThat(event(
                        "response.failed",
                        "{'type':'response.failed','response':{'object':'response',"
                                + "'status':'failed','error':{'code':'rate_limit_exceeded','message':'x'}}}"))
                .isEqualTo(RATE_LIMITED);
        assertThat(event("throttlingException", "{'message':'x'}")).isEqualTo(RATE_LIMITED);
        assertThat(event("modelTimeoutException", "{'message':'x'}")).isEqualTo(TIMEOUT);
        assertThat(event("modelStreamErrorException", "{'message':'x'}")).isEqualTo(SERVER_ERROR);
        assertThat(event("error", "{'type':'error','error':{'type':'timeout_error','message':'x'}}"))
                .isEqualTo(TIMEOUT);
    }

    private FailureKind event(String name, String data) {
        return classifier
                .classify(new ServerSentEvent(name, json(data), ""), answer(200, ""))
                .orElseThrow()
                .kind();
    }

    @Test
    void ordinaryEventsAreNoErrors() {
        for (String data : List.of(
                "[DONE]",
                "{'choices':[{'delta':{'content':'an error, a failure'}}]}",
                "{'choices':[],'error':null}",
                "{'type':'ping'}")) {
            assertThat(classifier.classify(new ServerSentEvent("", json(data), ""), answer(200, "")))
                    .as(data)
                    .isEmpty();
        }
    }

    @Test
    void faultsOfTheTransportKeepHowFarTheRequestGot() {
        for (Fault fault : Fault.values()) {
            Failure failure = classifier.fromTransport(
                    new TransportException(fault, Delivery.AMBIGUOUS, "lost sk-abcdefghijkl", null));
            assertThat(failure.delivery()).isEqualTo(Delivery.AMBIGUOUS);
            assertThat(failure.message()).isEqualTo("lost ***");
            assertThat(failure.kind().isRejection()).isFalse();
        }
        assertThat(fault(Fault.RESET)).isEqualTo(FailureKind.CONNECTION);
        assertThat(fault(Fault.CUT)).isEqualTo(TRUNCATED);
        assertThat(fault(Fault.TIMEOUT)).isEqualTo(TIMEOUT);
        assertThat(fault(Fault.POOL)).isEqualTo(FailureKind.LOCAL);
    }

    private FailureKind fault(Fault fault) {
        return classifier
                .fromTransport(new TransportException(fault, Delivery.NEVER_SENT, "x", null))
                .kind();
    }
}
