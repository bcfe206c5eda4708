package dev.holdfast.gateway.internal.faults;

import dev.holdfast.Bytes;
import dev.holdfast.core.config.ConfigException;
import dev.holdfast.core.config.Key;
import dev.holdfast.core.config.Kinds;
import dev.holdfast.core.config.Schema;
import dev.holdfast.core.config.Section;
import dev.holdfast.simulation.Ending;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.ProviderRequest;
import dev.holdfast.simulation.Reply;
import dev.holdfast.simulation.Reply.RetryAfterForm;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** One reply as a file says it. Without a key it is what a healthy provider answers. */
record ReplyKeys(
        int status,
        Optional<String> text,
        Optional<String> body,
        Map<String, String> headers,
        Duration delay,
        Duration pause,
        Optional<Duration> retryAfter,
        RetryAfterForm form,
        Optional<Ending> ending) {
    private static final int OK = 200;

    /** How a reply may break. */
    private enum Fault {
        RESET,
        CUT,
        HANG,
        REFUSED
    }

    private static final Key<Integer> STATUS =
            Key.of("status", Kinds.count(OK, 599), "the HTTP status").usually(Integer.toString(OK));
    private static final Key<String> TEXT = Key.of(
            "text",
            Kinds.TEXT,
            "what the model says, in the form that was asked for; the last user message, if absent");
    private static final Key<String> BODY =
            Key.of("body", Kinds.TEXT, "the body as it is sent, instead of one that fits");
    private static final Key<Map<String, String>> HEADERS =
            Key.of("headers", Kinds.byName(Kinds.TEXT), "header fields, beside those that fit");
    private static final Key<Duration> DELAY = Key.of("delay", Kinds.DURATION, "how long it thinks before the head")
            .usually("0s");
    private static final Key<Duration> PAUSE = Key.of(
                    "pause", Kinds.DURATION, "how long it pauses between pieces of a stream")
            .usually("0s");
    private static final Key<Duration> RETRY_AFTER =
            Key.of("retry-after", Kinds.DURATION, "when it says to come again");
    private static final Key<RetryAfterForm> FORM = Key.of(
                    "retry-after-form", Kinds.choice(RetryAfterForm.class), "how it says that")
            .usually("seconds");
    private static final Key<Fault> FAULT = Key.of(
            "fault",
            Kinds.choice(Fault.class),
            "how it breaks: the connection is reset, cut without an end, left hanging, or the request not taken");
    private static final Key<Integer> AFTER_BYTES = Key.of(
            "after-bytes",
            Kinds.count(0, Integer.MAX_VALUE),
            "after how many bytes of the body it breaks; before the head, if absent");

    static final Schema SCHEMA =
            Schema.of("a reply", STATUS, TEXT, BODY, HEADERS, DELAY, PAUSE, RETRY_AFTER, FORM, FAULT, AFTER_BYTES);

    /** Reads one; throws {@link ConfigException} if its keys contradict each other. */
    static ReplyKeys read(Section section) {
        int status = section.get(STATUS).orElse(OK);
        if (section.has(TEXT) && (status != OK || section.has(BODY))) {
            throw section.refused(TEXT, "beside another body (expected: status 200 and no body, or no text)");
        }
        if (section.has(FORM) && !section.has(RETRY_AFTER)) {
            throw section.refused(FORM, "without retry-after (expected: both)");
        }
        return new ReplyKeys(
                status,
                section.get(TEXT),
                section.get(BODY),
                section.get(HEADERS).orElse(Map.of()),
                section.get(DELAY).orElse(Duration.ZERO),
                section.get(PAUSE).orElse(Duration.ZERO),
                section.get(RETRY_AFTER),
                section.get(FORM).orElse(RetryAfterForm.SECONDS),
                ending(section));
    }

    private static Optional<Ending> ending(Section section) {
        Optional<Fault> fault = section.get(FAULT);
        Optional<Integer> after = section.get(AFTER_BYTES);
        if (fault.isEmpty() && after.isPresent()) {
            throw section.refused(AFTER_BYTES, "without fault (expected: both)");
        }
        if (fault.filter(Fault.REFUSED::equals).isPresent() && after.isPresent()) {
            throw section.refused(AFTER_BYTES, "of a request that is not taken (expected: none)");
        }
        return fault.map(each -> new Ending(Ending.Kind.valueOf(each.name()), after.orElse(-1)));
    }

    /** The reply to a request. */
    Reply to(ProviderRequest request) {
        Reply reply = good(request);
        if (body.isPresent()) {
            reply = reply.withStatus(status).withBody(Bytes.utf8(body.get()));
        }
        for (Map.Entry<String, String> field : headers.entrySet()) {
            reply = reply.withHeader(field.getKey(), field.getValue());
        }
        if (retryAfter.isPresent()) {
            reply = reply.withRetryAfter(retryAfter.get(), form);
        }
        reply = reply.withPauses(pause).withDelay(delay);
        return ending.isPresent() ? reply.withEnding(ending.get()) : reply;
    }

    private Reply good(ProviderRequest request) {
        if (status != OK) {
            return Reply.status(status);
        }
        return text.map(said -> Reply.completion(request, said))
                .orElseGet(() -> FaultScript.healthy().reply(request));
    }
}
