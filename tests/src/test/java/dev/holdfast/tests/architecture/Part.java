package dev.holdfast.tests.architecture;

import java.util.List;
import java.util.stream.Stream;

/** The modules with a descriptor, what each is called and what it may depend on beside the JDK and JSpecify's annotations. */
enum Part {
    API(
            "resilience-api",
            "dev.holdfast.api",
            List.of("dev.holdfast", "dev.holdfast.spi..", "dev.holdfast.internal.."),
            List.of()),
    CORE(
            "resilience-core",
            "dev.holdfast.core",
            List.of("dev.holdfast.core.."),
            List.of("dev.holdfast.api", "org.slf4j", "com.fasterxml.jackson.core", "com.fasterxml.jackson.databind")),
    TRANSPORT(
            "transport-jdk",
            "dev.holdfast.transport.jdk",
            List.of("dev.holdfast.transport.."),
            List.of("dev.holdfast.api")),
    ROUTING(
            "routing-cost",
            "dev.holdfast.routing",
            List.of("dev.holdfast.routing.."),
            List.of("dev.holdfast.api", "com.fasterxml.jackson.core", "com.fasterxml.jackson.databind")),
    CACHE(
            "cache-idempotency",
            "dev.holdfast.cache",
            List.of("dev.holdfast.cache.."),
            List.of(
                    "dev.holdfast.api",
                    "com.github.benmanes.caffeine",
                    "com.fasterxml.jackson.core",
                    "com.fasterxml.jackson.databind")),
    SIMULATION(
            "simulation",
            "dev.holdfast.simulation",
            List.of("dev.holdfast.simulation.."),
            List.of("dev.holdfast.api", "dev.holdfast.core", "jdk.httpserver")),
    TESTKIT(
            "testkit",
            "dev.holdfast.testkit",
            List.of("dev.holdfast.testkit.."),
            List.of(
                    "dev.holdfast.api",
                    "dev.holdfast.core",
                    "dev.holdfast.simulation",
                    "org.assertj.core",
                    "org.junit.jupiter.api",
                    "org.junit.jupiter.params")),
    MICROMETER(
            "extensions/micrometer",
            "dev.holdfast.micrometer",
            List.of("dev.holdfast.micrometer.."),
            List.of("dev.holdfast.api", "dev.holdfast.core", "micrometer.core")),
    GATEWAY(
            "gateway",
            "dev.holdfast.gateway",
            List.of("dev.holdfast.gateway.."),
            List.of(
                    "dev.holdfast.api",
                    "dev.holdfast.core",
                    "dev.holdfast.cache",
                    "dev.holdfast.routing",
                    "dev.holdfast.simulation",
                    "dev.holdfast.micrometer",
                    "micrometer.core",
                    "micrometer.registry.prometheus",
                    "org.slf4j",
                    "info.picocli",
                    "io.helidon.common.buffers",
                    "io.helidon.common.concurrency.limits",
                    "io.helidon.common.socket",
                    "io.helidon.common.uri",
                    "io.helidon.http",
                    "io.helidon.webserver"));

    private final String folder;
    private final String moduleName;
    private final List<String> packages;
    private final List<String> requires;

    Part(String folder, String moduleName, List<String> packages, List<String> requires) {
        this.folder = folder;
        this.moduleName = moduleName;
        this.packages = packages;
        this.requires = requires;
    }

    String folder() {
        return folder;
    }

    String moduleName() {
        return moduleName;
    }

    List<String> packages() {
        return packages;
    }

    /** The names of the modules, other than the JDK's {@code java.*} and JSpecify's, that its descriptor may require. */
    List<String> requires() {
        return requires;
    }

    /** The packages its classes may depend on beside the JDK and JSpecify's annotations, its own among them. */
    List<String> reach() {
        return Stream.concat(packages.stream(), requires.stream().flatMap(Part::packagesOf))
                .toList();
    }

    private static Stream<String> packagesOf(String module) {
        return Stream.of(values())
                .filter(part -> part.moduleName.equals(module))
                .findFirst()
                .map(part -> part.packages.stream())
                .orElseGet(() -> Stream.of(foreign(module)));
    }

    private static String foreign(String module) {
        return switch (module) {
            case "info.picocli" -> "picocli..";
            case "jdk.httpserver" -> "com.sun.net.httpserver..";
            case "micrometer.core" -> "io.micrometer.core..";
            case "micrometer.registry.prometheus" -> "io.micrometer.prometheusmetrics..";
            case "org.assertj.core" -> "org.assertj..";
            case "org.junit.jupiter.api", "org.junit.jupiter.params" -> "org.junit..";
            default -> module + "..";
        };
    }
}
