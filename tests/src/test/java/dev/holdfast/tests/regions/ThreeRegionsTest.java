package dev.holdfast.tests.regions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Three regions in six kinds of weather, met by six tactics, for three seeds, on virtual time. What comes of it is kept as text in
 * {@code src/test/resources/regions}, so that a change of behaviour is a diff. {@code -Dholdfast.golden=write} writes it anew.
 */
class ThreeRegionsTest {
    private static final int SEEDS = 3;
    private static final Path GOLDEN = Path.of("src", "test", "resources", "regions");

    @ParameterizedTest
    @EnumSource(Climate.class)
    void behavesAsWrittenDown(Climate climate) throws IOException {
        String table =
                "weather: " + climate.title() + "; 600 calls in five minutes; times in milliseconds\n\n" + Row.HEAD
                        + "\n"
                        + IntStream.range(0, Tactic.values().length)
                                .mapToObj(i -> lines(climate, Tactic.values()[i]))
                                .collect(Collectors.joining());
        Path kept = GOLDEN.resolve(climate.title() + ".txt");
        if ("write".equals(System.getProperty("holdfast.golden"))) {
            Files.createDirectories(GOLDEN);
            Files.writeString(kept, table);
        }

        assertThat(table).isEqualTo(Files.readString(kept, StandardCharsets.UTF_8));
    }

    private static String lines(Climate climate, Tactic tactic) {
        return IntStream.rangeClosed(1, SEEDS)
                .mapToObj(seed -> Row.of(Regions.run(climate, tactic, seed)).line(tactic, seed) + "\n")
                .collect(Collectors.joining());
    }

    @ParameterizedTest
    @EnumSource(Climate.class)
    void whatWasChosenForIsKept(Climate climate) {
        Map<Tactic, Row> rows = new EnumMap<>(Tactic.class);
        for (Tactic tactic : Tactic.values()) {
            Regions run = Regions.run(climate, tactic, 4);
            assertThat(run.open()).as("no exchange is left open by %s", tactic).isZero();
            rows.put(tactic, Row.of(run));
        }

        assertThat(rows).allSatisfy((tactic, row) -> {
            if (tactic != Tactic.PRIMARY_ONLY) {
                assertThat(row.answered()).as("%s in %s", tactic, climate).isGreaterThan(99.5);
            }
            // A twentieth of the calls, and a reserve of ten that refills every minute.
            assertThat(row.hedges()).as("hedges of %s", tactic).isLessThanOrEqualTo(30 + 10 * 6);
            assertThat(row.hedgesWon()).isLessThanOrEqualTo(row.hedges());
        });
        if (climate == Climate.CALM) {
            assertThat(rows)
                    .allSatisfy((tactic, row) -> assertThat(row.ejections()).isZero());
        }
    }
}
