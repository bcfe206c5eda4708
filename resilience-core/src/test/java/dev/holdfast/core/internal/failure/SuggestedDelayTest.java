package dev.holdfast.core.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Bytes;
import dev.holdfast.Failure;
import dev.holdfast.Headers;
import dev.holdfast.RateLimitSnapshot;
import dev.holdfast.RateLimitSnapshot.Dimension;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** How long servers ask to wait, in every way they are known to say it. */
class SuggestedDelayTest {
    private static final Instant NOW = Instant.parse("2026-01-05T10:00:00Z");

    private final FailureClassifier classifier = new FailureClassifier(Redactor.of(List.of()));

    private Optional<Duration> delay(int status, String body, String... headers) {
        return classifier
                .classify(ReceivedAnswer.of(status, Headers.of(headers), Bytes.utf8(body.replace('\'', '"')), NOW))
                .flatMap(Failure::suggestedDelay);
    }

    private Optional<Duration> ofMessage(String message) {
        return delay(429, "{'error':{'message':'" + message + "'}}");
    }

    @Test
    void headersOfMilliseconds() {
        assertThat(delay(429, "", "x-ms-retry-after-ms", "1500")).hasValue(Duration.ofMillis(1500));
        assertThat(delay(429, "", "retry-after-ms", "0", "retry-after", "1")).hasValue(Duration.ZERO);
        assertThat(delay(429, "", "retry-after-ms", "-1", "x-ms-retry-after-ms", "20"))
                .hasValue(Duration.ofMillis(20));
        assertThat(delay(429, "", "retry-after-ms", "0.5")).hasValue(Duration.ofNanos(500_000));
    }

    @Test
    void durationsOfIsoWithDaysAndInAnyCase() {
        assertThat(ResetText.parse("P1DT2H", NOW)).hasValue(Duration.ofHours(26));
        assertThat(ResetText.parse("pt42s", NOW)).hasValue(Duration.ofSeconds(42));
        assertThat(ResetText.parse("P2D", NOW)).hasValue(Duration.ofDays(2));
        assertThat(ResetText.parse("P", NOW)).isEmpty();
    }

    @Test
    void headersOfSecondsAndDates() {
        assertThat(delay(503, "", "Retry-After-Retry", "30")).hasValue(Duration.ofSeconds(30));
        assertThat(delay(503, "", "Retry-After", "1.5")).hasValue(Duration.ofMillis(1500));
        assertThat(delay(503, "", "Retry-After", "soon", "Retry-After", "3")).hasValue(Duration.ofSeconds(3));
        assertThat(delay(503, "", "Retry-After", "Mon, 05 Jan 2026 09:00:00 GMT"))
                .hasValue(Duration.ZERO);
        assertThat(delay(503, "", "Retry-After", "Mon, 31 Feb 2026 09:00:00 GMT"))
                .isEmpty();
        assertThat(delay(503, "", "Retry-After", "Sunday, 06-Nov-94 08:49:37 GMT"))
                .hasValue(Duration.ZERO);
        assertThat(delay(503, "", "Retry-After", "30s")).isEmpty();
    }

    @Test
    void datesAreCountedFromTheServersOwnClock() {
        assertThat(delay(
                        503,
                        "",
                        "Date",
                        "Mon, 05 Jan 2026 12:00:00 GMT",
                        "Retry-After",
                        "Mon, 05 Jan 2026 12:00:20 GMT"))
                .hasValue(Duration.ofSeconds(20));
        assertThat(delay(503, "", "Date", "noon", "Retry-After", "Mon, 05 Jan 2026 10:00:20 GMT"))
                .hasValue(Duration.ofSeconds(20));
    }

    @Test
    void whatIsHugeIsLongerThanAnyCeilingAndSafeToAddToAClock() {
        for (String value : new String[] {"99999999999999999999", "9".repeat(1000), "9223372036854775807"}) {
            Duration huge = delay(429, "", "retry-after", value).orElseThrow();
            assertThat(huge).isEqualTo(DelayText.LONGEST);
            assertThat(Math.addExact(huge.toNanos(), Duration.ofDays(36_500).toNanos()))
                    .isPositive();
        }
    }

