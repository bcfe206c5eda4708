package dev.holdfast.core;

import dev.holdfast.BreakerState;
import dev.holdfast.Bytes;
import dev.holdfast.CallEvent;
import dev.holdfast.CallEvent.AttemptFinished;
import dev.holdfast.CallEvent.BreakerChanged;
import dev.holdfast.CallEvent.CooldownStarted;
import dev.holdfast.CallEvent.HealthChanged;
import dev.holdfast.FailureKind;
import dev.holdfast.Headers;
import dev.holdfast.HealthStatus;
import dev.holdfast.HttpVersion;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.core.internal.event.Alert;
import dev.holdfast.core.internal.event.AlertQueue;
import dev.holdfast.spi.CallListener;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.Transport;
import dev.holdfast.spi.TransportCall;
import dev.holdfast.spi.TransportReply;
import dev.holdfast.spi.TransportTimeouts;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells people by a webhook what they have to look at, and when it is over: a breaker that opened, an endpoint or a model on it that is
 * unhealthy, a target whose key, permission, model or quota someone has to set right. Each is told once, until it is over.
 *
 * <pre>{@code
 * WebhookAlerts alerts = WebhookAlerts.of(URI.create(url), WebhookAlerts.Form.SLACK, transport, Timekeeper.system());
 * ResilientClient client = ResilientClient.builder().endpoint(endpoint).listener(alerts).build();
 * }</pre>
 *
 * <p>What is sent names endpoints and models, and holds no prompt, no key and no words of a provider. It is sent by a thread of its own,
 * three times at most; a call never waits for it. At most 100 wait to be sent, the oldest go first. Safe for use by
 * many threads.
 */
