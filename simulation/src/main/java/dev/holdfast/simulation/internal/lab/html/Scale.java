package dev.holdfast.simulation.internal.lab.html;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.DoubleUnaryOperator;

/**
 * From values to places, with round ticks.
 *
 * @param at the place of a value
 * @param ticks where a label stands
 */
record Scale(DoubleUnaryOperator at, List<Tick> ticks) {
    /** A labelled value. */
    record Tick(double at, String label) {}

    /** The space that labels need. */
    private static final double PER_TICK = 64;

    private static final double PER_ROW = 34;

    double of(double value) {
        return at.applyAsDouble(value);
    }

    /** Values that grow evenly; the ends are rounded to ticks. */
    static Scale linear(double low, double high, double from, double to, DoubleFunction<String> label) {
        double range = Math.max(high - low, Math.max(1e-9, Math.abs(high) * 1e-3));
        double most = Math.max(1, Math.abs(to - from) / (from < to ? PER_TICK : PER_ROW));
        double step = roundStep(range / most);
        while (Math.ceil(high / step - 1e-9) - Math.floor(low / step + 1e-9) > most) {
            step = roundStep(step * 1.1);
        }
        double first = Math.floor(low / step + 1e-9) * step;
        double last = Math.max(first + step, Math.ceil(high / step - 1e-9) * step);
        DoubleUnaryOperator at = value -> from + (value - first) / (last - first) * (to - from);
        var ticks = new ArrayList<Tick>();
        for (int i = 0; i <= Math.rint((last - first) / step); i++) {
            double value = first + i * step;
            ticks.add(new Tick(at.applyAsDouble(value), label.apply(value)));
        }
        return new Scale(at, List.copyOf(ticks));
    }

    /** Values that grow evenly from one end to the other, with ticks only where they are round. */
    static Scale within(double low, double high, double from, double to, DoubleFunction<String> label) {
        double step = roundStep((high - low) / Math.max(2, (int) (Math.abs(to - from) / PER_TICK)));
        DoubleUnaryOperator at = value -> from + (value - low) / (high - low) * (to - from);
        var ticks = new ArrayList<Tick>();
        for (double i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9; i++) {
            ticks.add(new Tick(at.applyAsDouble(i * step), label.apply(i * step)));
        }
        return new Scale(at, List.copyOf(ticks));
    }

    /** The smallest round number that is not smaller, for the end of a scale of counts. */
    static double roundEnd(double least) {
        double step = roundStep(Math.max(1, least / 4));
        return step * Math.max(1, Math.ceil(least / step - 1e-9));
    }

    /** The smallest of 1, 2 and 5 times a power of ten that is not smaller. */
    static double roundStep(double least) {
        double power = StrictMath.pow(10, Math.floor(StrictMath.log10(least)));
        for (double factor : new double[] {1, 2, 5}) {
            if (factor * power >= least * (1 - 1e-9)) {
                return factor * power;
            }
        }
        return 10 * power;
    }

    /** Times on a logarithmic scale, in milliseconds: ticks at 1, 2 and 5 as far as they have space. */
    static Scale times(double low, double high, double from, double to) {
        double first = below(Math.max(1, low));
        double last = Math.max(above(high), 2 * first);
        DoubleUnaryOperator at = log(first, last, from, to);
        double perDecade = Math.abs(to - from) / StrictMath.log10(last / first);
        int[] factors = perDecade > 3 * PER_TICK
                ? new int[] {1, 2, 5}
                : perDecade > 1.6 * PER_TICK ? new int[] {1, 3} : new int[] {1};
        return new Scale(at, ticks(first, last, factors, at, Scale::time));
    }

    /** Successes in percent, on a logarithmic scale of the failures: as far from 99 to 99.9 as from 90 to 99. */
    static Scale successes(double low, double high, double from, double to) {
        double most = above(Math.max(100 - low, 0.02));
        double least = below(Math.max(100 - high, 0.01));
        double first = least == most ? least / 2 : least;
        boolean isCut = 100 - high < 0.9999 * first; // no failure at all has no place on such a scale
        DoubleUnaryOperator failures = log(most, first, from, to);
        double perDecade = Math.abs(to - from) / StrictMath.log10(most / first);
        // Between 5 and 10 lies less than a third of a decade.
        double space = from < to ? PER_TICK : 22;
        int[] factors = perDecade > 3 * space
                ? new int[] {1, 2, 5}
                : perDecade > 2.6 * space ? new int[] {1, 5} : new int[] {1};
        return new Scale(
                success -> failures.applyAsDouble(Math.max(first, 100 - success)),
                ticks(
                        first,
                        most,
                        factors,
                        failures,
                        failed -> (isCut && failed < 1.0001 * first ? "≥ " : "") + plain(100 - failed) + " %"));
    }

    private static DoubleUnaryOperator log(double first, double last, double from, double to) {
        return value -> from
                + StrictMath.log(Math.max(value, Math.min(first, last)) / first)
                        / StrictMath.log(last / first)
                        * (to - from);
    }

    private static List<Tick> ticks(
            double first, double last, int[] factors, DoubleUnaryOperator at, DoubleFunction<String> label) {
        var ticks = new ArrayList<Tick>();
        for (int power = (int) Math.floor(StrictMath.log10(first) + 1e-9);
                StrictMath.pow(10, power) <= last * 1.0001;
                power++) {
            for (int factor : factors) {
                double value = new BigDecimal(factor).scaleByPowerOfTen(power).doubleValue();
                if (value >= first * 0.9999 && value <= last * 1.0001) {
                    ticks.add(new Tick(at.applyAsDouble(value), label.apply(value)));
                }
            }
        }
        return List.copyOf(ticks);
    }

    private static double below(double value) {
        double power = StrictMath.pow(10, Math.floor(StrictMath.log10(value) + 1e-9));
        double factor = value >= 5 * power * 0.9999 ? 5 : value >= 2 * power * 0.9999 ? 2 : 1;
        return factor * power;
    }

    private static double above(double value) {
        return roundStep(value);
    }

    /** A time in the unit that suits it. */
    static String time(double ms) {
        return ms < 1_000 ? plain(ms) + " ms" : plain(ms / 1_000) + " s";
    }

    /** A number without needless digits. */
    static String plain(double value) {
        BigDecimal rounded = BigDecimal.valueOf(Math.rint(value * 1e6) / 1e6).stripTrailingZeros();
        return rounded.signum() == 0 ? "0" : rounded.toPlainString();
    }
}
