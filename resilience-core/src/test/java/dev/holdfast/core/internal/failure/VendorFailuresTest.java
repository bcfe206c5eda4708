package dev.holdfast.core.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Bytes;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.Headers;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Failures as one vendor or another words them, where a rule for the others would miss. */
class VendorFailuresTest {
    private static final Instant NOW = Instant.parse("2026-01-05T10:00:00Z");

    private final FailureClassifier classifier = new FailureClassifier(Redactor.ofPatterns());

    private Optional<Failure> classify(int status, String body, String... headers) {
        return classifier.classify(ReceivedAnswer.of(
                status, Headers.of(headers), Bytes.utf8(body.replace('\'', '"').replace('^', '\'')), NOW));
    }

    private Failure failure(int status, String body, String... headers) {
        return classify(status, body, headers).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "QUOTA_EXHAUSTED | 429 | {'error':{'code':429,'status':'RESOURCE_EXHAUSTED','message':'Quota exceeded for limit ^Generate requests per day^ of service x'}}",
                "QUOTA_EXHAUSTED | 429 | {'error':{'code':429,'message':'Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 requests'}}",
                "QUOTA_EXHAUSTED | 429 | {'__type':'ThrottlingException','message':'Too many tokens per day, please wait before trying again.'}",
                "QUOTA_EXHAUSTED | 429 | {'errors':[{'code':4006,'message':'you have used up your daily free allocation of 10,000 neurons'}]}",
                "QUOTA_EXHAUSTED | 429 | {'message':'You are using a Trial key, which is limited to 1000 API calls / month.'}",
                "QUOTA_EXHAUSTED | 429 | {'message':'Tokens per day limit exceeded','code':'token_quota_exceeded'}",
                "QUOTA_EXHAUSTED | 429 | {'error':{'message':'RateLimitError: You exceeded your current quota, please check your plan','type':'throttling_error','code':'429'}}",
                "RATE_LIMITED | 429 | {'message':'Tokens per minute limit exceeded','code':'token_quota_exceeded'}",
                "RATE_LIMITED | 429 | {'message':'You are using a Trial key, which is limited to 40 API calls / minute.'}",
                "RATE_LIMITED | 429 | {'error':{'message':'Rate limit exceeded: free-models-per-min. Add 10 credits to unlock 1000 requests per day'}}",
                "RATE_LIMITED | 429 | {'error':'Rate limit exceeded: 5 per 1 minute'}",
                "RATE_LIMITED | 429 | {'error':{'code':'rate_limit_exceeded','message':'Rate limit reached on requests per day (RPD): Limit 200. Please try again in 7m12s.'}}"
            })
    void aLimitOfADayOrAMonthIsAQuotaUnlessAWaitIsNamed(FailureKind kind, int status, String body) {
        assertThat(failure(status, body).kind()).as(body).isEqualTo(kind);
    }

    @Test
    void aLimitOfADayKeepsTheTimeThatItResets() {
        Failure failure = failure(
                429,
                "{'error':{'message':'Rate limit exceeded: free-models-per-day.','code':429,'metadata':{'headers':"
                        + "{'X-RateLimit-Remaining':'0','X-RateLimit-Reset':'1767657600000'}}}}");
        assertThat(failure.kind()).isEqualTo(FailureKind.QUOTA_EXHAUSTED);
        assertThat(failure.suggestedDelay()).hasValue(Duration.ofHours(14));
    }
}
