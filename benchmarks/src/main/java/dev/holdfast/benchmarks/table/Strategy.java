package dev.holdfast.benchmarks.table;

import dev.holdfast.simulation.lab.LabPolicy;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The rows of the table: what a client does about failures, and what was published of it. */
public enum Strategy {
    /** One attempt. */
    NONE("none"),
    /** Four attempts, 1 s apart. */
    FIXED("fixed"),
    /** Four attempts after 1, 2 and 4 s. */
    EXPONENTIAL("exponential"),
    /** The same times a factor from 0.5 to 1.5. */
    EXPONENTIAL_JITTER("exponential-jitter"),
    /** The next model at once, each once. */
    SMART_ROUTING("smart-routing"),
    /** What a client does if nobody sets anything. */
    DEFAULTS("defaults"),
    /** The preset for several models. */
    ADAPTIVE("adaptive");

    private final String title;

    Strategy(String title) {
        this.title = title;
    }

    /** The published ones. */
    public static List<Strategy> publishedOnes() {
        return Arrays.stream(values())
                .filter(each -> each.published().isPresent())
                .toList();
    }

    /** The row's name. */
    public String title() {
        return title;
    }

    /** What the client is told: the policy of the same name. */
    public LabPolicy policy() {
        return LabPolicy.named(title);
    }

    /** What was published. */
    public Optional<Figures> published() {
        return Figures.published(this);
    }
}
