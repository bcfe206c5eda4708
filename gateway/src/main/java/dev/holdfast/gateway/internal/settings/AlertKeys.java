package dev.holdfast.gateway.internal.settings;

import dev.holdfast.core.WebhookAlerts;
import dev.holdfast.core.WebhookAlerts.Form;
import dev.holdfast.core.config.Key;
import dev.holdfast.core.config.Kinds;
import dev.holdfast.core.config.Schema;
import dev.holdfast.core.config.Section;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.Transport;
import java.net.URI;

/** The section {@code alerts}. */
public final class AlertKeys {
    private static final Key<String> WEBHOOK =
            Key.of("webhook", Kinds.HIDDEN_TEXT, "where they are sent, an address of https; best as ${VARIABLE}");
    private static final Key<Form> FORM =
            Key.of("form", Kinds.choice(Form.class), "what is understood there").usually("slack");
    private static final Key<String> ROUTING_KEY =
            Key.of("routing-key", Kinds.HIDDEN_TEXT, "the integration's key, for pagerduty");
    private static final Schema SCHEMA = Schema.of(
            "what people have to look at, told by a webhook; nothing is if it is absent", WEBHOOK, FORM, ROUTING_KEY);

    /** The key. */
    public static final Key<Section> KEY = Key.of("alerts", Kinds.section(SCHEMA), SCHEMA.title());

    /**
     * What the section says.
     *
     * @param webhook where alerts are sent
     * @param form what is understood there
     * @param routingKey PagerDuty's key; empty for others
     */
    public record Alerts(URI webhook, Form form, String routingKey) {
        /**
         * {@return the listener that tells them}
         *
         * @param transport sends them
         * @param time waits
         */
        public WebhookAlerts listener(Transport transport, Timekeeper time) {
            return WebhookAlerts.of(webhook, form, transport, time).withRoutingKey(routingKey);
        }

        /** Without what may be a secret. */
        @Override
        public String toString() {
            return "Alerts[" + form + "]";
        }
    }

    private AlertKeys() {}

    /**
     * {@return what the section says}
     *
     * @param section the section
     */
    public static Alerts read(Section section) {
        Form form = section.get(FORM).orElse(Form.SLACK);
        String routingKey = section.get(ROUTING_KEY).orElse("");
        if (form == Form.PAGERDUTY && routingKey.isEmpty()) {
            throw section.refused(FORM, "pagerduty without routing-key (expected: one)");
        }
        return new Alerts(webhook(section), form, routingKey);
    }

    private static URI webhook(Section section) {
        String text = section.get(WEBHOOK).orElse("");
        URI url;
        try {
            url = URI.create(text);
        } catch (IllegalArgumentException e) {
            throw section.refused(WEBHOOK, "no address (expected: https://…)");
        }
        String host = url.getHost() == null ? "" : url.getHost();
        boolean here = host.equals("localhost") || host.equals("127.0.0.1") || host.equals("[::1]");
        boolean safe = "https".equalsIgnoreCase(url.getScheme()) || ("http".equalsIgnoreCase(url.getScheme()) && here);
        if (host.isEmpty() || !safe) {
            throw section.refused(WEBHOOK, "missing or not safe (expected: https://…, or http on this machine)");
        }
        return url;
    }
}