    @Test
    void anEpochInRetryAfterGivesWayToASaneReset() {
        assertThat(delay(429, "", "retry-after", "1767607240", "x-ratelimit-reset", "1767607240"))
                .hasValue(Duration.ofSeconds(40));
        assertThat(delay(429, "", "retry-after", "1767607240")).hasValue(Duration.ofSeconds(1_767_607_240L));
        assertThat(delay(429, "", "retry-after", "277403", "x-ratelimit-reset", "5"))
                .hasValue(Duration.ofSeconds(277_403));
    }

    @Test
    void sentences() {
        assertThat(ofMessage("Please try again in 456ms.")).hasValue(Duration.ofMillis(456));
        assertThat(ofMessage("Please try again in 7.66s. Visit")).hasValue(Duration.ofMillis(7660));
        assertThat(ofMessage("Please try again in 6m0s.")).hasValue(Duration.ofMinutes(6));
        assertThat(ofMessage("Please retry after 37 seconds. Please")).hasValue(Duration.ofSeconds(37));
        assertThat(ofMessage("Please retry in 10h17m5.7s."))
                .hasValue(Duration.ofHours(10).plusMinutes(17).plusMillis(5700));
        assertThat(ofMessage("Please wait 1 minute 30 seconds before")).hasValue(Duration.ofSeconds(90));
        assertThat(ofMessage("Try again later")).isEmpty();
        assertThat(ofMessage("Please try again in 5 apples")).isEmpty();
        assertThat(ofMessage("Limit 10000, Requested 5 seconds")).isEmpty();
    }

    @Test
    void theLongerOfRetryInfoAndSentence() {
        String body = "{'error':{'code':429,'message':'Please retry in %s.','details':[{'@type':"
                + "'type.googleapis.com/google.rpc.RetryInfo','retryDelay':'%s'}]}}";
        assertThat(delay(429, body.formatted("48.939935699s", "48s"))).hasValue(Duration.ofNanos(48_939_935_699L));
        assertThat(delay(429, body.formatted("5s", "48s"))).hasValue(Duration.ofSeconds(48));
        assertThat(delay(429, body.formatted("later", "-5s"))).isEmpty();
        assertThat(delay(429, "{'error':{'details':[{'retryDelay':{'seconds':'3','nanos':500000000}}]}}"))
                .hasValue(Duration.ofMillis(3500));
        assertThat(delay(429, "{'error':{'details':[{'metadata':{'quotaResetDelay':'373.801628ms'}}]}}"))
                .hasValue(Duration.ofNanos(373_801_628));
    }

    @Test
    void membersOfTheBody() {
        assertThat(delay(429, "{'message':'x','retry_after':1.5}")).hasValue(Duration.ofMillis(1500));
        assertThat(delay(429, "{'error':{'retry_after_ms':250}}")).hasValue(Duration.ofMillis(250));
        assertThat(delay(429, "{'error':{'resets_in_seconds':1e2}}")).hasValue(Duration.ofSeconds(100));
        assertThat(delay(429, "{'error':{'retry_after':-1}}")).isEmpty();
        assertThat(delay(429, "{'error':{'retry_after':1e999999999}}")).isEmpty();
    }

    @Test
    void resetsCountOnlyForWhatIsUsedUp() {
        assertThat(delay(
                        429,
                        "",
                        "x-ratelimit-remaining-requests",
                        "0",
                        "x-ratelimit-reset-requests",
                        "2s",
                        "x-ratelimit-remaining-tokens",
                        "5",
                        "x-ratelimit-reset-tokens",
                        "6m0s"))
                .hasValue(Duration.ofSeconds(2));
        assertThat(delay(429, "", "x-ratelimit-remaining-requests", "3", "x-ratelimit-reset-requests", "2s"))
                .isEmpty();
        assertThat(delay(503, "", "x-ratelimit-remaining", "0", "x-ratelimit-reset", "9"))
                .isEmpty();
        assertThat(delay(429, "", "x-ratelimit-reset", "9")).hasValue(Duration.ofSeconds(9));
        assertThat(delay(429, "", "x-ratelimit-remaining", "4", "x-ratelimit-reset", "9"))
                .isEmpty();
        assertThat(delay(
                        429,
                        "",
                        "anthropic-ratelimit-tokens-remaining",
                        "0",
                        "anthropic-ratelimit-tokens-reset",
                        "2026-01-05T09:59:59Z"))
                .hasValue(Duration.ZERO);
        assertThat(delay(
                        429,
                        "",
                        "anthropic-ratelimit-unified-status",
                        "rejected",
                        "anthropic-ratelimit-unified-reset",
                        "1767607260"))
                .hasValue(Duration.ofMinutes(1));
    }

