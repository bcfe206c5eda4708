package dev.holdfast.core.internal.form;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonNumber;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.JsonValue.JsonString;
import dev.holdfast.core.internal.form.Conversation.Placed;
import dev.holdfast.core.internal.form.Conversation.Setting;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the settings of a conversation one by one; what nobody wrote is reported. Used by one thread. */
final class Settings {
    private final Map<Setting, Placed> left = new EnumMap<>(Setting.class);
    private final Changes changes;

    Settings(Map<Setting, Placed> all, Changes changes) {
        left.putAll(all);
        this.changes = changes;
    }

    @Nullable
    Placed take(Setting setting) {
        return left.remove(setting);
    }

    boolean has(Setting setting) {
        return left.containsKey(setting);
    }

    void write(Setting setting, String name, JsonObject.Builder into) {
        Placed value = take(setting);
        if (value != null) {
            into.with(name, value.value());
        }
    }

    /** Writes a number, at most so large. */
    void writeUpTo(Setting setting, String name, long most, JsonObject.Builder into) {
        Placed value = take(setting);
        if (value == null) {
            return;
        }
        boolean over = value.value() instanceof JsonNumber number && isOver(number, most);
        if (over) {
            changes.note(value.place(), "clamped to " + most);
        }
        into.with(name, over ? JsonValue.of(most) : value.value());
    }

    /** Writes the cap on tokens, at most the model's own. */
    void writeCap(String name, Addressee addressee, JsonObject.Builder into) {
        writeUpTo(Setting.MAX_TOKENS, name, addressee.maxOutput().orElse(Long.MAX_VALUE), into);
    }

    private static boolean isOver(JsonNumber number, long most) {
        try {
            return number.decimal().compareTo(BigDecimal.valueOf(most)) > 0;
        } catch (ArithmeticException e) {
            return true;
        }
    }

    /** Writes the texts that end an answer, at most so many. */
    void writeStops(String name, int most, boolean blankAllowed, JsonObject.Builder into) {
        Placed value = take(Setting.STOP);
        if (value == null) {
            return;
        }
        List<JsonValue> stops = value.value() instanceof JsonString one
                ? List.of(one)
                : value.value().asList();
        List<JsonValue> told = stops.stream()
                .filter(stop -> blankAllowed
                        || stop.asText().filter(text -> !text.isBlank()).isPresent())
                .limit(most)
                .toList();
        if (told.size() < stops.size()) {
            changes.note(
                    value.place(),
                    (stops.size() - told.size()) + " of " + stops.size() + " dropped: the target takes "
                            + (told.size() == most ? "no more" : "none that is blank"));
        }
        if (!told.isEmpty()) {
            into.with(name, new JsonArray(told));
        }
    }

    void drop(Setting setting, String why) {
        Placed value = take(setting);
        if (value != null) {
            changes.note(value.place(), "dropped: " + why);
        }
    }

    /** Reports what is left. Settings that say what happens anyway are not missed. */
    void reportRest() {
        left.forEach((setting, value) -> {
            boolean saysNothing =
                    switch (setting) {
                        case CHOICES -> value.value().asLong().orElse(0) == 1;
                        case LOGPROBS -> !value.value().isTrue();
                        case STREAM, STREAM_USAGE -> true;
                        default -> false;
                    };
            if (!saysNothing) {
                changes.dropped(value.place());
            }
        });
    }
}
