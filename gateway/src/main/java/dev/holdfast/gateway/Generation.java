package dev.holdfast.gateway;

import dev.holdfast.cache.CaffeineIdempotencyStore;
import dev.holdfast.cache.CaffeineResponseCache;
import dev.holdfast.cache.IdempotencyGuard;
import dev.holdfast.cache.ResponseCaching;
import dev.holdfast.core.ClientBuilder;
import dev.holdfast.core.Dialects;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.core.WebhookAlerts;
import dev.holdfast.gateway.internal.access.AccessKey;
import dev.holdfast.gateway.internal.access.Doorkeeper;
import dev.holdfast.gateway.internal.access.KeyLimits;
import dev.holdfast.gateway.internal.api.Failures;
import dev.holdfast.gateway.internal.call.AutoModel;
import dev.holdfast.gateway.internal.call.Calls;
import dev.holdfast.gateway.internal.call.Incoming;
import dev.holdfast.gateway.internal.call.PassThrough;
import dev.holdfast.gateway.internal.call.PassedMeters;
import dev.holdfast.gateway.internal.call.RequestOptions;
import dev.holdfast.gateway.internal.control.Controls;
import dev.holdfast.gateway.internal.http.Application;
import dev.holdfast.gateway.internal.route.AdminRoutes;
import dev.holdfast.gateway.internal.route.Routes;
import dev.holdfast.gateway.internal.settings.AlertKeys.Alerts;
import dev.holdfast.gateway.internal.settings.CacheKeys.Cache;
import dev.holdfast.gateway.internal.settings.IdempotencyKeys.Idempotency;
import dev.holdfast.gateway.internal.status.MetricsPage;
import dev.holdfast.gateway.internal.status.ModelList;
import dev.holdfast.gateway.internal.status.StatusPage;
import dev.holdfast.routing.Budget;
import dev.holdfast.routing.Budgets;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * All that follows from one configuration. Another takes its place as a whole, and goes on with its breakers, limits, budgets,
 * answers and keys; requests end in the one they began in. Safe for use by many threads.
 */
final class Generation {
    private static final Duration USUAL_DEADLINE = Duration.ofMinutes(2);

    private final GatewaySettings settings;
    private final Optional<Caching> caching;
    private final Optional<Guard> guard;
    private final Optional<Alarm> alarm;
    private final Budgets budgets;
    private final KeyLimits limits;
    private final PassThrough passThrough;
    private final ResilientClient client;
    private final Application routes;
    private final Application admin;
    private final AtomicInteger requests = new AtomicInteger();
    private volatile boolean alarmGoesOn;
    private volatile boolean retired;

    private record Caching(Cache settings, CaffeineResponseCache store, ResponseCaching interceptor) {}

    private record Alarm(Alerts settings, WebhookAlerts listener) {}

    private record Guard(Idempotency settings, CaffeineIdempotencyStore store, IdempotencyGuard interceptor) {}

    private Generation(GatewaySettings settings, Kept kept, Optional<Generation> before) {
        this.settings = settings;
        this.caching = settings.cache().map(cache -> caching(cache, before.flatMap(each -> each.caching)));
        this.guard = settings.idempotency().map(keys -> guard(keys, before.flatMap(each -> each.guard)));
        this.alarm = settings.alerts().map(alerts -> alarm(alerts, kept, before.flatMap(each -> each.alarm)));
        this.budgets = budgets(settings, before.map(each -> each.budgets));
        this.client = client(kept, before.map(each -> each.client));
        this.limits = new KeyLimits(settings.keys(), kept.time(), before.map(each -> each.limits));
        var failures = new Failures(settings.exposeAttempts());
        this.passThrough = new PassThrough(
                settings.client(),
                limits,
                failures,
                kept.transport(),
                kept.time(),
                client.control(),
                new PassedMeters(kept.registry()),
                before.map(each -> each.passThrough));
        List<String> models =
                settings.client().models().stream().map(ModelSettings::name).toList();
        var auto = new AutoModel(client, settings.client(), kept.stats());
        var calls = new Calls(
                client,
                new Incoming(settings.maxBody(), models, auto),
                new RequestOptions(settings.client().deadline().orElse(USUAL_DEADLINE)),
                auto,
                limits,
                failures,
                kept.prompts());
        var door = new Doorkeeper(settings.keys(), hosts(settings));
        var status = new StatusPage(
                client,
                kept.ledger(),
                caching.map(Caching::interceptor),
                kept.started(),
                kept.prompts().isOn(),
                kept.configuration()::get);
        this.routes =
                new Routes(door, kept.stage(), calls, passThrough, new ModelList(models), status, Dialects.builtIn());
        this.admin = new AdminRoutes(
                door,
                settings.adminKey(),
                kept.stage(),
                status,
                new MetricsPage(kept.registry()),
                new Controls(client));
    }

