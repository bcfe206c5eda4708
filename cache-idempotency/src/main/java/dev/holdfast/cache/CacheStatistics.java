package dev.holdfast.cache;

/**
 * What a {@link ResponseCaching} did since it was made. The counts are taken one after the other while calls go on.
 *
 * @param hits calls answered from the store
 * @param misses calls that were made, since nothing was stored or the call wanted nothing stored
 * @param joined calls that shared another one in flight
 * @param stale calls that failed and were answered by an answer past its time; each is a miss or joined too
 * @param bypassed calls that do not use the cache
 * @param stored answers that were stored
 * @param notStored answers to calls that store, which were delivered and not stored: not complete and good, or too heavy, or
 *     purged meanwhile
 * @param storeFailures how often the store threw
 */
public record CacheStatistics(
        long hits,
        long misses,
        long joined,
        long stale,
        long bypassed,
        long stored,
        long notStored,
        long storeFailures) {
    /** {@return the share of the calls that use the cache which did not have to be made, from 0 to 1; 0 before the first} */
    public double savedRate() {
        long all = hits + misses + joined;
        return all == 0 ? 0 : (double) (hits + joined) / all;
    }
}
