package dev.holdfast.simulation;

import dev.holdfast.Bytes;
import dev.holdfast.Headers;
import dev.holdfast.JsonValue;
import dev.holdfast.simulation.internal.provider.Durations;
import dev.holdfast.simulation.internal.provider.OpenAiAnswers;
import dev.holdfast.simulation.internal.provider.Pieces;
import dev.holdfast.simulation.internal.provider.ProviderAnswers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A scripted answer of a provider, good or bad. It is plain data, so that a real server and its twin in virtual time can
 * both play it. Whoever plays it does this:
 *
 * <ol>
 *   <li>wait for {@link #delay()};
 *   <li>if {@link Ending#beforeHead()}, do what {@link #ending()} says and stop;
 *   <li>unless the framing is {@link Framing#RAW}, send each of {@link #interim()}, then status and {@link #headersAt};
 *   <li>for each of {@link #played()}, wait for its pause and send its bytes;
 *   <li>do what {@link #ending()} says.
 * </ol>
 *
 * <p>Body, pauses and endings count bytes as they are on the wire under the transfer coding, so after {@link #gzipped()}
 * the compressed ones.
 *
 * @param status the HTTP status
 * @param headers the header fields, sent as they are, each character a byte (ISO-8859-1); a {@code Content-Length} given
 *     here is sent instead of the true one
 * @param delay how long the provider thinks before the head
 * @param retryAfterDate if present, a {@code Retry-After} header is added that names this time from now as a date
 * @param chunks the body
 * @param framing how the end of the body is told
 * @param ending how the exchange ends
 * @param interim the heads that come before the true one, after the delay
 */
public record Reply(
        int status,
        Headers headers,
        Duration delay,
        Optional<Duration> retryAfterDate,
        List<Chunk> chunks,
        Framing framing,
        Ending ending,
        List<Interim> interim) {
    private static final Headers JSON = Headers.of("Content-Type", "application/json");
    private static final Headers EVENTS =
            Headers.of("Content-Type", "text/event-stream; charset=utf-8", "Cache-Control", "no-cache");

    /** Refuses a status that is no HTTP status and a negative delay. */
    public Reply {
        if (status < 100 || status > 599) {
            throw new IllegalArgumentException("status: " + status + " (expected: 100 to 599)");
        }
        if (delay.isNegative()) {
            throw new IllegalArgumentException("delay: " + delay + " (expected: >= 0)");
        }
        chunks = List.copyOf(chunks);
        interim = List.copyOf(interim);
    }

    /**
     * A piece of the body.
     *
     * @param pause how long the provider is silent before it
     * @param bytes the piece
     */
    public record Chunk(Duration pause, Bytes bytes) {
        /** Refuses a negative pause. */
        public Chunk {
            if (pause.isNegative()) {
                throw new IllegalArgumentException("pause: " + pause + " (expected: >= 0)");
            }
        }

        /**
         * {@return a piece of text in UTF-8 that comes at once}
         *
         * @param text the text
         */
        public static Chunk of(String text) {
            return new Chunk(Duration.ZERO, Bytes.utf8(text));
        }

        /**
         * {@return a piece of text in UTF-8 that comes after a silence}
         *
         * @param pause the silence
         * @param text the text
         */
        public static Chunk after(Duration pause, String text) {
            return new Chunk(pause, Bytes.utf8(text));
        }
    }

    /** How the end of the body is told. */
    public enum Framing {
        /** By a {@code Content-Length}. */
        CONTENT_LENGTH,
        /** By chunked transfer coding. */
        CHUNKED,
        /** By the end of the connection. */
        UNTIL_CLOSE,
        /** There is no head: the body's bytes are all that is sent, HTTP or not. */
        RAW
    }

    /**
     * A head that comes before the true one (RFC 9110, section 15.2): 103 with links, 102.
     *
     * @param status the status, 102 to 199; 101 would be another protocol
     * @param headers its header fields
     */
    public record Interim(int status, Headers headers) {
        /** Refuses what is no interim status. */
        public Interim {
            if (status < 100 || status > 199 || status == 101) {
                throw new IllegalArgumentException("status: " + status + " (expected: 100 or 102 to 199)");
            }
        }
    }

    /** The forms in which a provider says when to come again. */
    public enum RetryAfterForm {
        /** {@code Retry-After: 2}, rounded up. */
        SECONDS,
        /** {@code Retry-After: Sun, 06 Nov 1994 08:49:37 GMT}, rounded up to the second, from the time it is sent. */
        HTTP_DATE,
        /** {@code retry-after-ms: 1500}, rounded up. */
        MILLISECONDS
    }

    /**
     * {@return 200 with an OpenAI chat completion: usage 5 + 1, finish reason {@code stop}}
     *
     * @param text the answer
     */
    public static Reply completion(String text) {
        return json(200, OpenAiAnswers.completion("gpt-4.1-mini", text));
    }

    /**
     * {@return a good answer to that request: its model, in the form its path asks for (OpenAI's, Anthropic's or Gemini's), as
     * JSON or as a stream, with a usage chunk if it asks for one}
     *
     * @param request the request it answers
     * @param text the answer
     */
    public static Reply completion(ProviderRequest request, String text) {
        return ProviderAnswers.answer(request, text);
    }

    /**
     * {@return 200 with a whole OpenAI stream: a role, these pieces, the finish reason {@code stop} and {@code [DONE]}}
     *
     * @param pieces the pieces of the answer
     */
    public static Reply stream(String... pieces) {
        return events(OpenAiAnswers.stream("gpt-4.1-mini", List.of(pieces), false));
    }

    /**
     * {@return 200 with these bytes as {@code text/event-stream}, chunked}
     *
     * @param chunks what is sent: {@code Chunk.of("data: {}\n\n")}
     */
    public static Reply events(List<Chunk> chunks) {
        return new Reply(
                200, EVENTS, Duration.ZERO, Optional.empty(), chunks, Framing.CHUNKED, Ending.COMPLETE, List.of());
    }

    /**
     * {@return a JSON answer}
     *
     * @param status the status
     * @param body the document
     */
    public static Reply json(int status, JsonValue body) {
        return of(status, JSON, Bytes.utf8(body.toJson()));
    }

    /**
     * {@return an answer with a content length}
     *
     * @param status the status
     * @param headers the header fields
     * @param body the body
     */
    public static Reply of(int status, Headers headers, Bytes body) {
        var chunks = body.size() == 0 ? List.<Chunk>of() : List.of(new Chunk(Duration.ZERO, body));
        return new Reply(
                status,
                headers,
                Duration.ZERO,
                Optional.empty(),
                chunks,
                Framing.CONTENT_LENGTH,
                Ending.COMPLETE,
                List.of());
    }

    /**
     * {@return an answer of that status: an OpenAI error document as that status brings it, or "ok" for 200}
     *
     * @param status the status
     */
    public static Reply status(int status) {
        return status == 200 ? completion("ok") : json(status, OpenAiAnswers.error(status));
    }

    /**
     * {@return an OpenAI error}
     *
     * @param status the status
     * @param type the error's type
     * @param code the error's code
     * @param message the error's words
     */
    public static Reply error(int status, String type, String code, String message) {
        return json(status, OpenAiAnswers.error(type, code, message));
    }

    /**
     * {@return 429 {@code rate_limit_exceeded} with {@code Retry-After} in seconds, rounded up}
     *
     * @param retryAfter when to come again
     */
    public static Reply rateLimited(Duration retryAfter) {
        return status(429).withRetryAfter(retryAfter, RetryAfterForm.SECONDS);
    }

    /** {@return silence: the request is read and never answered} */
    public static Reply hang() {
        return completion("never sent").hangAfter(-1);
    }

    /** {@return the request is read and the connection reset without an answer} */
    public static Reply reset() {
        return completion("never sent").resetAfter(-1);
    }

    /** {@return the request is read and the connection closed without an answer} */
    public static Reply cut() {
        return completion("never sent").cutAfter(-1);
    }

    /** {@return the request is not taken: see {@link Ending.Kind#REFUSED}} */
    public static Reply refused() {
        return completion("never sent").withEnding(new Ending(Ending.Kind.REFUSED, -1));
    }

    /**
     * {@return these bytes instead of an HTTP answer, and then the end of the connection}
     *
     * @param bytes what is sent
     */
    public static Reply garbage(Bytes bytes) {
        return of(200, Headers.empty(), bytes).withFraming(Framing.RAW).cutAfter(Integer.MAX_VALUE);
    }

    /**
     * {@return this reply with another status}
     *
     * @param value the status
     */
    public Reply withStatus(int value) {
        return new Reply(value, headers, delay, retryAfterDate, chunks, framing, ending, interim);
    }

    /**
     * {@return this reply with that header set}
     *
     * @param name the field's name
     * @param value its only value, sent verbatim
     */
    public Reply withHeader(String name, String value) {
        return withHeaders(headers.with(name, value));
    }

    /**
     * {@return this reply with these headers and no others}
     *
     * @param value the header fields
     */
    public Reply withHeaders(Headers value) {
        return new Reply(status, value, delay, retryAfterDate, chunks, framing, ending, interim);
    }

    /**
     * {@return this reply with a false or true content length; after a false one the connection is closed}
     *
     * @param length the number that is sent
     */
    public Reply withContentLength(long length) {
        return withHeader("Content-Length", Long.toString(length)).withFraming(Framing.CONTENT_LENGTH);
    }

    /**
     * {@return this reply with a hint when to come again}
     *
     * @param after how long from now
     * @param form how it is said
     */
    public Reply withRetryAfter(Duration after, RetryAfterForm form) {
        return switch (form) {
            case SECONDS -> withHeader("Retry-After", Long.toString(Durations.ceilSeconds(after)));
            case MILLISECONDS -> withHeader("retry-after-ms", Long.toString(Durations.ceilMillis(after)));
            case HTTP_DATE -> new Reply(status, headers, delay, Optional.of(after), chunks, framing, ending, interim);
        };
    }

    /**
     * {@return this reply with OpenAI's headers for requests: {@code x-ratelimit-remaining-requests} and
     * {@code x-ratelimit-reset-requests}, the latter as {@code 1m30s}, {@code 1.5s} or {@code 12ms}}
     *
     * @param remaining how many are left
     * @param reset the time until the window is full again
     */
    public Reply withRateLimit(long remaining, Duration reset) {
        return withHeader("x-ratelimit-remaining-requests", Long.toString(remaining))
                .withHeader("x-ratelimit-reset-requests", Durations.goText(reset));
    }

    /**
     * {@return this reply after another time of thinking}
     *
     * @param value the time before the head
     */
    public Reply withDelay(Duration value) {
        return new Reply(status, headers, value, retryAfterDate, chunks, framing, ending, interim);
    }

    /**
     * {@return this reply with another body, in one piece}
     *
     * @param body the body
     */
    public Reply withBody(Bytes body) {
        return withChunks(List.of(new Chunk(Duration.ZERO, body)));
    }

    /**
     * {@return this reply with another body, in one piece}
     *
     * @param body the document
     */
    public Reply withBody(JsonValue body) {
        return withBody(Bytes.utf8(body.toJson())).withHeader("Content-Type", "application/json");
    }

    /**
     * {@return this reply with another body}
     *
     * @param value the pieces
     */
    public Reply withChunks(List<Chunk> value) {
        return new Reply(status, headers, delay, retryAfterDate, value, framing, ending, interim);
    }

    /**
     * {@return this reply with that silence before every piece of the body but the first}
     *
     * @param pause the silence
     */
    public Reply withPauses(Duration pause) {
        var paced = new ArrayList<Chunk>();
        for (Chunk chunk : chunks) {
            paced.add(paced.isEmpty() ? chunk : new Chunk(pause, chunk.bytes()));
        }
        return withChunks(paced);
    }

    /**
     * {@return this reply with its body cut into pieces of that size, each sent by itself; a pause stays before the first
     * byte it stood before}
     *
     * @param size how many bytes a piece has; the last of a former piece may have fewer
     */
    public Reply inPieces(int size) {
        return withChunks(Pieces.split(chunks, size));
    }

    /**
     * {@return this reply with its end told in another way}
     *
     * @param value how
     */
    public Reply withFraming(Framing value) {
        return new Reply(status, headers, delay, retryAfterDate, chunks, value, ending, interim);
    }

    /** {@return this reply compressed: every piece can be read when it arrives} */
    public Reply gzipped() {
        return withChunks(Pieces.gzip(chunks)).withHeader("Content-Encoding", "gzip");
    }

    /**
     * {@return this reply falling silent}
     *
     * @param bytes after how many bytes of the body; -1 for before the head
     */
    public Reply hangAfter(int bytes) {
        return withEnding(new Ending(Ending.Kind.HANG, bytes));
    }

    /**
     * {@return this reply ended by a reset of the connection}
     *
     * @param bytes after how many bytes of the body; -1 for before the head
     */
    public Reply resetAfter(int bytes) {
        return withEnding(new Ending(Ending.Kind.RESET, bytes));
    }

    /**
     * {@return this reply ended by a clean close of the connection}
     *
     * @param bytes after how many bytes of the body; -1 for before the head
     */
    public Reply cutAfter(int bytes) {
        return withEnding(new Ending(Ending.Kind.CUT, bytes));
    }

    /**
     * {@return this reply as the last one on its connection: see {@link Ending.Kind#GO_AWAY}}
     *
     * @param bytes after how many bytes of the body; -1 for before the head
     */
    public Reply goAwayAfter(int bytes) {
        return withEnding(new Ending(Ending.Kind.GO_AWAY, bytes));
    }

    /**
     * {@return this reply with one more head before the true one}
     *
     * @param interimStatus its status: 103
     * @param fields its header fields
     */
    public Reply withInterim(int interimStatus, Headers fields) {
        var more = new ArrayList<>(interim);
        more.add(new Interim(interimStatus, fields));
        return new Reply(status, headers, delay, retryAfterDate, chunks, framing, ending, more);
    }

    /**
     * {@return this reply with another ending}
     *
     * @param value how the exchange ends
     */
    public Reply withEnding(Ending value) {
        return new Reply(status, headers, delay, retryAfterDate, chunks, framing, value, interim);
    }

    /** {@return the whole body, as if nothing ended it early} */
    public Bytes body() {
        return Pieces.join(chunks);
    }

    /** {@return the pieces that are sent before the ending} */
    public List<Chunk> played() {
        return ending.isWhole() ? chunks : Pieces.first(chunks, Math.max(0, ending.afterBytes()));
    }

    /**
     * {@return the headers as they are sent at that time, without those of the framing}
     *
     * @param now the time the head is sent
     */
    public Headers headersAt(Instant now) {
        return retryAfterDate
                .map(after -> headers.with("Retry-After", Durations.httpDate(now.plus(after))))
                .orElse(headers);
    }

    @Override
    public String toString() {
        return "Reply[" + status + ", delay " + delay + ", " + chunks.size() + " chunks, " + framing + ", "
                + ending.kind() + "]";
    }
}
