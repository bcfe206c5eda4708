package dev.holdfast.core.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Bytes;
import dev.holdfast.Failure;
import dev.holdfast.FailureKind;
import dev.holdfast.Form;
import dev.holdfast.Headers;
import dev.holdfast.RateLimitSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers as servers and the proxies before them are known to bend them, and what each must mean. */
class HostileAnswersTest {
    private static final Instant NOW = Instant.parse("2026-01-05T10:00:00Z");

    private final FailureClassifier classifier = new FailureClassifier(Redactor.of(List.of()));

    private Failure failure(int status, String body, String... headers) {
        ReceivedAnswer answer =
                ReceivedAnswer.of(status, Headers.of(headers), Bytes.utf8(body.replace('\'', '"')), NOW);
        return switch (classifier.judge(answer, Form.OPENAI_CHAT)) {
            case Judgement.Bad(Failure failure) -> failure;
            case Judgement.Good good -> throw new AssertionError("taken for good: " + body);
        };
    }

    private Optional<Duration> delay(String... headers) {
        return failure(429, "", headers).suggestedDelay();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-1",
                "-0",
                "+5",
                "5,",
                "5;q=1",
                "1e3",
                "0x10",
                "Infinity",
                "-Infinity",
                "NaN",
                "null",
                "true",
                "30s",
                "5 ",
                "five",
                "٣",
                "５",
                "1_000",
                "1.",
                ".5",
                "1.2.3",
                "--5",
                "5-10",
                "\"5\"",
                "{5}",
                "2026-01-05",
                "10:00:30",
                "Mon, 05 Foo 2026 10:00:30 GMT",
                "Mon, 32 Jan 2026 10:00:30 GMT",
                "Mon, 05 Jan 2026 25:00:30 GMT",
                "Mon, 05 Jan 2026 10:00:30",
                "Mon, 05 Jan 2026 10:00:30 +0900"
            })
    void aFieldThatIsNoNumberAndNoDateIsNoHint(String value) {
        Optional<Duration> wanted = value.equals("5 ") ? Optional.of(Duration.ofSeconds(5)) : Optional.empty();
        assertThat(delay("retry-after", value)).as(value).isEqualTo(wanted);
        if (!value.equals("5 ")) {
            assertThat(delay("retry-after", value, "retry-after-retry", "7")).hasValue(Duration.ofSeconds(7));
            assertThat(delay("retry-after-ms", value, "retry-after", "7")).hasValue(Duration.ofSeconds(7));
        }
    }

    @ParameterizedTest
    @CsvSource({"0.001, 1", "007, 7000", "0.0, 0", "59.999, 59999", "86400, 86400000", "0.0000000001, 1"})
    void secondsMayHaveFractionsAndZerosBefore(String value, long atMostMillis) {
        assertThat(delay("Retry-After", value).orElseThrow())
                .isBetween(Duration.ofMillis(atMostMillis).minusMillis(1), Duration.ofMillis(atMostMillis));
        assertThat(delay("Retry-After", "0.0000000001").orElseThrow())
                .as("never undercut")
                .isPositive();
    }

    @Property
    void everyFormOfADateIsCountedFromTheServersClockAndPastIsNow(
            @ForAll @IntRange(min = -1_000_000, max = 1_000_000) int seconds,
            @ForAll @IntRange(min = -5_000, max = 5_000) int skew) {
        Instant date = NOW.plusSeconds(seconds);
        Duration wanted = Duration.ofSeconds(Math.max(0, seconds));
        for (String form : List.of(
                "EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'", "EEE MMM ppd HH:mm:ss yyyy")) {
            assertThat(delay("retry-after", written(form, date))).hasValue(wanted);
            assertThat(delay(
                            "date",
                            written("EEE, dd MMM yyyy HH:mm:ss 'GMT'", NOW.plusSeconds(skew)),
                            "retry-after",
                            written(form, date.plusSeconds(skew))))
                    .hasValue(wanted);
        }
    }

    private static String written(String form, Instant at) {
        return DateTimeFormatter.ofPattern(form, Locale.ENGLISH).format(at.atOffset(ZoneOffset.UTC));
    }

    @ParameterizedTest
    @CsvSource({
        "1767607242, 42000",
        "1767607242000, 42000",
        "1767607242000000, 42000",
        "1767607242000000000, 42000",
        "1767607242.5, 42500",
        "1767607242500.5, 42501",
        "1767600000, 0",
        "499999999, 499999999000",
        "3h2m1s, 10921000",
        "27h55s451ms, 97255451",
        "2d16h15m29s, 231329000",
        "10.332999999s, 10333",
        "1m13.588s, 73588",
        "12µs, 1",
        "PT0S, 0",
        "2026-01-05T10:00:42Z, 42000",
        "2026-01-05T19:00:42+09:00, 42000",
        "2026-01-05T09:00:00Z, 0"
    })
    void resetsAreToldApartByTheirLooksAndTheirSize(String value, long millis) {
        assertThat(ResetText.parse(value, NOW)
                        .map(wait -> wait.plusNanos(999_999).toMillis()))
                .as(value)
                .contains(millis);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "req_0123456789abcdef",
                "-5",
                "-1s",
                "1s2",
                "s",
                "1x",
                "1m-5s",
                "P",
                "PT",
                "1h 5",
                "soon",
                "NaN",
                "2026-13-05T10:00:00Z",
                "1767607242 GMT",
                "∞",
                "1..5s"
            })
    void aResetThatIsJunkIsUnknown(String value) {
        assertThat(ResetText.parse(value, NOW)).as(value).isEmpty();
    }

    @Test
    void theFirstSourceThatCanBeReadWins() {
        String body =
                "{'error':{'message':'Please try again in 9s.','details':[{'@type':'x/google.rpc.RetryInfo','retryDelay':'8s'}]}}";
        assertThat(failure(429, body, "retry-after", "3", "retry-after-ms", "2500")
                        .suggestedDelay())
                .hasValue(Duration.ofMillis(2500));
        assertThat(failure(429, body, "retry-after", "3").suggestedDelay()).hasValue(Duration.ofSeconds(3));
        assertThat(failure(429, body, "x-ratelimit-remaining", "0", "x-ratelimit-reset", "60")
                        .suggestedDelay())
                .hasValue(Duration.ofSeconds(9));
        assertThat(failure(429, "{}", "x-ratelimit-remaining", "0", "x-ratelimit-reset", "60")
                        .suggestedDelay())
                .hasValue(Duration.ofSeconds(60));
        assertThat(failure(429, body, "retry-after", "0").suggestedDelay())
                .as("zero is a word")
                .hasValue(Duration.ZERO);
    }

    @Test
    void bodiesNameWaitsInManyMembers() {
        assertThat(failure(429, "{'error':{'message':'x','retry_after':'30s'}}").suggestedDelay())
                .hasValue(Duration.ofSeconds(30));
        assertThat(failure(429, "{'error':{'message':'x','retryAfterSeconds':12}}")
                        .suggestedDelay())
                .hasValue(Duration.ofSeconds(12));
        assertThat(failure(429, "{'error':{'message':'x','resets_at':1767607242}}")
                        .suggestedDelay())
                .hasValue(Duration.ofSeconds(42));
        assertThat(failure(429, "{'error':{'message':'x','reset_at':'2026-01-05T10:00:42Z'}}")
                        .suggestedDelay())
                .hasValue(Duration.ofSeconds(42));
        assertThat(failure(429, "{'error':{'message':'x','retry_after':'PT1M30S'}}")
                        .suggestedDelay())
                .hasValue(Duration.ofSeconds(90));
        assertThat(failure(429, "{'error':{'message':'x','retry_after':-5,'retry_after_ms':'NaN'}}")
                        .suggestedDelay())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "429 | {'error':{'type':'insufficient_quota','code':'rate_limit_exceeded','message':'slow'}}          | RATE_LIMITED",
                "429 | {'error':{'code':'slow_down','type':'rate_limit_error','message':'ramp'}}                      | RATE_LIMITED",
                "429 | {'error':{'code':'project_spend_limit_exceeded','message':'x'}}                               | QUOTA_EXHAUSTED",
                "429 | {'type':'error','error':{'type':'rate_limit_error','message':'x','details':{'error_code':'enforced_spend_limit_reached'}}} | QUOTA_EXHAUSTED",
                "429 | {'error':{'message':'INSUFFICIENT QUOTA','code':'rate_limit_exceeded'}}                        | RATE_LIMITED",
                "429 | {'error':{'code':429,'status':'RESOURCE_EXHAUSTED','message':'x','details':[{'violations':[{'quotaId':'GenerateRequestsPerDayPerProjectPerModel'}]}]}} | QUOTA_EXHAUSTED",
                "429 | {'error':{'code':429,'status':'RESOURCE_EXHAUSTED','message':'x','details':[{'violations':[{'quotaId':'GenerateRequestsPerMinutePerProject'}]}]}} | RATE_LIMITED",
                "429 | {'error':{'code':429,'status':'RESOURCE_EXHAUSTED','message':'Quota exceeded, limit: 0, model: x'}} | QUOTA_EXHAUSTED",
                "429 | {'error':{'message':'Request too large for gpt-4o: Limit 30000, Requested 40000.','code':'rate_limit_exceeded'}} | CONTEXT_LENGTH",
                "429 | <html><title>429</title></html>                                                                | RATE_LIMITED",
                "529 | {'type':'error','error':{'type':'overloaded_error','message':'Overloaded'}}                    | OVERLOADED",
                "503 | {'error':{'code':'server_is_overloaded','type':'service_unavailable_error','message':'x'}}      | OVERLOADED",
                "402 | {'error':{'message':'Insufficient Balance','type':'unknown_error','code':'invalid_request_error'}} | QUOTA_EXHAUSTED",
                "400 | {'error':{'code':'content_filter','message':'x','innererror':{'code':'ResponsibleAIPolicyViolation'}}} | CONTENT_POLICY",
                "400 | {'error':{'code':400,'message':'API key not valid. Please pass a valid API key.','status':'INVALID_ARGUMENT'}} | AUTH",
                "400 | {'code':'Client specified an invalid argument','error':'Incorrect API key provided: ab***yz.'}   | AUTH",
                "400 | {'error':{'message':'maximum context length is 8192 tokens','code':'context_length_exceeded'}}   | CONTEXT_LENGTH",
                "413 | {'type':'error','error':{'type':'request_too_large','message':'Request exceeds the maximum size'}} | CONTEXT_LENGTH",
                "409 | {'type':'error','error':{'type':'conflict_error','message':'x'}}                                 | SERVER_ERROR",
                "504 | {'error':{'code':504,'status':'DEADLINE_EXCEEDED','message':'x'}}                              | SERVER_ERROR",
                "520 | <!DOCTYPE html><html><title>520</title>                                                        | SERVER_ERROR",
                "522 | error code: 522                                                                                | SERVER_ERROR",
                "524 | <html><head><title>example.com - 524: A timeout occurred</title></head></html>                 | SERVER_ERROR",
                "500 | ''                                                                                             | SERVER_ERROR",
                "407 | x                                                                                              | PROXY_AUTH",
                "302 | ''                                                                                             | REDIRECT_REFUSED",
                "200 | {'error':{'code':429,'message':'Rate limit exceeded'}}                                         | RATE_LIMITED",
                "200 | {'error':{'code':502,'message':'Provider returned error'},'choices':null}                      | SERVER_ERROR",
                "200 | {'id':'x','choices':null}                                                                      | MALFORMED_RESPONSE",
                "200 | {'object':'response','status':'failed','error':{'code':'server_error','message':'x'}}          | SERVER_ERROR",
                "200 | [{'error':{'code':503,'message':'The model is overloaded.','status':'UNAVAILABLE'}}]            | OVERLOADED",
                "200 | <html>hello</html>                                                                             | MALFORMED_RESPONSE",
                "200 | {'id':'x','choices':[{'index':0,                                                               | TRUNCATED",
                "404 | {'error':{'code':'DeploymentNotFound','message':'The API deployment does not exist'}}           | MODEL_NOT_FOUND",
                "403 | {'error':{'code':'unsupported_country_region_territory','message':'x'}}                         | PERMISSION",
                "424 | {'message':'model stream error','__type':'ModelStreamErrorException'}                          | SERVER_ERROR"
            })
    void errorsOfProvidersAndProxies(int status, String body, FailureKind kind) {
        assertThat(failure(status, body).kind()).as(body).isEqualTo(kind);
    }

    @Test
    void snapshotsWaitForWhatIsUsedUpOnly() {
        assertThat(snapshot(
                                "x-ratelimit-remaining-requests",
                                "0",
                                "x-ratelimit-reset-requests",
                                "12.967s",
                                "x-ratelimit-remaining-tokens",
                                "5",
                                "x-ratelimit-reset-tokens",
                                "20m52.666s")
                        .waitTime())
                .hasValue(Duration.ofMillis(12_967));
        assertThat(snapshot("x-ratelimit-remaining", "0").waitTime()).isEmpty();
        assertThat(snapshot("ratelimit", "\"api\";r=0;t=295").waitTime()).hasValue(Duration.ofSeconds(295));
        assertThat(snapshot("x-ratelimit-limit", "10", "x-ratelimit-remaining", "0", "x-ratelimit-reset", "1")
                        .waitTime())
                .hasValue(Duration.ofSeconds(1));
        assertThat(snapshot("x-ratelimit-limit-requests", "500").waitTime())
                .as("xAI tells no reset")
                .hasValue(Duration.ZERO);
        assertThat(snapshot("x-ratelimit-remaining", "0", "x-ratelimit-reset-after", "2.5")
                        .waitTime())
                .hasValue(Duration.ofMillis(2_500));
        assertThat(snapshot(
                                "x-ratelimit-remaining-tokens_usage_based",
                                "0",
                                "x-ratelimit-reset-tokens_usage_based",
                                "12ms")
                        .waitTime())
                .hasValue(Duration.ofMillis(12));
        assertThat(snapshot(
                                "anthropic-ratelimit-output-tokens-remaining",
                                "0",
                                "anthropic-ratelimit-output-tokens-reset",
                                "2026-01-05T09:59:59Z",
                                "date",
                                "Mon, 05 Jan 2026 10:00:00 GMT")
                        .waitTime())
                .hasValue(Duration.ZERO);
    }

    private static RateLimitSnapshot snapshot(String... headers) {
        return RateLimitHeaders.parse(Headers.of(headers), NOW).orElseThrow();
    }
}
