package dev.holdfast.core.internal.sse;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class SseDecoderPropertyTest {
    @Provide
    Arbitrary<byte[]> streams() {
        return Arbitraries.longs().map(seed -> Streams.random(new Random(seed)));
    }

    @Property(tries = 2_000)
    void decodesAsTheRulesSay(@ForAll("streams") byte[] stream) {
        Decoded decoded = Decoded.whole(stream);
        Reference expected = Reference.of(stream);

        assertThat(decoded.events()).isEqualTo(expected.events());
        assertThat(decoded.decoder().retryMillis().isPresent())
                .isEqualTo(!expected.retry().isEmpty());
    }

    @Property(tries = 500)
    void decodesTheSameHoweverTheBytesAreCut(@ForAll("streams") byte[] stream, @ForAll Random random) {
        var whole = Decoded.whole(stream).events();

        for (int cut = 0; cut <= stream.length; cut++) {
            assertThat(Decoded.cutAt(stream, cut).events()).as("cut at %d", cut).isEqualTo(whole);
        }
        assertThat(Decoded.inPieces(stream, 1).events()).isEqualTo(whole);
        assertThat(Decoded.atRandom(stream, random).events()).isEqualTo(whole);
    }

    @Property(tries = 500)
    void aCutStreamGivesTheFirstOfItsEvents(@ForAll("streams") byte[] stream) {
        var whole = Decoded.whole(stream).events();

        for (int length = 0; length < stream.length; length++) {
            var decoded = new Decoded(new SseDecoder(), new ArrayList<>());
            decoded.add(stream, 0, length);
            assertThat(decoded.events())
                    .isEqualTo(whole.subList(0, decoded.events().size()));
        }
    }
}
