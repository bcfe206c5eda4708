package dev.holdfast.tests.peers;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** One contract and who is tried by it, as a table in Markdown: a promise a row, a library a column. */
final class ContractTable {
    private final String name;
    private final Map<String, String> libraries = new LinkedHashMap<>();
    private final Set<String> unasked = new HashSet<>();

    ContractTable(String name) {
        this.name = name;
    }

    /** The name between the page's marks. */
    String name() {
        return name;
    }

    ContractTable with(String library, Class<?> contract) {
        return with(library, contract.getName());
    }

    ContractTable with(String library, String className) {
        libraries.put(library, className);
        return this;
    }

    /** Promises that a library is not asked for, since its answer would hang on the machine's clock or on chance. */
    ContractTable withoutAsking(String library, String... promises) {
        List.of(promises).forEach(each -> unasked.add(libraries.get(library) + "." + each));
        return this;
    }

    Set<String> unasked() {
        return unasked;
    }

    Iterable<String> classes() {
        return libraries.values();
    }

    List<String> lines(Trial trial) {
        Set<String> promises = new TreeSet<>();
        libraries.values().forEach(each -> promises.addAll(trial.of(each).keySet()));
        List<String> lines = new ArrayList<>();
        lines.add("| promise | " + String.join(" | ", libraries.keySet()) + " |");
        lines.add("| --- |" + " --- |".repeat(libraries.size()));
        for (String promise : promises) {
            var line = new StringBuilder("| ").append(words(promise)).append(" |");
            for (String each : libraries.values()) {
                Outcome outcome = trial.of(each).getOrDefault(promise, Outcome.NOT_APPLICABLE);
                line.append(' ').append(outcome.cell()).append(" |");
            }
            lines.add(line.toString());
        }
        return lines;
    }

    private static String words(String camelCase) {
        return camelCase.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT).strip();
    }
}
