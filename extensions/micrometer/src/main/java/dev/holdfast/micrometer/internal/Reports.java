package dev.holdfast.micrometer.internal;

import dev.holdfast.EndpointHealth;
import dev.holdfast.HealthReport;
import dev.holdfast.Target;
import dev.holdfast.TargetHealth;
import dev.holdfast.core.ResilientClient;
import io.micrometer.core.instrument.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleFunction;

/** The report of a client, read anew when it is a second old by the registry's clock. Safe for use by many threads. */
final class Reports {
    private static final long OLD_NANOS = Duration.ofSeconds(1).toNanos();

    private final ResilientClient client;
    private final Clock clock;
    private final AtomicReference<Dated> last;

    Reports(ResilientClient client, Clock clock) {
        this.client = client;
        this.clock = clock;
        this.last = new AtomicReference<>(new Dated(client.health(), clock.monotonicTime()));
    }

    private record Dated(HealthReport report, long atNanos) {}

    HealthReport latest() {
        Dated known = last.get();
        long now = clock.monotonicTime();
        if (now - known.atNanos() < OLD_NANOS) {
            return known.report();
        }
        var fresh = new Dated(client.health(), now);
        last.set(fresh);
        return fresh.report();
    }

    double endpoint(String name, ToDoubleFunction<EndpointHealth> value) {
        return Gauges.valueOf(
                latest().endpoints().stream()
                        .filter(each -> each.endpoint().equals(name))
                        .findFirst(),
                value);
    }

    double target(Target target, ToDoubleFunction<TargetHealth> value) {
        return Gauges.valueOf(
                latest().models().stream()
                        .filter(model -> model.model().equals(target.model()))
                        .flatMap(model -> model.targets().stream())
                        .filter(each -> each.target().equals(target))
                        .findFirst(),
                value);
    }
}
