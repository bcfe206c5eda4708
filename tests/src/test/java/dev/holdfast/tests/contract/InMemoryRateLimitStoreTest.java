package dev.holdfast.tests.contract;

import dev.holdfast.spi.RateLimitStore;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.testkit.InMemoryRateLimitStore;
import dev.holdfast.testkit.RateLimitStoreContract;

class InMemoryRateLimitStoreTest extends RateLimitStoreContract {
    @Override
    protected RateLimitStore create(Timekeeper time) {
        return new InMemoryRateLimitStore(time);
    }
}
