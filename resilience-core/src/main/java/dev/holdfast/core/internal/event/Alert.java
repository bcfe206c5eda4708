package dev.holdfast.core.internal.event;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import java.time.Instant;

/**
 * Something that people have to look at, or the end of it.
 *
 * @param at when
 * @param subject what it is about; the same of beginning and end
 * @param words what is the matter with it
 * @param severity critical, warning or info
 * @param over whether it is over
 * @param dropped how many before it were not sent, since too many waited
 */
public record Alert(Instant at, String subject, String words, String severity, boolean over, long dropped) {
    /** {@return the same, after others that were not sent} */
    public Alert after(long others) {
        return new Alert(at, subject, words, severity, over, others);
    }

    /** {@return what is the matter, in a line} */
    public String text() {
        String more = dropped == 0 ? "" : " (" + dropped + " alerts before this one were not sent)";
        return (over ? "over: " : severity + ": ") + subject + " " + words + more;
    }

    /** {@return the form of Slack's incoming webhooks} */
    public JsonObject forSlack() {
        return JsonObject.of("text", JsonValue.of("Holdfast, " + text()));
    }

    /** {@return the form of PagerDuty's events, version 2} */
    public JsonObject forPagerDuty(String routingKey) {
        JsonObject payload = JsonObject.of("summary", JsonValue.of(text()))
                .with("source", JsonValue.of("holdfast"))
                .with("severity", JsonValue.of(severity))
                .with("timestamp", JsonValue.of(at.toString()));
        return JsonObject.of("routing_key", JsonValue.of(routingKey))
                .with("event_action", JsonValue.of(over ? "resolve" : "trigger"))
                .with("dedup_key", JsonValue.of("holdfast " + subject))
                .with("payload", payload);
    }

    /** {@return all of it} */
    public JsonObject asDocument() {
        return JsonObject.of("at", JsonValue.of(at.toString()))
                .with("status", JsonValue.of(over ? "resolved" : "firing"))
                .with("severity", JsonValue.of(severity))
                .with("subject", JsonValue.of(subject))
                .with("text", JsonValue.of(text()))
                .with("dropped", JsonValue.of(dropped));
    }
}
