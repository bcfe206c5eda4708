package dev.holdfast.tests.peers;

import java.util.ArrayList;
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
    private final Map<String, String> unsaid = new LinkedHashMap<>();

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

    /** A promise whose outcome with a library says nothing, since it hangs on the machine's clock or on chance. */
    ContractTable leavingOut(String library, String promise) {
        unsaid.put(libraries.get(library) + "." + promise, library);
        return this;
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
                Outcome outcome = unsaid.containsKey(each + "." + promise)
                        ? Outcome.NOT_APPLICABLE
                        : trial.of(each).getOrDefault(promise, Outcome.NOT_APPLICABLE);
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
