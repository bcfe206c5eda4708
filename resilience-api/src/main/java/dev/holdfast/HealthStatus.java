package dev.holdfast;

/** How an endpoint does, or a model on it. */
public enum HealthStatus {
    /** Nothing speaks against it. */
    HEALTHY,
    /** It answers, but slowly, not always, or with a mark against it, such as a refused key: healthy ones are preferred. */
    DEGRADED,
    /** It failed too often in a row: it is used last, and returns after enough good answers. */
    UNHEALTHY
}
