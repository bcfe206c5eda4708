package dev.holdfast.core.internal.dialect;

import dev.holdfast.spi.Dialect;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The dialects a client knows by name: those given, then the built-in ones. */
public final class Dialects {
    private final Map<String, Dialect> byName;

    private Dialects(Map<String, Dialect> byName) {
        this.byName = byName;
    }

    /** The built-in dialects, and the given ones, which come first where two have one name. */
    public static Dialects with(Collection<? extends Dialect> given) {
        var byName = new LinkedHashMap<String, Dialect>();
        given.forEach(dialect -> byName.putIfAbsent(dialect.name(), dialect));
        byName.putIfAbsent(OpenAiDialect.NAME, new OpenAiDialect());
        return new Dialects(Collections.unmodifiableMap(byName));
    }

    /** The dialect of that name, else empty. */
    public Optional<Dialect> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** The dialect of that name. */
    public Dialect get(String name) {
        return find(name)
                .orElseThrow(() -> new IllegalArgumentException(
                        "dialect: " + name + " is not known (expected: one of " + byName.keySet() + ")"));
    }

    @Override
    public String toString() {
        return "Dialects" + byName.keySet();
    }
}
