package dev.holdfast.benchmarks.table;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonNull;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.benchmarks.table.StrategyTable.Plan;
import dev.holdfast.benchmarks.table.StrategyTable.Row;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.stream.Stream;

/** The published rows of the table for machines: the same table gives the same bytes. */
public final class TableJson {
    private static final int DECIMALS = 3;

    private TableJson() {}

    /** The document: the published strategies, then what stands beside them. */
    public static JsonObject of(StrategyTable table) {
        Plan plan = table.plan();
        return JsonObject.of("profile", JsonValue.of(plan.profile().name()))
                .with("requests", JsonValue.of(plan.requests()))
                .with("seeds", JsonValue.of(Math.max(1, table.seedsDone())))
                .with("strategies", rows(plan, table.rows(), true))
                .with("beside", rows(plan, table.rows(), false))
                .with("limiter", array(table.limiterRows().stream().map(TableJson::row)))
                .with("adaptiveLess", paired(table));
    }

    private static JsonArray rows(Plan plan, List<Row> rows, boolean published) {
        return array(rows.stream()
                .filter(row -> row.strategy().published().isPresent() == published)
                .map(row -> published ? row(row).with("published", published(plan, row)) : row(row)));
    }

    private static JsonValue published(Plan plan, Row row) {
        return row.strategy()
                .published()
                .filter(figures -> plan.isPublished())
                .<JsonValue>map(TableJson::published)
                .orElse(JsonNull.NULL);
    }

    private static JsonObject row(Row row) {
        return cells(JsonObject.of("name", JsonValue.of(row.strategy().title())), row.mean())
                .with("stdev", cells(JsonObject.empty(), row.deviation()));
    }

    private static JsonArray paired(StrategyTable table) {
        List<Paired> differences = table.row(Strategy.ADAPTIVE)
                .map(row -> Paired.of(row, table.rows()))
                .orElse(List.of());
        return array(differences.stream()
                .map(each -> cells(
                                JsonObject.of("name", JsonValue.of(each.than().title())), each.mean())
                        .with("error", cells(JsonObject.empty(), each.error()))));
    }

    private static JsonArray array(Stream<JsonObject> documents) {
        return new JsonArray(documents.map(JsonValue.class::cast).toList());
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

    private static JsonObject published(Figures published) {
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
