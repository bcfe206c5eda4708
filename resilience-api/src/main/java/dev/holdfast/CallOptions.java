package dev.holdfast;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What one call, or every call of a client, wants otherwise. What is not set here is decided by the client's defaults, then
 * by its policies.
 *
 * <pre>{@code
 * client.call(request, CallOptions.none().withDeadline(Duration.ofSeconds(10)).withTag("team", "search"));
 * }</pre>
 */
public final class CallOptions {
    private static final CallOptions NONE = new CallOptions(new Fields());

    private final Fields fields;

    private CallOptions(Fields fields) {
        this.fields = fields;
    }

    /** {@return options that set nothing} */
    public static CallOptions none() {
        return NONE;
    }

    /**
     * {@return these options, and the given ones where these set nothing; tags of both}
     *
     * @param defaults what holds where these options are silent
     */
    public CallOptions orElse(CallOptions defaults) {
        if (this == NONE || defaults == NONE) {
            return this == NONE ? defaults : this;
        }
        return new CallOptions(fields.orElse(defaults.fields));
    }

    /** {@return labels for the ledger and events, by name} */
    public Map<String, String> tags() {
        return fields.tags;
    }

    /**
     * {@return these options with one more label}
     *
     * @param name the label's name
     * @param value its value
     */
    public CallOptions withTag(String name, String value) {
        Fields copy = fields.copy();
        var tags = new LinkedHashMap<>(fields.tags);
        tags.put(name, value);
        copy.tags = Map.copyOf(tags);
        return new CallOptions(copy);
    }

    /** {@return how long the call may take, from its start to its deadline; empty where not set} */
    public Optional<Duration> deadline() {
        return Optional.ofNullable(fields.deadline);
    }

    /**
     * {@return these options with deadline set}
     *
     * @param deadline how long the call may take, from its start to its deadline
     */
    public CallOptions withDeadline(Duration deadline) {
        Checks.positive("deadline", deadline);
        Fields copy = fields.copy();
        copy.deadline = Objects.requireNonNull(deadline);
        return new CallOptions(copy);
    }

    /** {@return how long one attempt may take; empty where not set} */
    public Optional<Duration> timeout() {
        return Optional.ofNullable(fields.timeout);
    }

    /**
     * {@return these options with timeout set}
     *
     * @param timeout how long one attempt may take
     */
    public CallOptions withTimeout(Duration timeout) {
        Checks.positive("timeout", timeout);
        Fields copy = fields.copy();
        copy.timeout = Objects.requireNonNull(timeout);
        return new CallOptions(copy);
    }

    /** {@return the timers of a stream; empty where not set} */
    public Optional<StreamTimeouts> streamTimeouts() {
        return Optional.ofNullable(fields.streamTimeouts);
    }

    /**
     * {@return these options with streamTimeouts set}
     *
     * @param streamTimeouts the timers of a stream
     */
    public CallOptions withStreamTimeouts(StreamTimeouts streamTimeouts) {
        Fields copy = fields.copy();
        copy.streamTimeouts = Objects.requireNonNull(streamTimeouts);
        return new CallOptions(copy);
    }

    /** {@return the scope of idempotency keys, cached answers and budgets; empty where not set} */
    public Optional<String> tenant() {
        return Optional.ofNullable(fields.tenant);
    }

    /**
     * {@return these options with tenant set}
     *
     * @param tenant the scope of idempotency keys, cached answers and budgets
     */
    public CallOptions withTenant(String tenant) {
        Checks.notBlank("tenant", tenant);
        Fields copy = fields.copy();
        copy.tenant = Objects.requireNonNull(tenant);
        return new CallOptions(copy);
    }

    /** {@return the key to use instead of the endpoint's; empty where not set} */
    public Optional<Credential> credential() {
        return Optional.ofNullable(fields.credential);
    }

    /**
     * {@return these options with credential set}
     *
     * @param credential the key to use instead of the endpoint's
     */
    public CallOptions withCredential(Credential credential) {
        Fields copy = fields.copy();
        copy.credential = Objects.requireNonNull(credential);
        return new CallOptions(copy);
    }

    /** {@return the key that makes repeated calls one; empty where not set} */
    public Optional<String> idempotencyKey() {
        return Optional.ofNullable(fields.idempotencyKey);
    }

