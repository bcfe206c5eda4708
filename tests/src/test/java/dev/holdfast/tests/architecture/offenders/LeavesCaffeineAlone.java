package dev.holdfast.tests.architecture.offenders;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;

/** One class for each thing that Caffeine would decide by itself, and one that decides all. */
public final class LeavesCaffeineAlone {
    private LeavesCaffeineAlone() {}

    static final class WithItsThreads {
        Cache<String, String> run() {
            return Caffeine.newBuilder().maximumSize(1).build();
        }
    }

    static final class WithItsClock {
        Cache<String, String> run() {
            return Caffeine.newBuilder()
                    .executor(Runnable::run)
                    .expireAfterWrite(Duration.ofSeconds(1))
                    .build();
        }
    }

    /** Leaves it nothing. */
    public static final class WithNothing {
        Cache<String, String> run() {
            return Caffeine.newBuilder()
                    .executor(Runnable::run)
                    .ticker(() -> 0)
                    .expireAfterWrite(Duration.ofSeconds(1))
                    .build();
        }
    }
}
