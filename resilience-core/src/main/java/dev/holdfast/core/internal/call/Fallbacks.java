package dev.holdfast.core.internal.call;

import dev.holdfast.core.internal.latency.RecentShare;
import dev.holdfast.core.internal.registry.BoundedRegistry;
import dev.holdfast.spi.Timekeeper;

/** How many of the calls that began with a model another one answered. */
final class Fallbacks {
    private static final int MOST_MODELS = 1_000;

    private final BoundedRegistry<String, RecentShare> byModel;

    Fallbacks(Timekeeper time) {
        this.byModel = new BoundedRegistry<>(MOST_MODELS, model -> new RecentShare(time));
    }

    void answered(String first, String serving) {
        byModel.get(first).add(!serving.equals(first));
    }

    RecentShare.Reading of(String model) {
        return byModel.get(model).read();
    }
}
