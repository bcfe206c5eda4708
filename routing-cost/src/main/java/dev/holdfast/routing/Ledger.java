package dev.holdfast.routing;

import dev.holdfast.CallEvent;
import dev.holdfast.CallEvent.AttemptFinished;
import dev.holdfast.Spend;
import dev.holdfast.routing.internal.ledger.IdleMap;
import dev.holdfast.spi.CallListener;
import dev.holdfast.spi.Timekeeper;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Adds up what attempts use and cost, by model, endpoint, tenant and tag. Each attempt counts, also one that brought no
 * answer: what may have been billed stands apart.
 *
 * <pre>{@code
 * Ledger ledger = Ledger.create();
 * var client = ResilientClient.builder().endpoint(endpoint).listener(ledger).build();
 * client.call(request, CallOptions.none().withTenant("acme").withTag("team", "search"));
 * ledger.byTag("team").of("search").cost();
 * }</pre>
 *
 * <p>Sums are exact decimals. Each breakdown keeps as many names as the ledger was given, those that were idle longest go
 * into {@link Breakdown#others()}: no attempt is lost from a sum. An answer from a cache made no attempt and costs nothing.
 *
 * <p>Thread-safe; an attempt is in {@link #total()} and in every breakdown when its event has been heard. A reader who looks
 * while others write sees each sum whole, and two of them perhaps a moment apart.
 */
public final class Ledger implements CallListener {
    private static final int MOST_NAMES = 10_000;

    private final Timekeeper timekeeper;
    private final AtomicReference<Totals> total = new AtomicReference<>(Totals.NONE);
    private final Book<String> models;
    private final Book<String> endpoints;
    private final Book<String> tenants;
    private final Book<Tag> tags;

    private record Tag(String name, String value) {}

    private Ledger(int mostNames, Timekeeper timekeeper) {
        this.timekeeper = timekeeper;
        this.models = new Book<>(mostNames);
        this.endpoints = new Book<>(mostNames);
        this.tenants = new Book<>(mostNames);
        this.tags = new Book<>(mostNames);
    }

    /** {@return an empty ledger that keeps 10,000 names of each kind apart} */
    public static Ledger create() {
        return of(MOST_NAMES, Timekeeper.system());
    }

    /**
     * {@return an empty ledger}
     *
     * @param mostNames how many models, endpoints, tenants and tags it keeps apart, of each, at least 1
     * @param timekeeper tells which of them are idle
     */
    public static Ledger of(int mostNames, Timekeeper timekeeper) {
        return new Ledger(mostNames, timekeeper);
    }

    @Override
    public void onEvent(CallEvent event) {
        if (event instanceof AttemptFinished finished) {
            finished.attempt().spend().ifPresent(spend -> add(finished, spend));
        }
    }

    private void add(AttemptFinished finished, Spend spend) {
        long now = timekeeper.nanoTime();
        total.updateAndGet(sum -> sum.plus(spend));
        models.add(finished.attempt().target().model(), now, spend);
        endpoints.add(finished.attempt().target().endpoint(), now, spend);
        finished.tenant().ifPresent(tenant -> tenants.add(tenant, now, spend));
        finished.tags().forEach((name, value) -> tags.add(new Tag(name, value), now, spend));
    }

    /** {@return all attempts} */
    public Totals total() {
        return total.get();
    }

    /** {@return the attempts by model} */
    public Breakdown byModel() {
        return new Breakdown(models.copy(), models.others());
    }

    /** {@return the attempts by endpoint} */
    public Breakdown byEndpoint() {
        return new Breakdown(endpoints.copy(), endpoints.others());
    }

    /** {@return the attempts by tenant; those of calls without one are in none} */
    public Breakdown byTenant() {
        return new Breakdown(tenants.copy(), tenants.others());
    }

    /**
     * {@return the attempts by the value of a tag; those of calls without it are in none. The others are those of any tag}
     *
     * @param name the tag's name
     */
    public Breakdown byTag(String name) {
        var values = new HashMap<String, Totals>();
        tags.copy().forEach((tag, totals) -> {
            if (tag.name().equals(name)) {
                values.put(tag.value(), totals);
            }
        });
        return new Breakdown(values, tags.others());
    }

    /**
     * Sums by name.
     *
     * @param byName the names that are kept apart
     * @param others what belonged to names that were idle longest when there were too many
     */
    public record Breakdown(Map<String, Totals> byName, Totals others) {
        /** Copies the map. */
        public Breakdown {
            byName = Map.copyOf(byName);
        }

        /**
         * {@return the sums of a name; nothing spent where it is not there}
         *
         * @param name the name
         */
        public Totals of(String name) {
            return Optional.ofNullable(byName.get(name)).orElse(Totals.NONE);
        }
    }

    /** The sums of one kind of name. */
    private static final class Book<K> {
        private final AtomicReference<Totals> evicted = new AtomicReference<>(Totals.NONE);
        private final IdleMap<K, Totals> kept;

        Book(int most) {
            this.kept =
                    new IdleMap<>(most, Totals.NONE, (key, totals) -> evicted.updateAndGet(sum -> sum.plus(totals)));
        }

        void add(K key, long now, Spend spend) {
            kept.change(key, now, sum -> sum.plus(spend));
        }

        Map<K, Totals> copy() {
            return kept.copy();
        }

        Totals others() {
            return evicted.get();
        }
    }
}
