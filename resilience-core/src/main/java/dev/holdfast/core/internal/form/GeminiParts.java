package dev.holdfast.core.internal.form;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.core.internal.form.Part.Media;
import dev.holdfast.core.internal.form.Part.Refusal;
import dev.holdfast.core.internal.form.Part.Text;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Writes parts of another form as Gemini's parts. */
final class GeminiParts {
    /** A part by URI says its media type; where nobody did, the name's end does. */
    private static final Map<String, String> TYPES = Map.of(
            "png", "image/png",
            "jpg", "image/jpeg",
            "jpeg", "image/jpeg",
            "gif", "image/gif",
            "webp", "image/webp",
            "pdf", "application/pdf",
            "mp3", "audio/mp3",
            "wav", "audio/wav",
            "mp4", "video/mp4");

    private final Changes changes;

    GeminiParts(Changes changes) {
        this.changes = changes;
    }

    /** The part; empty if there is nothing to say, or nothing that the target can be told. */
    Optional<JsonObject> write(Part part) {
        return switch (part) {
            case Text text -> text(text);
            case Media media -> media(media);
            case Refusal refusal -> {
                changes.note(refusal.origin().place(), "said as text: the target has no refusals");
                yield refusal.text().isEmpty() ? Optional.empty() : Optional.of(text(refusal.text()));
            }
            default -> {
                changes.dropped(part.origin().place());
                yield Optional.empty();
            }
        };
    }

    static JsonObject text(String text) {
        return JsonObject.of("text", JsonValue.of(text));
    }

    private Optional<JsonObject> text(Text part) {
        changes.dropped(part.origin());
        changes.droppedHint(part.origin());
        boolean own = GeminiTurns.isOwn(part.origin().signature());
        if (!own) {
            changes.droppedSignature(part.origin());
        }
        if (part.text().isEmpty()) {
            return Optional.empty();
        }
        JsonObject written = text(part.text());
        return Optional.of(
                own
                        ? written.with(
                                "thoughtSignature",
                                JsonValue.of(part.origin().signature().get().value()))
                        : written);
    }

    private Optional<JsonObject> media(Media media) {
        Place place = media.origin().place();
        changes.dropped(media.origin());
        changes.droppedHint(media.origin());
        changes.droppedSignature(media.origin());
        media.detail().ifPresent(detail -> changes.note(place, "detail dropped: the target looks as it likes"));
        media.name().ifPresent(name -> changes.note(place, "name dropped"));
        Optional<JsonObject> written =
                switch (media.source()) {
                    case Media.Inline(String type, String data) -> Optional.of(inline(type, data));
                    case Media.Plain(String text) -> Optional.of(inline("text/plain", Texts.base64(text)));
                    case Media.Remote(String url, var type) ->
                        Optional.of(file(url, type.orElse(typeOf(url, media.kind()))));
                    case Media.Uploaded uploaded -> Optional.empty();
                };
        if (written.isEmpty()) {
            changes.note(place, "dropped: another provider keeps this medium");
        }
        return written;
    }

    /** The media type that the end of an address tells. */
    static Optional<String> typeOf(String url) {
        String path = url.split("[?#]", 2)[0];
        String end = path.substring(path.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return Optional.ofNullable(TYPES.get(end));
    }

    private static String typeOf(String url, Media.Kind kind) {
        return typeOf(url)
                .orElse(
                        switch (kind) {
                            case IMAGE -> "image/jpeg";
                            case AUDIO -> "audio/mp3";
                            case VIDEO -> "video/mp4";
                            case DOCUMENT -> "application/pdf";
                        });
    }

    private static JsonObject inline(String type, String data) {
        return JsonObject.of(
                "inlineData",
                JsonObject.builder()
                        .with("mimeType", JsonValue.of(type))
                        .with("data", JsonValue.of(data))
                        .build());
    }

    private static JsonObject file(String url, String type) {
        return JsonObject.of(
                "fileData",
                JsonObject.builder()
                        .with("mimeType", JsonValue.of(type))
                        .with("fileUri", JsonValue.of(url))
                        .build());
    }
}
