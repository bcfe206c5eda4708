package dev.holdfast.gateway.internal.settings;

import dev.holdfast.AllowList;
import dev.holdfast.Bytes;
import dev.holdfast.core.config.ClientSettings;
import dev.holdfast.core.config.ConfigException;
import dev.holdfast.core.config.Key;
import dev.holdfast.core.config.Kinds;
import dev.holdfast.core.config.Schema;
import dev.holdfast.core.config.Section;
import dev.holdfast.gateway.internal.access.AccessKey;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The section {@code api-keys}. */
public final class AccessKeys {
    private static final long MOST = 1_000_000_000_000L;
    private static final int DIGEST_BYTES = 32;

    private static final Key<Bytes> SHA256 = Key.of(
            "sha256",
            Kinds.written("the SHA-256 of the key, 64 hexadecimal digits", AccessKeys::digest),
            "the key's digest");
    private static final Key<String> NAME = Key.of("name", Kinds.TEXT, "what reports call it");
    private static final Key<List<String>> MODELS =
            Key.of("models", Kinds.list(Kinds.TEXT), "the models it may ask for; all, if it is absent");
    private static final Key<Long> RPM = Key.of("rpm", Kinds.whole(1, MOST), "requests within any minute");
    private static final Key<Long> TPM =
            Key.of("tpm", Kinds.whole(1, MOST), "tokens within any minute, input and output together");
    private static final Key<BigDecimal> USD =
            Key.of("usd-per-day", Kinds.AMOUNT, "US dollars that its calls may cost a day, by UTC");
    private static final Key<Long> MAX_TOKENS =
            Key.of("max-tokens", Kinds.whole(1, MOST), "the most output tokens of a call; requests are lowered to it");
    private static final Key<List<String>> REGIONS =
            Key.of("allow-region", Kinds.list(Kinds.TEXT), "regions that its calls may go to; all, if it is absent");
    private static final Key<List<String>> VENDORS =
            Key.of("allow-vendor", Kinds.list(Kinds.TEXT), "vendors that its calls may go to; all, if it is absent");
    private static final Key<List<String>> RETENTIONS = Key.of(
            "allow-retention", Kinds.list(Kinds.TEXT), "retentions that its calls may meet; all, if it is absent");
    private static final Key<Boolean> PASS_THROUGH = Key.of(
                    "pass-through",
                    Kinds.FLAG,
                    "whether it may read and delete what else the endpoint has, by GET and DELETE: files, batches, all tenants'")
            .usually("false");
    private static final Schema SCHEMA = Schema.of(
            "a key of the gateway's own",
            SHA256,
            NAME,
            MODELS,
            RPM,
            TPM,
            USD,
            MAX_TOKENS,
            REGIONS,
            VENDORS,
            RETENTIONS,
            PASS_THROUGH);

    /** The key. */
    public static final Key<List<Section>> KEY = Key.of(
            "api-keys",
            Kinds.list(Kinds.section(SCHEMA)),
            "who may call the gateway; everyone on this machine, if it is absent");

    private AccessKeys() {}

    /**
     * {@return the keys, in the order of the file}
     *
     * @param root the configuration
     * @throws ConfigException if a key is twice, or names a model that is not there
     */
    public static List<AccessKey> read(Section root) {
        Set<String> models = ClientSettings.modelNames(root);
        var keys = new ArrayList<AccessKey>();
        var names = new HashSet<String>();
        var digests = new HashSet<Bytes>();
        for (Section section : root.get(KEY).orElse(List.of())) {
            root.attempt(() -> one(section))
                    .ifPresent(key -> root.attempt(() -> {
                        check(section, key, models, names, digests);
                        return keys.add(key);
                    }));
        }
        return List.copyOf(keys);
    }

    private static void check(
            Section section, AccessKey key, Set<String> models, Set<String> names, Set<Bytes> digests) {
        if (!names.add(key.name())) {
            throw section.refused(NAME, "a second key of that name (expected: another name)");
        }
        if (!digests.add(key.digest())) {
            throw section.refused(SHA256, "a second time (expected: another key)");
        }
        key.models().stream()
                .filter(model -> !models.contains(model))
                .sorted()
                .findFirst()
                .ifPresent(unknown -> {
                    throw section.refused(
                            MODELS,
                            unknown + " is not configured (expected: one of " + String.join(", ", models) + ")");
                });
    }

    private static AccessKey one(Section section) {
        return new AccessKey(
                section.require(NAME),
                section.require(SHA256),
                section.get(MODELS).map(Set::copyOf).orElse(Set.of()),
                number(section.get(RPM)),
                number(section.get(TPM)),
                section.get(USD),
                number(section.get(MAX_TOKENS)),
                new AllowList(names(section, REGIONS), names(section, VENDORS), names(section, RETENTIONS)),
                section.get(PASS_THROUGH).orElse(false));
    }

    private static Set<String> names(Section section, Key<List<String>> key) {
        return section.get(key).map(Set::copyOf).orElse(Set.of());
    }

    private static OptionalLong number(Optional<Long> value) {
        return value.map(OptionalLong::of).orElse(OptionalLong.empty());
    }

    /**
     * {@return a digest as sha256sum prints it}
     *
     * @param text as it is written
     * @throws IllegalArgumentException if it is none
     */
    public static Bytes digest(String text) {
        try {
            byte[] digest = HexFormat.of().parseHex(text.strip());
            if (digest.length == DIGEST_BYTES) {
                return Bytes.of(digest);
            }
        } catch (IllegalArgumentException e) {
            // said below, without what was read: it may be the key itself
        }
        throw new IllegalArgumentException("not a digest (expected: 64 hexadecimal digits, as sha256sum prints them)");
    }
}
