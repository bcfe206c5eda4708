package dev.holdfast.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Bytes;
import dev.holdfast.Headers;
import dev.holdfast.core.config.ConfigException;
import dev.holdfast.core.config.Configuration;
import dev.holdfast.core.config.Variables;
import dev.holdfast.gateway.internal.faults.FaultFile;
import dev.holdfast.simulation.Ending;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A faulty provider that is written in a file. */
class FaultFileTest {
    private static FaultFile file(String yaml) {
        return FaultFile.of(Configuration.ofYaml("f.yaml", yaml, Variables.ofProcess()));
    }

    private static ProviderRequest request(int number) {
        return new ProviderRequest(number, "POST", "/v1/chat/completions", Headers.empty(), Bytes.utf8(Served.CHAT));
    }

    private static List<Reply> replies(String yaml, int count) {
        FaultScript script = file(yaml).script();
        return IntStream.rangeClosed(1, count)
                .mapToObj(number -> script.reply(request(number)))
                .toList();
    }

    @Test
    void repliesComeInOrderAndThenAllIsWell() {
        List<Reply> replies = replies("""
                replies:
                  - {status: 503}
                  - {status: 429, retry-after: 2s, times: 2}
                  - {fault: reset}
                """, 5);
        assertThat(replies).extracting(Reply::status).containsExactly(503, 429, 429, 200, 200);
        assertThat(replies.get(1).headers().first("Retry-After")).contains("2");
        assertThat(replies.get(3).ending()).isEqualTo(new Ending(Ending.Kind.RESET, -1));
        assertThat(replies.get(4).body().toUtf8()).contains("one two three");
    }

    @Test
    void aReplyIsWhatItsKeysSay() {
        Reply said = replies("""
                replies:
                  - {text: "Rhine, Elbe", delay: 3s, fault: cut, after-bytes: 40, headers: {x-mine: "1"}}
                """, 1).getFirst();
        assertThat(said.delay()).isEqualTo(Duration.ofSeconds(3));
        assertThat(said.ending()).isEqualTo(new Ending(Ending.Kind.CUT, 40));
        assertThat(said.headers().first("x-mine")).contains("1");
        assertThat(said.body().toUtf8()).contains("Rhine, Elbe");
        Reply raw = replies(
                        "replies: [{status: 502, body: \"<html>\", retry-after: 1s, retry-after-form: milliseconds}]",
                        1)
                .getFirst();
        assertThat(raw.status()).isEqualTo(502);
        assertThat(raw.body().toUtf8()).isEqualTo("<html>");
        assertThat(raw.headers().first("retry-after-ms")).contains("1000");
    }

    @Test
    void sharesAreKeptAndTheSameSeedDrawsTheSame() {
        String yaml = "then: [{share: 0.2, status: 503}, {share: 0.1, status: 500}]\nseed: ";
        List<Integer> drawn =
                replies(yaml + 4, 2_000).stream().map(Reply::status).toList();
        assertThat(drawn.stream().filter(status -> status == 503)).hasSizeBetween(320, 480);
        assertThat(drawn.stream().filter(status -> status == 500)).hasSizeBetween(140, 260);
        assertThat(replies(yaml + 4, 200)).extracting(Reply::status).isEqualTo(drawn.subList(0, 200));
        assertThat(replies(yaml + 5, 200)).extracting(Reply::status).isNotEqualTo(drawn.subList(0, 200));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "replies: [{status: 99}] | f.yaml:1: replies[0].status",
                "replies: [{stauts: 503}] | f.yaml:1: replies[0].stauts",
                "replies: [{fault: explode}] | f.yaml:1: replies[0].fault",
                "replies: [{after-bytes: 4}] | f.yaml:1: replies[0].after-bytes",
                "replies: [{fault: refused, after-bytes: 4}] | f.yaml:1: replies[0].after-bytes",
                "replies: [{text: hi, status: 503}] | f.yaml:1: replies[0].text",
                "replies: [{retry-after-form: seconds}] | f.yaml:1: replies[0].retry-after-form",
                "replies: [{delay: 3}] | f.yaml:1: replies[0].delay",
                "then: [{status: 503}] | f.yaml:1: then[0]",
                "then: [{share: 0.6}, {share: 0.5}] | f.yaml:1: then[1].share",
                "port: 70000 | f.yaml:1: port",
            })
    void aMistakeIsToldByFileLineAndKey(String yaml, String told) {
        assertThatThrownBy(() -> file(yaml))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(told)
                .hasMessageContaining("(expected: ");
    }
}
