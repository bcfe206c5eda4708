package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HeadersTest {
    private final Headers headers = Headers.of("Accept", "a", "X-Two", "1", "x-two", "2");

    @Test
    void fieldsSetTogetherComeLastAndReplaceThoseOfTheirNamesInAnyCase() {
        Headers set = headers.withAll("X-TWO", "3", "X-New", "4");

        assertThat(set.fields())
                .containsExactly(Map.entry("Accept", "a"), Map.entry("X-TWO", "3"), Map.entry("X-New", "4"));
        assertThat(set).isEqualTo(headers.with("X-TWO", "3").with("X-New", "4"));
        assertThat(headers.all("x-two")).containsExactly("1", "2");
    }

    @Test
    void aNameWithoutItsValueIsRefused() {
        assertThatThrownBy(() -> headers.withAll("X-New"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("namesAndValues");
    }

    @Test
    void entriesThatChangeLaterChangeNoHeaders() {
        var entry = new java.util.AbstractMap.SimpleEntry<>("Accept", "a");
        Headers copied = Headers.of(List.of(entry));

        entry.setValue("b");

        assertThat(copied.first("accept")).contains("a");
    }
}