    /**
     * {@return these options with idempotencyKey set}
     *
     * @param idempotencyKey the key that makes repeated calls one
     */
    public CallOptions withIdempotencyKey(String idempotencyKey) {
        Checks.headerValue("idempotencyKey", idempotencyKey);
        Fields copy = fields.copy();
        copy.idempotencyKey = Objects.requireNonNull(idempotencyKey);
        return new CallOptions(copy);
    }

    /** {@return the models to try, best first, instead of the router's choice; empty where not set} */
    public Optional<List<String>> route() {
        return Optional.ofNullable(fields.route);
    }

    /**
     * {@return these options with route set}
     *
     * @param route the models to try, best first, instead of the router's choice; at least one
     */
    public CallOptions withRoute(List<String> route) {
        if (route.isEmpty()) {
            throw new IllegalArgumentException("route: no model (expected: at least one)");
        }
        Fields copy = fields.copy();
        copy.route = List.copyOf(route);
        return new CallOptions(copy);
    }

    /** {@return where the call may go; empty where not set} */
    public Optional<AllowList> allow() {
        return Optional.ofNullable(fields.allow);
    }

    /**
     * {@return these options with allow set}
     *
     * @param allow where the call may go
     */
    public CallOptions withAllow(AllowList allow) {
        Fields copy = fields.copy();
        copy.allow = Objects.requireNonNull(allow);
        return new CallOptions(copy);
    }

    /** {@return the most the call may cost, in US dollars; empty where not set} */
    public Optional<BigDecimal> maxCostUsd() {
        return Optional.ofNullable(fields.maxCostUsd);
    }

    /**
     * {@return these options with maxCostUsd set}
     *
     * @param maxCostUsd the most the call may cost, in US dollars; not negative
     */
    public CallOptions withMaxCostUsd(BigDecimal maxCostUsd) {
        if (maxCostUsd.signum() < 0) {
            throw new IllegalArgumentException("maxCostUsd: " + maxCostUsd + " (expected: >= 0)");
        }
        Fields copy = fields.copy();
        copy.maxCostUsd = Objects.requireNonNull(maxCostUsd);
        return new CallOptions(copy);
    }

    /** {@return how the call uses the response cache; empty where not set} */
    public Optional<CacheMode> cacheMode() {
        return Optional.ofNullable(fields.cacheMode);
    }

    /**
     * {@return these options with cacheMode set}
     *
     * @param cacheMode how the call uses the response cache
     */
    public CallOptions withCacheMode(CacheMode cacheMode) {
        Fields copy = fields.copy();
        copy.cacheMode = Objects.requireNonNull(cacheMode);
        return new CallOptions(copy);
    }

    /** {@return whether a target may be tried again; empty where not set} */
    public Optional<Boolean> retry() {
        return Optional.ofNullable(fields.retry);
    }

    /**
     * {@return these options with retry set}
     *
     * @param retry whether a target may be tried again
     */
    public CallOptions withRetry(boolean retry) {
        Fields copy = fields.copy();
        copy.retry = retry;
        return new CallOptions(copy);
    }

    /** {@return whether another model may be tried; empty where not set} */
    public Optional<Boolean> fallback() {
        return Optional.ofNullable(fields.fallback);
    }

    /**
     * {@return these options with fallback set}
     *
     * @param fallback whether another model may be tried
     */
    public CallOptions withFallback(boolean fallback) {
        Fields copy = fields.copy();
        copy.fallback = fallback;
        return new CallOptions(copy);
    }

    /** {@return whether a second attempt may be sent beside a slow one; empty where not set} */
    public Optional<Boolean> hedge() {
        return Optional.ofNullable(fields.hedge);
    }

    /**
     * {@return these options with hedge set; it is for the client's policy to say when}
     *
     * @param hedge whether a second attempt may be sent beside a slow one
     */
    public CallOptions withHedge(boolean hedge) {
        Fields copy = fields.copy();
        copy.hedge = hedge;
        return new CallOptions(copy);
    }

    /** {@return calls with the same key prefer the same endpoint, where the provider's prompt cache is warm; empty where not set} */
    public Optional<String> affinityKey() {
        return Optional.ofNullable(fields.affinityKey);
    }

    /**
     * {@return these options with affinityKey set; no part of this version heeds it yet}
     *
     * @param affinityKey calls with the same key prefer the same endpoint, where the provider's prompt cache is warm
     */
    public CallOptions withAffinityKey(String affinityKey) {
        Fields copy = fields.copy();
        copy.affinityKey = Objects.requireNonNull(affinityKey);
        return new CallOptions(copy);
    }

