package dev.holdfast.micrometer;

import dev.holdfast.CallEvent;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.micrometer.internal.EventMeters;
import dev.holdfast.micrometer.internal.Gauges;
import dev.holdfast.micrometer.internal.Labels;
import dev.holdfast.spi.CallListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Counts what a client does in a registry of Micrometer, and shows there how it stands. Give it to the builder as a listener, and
 * the client to it:
 *
 * <pre>{@code
 * ClientMetrics metrics = ClientMetrics.of(registry);
 * ResilientClient client = ResilientClient.builder().endpoint(endpoint).listener(metrics).build();
 * metrics.watch(client);
 * }</pre>
 *
 * <p>Labels are bounded: a model is named where the watched client is configured for it or {@link #withModels} names it, and is
 * {@code other} elsewhere, whatever callers ask for. No label holds a key, a prompt, a tenant or a tag.
 *
 * <p>Events may come from any number of threads. One of these for each client; two in one registry need a tag that tells them
 * apart. The registry is the caller's to close.
 */
public final class ClientMetrics implements CallListener, AutoCloseable {
    private final MeterRegistry registry;
    private final Tags tags;
    private final Set<String> models;
    private final Labels labels;
    private final EventMeters meters;
    private final AtomicReference<Gauges> gauges = new AtomicReference<>(Gauges.NONE);

    private ClientMetrics(MeterRegistry registry, Tags tags, Set<String> models) {
        this.registry = registry;
        this.tags = tags;
        this.models = Set.copyOf(models);
        this.labels = new Labels(this.models);
        this.meters = new EventMeters(registry, tags, labels);
    }

    /**
     * {@return meters in a registry}
     *
     * @param registry the registry
     */
    public static ClientMetrics of(MeterRegistry registry) {
        return new ClientMetrics(registry, Tags.empty(), Set.of());
    }

    /**
     * {@return these meters with more tags on each, to tell clients of one registry apart; give this one to the builder}
     *
     * @param keyValues keys and values in turn
     */
    public ClientMetrics withTags(String... keyValues) {
        return new ClientMetrics(registry, tags.and(keyValues), models);
    }

    /**
     * {@return these meters, which name these models also where the client is not configured for them; give this one to the builder}
     *
     * @param names models that calls ask for
     */
    public ClientMetrics withModels(String... names) {
        return new ClientMetrics(registry, tags, Set.copyOf(List.of(names)));
    }

    /** Counts an event. */
    @Override
    public void onEvent(CallEvent event) {
        meters.count(event);
    }

    /**
     * Shows how a client stands, in place of the one before. Call it when the client is built, before it is used: what it is
     * configured for then may be a label. By one thread at a time.
     *
     * @param client the client
     */
    public void watch(ResilientClient client) {
        gauges.getAndSet(Gauges.NONE).close();
        labels.allow(client.health());
        gauges.set(Gauges.of(client, registry, tags, labels));
    }

    /** Takes the gauges of the watched client from the registry, and lets the client go. What was counted stays. */
    @Override
    public void close() {
        gauges.getAndSet(Gauges.NONE).close();
    }
}
