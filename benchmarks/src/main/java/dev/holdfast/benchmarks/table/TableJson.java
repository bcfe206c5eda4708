package dev.holdfast.benchmarks.table;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonNull;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.benchmarks.table.Strategy.Published;
import dev.holdfast.benchmarks.table.StrategyTable.Plan;
import dev.holdfast.benchmarks.table.StrategyTable.Row;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The published rows of the table for machines: the same table gives the same bytes. */
public final class TableJson {
    private static final int DECIMALS = 3;

    private TableJson() {}

    /** The document. */
    public static JsonObject of(StrategyTable table) {
        Plan plan = table.plan();
        var rows = table.rows().stream()
                .filter(row -> !row.strategy().shipped())
                .map(row -> (JsonValue) row(plan, row))
                .toList();
        return JsonObject.of("profile", JsonValue.of(plan.profile()))
                .with("requests", JsonValue.of(plan.requests()))
                .with("seeds", JsonValue.of(plan.seeds()))
                .with("strategies", new JsonArray(rows));
    }

    /** Writes a document so that nobody ever sees half of it. */
    public static void write(JsonObject document, Path file) throws IOException {
        String text = document.toJson() + "\n";
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            // A pipe or a device: there is nothing to replace.
            Files.writeString(file, text);
            return;
        }
        Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
        Path half = Files.createTempFile(target.getParent(), ".holdfast-", ".json");
        try {
            Files.writeString(half, text);
            Files.move(half, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(half);
        }
    }

    private static JsonObject row(Plan plan, Row row) {
        var published =
                row.strategy().published().filter(figures -> plan.trace().isEmpty());
        return cells(JsonObject.of("name", JsonValue.of(row.strategy().title())), row.mean())
                .with("stdev", cells(JsonObject.empty(), row.deviation()))
                .with(
                        "published",
                        published.<JsonValue>map(TableJson::published).orElse(JsonNull.NULL));
    }

    private static JsonObject cells(JsonObject to, Cells cells) {
        return to.with("meanMs", number(cells.meanMs()))
                .with("p50Ms", number(cells.p50Ms()))
                .with("p95Ms", number(cells.p95Ms()))
                .with("p99Ms", number(cells.p99Ms()))
                .with("maxMs", number(cells.maxMs()))
                .with("successPct", number(cells.successPct()))
                .with("costPct", number(cells.costPct()));
    }

    private static JsonObject published(Published published) {
        return JsonObject.of("meanMs", number(published.meanMs()))
                .with("maxMs", number(published.maxMs()))
                .with("successPct", number(published.successPct()))
                .with("costPct", number(published.costPct()));
    }

    private static JsonValue number(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return JsonNull.NULL;
        }
        BigDecimal rounded = BigDecimal.valueOf(value).setScale(DECIMALS, RoundingMode.HALF_EVEN);
        return new JsonValue.JsonNumber(
                rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString());
    }
}