    /** {@return in which order the models of the route are tried; empty where not set} */
    public Optional<RouteOrder> routeOrder() {
        return Optional.ofNullable(fields.routeOrder);
    }

    /**
     * {@return these options with routeOrder set; as the route has them unless set}
     *
     * @param routeOrder in which order the models of the route are tried
     */
    public CallOptions withRouteOrder(RouteOrder routeOrder) {
        Fields copy = fields.copy();
        copy.routeOrder = Objects.requireNonNull(routeOrder);
        return new CallOptions(copy);
    }

    /** {@return who goes first in a queue of ours; empty where not set} */
    public Optional<Priority> priority() {
        return Optional.ofNullable(fields.priority);
    }

    /**
     * {@return these options with priority set; interactive unless set}
     *
     * @param priority who goes first in a queue of ours
     */
    public CallOptions withPriority(Priority priority) {
        Fields copy = fields.copy();
        copy.priority = Objects.requireNonNull(priority);
        return new CallOptions(copy);
    }

    /** {@return hears the call's events, beside the client's listeners; empty where not set} */
    public Optional<Consumer<? super CallEvent>> listener() {
        return Optional.ofNullable(fields.listener);
    }

    /**
     * {@return these options with listener set}
     *
     * @param listener hears the call's events, beside the client's listeners
     */
    public CallOptions withListener(Consumer<? super CallEvent> listener) {
        Fields copy = fields.copy();
        copy.listener = Objects.requireNonNull(listener);
        return new CallOptions(copy);
    }

    @Override
    public String toString() {
        return "CallOptions[deadline=" + fields.deadline + ", timeout=" + fields.timeout + ", tenant=" + fields.tenant
                + ", route=" + fields.route + ", tags=" + fields.tags.keySet() + "]";
    }

    /** The fields, copied before any change and never changed once they stand in options. */
    private static final class Fields {
        private Map<String, String> tags = Map.of();
        private @Nullable Duration deadline;
        private @Nullable Duration timeout;
        private @Nullable StreamTimeouts streamTimeouts;
        private @Nullable String tenant;
        private @Nullable Credential credential;
        private @Nullable String idempotencyKey;
        private @Nullable List<String> route;
        private @Nullable AllowList allow;
        private @Nullable BigDecimal maxCostUsd;
        private @Nullable CacheMode cacheMode;
        private @Nullable Boolean retry;
        private @Nullable Boolean fallback;
        private @Nullable Boolean hedge;
        private @Nullable String affinityKey;
        private @Nullable RouteOrder routeOrder;
        private @Nullable Priority priority;
        private @Nullable Consumer<? super CallEvent> listener;

        Fields copy() {
            return new Fields().orElse(this);
        }

        /** A copy of these fields, with the other's where these are silent. */
        Fields orElse(Fields other) {
            var merged = new Fields();
            var allTags = new LinkedHashMap<>(other.tags);
            allTags.putAll(tags);
            merged.tags = Map.copyOf(allTags);
            merged.deadline = deadline != null ? deadline : other.deadline;
            merged.timeout = timeout != null ? timeout : other.timeout;
            merged.streamTimeouts = streamTimeouts != null ? streamTimeouts : other.streamTimeouts;
            merged.tenant = tenant != null ? tenant : other.tenant;
            merged.credential = credential != null ? credential : other.credential;
            merged.idempotencyKey = idempotencyKey != null ? idempotencyKey : other.idempotencyKey;
            merged.route = route != null ? route : other.route;
            merged.allow = allow != null ? allow : other.allow;
            merged.maxCostUsd = maxCostUsd != null ? maxCostUsd : other.maxCostUsd;
            merged.cacheMode = cacheMode != null ? cacheMode : other.cacheMode;
            merged.retry = retry != null ? retry : other.retry;
            merged.fallback = fallback != null ? fallback : other.fallback;
            merged.hedge = hedge != null ? hedge : other.hedge;
            merged.affinityKey = affinityKey != null ? affinityKey : other.affinityKey;
            merged.routeOrder = routeOrder != null ? routeOrder : other.routeOrder;
            merged.priority = priority != null ? priority : other.priority;
            merged.listener = listener != null ? listener : other.listener;
            return merged;
        }
    }
}
