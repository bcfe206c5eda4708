package dev.holdfast.core.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.FailureScope;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.core.internal.failure.DelayChecks;
import dev.holdfast.core.internal.failure.FailureClassifier;
import dev.holdfast.core.internal.failure.ReceivedAnswer;
import dev.holdfast.core.internal.failure.Redactor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Plays the tables of the handed cases through the classifier. What the call loop decides of a failure (retry, fallback,
 * breaker) is checked by whoever passes it as {@code verdicts}.
 */
public final class ClassificationCases {
    private static final long OVER_CAP_MILLIS = Duration.ofDays(7).toMillis();

    private final FailureClassifier classifier = new FailureClassifier(Redactor.of(List.of()));
    private final BiConsumer<JsonObject, Failure> verdicts;

    /** Plays tables; what is expected of each failed row is also handed to the verdicts. */
    public ClassificationCases(BiConsumer<JsonObject, Failure> verdicts) {
        this.verdicts = verdicts;
    }

    /** Each row asks to wait that long. */
    public void playHints(HandedCase hints) {
        List<ReceivedAnswer> rows = hints.rows();
        assertThat(rows).hasSameSizeAs(hints.expectedRows()).isNotEmpty();
        for (int i = 0; i < rows.size(); i++) {
            Failure failure = classifier.classify(rows.get(i)).orElseThrow();
            Optional<Duration> delay = failure.suggestedDelay();
            assertThat(delay.filter(Duration::isNegative)).as("row %d", i).isEmpty();
            checkHint("row " + i, hints.expectedRows().get(i), delay);
            verdicts.accept(hints.expectedRows().get(i), failure);
        }
    }

    private static void checkHint(String row, JsonObject expected, Optional<Duration> delay) {
        String got = describe(delay);
        if (expected.longValue("hint_ms_min").isPresent()) {
            assertThat(Long.parseLong(got))
                    .as(row)
                    .isBetween(
                            expected.longValue("hint_ms_min").getAsLong(),
                            expected.longValue("hint_ms_max").getAsLong());
            return;
        }
        var right = new ArrayList<String>();
        right.add(word(expected.get("hint_ms").orElseThrow()));
        expected.list("accept_also").forEach(also -> right.add(word(also)));
        assertThat(right).as("%s: %s", row, got).contains(got);
    }

    private static String word(JsonValue value) {
        return value.asText().orElseGet(value::toJson);
    }

    private static String describe(Optional<Duration> delay) {
        if (delay.isEmpty()) {
            return "null";
        }
        long millis = DelayChecks.millisRoundedUp(delay.get());
        return millis > OVER_CAP_MILLIS ? "over_cap" : Long.toString(millis);
    }

    /** Each value of the header means that the limit resets in that time. */
    public void playResets(HandedCase resets) {
        String header = resets.given().text("header").orElseThrow();
        List<JsonValue> values = resets.given().list("rows");
        List<JsonValue> expected = resets.expect().list("reset_in_ms");
        assertThat(values).hasSameSizeAs(expected).isNotEmpty();
        for (int i = 0; i < values.size(); i++) {
            Optional<Duration> reset =
                    DelayChecks.reset(header, values.get(i).asText().orElseThrow(), resets.now());
            String got =
                    reset.map(DelayChecks::millisRoundedUp).map(String::valueOf).orElse("null");
            assertThat(got)
                    .as("row %d: %s", i, values.get(i).toJson())
                    .isEqualTo(expected.get(i).toJson());
        }
    }

    /** Each row is that kind of failure, or none. */
    public void playErrors(HandedCase errors) {
        List<ReceivedAnswer> rows = errors.rows();
        assertThat(rows).hasSameSizeAs(errors.expectedRows()).isNotEmpty();
        for (int i = 0; i < rows.size(); i++) {
            Optional<Failure> failure = classifier.classify(rows.get(i));
            checkError("row " + i, errors.expectedRows().get(i), failure);
            if (failure.isPresent()) {
                verdicts.accept(errors.expectedRows().get(i), failure.get());
            }
        }
    }

    /** The first reply is the failure that the key of the expectation describes. */
    public void playFirstReply(HandedCase exchange, ReceivedAnswer reply, JsonObject expected) {
        Optional<Failure> failure = classifier.classify(reply);
        checkError(exchange.id(), expected, failure);
        failure.ifPresent(found -> verdicts.accept(expected, found));
    }

    private static void checkError(String row, JsonObject expected, Optional<Failure> failure) {
        expected.text("category")
                .ifPresent(category -> assertThat(
                                failure.map(found -> found.kind().wireName()).orElse("ok"))
                        .as("%s: %s", row, failure)
                        .isEqualTo(category));
        expected.text("message")
                .ifPresent(message ->
                        assertThat(failure.map(Failure::message)).as(row).hasValue(message));
        expected.text("message_contains")
                .ifPresent(part ->
                        assertThat(failure.orElseThrow().message()).as(row).contains(part));
        expected.longValue("retry_after_ms")
                .ifPresent(millis -> assertThat(failure.orElseThrow().suggestedDelay())
                        .as(row)
                        .hasValue(Duration.ofMillis(millis)));
        expected.longValue("status")
                .ifPresent(status ->
                        assertThat(failure.orElseThrow().status()).as(row).hasValue((int) status));
        failure.ifPresent(found -> assertThat(found.scope()).as(row).isEqualTo(scope(found.kind())));
    }

    private static FailureScope scope(FailureKind kind) {
        return switch (kind.wireName().toLowerCase(Locale.ROOT)) {
            case "rate_limited", "quota_exhausted", "auth", "permission" -> FailureScope.CREDENTIAL;
            case "model_not_found" -> FailureScope.MODEL;
            case "context_length", "content_policy", "invalid_request" -> FailureScope.REQUEST;
            default -> FailureScope.ENDPOINT;
        };
    }
}
