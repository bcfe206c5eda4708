package dev.holdfast.core.internal.call;

import dev.holdfast.Target;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The idempotency keys of one call: one for each target, the same on every attempt there. A caller's key stands as it is on
 * the first target that is tried; a later target, which would be another execution, gets the key and its own digest.
 */
final class IdempotencyKeys {
    private static final AtomicReferenceFieldUpdater<IdempotencyKeys, @Nullable Target> FIRST =
            AtomicReferenceFieldUpdater.newUpdater(IdempotencyKeys.class, Target.class, "first");

    private final String key;
    private volatile @Nullable Target first;

    IdempotencyKeys(Optional<String> callersKey, String callId) {
        this.key = callersKey.orElse(callId);
    }

    String keyFor(Target target) {
        FIRST.compareAndSet(this, null, target);
        return target.equals(first) ? key : key + '-' + digest(target.toString());
    }

    private static String digest(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }
}
