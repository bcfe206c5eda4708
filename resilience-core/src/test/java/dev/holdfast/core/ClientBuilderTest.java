package dev.holdfast.core;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.holdfast.Endpoint;
import java.net.URI;
import org.junit.jupiter.api.Test;

class ClientBuilderTest {
    private static final URI SOMEWHERE = URI.create("https://example.test/v1");

    @Test
    void anUnknownDialectIsRefusedByItsSetting() {
        Endpoint endpoint = Endpoint.builder("e", SOMEWHERE).dialect("klingon").build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ResilientClient.builder()
                        .discovery(false)
                        .endpoint(endpoint)
                        .build())
                .withMessage(
                        "dialect of endpoint e: \"klingon\" is not known (expected: one of openai, azure, anthropic,"
                                + " gemini, vertex)");
    }

    @Test
    void aMissingTransportNamesTheModuleToAdd() {
        Endpoint endpoint = Endpoint.builder("e", SOMEWHERE).build();
        assertThatIllegalStateException()
                .isThrownBy(() -> ResilientClient.builder()
                        .discovery(false)
                        .endpoint(endpoint)
                        .build())
                .withMessageContaining("dev.holdfast:transport-jdk");
    }
}
