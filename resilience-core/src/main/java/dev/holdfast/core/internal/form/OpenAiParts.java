package dev.holdfast.core.internal.form;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.core.internal.form.Part.Media;
import dev.holdfast.core.internal.form.Part.Refusal;
import dev.holdfast.core.internal.form.Part.Text;
import java.util.Map;
import java.util.Optional;

/** Writes parts of another form as parts of OpenAI's messages. */
final class OpenAiParts {
    private static final Map<String, String> SOUNDS =
            Map.of("audio/wav", "wav", "audio/x-wav", "wav", "audio/mp3", "mp3", "audio/mpeg", "mp3");

    private final Addressee addressee;
    private final Changes changes;

    OpenAiParts(Addressee addressee, Changes changes) {
        this.addressee = addressee;
        this.changes = changes;
    }

    /** The part; empty if there is nothing to say, or nothing that the target can be told. */
    Optional<JsonObject> write(Part part) {
        return switch (part) {
            case Text text -> text(text);
            case Media media -> media(media);
            case Refusal refusal -> Optional.of(text(refusal.text()));
            default -> {
                changes.dropped(part.origin().place());
                yield Optional.empty();
            }
        };
    }

    static JsonObject text(String text) {
        return JsonObject.builder()
                .with("type", JsonValue.of("text"))
                .with("text", JsonValue.of(text))
                .build();
    }

    private Optional<JsonObject> text(Text part) {
        changes.dropped(part.origin());
        changes.droppedSignature(part.origin());
        if (part.text().isEmpty()) {
            changes.droppedHint(part.origin());
            return Optional.empty();
        }
        return Optional.of(hinted(text(part.text()), part.origin()));
    }

    private JsonObject hinted(JsonObject part, Origin origin) {
        if (addressee.vendor() != Vendor.OPENROUTER) {
            changes.droppedHint(origin);
            return part;
        }
        return origin.cacheControl()
                .map(hint -> part.with("cache_control", hint))
                .orElse(part);
    }

    private Optional<JsonObject> media(Media media) {
        changes.dropped(media.origin());
        changes.droppedSignature(media.origin());
        boolean seesNothing = addressee.vendor() == Vendor.DEEPSEEK;
        Optional<JsonObject> part =
                switch (media.kind()) {
                    case IMAGE -> seesNothing ? Optional.empty() : image(media);
                    case AUDIO -> seesNothing ? Optional.empty() : audio(media);
                    case DOCUMENT -> document(media, seesNothing);
                    case VIDEO -> Optional.empty();
                };
        if (part.isEmpty()) {
            changes.note(media.origin().place(), "dropped: the target cannot read this medium");
            return Optional.empty();
        }
        return Optional.of(hinted(part.get(), media.origin()));
    }

    private Optional<JsonObject> image(Media media) {
        Optional<String> url =
                switch (media.source()) {
                    case Media.Inline inline -> Optional.of(dataUrl(inline));
                    case Media.Remote(String at, var type) when AnthropicBlocks.isWeb(at) -> Optional.of(at);
                    default -> Optional.empty();
                };
        media.name().ifPresent(name -> changes.note(media.origin().place(), "name dropped"));
        changes.droppedMediaType(media);
        return url.map(at -> {
            JsonObject.Builder image = JsonObject.builder().with("url", JsonValue.of(at));
            media.detail().ifPresent(detail -> image.with("detail", JsonValue.of(detail)));
            return JsonObject.builder()
                    .with("type", JsonValue.of("image_url"))
                    .with("image_url", image.build())
                    .build();
        });
    }

    static String dataUrl(Media.Inline inline) {
        return "data:" + inline.mediaType() + ";base64," + inline.base64();
    }

    private static Optional<JsonObject> audio(Media media) {
        if (!(media.source() instanceof Media.Inline(String type, String data)) || !SOUNDS.containsKey(type)) {
            return Optional.empty();
        }
        JsonObject audio = JsonObject.builder()
                .with("data", JsonValue.of(data))
                .with("format", JsonValue.of(SOUNDS.getOrDefault(type, type)))
                .build();
        return Optional.of(JsonObject.builder()
                .with("type", JsonValue.of("input_audio"))
                .with("input_audio", audio)
                .build());
    }

    /** A text is said as text: the target takes only PDF as a file. */
    private Optional<JsonObject> document(Media media, boolean seesNothing) {
        Place place = media.origin().place();
        Optional<String> text =
                switch (media.source()) {
                    case Media.Plain(String plain) -> Optional.of(plain);
                    case Media.Inline inline -> Texts.decoded(inline);
                    default -> Optional.empty();
                };
        if (text.isPresent()) {
            changes.note(place, "said as text: the target takes no text files");
            return text.map(OpenAiParts::text);
        }
        if (seesNothing
                || !(media.source() instanceof Media.Inline inline)
                || !inline.mediaType().equals("application/pdf")) {
            return Optional.empty();
        }
        JsonObject file = JsonObject.builder()
                .with("filename", JsonValue.of(media.name().orElse("document.pdf")))
                .with("file_data", JsonValue.of(dataUrl(inline)))
                .build();
        return Optional.of(JsonObject.builder()
                .with("type", JsonValue.of("file"))
                .with("file", file)
                .build());
    }
}
