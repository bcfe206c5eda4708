package dev.holdfast.core.internal.failure;

import static dev.holdfast.FailureKind.EMPTY_RESPONSE;
import static dev.holdfast.FailureKind.MALFORMED_RESPONSE;
import static dev.holdfast.FailureKind.RATE_LIMITED;
import static dev.holdfast.FailureKind.TIMEOUT;
import static dev.holdfast.FailureKind.TRUNCATED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.holdfast.Bytes;
import dev.holdfast.Delivery;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.Headers;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;

/** An answer that is a failure, and of which kind. */
record FailedAnswer(FailureKind kind, int status, String body, String... headers) {
    static final Instant NOW = Instant.parse("2026-01-05T10:00:00Z");

    static FailedAnswer row(FailureKind kind, int status, String body, String... headers) {
        return new FailedAnswer(kind, status, body, headers);
    }

    static String anthropic(String type, String message) {
        return "{'type':'error','error':{'type':'" + type + "','message':'" + message + "'},'request_id':'req_1'}";
    }

    /** A test for each of them. */
    static List<DynamicTest> tests(FailureClassifier classifier, List<FailedAnswer> answers) {
        return answers.stream()
                .map(each -> dynamicTest(
                        each.kind() + " " + each.status() + " " + each.body(), () -> each.check(classifier)))
                .toList();
    }

    private void check(FailureClassifier classifier) {
        Failure failure = classifier.classify(answer(status, body, headers)).orElseThrow();
        assertThat(failure.kind()).as(failure.toString()).isEqualTo(kind);
        assertThat(failure.delivery()).isEqualTo(mayBeBilled() ? Delivery.AMBIGUOUS : Delivery.ANSWERED);
        assertThat(failure.message()).isNotBlank();
    }

    /** Answers that are none, and the words of gateways that do not know what became of the request. */
    private boolean mayBeBilled() {
        return switch (kind) {
            case TIMEOUT, EMPTY_RESPONSE, TRUNCATED -> true;
            case MALFORMED_RESPONSE -> status >= 200;
            case RATE_LIMITED -> false;
            default -> List.of(502, 504, 520, 524).contains(status);
        };
    }

    static ReceivedAnswer answer(int status, String body, String... headers) {
        return ReceivedAnswer.of(status, Headers.of(headers), Bytes.utf8(json(body)), NOW);
    }

    /** Bodies are written with apostrophes; within a string that holds JSON a backslash stands before them. */
    static String json(String body) {
        return body.replace("\\'", "\\\"").replace('\'', '"').replace(" \\n", " \n");
    }
}
