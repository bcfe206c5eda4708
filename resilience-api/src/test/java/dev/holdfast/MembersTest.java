package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.holdfast.JsonValue.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class MembersTest {
    private static final JsonValue ONE = JsonValue.of(1);

    @Property
    void anObjectHasWhatAMapInOrderHas(@ForAll @Size(max = 40) List<@IntRange(max = 25) Integer> names) {
        var expected = new LinkedHashMap<String, JsonValue>();
        JsonObject object = JsonObject.empty();
        JsonObject.Builder builder = JsonObject.builder();
        for (int i = 0; i < names.size(); i++) {
            String name = "n" + names.get(i);
            assertThat(builder.has(name)).isEqualTo(expected.containsKey(name));
            expected.put(name, JsonValue.of(i));
            object = object.with(name, JsonValue.of(i));
            builder.with(name, JsonValue.of(i));
        }
        for (JsonObject each : List.of(object, builder.build(), new JsonObject(expected), JsonValue.object(expected))) {
            assertThat(each.members())
                    .isEqualTo(expected)
                    .hasSameHashCodeAs(expected)
                    .hasToString(expected.toString());
            assertThat(expected).isEqualTo(each.members());
            assertThat(new ArrayList<>(each.members().entrySet())).isEqualTo(new ArrayList<>(expected.entrySet()));
            assertThat(new ArrayList<>(each.members().keySet())).isEqualTo(new ArrayList<>(expected.keySet()));
            assertThat(new ArrayList<>(each.members().values())).isEqualTo(new ArrayList<>(expected.values()));
            assertThat(new ArrayList<>(each.members().reversed().entrySet()))
                    .isEqualTo(new ArrayList<>(expected.reversed().entrySet()));
            for (int i = 0; i <= 25; i++) {
                assertThat(each.get("n" + i)).isEqualTo(Optional.ofNullable(expected.get("n" + i)));
                assertThat(each.members().containsKey("n" + i)).isEqualTo(expected.containsKey("n" + i));
            }
        }
    }

    @Property
    void whatIsBuiltDoesNotChangeWithItsBuilder(@ForAll @IntRange(max = 20) int size) {
        JsonObject.Builder builder = JsonObject.builder();
        for (int i = 0; i < size; i++) {
            builder.with("n" + i, ONE);
        }
        JsonObject before = builder.build();
        String text = before.toJson();
        JsonObject.Builder goingOn =
                before.toBuilder().with("n0", JsonValue.of(3)).with("other", ONE);
        builder.with("n0", JsonValue.of(2)).with("more", ONE);
        JsonObject after = builder.build();
        builder.with("n1", JsonValue.of(4)).with("most", ONE);

        assertThat(before.toJson()).isEqualTo(text);
        assertThat(before.members()).hasSize(size).doesNotContainKeys("more", "other");
        assertThat(after.longValue("n0")).hasValue(2);
        assertThat(after.get("most")).isEmpty();
        assertThat(goingOn.build().longValue("n0")).hasValue(3);
        assertThat(goingOn.build().get("more")).isEmpty();
    }

    @Test
    void aMapThatWasGivenMayChangeAfterwards() {
        var map = new LinkedHashMap<String, JsonValue>();
        map.put("a", ONE);
        var object = new JsonObject(map);
        map.put("b", ONE);
        assertThat(object.members()).containsOnlyKeys("a");
    }

    @Test
    void membersCannotBeChanged() {
        for (JsonObject object : List.of(JsonObject.of("a", ONE), many(100))) {
            SequencedMap<String, JsonValue> members = object.members();
            String name = members.firstEntry().getKey();
            refused(() -> members.put("b", ONE));
            refused(() -> members.putFirst("b", ONE));
            refused(() -> members.remove(name));
            refused(members::clear);
            refused(members::pollFirstEntry);
            refused(() -> members.keySet().remove(name));
            refused(() -> members.values().clear());
            refused(() -> members.reversed().clear());
            refused(() -> members.entrySet().iterator().next().setValue(ONE));
            refused(() -> members.replaceAll((each, value) -> value));
        }
    }

    @Test
    void aMemberWithoutNameOrValueIsRefused() {
        var map = new LinkedHashMap<String, JsonValue>();
        map.put("a", null);
        assertThatNullPointerException().isThrownBy(() -> new JsonObject(map));
        assertThat(JsonObject.of("a", ONE).members().get(null)).isNull();
        assertThat(many(100).members().containsKey(null)).isFalse();
    }

    @Test
    void namesThatCollideCostNoMoreThanOthers() {
        JsonObject.Builder builder = JsonObject.builder();
        for (int i = 0; i < 1 << 15; i++) {
            builder.with(colliding(i), ONE);
        }
        assertThat(builder.build().members()).hasSize(1 << 15);
        assertThat(builder.has(colliding(77))).isTrue();
    }

    /** "Aa" and "BB" have the same hash code, and so has whatever is made of them. */
    private static String colliding(int bits) {
        var name = new StringBuilder();
        for (int i = 0; i < 15; i++) {
            name.append((bits >> i & 1) == 0 ? "Aa" : "BB");
        }
        return name.toString();
    }

    private static JsonObject many(int count) {
        JsonObject.Builder builder = JsonObject.builder();
        for (int i = 0; i < count; i++) {
            builder.with("n" + i, ONE);
        }
        return builder.build();
    }

    private static void refused(Runnable change) {
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(change::run);
    }
}