public final class WebhookAlerts implements CallListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("dev.holdfast.alerts");
    private static final int TIMES = 3;
    private static final Duration PAUSE = Duration.ofSeconds(2);
    private static final TransportTimeouts TIMEOUTS = new TransportTimeouts(
            Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(10));

    private final URI url;
    private final Form form;
    private final String routingKey;
    private final Transport transport;
    private final Timekeeper time;
    private final AtomicReference<AlertQueue> queue = new AtomicReference<>(AlertQueue.EMPTY);
    private volatile Timekeeper.@Nullable Task sender;

    /** What the receiver understands. */
    public enum Form {
        /** Slack's incoming webhooks, and whatever takes the same: {@code {"text": "…"}}. */
        SLACK,
        /** PagerDuty's events, version 2: triggered, and resolved when it is over. */
        PAGERDUTY,
        /** {@code {"at", "status", "severity", "subject", "text", "dropped"}}; the status is firing or resolved. */
        JSON
    }

    private WebhookAlerts(URI url, Form form, String routingKey, Transport transport, Timekeeper time) {
        this.url = url;
        this.form = form;
        this.routingKey = routingKey;
        this.transport = transport;
        this.time = time;
    }

    /**
     * {@return alerts that are sent to an address}
     *
     * @param url where to; often a secret, and never logged
     * @param form what is understood there
     * @param transport sends them; not closed
     * @param time waits, and tells when
     * @throws IllegalArgumentException if the address is no http or https
     */
    public static WebhookAlerts of(URI url, Form form, Transport transport, Timekeeper time) {
        boolean web = "https".equalsIgnoreCase(url.getScheme()) || "http".equalsIgnoreCase(url.getScheme());
        if (!web || url.getHost() == null) {
            throw new IllegalArgumentException("webhook: no address of the web (expected: https://…)");
        }
        return new WebhookAlerts(
                url, Objects.requireNonNull(form), "", Objects.requireNonNull(transport), Objects.requireNonNull(time));
    }

    /**
     * {@return the same alerts with the key that PagerDuty asks for}
     *
     * @param key the integration's key
     */
    public WebhookAlerts withRoutingKey(String key) {
        return new WebhookAlerts(url, form, key, transport, time);
    }

    @Override
    public void onEvent(CallEvent event) {
        switch (event) {
            case BreakerChanged changed -> breaker(changed);
            case HealthChanged changed -> health(changed);
            case CooldownStarted cooldown -> cooldown(cooldown);
            case AttemptFinished finished -> {
                if (!queue.get().told().isEmpty() && finished.attempt().succeeded()) {
                    over("setup of " + finished.attempt().target(), "serves again", time.now());
                }
            }
            default -> {
                // nothing that someone has to look at
            }
        }
    }

    private void breaker(BreakerChanged changed) {
        String subject = "breaker of " + changed.target();
        if (changed.to() == BreakerState.OPEN) {
            begin(subject, "is open", "critical", changed.at());
        } else if (changed.to() == BreakerState.CLOSED) {
            over(subject, "is closed", changed.at());
        }
    }

    private void health(HealthChanged changed) {
        String subject =
                "health of " + changed.model().map(model -> model + "@").orElse("") + changed.endpoint();
        if (changed.to() == HealthStatus.UNHEALTHY) {
            begin(subject, "is unhealthy", "warning", changed.at());
        } else if (changed.to() == HealthStatus.HEALTHY) {
            over(subject, "is healthy", changed.at());
        }
    }

    private void cooldown(CooldownStarted cooldown) {
        if (isForPeople(cooldown.kind())) {
            String words = "has to be set right (" + cooldown.kind().wireName() + ")";
            begin("setup of " + cooldown.target(), words, "critical", cooldown.at());
        }
    }

    private static boolean isForPeople(FailureKind kind) {
        return switch (kind) {
            case AUTH, PERMISSION, MODEL_NOT_FOUND, QUOTA_EXHAUSTED -> true;
            default -> false;
        };
    }

    private void begin(String subject, String words, String severity, Instant at) {
        note(new Alert(at, subject, words, severity, false, 0));
    }

    private void over(String subject, String words, Instant at) {
        if (queue.get().told().contains(subject)) { // nearly never
            note(new Alert(at, subject, words, "info", true, 0));
        }
    }

    private void note(Alert alert) {
        AlertQueue before = queue.getAndUpdate(known -> known.with(alert));
        if (!before.sending() && before.with(alert).sending()) {
            startSending();
        }
    }

    private void startSending() {
        boolean started = false;
        try {
            Timekeeper.Task task = time.start("holdfast-alerts", this::sendAll);
            started = true;
            sender = task;
            if (queue.get().closed()) {
                task.interrupt();
            }
        } finally {
            if (!started) {
                queue.updateAndGet(AlertQueue::withoutSender);
            }
        }
    }

    private void sendAll() {
        boolean done = false;
        try {
            for (AlertQueue next = take(); !next.waiting().isEmpty(); next = take()) {
                deliver(next.first());
            }
            done = true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (!done) {
                queue.updateAndGet(AlertQueue::withoutSender);
            }
        }
    }

    /** {@return the queue with the alert that was taken from it, if there was one} */
    private AlertQueue take() {
        return queue.getAndUpdate(AlertQueue::withoutFirst);
    }

    private void deliver(Alert alert) throws InterruptedException {
        String why = "";
        for (int attempt = 0; attempt < TIMES; attempt++) {
            if (attempt > 0) {
                time.sleep(PAUSE.multipliedBy(attempt));
            }
            try (TransportReply reply = transport.send(call(alert))) {
                if (reply.status() < 300) {
                    return;
                }
                why = "status " + reply.status();
                if (reply.status() < 500 && reply.status() != 429) {
                    break;
                }
            } catch (IOException | RuntimeException e) {
                why = e.getClass().getSimpleName();
            }
        }
        LOG.warn("the webhook takes no alert ({}): {}", why, alert.text());
    }

    private TransportCall call(Alert alert) {
        JsonObject document =
                switch (form) {
                    case SLACK -> alert.forSlack();
                    case PAGERDUTY -> alert.forPagerDuty(routingKey);
                    case JSON -> alert.asDocument();
                };
        Bytes body = Bytes.utf8(document.toJson());
        Headers headers = Headers.of("Content-Type", "application/json");
        return new TransportCall("POST", url, headers, body, HttpVersion.HTTP_1_1, TIMEOUTS);
    }

    /** Sends nothing more; what waits to be sent is not. */
    @Override
    public void close() {
        queue.updateAndGet(AlertQueue::withClosed);
        Timekeeper.Task running = sender;
        if (running != null) {
            running.interrupt();
        }
    }

    @Override
    public String toString() {
        return "WebhookAlerts[" + form + "]";
    }
}
