package dev.holdfast.tests.architecture.offenders;

import java.security.SecureRandom;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/** One class for each way around the generator that is passed in. */
public final class BreaksChance {
    private BreaksChance() {}

    static final class TakesTheThreads {
        long run() {
            return ThreadLocalRandom.current().nextLong();
        }
    }

    static final class DrawsByMath {
        double run() {
            return Math.random();
        }
    }

    static final class MakesARandom {
        RandomGenerator run() {
            return new Random();
        }
    }

    static final class MakesASplittable {
        RandomGenerator run() {
            return new SplittableRandom();
        }
    }

    static final class MakesASecure {
        RandomGenerator run() {
            return new SecureRandom();
        }
    }

    static final class TakesTheDefault {
        RandomGenerator run() {
            return RandomGenerator.getDefault();
        }
    }

    static final class DrawsAnId {
        UUID run() {
            return UUID.randomUUID();
        }
    }

    static final class Shuffles {
        void run(List<?> values) {
            Collections.shuffle(values);
        }
    }
}
