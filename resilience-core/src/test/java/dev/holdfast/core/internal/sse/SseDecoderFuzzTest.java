package dev.holdfast.core.internal.sse;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Compares the decoder with the rules on random streams in random pieces, for {@code holdfast.fuzz.seconds} (10 unless set).
 * The seed of a failure stands in its message; {@code -Dholdfast.fuzz.seed=…} plays it again.
 */
@Tag("fuzz")
class SseDecoderFuzzTest {
    @Test
    void anyStreamInAnyPiecesIsDecodedAsTheRulesSay() {
        long seed = Long.getLong("holdfast.fuzz.seed", new Random().nextLong());
        long end = System.nanoTime() + Long.getLong("holdfast.fuzz.seconds", 10) * 1_000_000_000L;
        long rounds = 0;
        do {
            var random = new Random(seed + rounds);
            byte[] stream = Streams.random(random);
            assertThat(Decoded.atRandom(stream, random).events())
                    .as("holdfast.fuzz.seed=%d", seed + rounds)
                    .isEqualTo(Reference.of(stream).events());
            rounds++;
        } while (System.nanoTime() - end < 0);
        assertThat(rounds).isPositive();
    }
}
