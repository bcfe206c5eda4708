package dev.holdfast.routing;

import dev.holdfast.CallOptions;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * How much may be spent in a day, by whom, and what happens then.
 *
 * @param name its name, for messages
 * @param scope whose spending it bounds
 * @param usdPerDay US dollars a day, not negative
 * @param exceeded what happens to a call that would pass it
 * @param zone where the day begins
 */
public record Budget(String name, Scope scope, BigDecimal usdPerDay, Exceeded exceeded, ZoneId zone) {
    /** Refuses a blank name and a negative amount. */
    public Budget {
        if (name.isBlank()) {
            throw new IllegalArgumentException("budget name: blank (expected: a name)");
        }
        if (usdPerDay.signum() < 0) {
            throw new IllegalArgumentException("usdPerDay of " + name + ": " + usdPerDay + " (expected: >= 0)");
        }
    }

    /** What happens to a call that would pass a budget. */
    public enum Exceeded {
        /** The attempt is refused, and the call goes on to a model that fits, if its route has one. */
        REFUSE,
        /** Nothing is refused; {@link BudgetRouter} asks the cheapest model of the route first. */
        DOWNGRADE
    }

    /** Whose spending is bounded. */
    public sealed interface Scope {
        /**
         * {@return under which name the spending of a call is counted; empty if the call is not in the scope}
         *
         * @param options the call's options
         */
        Optional<String> keyOf(CallOptions options);
    }

    /** Every call, together. */
    public record Everything() implements Scope {
        @Override
        public Optional<String> keyOf(CallOptions options) {
            return Optional.of("");
        }
    }

    /** The calls of each tenant, each for itself; calls without a tenant are not in it. */
    public record EachTenant() implements Scope {
        @Override
        public Optional<String> keyOf(CallOptions options) {
            return options.tenant();
        }
    }

    /**
     * The calls of one tenant.
     *
     * @param tenant the tenant
     */
    public record OneTenant(String tenant) implements Scope {
        @Override
        public Optional<String> keyOf(CallOptions options) {
            return options.tenant().filter(tenant::equals);
        }
    }

    /**
     * The calls with a tag, each value for itself; calls without the tag are not in it.
     *
     * @param tag the tag's name
     */
    public record EachTag(String tag) implements Scope {
        @Override
        public Optional<String> keyOf(CallOptions options) {
            return Optional.ofNullable(options.tags().get(tag));
        }
    }

    /**
     * The calls with one value of a tag.
     *
     * @param tag the tag's name
     * @param value its value
     */
    public record OneTag(String tag, String value) implements Scope {
        @Override
        public Optional<String> keyOf(CallOptions options) {
            return Optional.ofNullable(options.tags().get(tag)).filter(value::equals);
        }
    }

    /**
     * {@return a budget for every call together, which refuses, and whose day is that of UTC}
     *
     * @param name its name
     * @param usdPerDay US dollars a day
     */
    public static Budget perDay(String name, BigDecimal usdPerDay) {
        return new Budget(name, new Everything(), usdPerDay, Exceeded.REFUSE, ZoneOffset.UTC);
    }

    /**
     * {@return this budget for others}
     *
     * @param changed whose spending it bounds
     */
    public Budget withScope(Scope changed) {
        return new Budget(name, changed, usdPerDay, exceeded, zone);
    }

    /**
     * {@return this budget with another end}
     *
     * @param changed what happens to a call that would pass it
     */
    public Budget withExceeded(Exceeded changed) {
        return new Budget(name, scope, usdPerDay, changed, zone);
    }

    /**
     * {@return this budget with the day of another place}
     *
     * @param changed where the day begins
     */
    public Budget withZone(ZoneId changed) {
        return new Budget(name, scope, usdPerDay, exceeded, changed);
    }
}
