package dev.holdfast.simulation.internal.lab;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonNull;
import dev.holdfast.JsonValue.JsonNumber;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** Numbers for machines: rounded to three decimals, so that the same report has the same bytes. */
public final class Decimals {
    private static final int DECIMALS = 3;

    private Decimals() {}

    /** The number; empty where it is none. */
    public static String text(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return "";
        }
        BigDecimal rounded = BigDecimal.valueOf(value).setScale(DECIMALS, RoundingMode.HALF_EVEN);
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }

    /** The number; null where it is none. */
    public static JsonValue json(double value) {
        String text = text(value);
        return text.isEmpty() ? JsonNull.NULL : new JsonNumber(text);
    }
}