    static Generation first(GatewaySettings settings, Kept kept) {
        return new Generation(settings, kept, Optional.empty());
    }

    /** Another configuration's. This one is still whole; it must be retired once the other has its place. */
    Generation next(GatewaySettings changed, Kept kept) {
        return new Generation(changed, kept, Optional.of(this));
    }

    private static Caching caching(Cache cache, Optional<Caching> before) {
        if (before.isPresent() && before.get().settings().equals(cache)) {
            return before.get();
        }
        CaffeineResponseCache store = before.filter(each -> each.settings().maxBytes() == cache.maxBytes())
                .map(Caching::store)
                .orElseGet(() -> new CaffeineResponseCache(cache.maxBytes()));
        return new Caching(cache, store, ResponseCaching.of(store, cache.policy()));
    }

    /** What was told is remembered as long as it is told at the same place. */
    private static Alarm alarm(Alerts alerts, Kept kept, Optional<Alarm> before) {
        return before.filter(each -> each.settings().equals(alerts))
                .orElseGet(() -> new Alarm(alerts, alerts.listener(kept.transport(), kept.time())));
    }

    private static Guard guard(Idempotency keys, Optional<Guard> before) {
        CaffeineIdempotencyStore store = before.filter(each -> each.settings().maxKeys() == keys.maxKeys())
                .map(Guard::store)
                .orElseGet(() -> new CaffeineIdempotencyStore(keys.maxKeys()));
        return new Guard(keys, store, IdempotencyGuard.of(store, keys.policy()));
    }

    private static Budgets budgets(GatewaySettings settings, Optional<Budgets> before) {
        Budget[] wanted = settings.keys().stream()
                .filter(key -> key.usdPerDay().isPresent())
                .map(Generation::budget)
                .toArray(Budget[]::new);
        return before.map(each -> each.continueAs(wanted)).orElseGet(() -> Budgets.of(wanted));
    }

    private static Budget budget(AccessKey key) {
        return Budget.perDay("key " + key.name(), key.usdPerDay().orElseThrow())
                .withScope(new Budget.OneTenant(key.name()));
    }

    private ResilientClient client(Kept kept, Optional<ResilientClient> before) {
        ClientBuilder builder = settings.client()
                .applyTo(ResilientClient.builder())
                .listener(kept.ledger())
                .listener(kept.stats())
                .listener(kept.metrics());
        alarm.ifPresent(each -> builder.listener(each.listener()));
        guard.ifPresent(each -> builder.interceptor(each.interceptor()));
        caching.ifPresent(each -> builder.interceptor(each.interceptor()));
        if (settings.keys().stream().anyMatch(key -> key.usdPerDay().isPresent())) {
            builder.spendGuard(budgets);
        }
        return before.map(each -> each.continueAs(builder)).orElseGet(builder::build);
    }

    /** The names of the configuration, and the addresses that are listened on if they are some. */
    private static Set<String> hosts(GatewaySettings settings) {
        var hosts = new HashSet<>(settings.hosts());
        hosts.addAll(written(settings.listen().getAddress()));
        settings.admin().ifPresent(at -> hosts.addAll(written(at.getAddress())));
        return hosts;
    }

    private static List<String> written(InetAddress address) {
        String text = address.getHostAddress();
        return address.isAnyLocalAddress() ? List.of() : List.of(text.contains(":") ? "[" + text + "]" : text);
    }

    GatewaySettings settings() {
        return settings;
    }

    ResilientClient client() {
        return client;
    }

    Application routes() {
        return routes;
    }

    Application admin() {
        return admin;
    }

    /** Whether a request may begin in it; then it has to {@link #leave}. */
    boolean enter() {
        requests.incrementAndGet();
        if (!retired) {
            return true;
        }
        requests.decrementAndGet();
        return false;
    }

    void leave() {
        requests.decrementAndGet();
    }

    /**
     * No request begins in it any more.
     *
     * @param next has its place, and goes on with what it took over
     */
    void retire(Generation next) {
        alarmGoesOn = alarm.isPresent() && alarm.equals(next.alarm);
        retired = true;
    }

    boolean isIdle() {
        return requests.get() == 0 && client.control().callsInFlight() == 0;
    }

    void close() {
        client.close();
        if (!alarmGoesOn) {
            alarm.ifPresent(each -> each.listener().close());
        }
    }
}