    private static Dimension dimension(String name, String... headers) {
        return RateLimitHeaders.parse(Headers.of(headers), NOW)
                .orElseThrow()
                .dimensions()
                .get(name);
    }

    private static Dimension of(long limit, long remaining, Duration reset) {
        return new Dimension(OptionalLong.of(limit), OptionalLong.of(remaining), Optional.of(reset));
    }

    @Test
    void snapshotsOfEveryForm() {
        assertThat(dimension(
                        "requests",
                        "x-ratelimit-limit-requests",
                        "500",
                        "x-ratelimit-remaining-requests",
                        "499",
                        "x-ratelimit-reset-requests",
                        "1m13.588s"))
                .isEqualTo(of(500, 499, Duration.ofMillis(73_588)));
        assertThat(dimension(
                        "input-tokens",
                        "anthropic-ratelimit-input-tokens-limit",
                        "100",
                        "anthropic-ratelimit-input-tokens-remaining",
                        "0",
                        "anthropic-ratelimit-input-tokens-reset",
                        "2026-01-05T10:00:07Z"))
                .isEqualTo(of(100, 0, Duration.ofSeconds(7)));
        assertThat(dimension(
                        "size",
                        "ratelimitbysize-limit",
                        "5",
                        "ratelimitbysize-remaining",
                        "4",
                        "ratelimitbysize-reset",
                        "33"))
                .isEqualTo(of(5, 4, Duration.ofSeconds(33)));
        assertThat(dimension("api", "ratelimit", "\"api\";r=999;t=295", "ratelimit-policy", "\"api\";q=1000;w=300"))
                .isEqualTo(of(1000, 999, Duration.ofSeconds(295)));
        assertThat(dimension("", "RateLimit", "limit=100, remaining=50, reset=5"))
                .isEqualTo(of(100, 50, Duration.ofSeconds(5)));
        assertThat(dimension("", "x-ratelimit-limit", "1000, 1000;w=1, 60000;w=60")
                        .limit())
                .hasValue(1000);
        assertThat(dimension("tokens-minute", "x-ratelimit-limit-tokens-minute", "100000")
                        .limit())
                .hasValue(100_000);
    }

    @Test
    void junkAndNegativesAreUnknown() {
        assertThat(RateLimitHeaders.parse(Headers.empty(), NOW)).isEmpty();
        assertThat(RateLimitHeaders.parse(
                        Headers.of(
                                "x-ratelimit-limit-tokens",
                                "-1",
                                "x-ratelimit-remaining-tokens",
                                "-1",
                                "x-ratelimit-reset-tokens",
                                "0"),
                        NOW))
                .isEmpty();
        assertThat(RateLimitHeaders.parse(
                        Headers.of(
                                "x-ratelimit-reset-requests",
                                "req_c3e0f92d7b5426d1a4a17bb3d39953ea",
                                "x-ratelimit-limit-requests",
                                "X-RATELIMIT-LIMIT-REQUESTS-XXX",
                                "x-ratelimit-abusepenalty-active",
                                "False",
                                "ratelimit",
                                "\"",
                                "ratelimit-policy",
                                ";;;,,=\"\""),
                        NOW))
                .isEmpty();
    }

    @Test
    void whatWasSaidFirstStays() {
        RateLimitSnapshot snapshot = RateLimitHeaders.parse(
                        Headers.of("x-ratelimit-remaining", "5", "X-RateLimit-Remaining", "0"), NOW)
                .orElseThrow();
        assertThat(snapshot.dimensions().get("").remaining()).hasValue(5);
        assertThat(snapshot.takenAt()).isEqualTo(NOW);
    }
}
