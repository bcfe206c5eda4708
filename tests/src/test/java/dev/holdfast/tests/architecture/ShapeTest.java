package dev.holdfast.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShapeTest {
    private static final Part[] ON_OUR_TIME = {Part.API, Part.CORE, Part.ROUTING, Part.CACHE};

    @Test
    void everyModuleIsRead() {
        assertThat(Production.sources(Part.values()))
                .extracting(Source::folder)
                .contains("resilience-api", "resilience-core", "transport-jdk", "routing-cost", "cache-idempotency");
    }

    @Test
    void filesAndMethodsAreShort() {
        assertThat(offences(Production.sources(), Shape::tooLong)).isEmpty();
    }

    @Test
    void aLongFileIsCaught() {
        assertThat(Shape.tooLong(Source.of("class Offender {\n" + "\n".repeat(500) + "}")))
                .containsExactly("Offender.java has 502 lines");
    }

    @Test
    void aLongMethodIsCaught() {
        assertThat(Shape.tooLong(Source.of("class Offender {\n void run() {\n" + "\n".repeat(59) + "}\n}")))
                .containsExactly("Offender.java: run has 61 lines");
    }

    @Test
    void aMethodOfSixtyLinesIsNotCaught() {
        assertThat(Shape.tooLong(Source.of("class Offender {\n void run() {\n" + "\n".repeat(58) + "}\n}")))
                .isEmpty();
    }

    @Test
    void namesSayWhatAThingIs() {
        assertThat(offences(Production.sources(), Shape::badNames)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TimeUtil",
                "TimeUtils",
                "CallHelper",
                "CallManager",
                "CallHandler",
                "ClientImpl",
                "Channel2",
                "SSEDecoder"
            })
    void aVagueNameIsCaught(String name) {
        assertThat(Shape.badNames(Source.of("class Fine { interface " + name + " {} }")))
                .containsExactly("Offender.java: " + name);
    }

    @Test
    void nothingOnOurTimeEntersAMonitor() {
        assertThat(offences(Production.sources(ON_OUR_TIME), Shape::monitors)).isEmpty();
    }

    @Test
    void aMonitorIsCaught() {
        assertThat(
                        Shape.monitors(
                                Source.of(
                                        "class Offender { void a() { synchronized (this) {} } synchronized void b() {} void synchronize() {} }")))
                .containsExactly("Offender.java: synchronized block", "Offender.java: synchronized b");
    }

    @Test
    void nothingOnOurTimeWaitsWhileAMapIsLocked() {
        assertThat(offences(Production.sources(ON_OUR_TIME), Shape::blockedMaps))
                .isEmpty();
    }

    @Test
    void aWaitInsideALockedMapIsCaught() {
        assertThat(Shape.blockedMaps(Source.of("""
                        class Offender {
                            void run() {
                                map.computeIfAbsent(key, absent -> make(transport.send(absent)));
                                map.computeIfAbsent(key, absent -> new Value(absent));
                                transport.send(key);
                            }
                        }
                        """))).containsExactly("Offender.java: send while a map is locked");
    }

    private static List<String> offences(List<Source> sources, Function<Source, List<String>> rule) {
        assertThat(sources).isNotEmpty();
        return sources.stream().map(rule).flatMap(List::stream).toList();
    }
}
