package dev.holdfast.core.internal.sse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.spi.ServerSentEvent;
import dev.holdfast.spi.TransportException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SseDecoderTest {
    private static List<ServerSentEvent> decode(String stream) {
        return Decoded.whole(bytes(stream)).events();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static ServerSentEvent data(String text) {
        return ServerSentEvent.ofData(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r", "\r\n"})
    void everyLineEndEndsALine(String end) {
        assertThat(decode("data: a" + end + end + "data: b" + end + end)).containsExactly(data("a"), data("b"));
    }

    @Test
    void lineEndsMayBeMixed() {
        assertThat(decode("data: a\n\r\ndata: b\r\n\ndata: c\r\r\ndata: d\r\r"))
                .containsExactly(data("a"), data("b"), data("c"), data("d"));
    }

    @Test
    void anEventWaitsForNoByteBehindItsBlankLine() {
        var decoded = new Decoded(new SseDecoder(), new ArrayList<>());
        decoded.add(bytes("data: a\r\n\r"), 0, 10);

        assertThat(decoded.events()).containsExactly(data("a"));
        decoded.add(bytes("\ndata: b\n\n"), 0, 10);
        assertThat(decoded.events()).containsExactly(data("a"), data("b"));
    }

    @Test
    void aByteOrderMarkCountsOnlyAtTheStart() {
        assertThat(decode("\uFEFFdata: a\n\n\uFEFFdata: b\n\n")).containsExactly(data("a"));
        assertThat(decode("\uFEFF\uFEFFdata: a\n\n")).isEmpty();
    }

    @Test
    void linesOfDataAreJoinedByLineFeeds() {
        assertThat(decode("data: {\ndata:  \"a\": 1\ndata\ndata: }\n\n")).containsExactly(data("{\n \"a\": 1\n\n}"));
    }

    @Test
    void oneSpaceBehindTheColonIsTaken() {
        assertThat(decode("data:a\n\ndata:  a\n\ndata: \n\ndata:\n\ndata\n\n"))
                .containsExactly(data("a"), data(" a"), data(""), data(""), data(""));
    }

    @Test
    void aBlockWithoutDataIsNoEventAndItsTypeIsForgotten() {
        assertThat(decode(": ping\n\nevent: error\n\nid: 1\n\ndata: a\n\n"))
                .containsExactly(new ServerSentEvent("", "a", "1"));
    }

    @Test
    void typeHoldsForOneEventAndIdForAllThatFollow() {
        assertThat(decode("event: x\nid: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\nid: 2\0\ndata: d\n\n"))
                .containsExactly(
                        new ServerSentEvent("x", "a", "1"),
                        new ServerSentEvent("", "b", "1"),
                        new ServerSentEvent("", "c", ""),
                        new ServerSentEvent("", "d", ""));
    }

    @Test
    void retryIsMadeOfDigitsAlone() {
        assertThat(Decoded.whole(bytes("retry: 1500\n")).decoder().retryMillis())
                .hasValue(1500);
        assertThat(Decoded.whole(bytes("retry: 15\nretry: 1.5\nretry: -1\nretry:\nretry: 1 \n"))
                        .decoder()
                        .retryMillis())
                .hasValue(15);
        assertThat(Decoded.whole(bytes("retry: 99999999999999999999\n"))
                        .decoder()
                        .retryMillis())
                .hasValue(Long.MAX_VALUE);
        assertThat(Decoded.whole(bytes("retry: x\n")).decoder().retryMillis()).isEmpty();
    }

    @Test
    void fieldsOfOtherNamesAreNothing() {
        assertThat(decode("datax: 1\ndat: 2\n data: 3\nDATA: 4\ndata : 5\nd\n{\"a\": 1}\n\n"))
                .isEmpty();
    }

    @Test
    void whatIsNoUtf8BecomesAReplacementCharacter() {
        byte[] stream = {'d', 'a', 't', 'a', ':', (byte) 0xF0, (byte) 0x9F, 'x', (byte) 0xFF, '\n', '\n'};

        assertThat(Decoded.whole(stream).events()).containsExactly(data("\uFFFDx\uFFFD"));
        assertThat(Decoded.inPieces(stream, 1).events()).containsExactly(data("\uFFFDx\uFFFD"));
    }

    /** Each maximal part of a sequence that cannot be one is one replacement: the rule of the WHATWG Encoding Standard. */
    @ParameterizedTest
    @CsvSource({
        "eda080, 3", // a surrogate
        "eda08041, 3",
        "f0808080, 4",
        "f4908080, 4", // beyond the last character
        "c080, 2",
        "e080af, 3",
        "e282, 1",
        "f09f98, 1",
        "f09f, 1",
        "ed, 1",
        "ff, 1"
    })
    void asManyReplacementsAsTheRulesSay(String hex, int replacements) throws TransportException {
        var stream = new java.io.ByteArrayOutputStream();
        stream.writeBytes("data:é".getBytes(StandardCharsets.UTF_8));
        stream.writeBytes(java.util.HexFormat.of().parseHex(hex));
        stream.writeBytes("\n\n".getBytes(StandardCharsets.UTF_8));
        var decoder = new SseDecoder();
        var events = new java.util.ArrayList<ServerSentEvent>();
        decoder.decode(stream.toByteArray(), 0, stream.size(), events::add);
        assertThat(events.getFirst().data().chars().filter(c -> c == 0xFFFD)).hasSize(replacements);
    }

    @Test
    void anEventWithoutItsBlankLineIsDroppedUnlessItIsAskedFor() throws TransportException {
        assertThat(decode("data: a\n\ndata: b\n")).containsExactly(data("a"));
        assertThat(Decoded.whole(bytes("data: a\n\ndata: b\ndata: c")).decoder().unterminated())
                .contains(data("b\nc"));
        assertThat(Decoded.whole(bytes("data: a\n\nevent: b")).decoder().unterminated())
                .isEmpty();
    }

    @Test
    void aLineOrAnEventThatIsTooLongFailsAndTakesNoMoreRoom() {
        for (String stream : List.of("data: 0123456789\n\n", ": 0123456789\n", "data: 01234\ndata: 5678\n\n")) {
            for (int size : new int[] {1, 3, stream.length()}) {
                assertThatThrownBy(() -> decode(new SseDecoder(10), bytes(stream), size))
                        .isInstanceOfSatisfying(
                                TransportException.class,
                                e -> assertThat(e.fault()).isEqualTo(TransportException.Fault.TOO_LARGE))
                        .hasMessageContaining("longer than 10 bytes");
            }
        }
    }

    private static void decode(SseDecoder decoder, byte[] stream, int size) throws TransportException {
        for (int at = 0; at < stream.length; at += size) {
            decoder.decode(stream, at, Math.min(size, stream.length - at), event -> {});
        }
    }

    @Test
    void aLineAndAnEventOfJustTheLimitPass() throws TransportException {
        var events = new ArrayList<ServerSentEvent>();
        var decoder = new SseDecoder(10);
        for (byte each : bytes("data: 0123\n\ndata:01234\ndata:5678\n\n")) {
            decoder.decode(new byte[] {each}, 0, 1, events::add);
        }

        assertThat(events).containsExactly(data("0123"), data("01234\n5678"));
    }
}
