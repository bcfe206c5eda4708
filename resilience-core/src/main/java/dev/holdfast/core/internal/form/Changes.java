package dev.holdfast.core.internal.form;

import dev.holdfast.Adjustment;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.core.internal.form.Conversation.OutputFormat;
import dev.holdfast.core.internal.form.Part.Media;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What had to change in a request. Used by one thread. */
final class Changes {
    static final String DROPPED = "dropped: the target's form has no word for it";
    /** A conversation may be long: what would be more than anyone reads is only counted. */
    private static final int MOST = 200;

    private final Set<Adjustment> told = new LinkedHashSet<>();
    private int untold;

    void note(Place where, String what) {
        var adjustment = new Adjustment(where.toString(), what);
        if (told.size() < MOST) {
            told.add(adjustment);
        } else if (!told.contains(adjustment)) {
            untold++;
        }
    }

    void dropped(Place where) {
        note(where, DROPPED);
    }

    /** The members that only the source's form knows. A null says nothing and is not missed. */
    void dropped(Origin origin) {
        JsonObject rest = origin.rest();
        rest.members().forEach((name, value) -> {
            if (!value.isNull()) {
                dropped(origin.place().member(name));
            }
        });
    }

    /** What a schema is named, described and kept to by, where the target takes the schema alone and always keeps to it. */
    void droppedAbout(OutputFormat format) {
        if (format.schema().isPresent() && !format.strict().orElse(true)) {
            Place strict = format.origin().place().member("json_schema").member("strict");
            note(strict, "dropped: the target always keeps to the schema");
        }
        if (format.schema().isPresent()
                && (format.name().isPresent() || format.description().isPresent())) {
            note(format.origin().place(), "name and description dropped: the target takes the schema alone");
        }
    }

    /** The media type of what is fetched from elsewhere, unless its address tells it anyway. */
    void droppedMediaType(Media media) {
        if (media.source() instanceof Media.Remote(String url, Optional<String> type)
                && type.isPresent()
                && !type.equals(GeminiParts.typeOf(url))) {
            note(media.origin().place(), "media type dropped: the target goes by what the address serves");
        }
    }

    /** What a part says beside its content, where the target's form has no word for any of it. */
    void droppedWithHints(Origin origin) {
        dropped(origin);
        droppedHint(origin);
        droppedSignature(origin);
    }

    void droppedHint(Origin origin) {
        if (origin.cacheControl().filter(hint -> !hint.isNull()).isPresent()) {
            note(origin.place().member("cache_control"), "dropped: the target caches prompts by itself");
        }
    }

    void droppedSignature(Origin origin) {
        origin.signature()
                .ifPresent(signature ->
                        note(origin.place(), "signature dropped: only " + signature.issuer() + " can read it"));
    }

    List<Adjustment> list() {
        if (untold == 0) {
            return List.copyOf(told);
        }
        var all = new ArrayList<>(told);
        all.add(new Adjustment("", untold + " more changes"));
        return List.copyOf(all);
    }
}
