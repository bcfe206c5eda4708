package dev.holdfast.core.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Waits as sentences name them. */
class SpokenDelayTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Please retry after 1 minute and 5 seconds.                                   | 65000",
                "Please try again in 1 minute, 5 seconds.                                     | 65000",
                "Please try again in 1 hour, 2 minutes, and 3 seconds.                        | 3723000",
                "Retry in 1 min & 5 sec                                                       | 65000",
                "Please try again in 1m 5s.                                                   | 65000",
                "Please try again in 1h0m0.5s.                                                | 3600500",
                "Please try again in 2 days and 3 hours.                                      | 183600000",
                "Rate limit reached. Please try again in 1.5 minutes.                         | 90000",
                "Too many requests, please wait 1,200 seconds.                                | 1200000",
                "Please try again in an hour.                                                 | 3600000",
                "Please wait a minute before you try again.                                   | 60000",
                "Try again in about half an hour                                              | 1800000",
                "Please try again in thirty seconds.                                          | 30000",
                "Please try your request again in approximately 20 seconds                    | 20000",
                "Please retry your request after 20 seconds.                                  | 20000",
                "Please retry after 00:01:30.                                                 | 90000",
                "Limit resets in: 42s                                                         | 42000",
                "Your quota will reset in 373.801628ms.                                       | 374",
                "Please try again in 1ms.                                                     | 1",
                "Please retry in 0s.                                                          | 0",
                "rate limited; Retry-After: 30                                                | 30000",
                "upstream said {'retry-after-ms': '250'}                                      | 250",
                "retry_after=7.5                                                              | 7500",
                "Try again in 20s. If that fails, wait 2 minutes.                             | 120000",
                "请在 60 秒后重试                                                              | 60000",
                "请求过于频繁，请1分30秒后再试                                                     | 90000",
                "请等待 30 秒                                                                  | 30000",
                "요청이 너무 많습니다. 30초 후에 다시 시도하세요.                                   | 30000",
                "1분 30초 뒤에 다시 시도해 주세요                                                 | 90000",
                "30秒後に再試行してください                                                      | 30000",
                "Bitte versuchen Sie es in 30 Sekunden erneut.                                | 30000",
                "Bitte warten Sie 1 Minute und 5 Sekunden.                                    | 65000",
                "Veuillez réessayer dans 1 minute et 30 secondes.                             | 90000",
                "Inténtelo de nuevo en 45 segundos.                                           | 45000",
                "Tente novamente em 2 minutos e 5 segundos.                                   | 125000"
            })
    void sentencesThatNameAWait(String sentence, long millis) {
        assertThat(Prose.delay(sentence))
                .as(sentence)
                .hasValueSatisfying(
                        delay -> assertThat(delay.plusNanos(999_999).toMillis()).isEqualTo(millis));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Please try again later.",
                "Please try again in a few seconds.",
                "Please try again in a moment.",
                "Please try again in -5 seconds.",
                "Please try again in NaN seconds.",
                "Please retry after 37.",
                "Please retry with fewer than 5 requests.",
                "Limit 3 per 60s, used 3.",
                "You sent 10 requests in 60 seconds.",
                "The answer took 30 seconds. Retry.",
                "Please try again. Timeouts are 30 seconds.",
                "Retry attempts: 3",
                "Retry-After: soon",
                "Retry-After: Mon, 05 Jan 2026 10:00:30 GMT",
                "wait 5 apples",
                "模型在30秒内没有响应",
                "处理了 30 秒",
                "30초 걸렸습니다",
                ""
            })
    void sentencesThatNameNone(String sentence) {
        assertThat(Prose.delay(sentence)).as(sentence).isEmpty();
    }

    @Test
    void aSmallerUnitMustFollowTheLarger() {
        assertThat(Prose.delay("Try again in 20s, 60s windows apply.")).hasValue(Duration.ofSeconds(20));
        assertThat(Prose.delay("Try again in 20 seconds and 3 minutes of audio."))
                .hasValue(Duration.ofSeconds(20));
    }

    @Test
    void whatIsHugeIsLongerThanAnyCeiling() {
        assertThat(Prose.delay("try again in 99999999999999999999 hours")).hasValue(DelayText.LONGEST);
        assertThat(Prose.delay("请在99999999999999999999天后重试")).hasValue(DelayText.LONGEST);
    }
}
