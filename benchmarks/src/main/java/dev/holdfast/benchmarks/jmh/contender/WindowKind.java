package dev.holdfast.benchmarks.jmh.contender;

/** What a breaker looks at. */
public enum WindowKind {
    /** Opens after 5 failures in a row; for who counts only windows: 5 of the last 5. */
    CONSECUTIVE(5, 100),
    /** Opens when at least 60 of the last 100 calls failed, and not before 100 calls. */
    COUNT(100, 60);

    private final int size;
    private final int percent;

    WindowKind(int size, int percent) {
        this.size = size;
        this.percent = percent;
    }

    int size() {
        return size;
    }

    int percent() {
        return percent;
    }
}
