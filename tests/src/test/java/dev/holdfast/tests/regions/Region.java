package dev.holdfast.tests.regions;

/** Where a provider serves from, and how long it usually takes to answer. */
enum Region {
    US(400),
    EU(450),
    AP(500);

    private final int usualMillis;

    Region(int usualMillis) {
        this.usualMillis = usualMillis;
    }

    int usualMillis() {
        return usualMillis;
    }

    /** Its name as an endpoint. */
    String endpoint() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
