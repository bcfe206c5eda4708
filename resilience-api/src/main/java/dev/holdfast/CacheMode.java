package dev.holdfast;

/** How a call uses the response cache, where one is configured. */
public enum CacheMode {
    /** Replay and store answers to requests that ask for no randomness (temperature 0). */
    DETERMINISTIC_ONLY,
    /** Replay and store every complete good answer. */
    ALL,
    /** Replay, store nothing. */
    READ_ONLY,
    /** Store, replay nothing. */
    WRITE_ONLY,
    /** Ask anew and replace what is stored. */
    REFRESH,
    /** Neither replay nor store. */
    OFF
}
