package dev.holdfast.core.internal.config;

import dev.holdfast.core.config.ConfigException;
import dev.holdfast.core.config.Effective;
import dev.holdfast.core.config.Place;
import dev.holdfast.core.config.Variables;
import dev.holdfast.core.internal.config.Node.Scalar;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One reading of a configuration: fills variables in, and keeps what was asked for. Used by one thread. */
public final class Reading {
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}]*)}");
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    /** A shorter text is no key, and would be found in any words. */
    private static final int LEAST_HIDDEN = 4;

    private static final String OPEN = "${";
    private static final String FILE = "file:";
    private static final String OTHERWISE = ":-";

    private final Variables variables;
    private final Map<String, Effective> effective = new LinkedHashMap<>();
    private final Set<String> brought = new HashSet<>();
    private final Map<String, ConfigException> refused = new LinkedHashMap<>();
    private boolean collecting;

    /**
     * Begins a reading.
     *
     * @param variables what variables stand for
     */
    public Reading(Variables variables) {
        this.variables = variables;
    }

    /** The text of a scalar, variables filled in. What a variable brings is not looked through for more. */
    public String filledIn(String path, Scalar scalar) {
        Matcher matcher = VARIABLE.matcher(scalar.text());
        var text = new StringBuilder();
        while (matcher.find()) {
            matcher.appendReplacement(text, Matcher.quoteReplacement(value(path, scalar.place(), matcher.group(1))));
        }
        String rest = matcher.appendTail(new StringBuilder()).toString();
        if (rest.contains(OPEN)) {
            throw malformed(path, scalar.place());
        }
        String filled = text.append(rest).toString();
        if (!filled.equals(scalar.text()) && filled.length() >= LEAST_HIDDEN) {
            brought.add(filled);
        }
        return filled;
    }

    /** A text in an error, less what variables brought. */
    public String shown(String text) {
        String clean = text;
        for (String each : brought) {
            clean = clean.replace(each, "(hidden)");
        }
        return clean;
    }

    /** From now on what is refused is kept, to be told all at once. */
    public void collect() {
        collecting = true;
    }

    /** Whether what is refused is kept rather than thrown at once. */
    public boolean isCollecting() {
        return collecting;
    }

    /** Keeps what was refused. */
    public void refuse(ConfigException e) {
        refused.putIfAbsent(String.valueOf(e.getMessage()), e);
    }

    /** What was refused so far, each once. */
    public List<ConfigException> refused() {
        return List.copyOf(refused.values());
    }

    private static ConfigException malformed(String path, Place place) {
        return new ConfigException(
                place,
                path + ": ${…} of no known form (expected: ${VARIABLE}, ${VARIABLE:-otherwise} or ${file:/path})");
    }

    private String value(String path, Place place, String variable) {
        if (variable.contains(OPEN)) {
            throw malformed(path, place);
        }
        if (variable.startsWith(FILE)) {
            return ofFile(path, place, variable.substring(FILE.length()));
        }
        int border = variable.indexOf(OTHERWISE);
        String name = border < 0 ? variable : variable.substring(0, border);
        if (!NAME.matcher(name).matches()) {
            throw malformed(path, place);
        }
        Optional<String> value = variables.environment(name).filter(set -> !set.isEmpty());
        if (value.isEmpty() && border >= 0) {
            return variable.substring(border + OTHERWISE.length());
        }
        return value.orElseThrow(() -> new ConfigException(
                place,
                path + ": " + name + " is not set (expected: set it in the environment, or write ${" + name
                        + ":-otherwise})"));
    }

    private String ofFile(String path, Place place, String file) {
        try {
            return variables.file(file).stripTrailing();
        } catch (IOException e) {
            throw new ConfigException(
                    place, path + ": " + file + " cannot be read (expected: a file that this process may read)", e);
        }
    }

    /** Keeps what a file set. */
    public void set(String path, String text, Place place) {
        effective.put(path, new Effective(path, Masks.hide(text), Optional.of(place)));
    }

    /** Keeps what holds where nothing was set. */
    public void usual(String path, String text) {
        effective.putIfAbsent(path, new Effective(path, text, Optional.empty()));
    }

    /** What was asked for, in the order it was. */
    public List<Effective> effective() {
        return List.copyOf(effective.values());
    }
}
