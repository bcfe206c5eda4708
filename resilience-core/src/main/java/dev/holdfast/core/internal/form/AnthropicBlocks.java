package dev.holdfast.core.internal.form;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.core.internal.form.Origin.Signature;
import dev.holdfast.core.internal.form.Part.Foreign;
import dev.holdfast.core.internal.form.Part.Media;
import dev.holdfast.core.internal.form.Part.Reasoning;
import dev.holdfast.core.internal.form.Part.Refusal;
import dev.holdfast.core.internal.form.Part.Text;
import dev.holdfast.core.internal.form.Part.ToolResult;
import dev.holdfast.core.internal.form.Part.ToolUse;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Set;

/** Writes parts of another form as Anthropic's blocks. */
final class AnthropicBlocks {
    private static final Set<String> IMAGES = Set.of("image/jpeg", "image/png", "image/gif", "image/webp");
    private static final String PDF = "application/pdf";

    private AnthropicBlocks() {}

    /** The block; empty if there is nothing to say, or nothing that the target can be told. */
    static Optional<JsonObject> write(Part part, Changes changes) {
        return switch (part) {
            case Text text -> text(text, changes);
            case Media media -> media(media, changes);
            case ToolUse use -> Optional.of(toolUse(use, changes));
            case ToolResult result -> Optional.of(toolResult(result, changes));
            case Reasoning thought -> thought(thought, changes);
            case Refusal refusal -> {
                changes.note(refusal.origin().place(), "said as text: the target has no refusals");
                yield refusal.text().isBlank() ? Optional.empty() : Optional.of(text(refusal.text()));
            }
            case Foreign foreign -> {
                changes.dropped(foreign.origin().place());
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

    /** Text that is blank is refused. */
    private static Optional<JsonObject> text(Text part, Changes changes) {
        noteRest(part.origin(), changes);
        if (part.text().isBlank()) {
            if (!part.text().isEmpty()) {
                changes.note(part.origin().place(), "dropped: the target takes no blank text");
            }
            return Optional.empty();
        }
        return Optional.of(hinted(text(part.text()), part.origin()));
    }

    private static void noteRest(Origin origin, Changes changes) {
        changes.dropped(origin);
        changes.droppedSignature(origin);
    }

    private static JsonObject hinted(JsonObject block, Origin origin) {
        return origin.cacheControl()
                .map(hint -> block.with("cache_control", hint))
                .orElse(block);
    }

    private static Optional<JsonObject> media(Media media, Changes changes) {
        Place place = media.origin().place();
        noteRest(media.origin(), changes);
        media.detail().ifPresent(detail -> changes.note(place, "detail dropped: the target looks as it likes"));
        Optional<JsonObject> source =
                switch (media.kind()) {
                    case IMAGE -> image(media.source());
                    case DOCUMENT -> document(media.source());
                    case AUDIO, VIDEO -> Optional.empty();
                };
        if (source.isEmpty()) {
            changes.note(place, "dropped: the target cannot read this medium");
            return Optional.empty();
        }
        boolean image = media.kind() == Media.Kind.IMAGE;
        if (image) {
            changes.droppedMediaType(media);
        }
        JsonObject.Builder block = JsonObject.builder()
                .with("type", JsonValue.of(image ? "image" : "document"))
                .with("source", source.get());
        media.name().ifPresent(name -> {
            if (image) {
                changes.note(place, "name dropped");
            } else {
                block.with("title", JsonValue.of(name));
            }
        });
        return Optional.of(hinted(block.build(), media.origin()));
    }

    private static Optional<JsonObject> image(Media.Source source) {
        return switch (source) {
            case Media.Inline(String type, String data) when IMAGES.contains(type) -> Optional.of(base64(type, data));
            case Media.Remote(String url, var type) when isWeb(url) -> Optional.of(url(url));
            default -> Optional.empty();
        };
    }

    private static Optional<JsonObject> document(Media.Source source) {
        return switch (source) {
            case Media.Inline(String type, String data) when type.equals(PDF) -> Optional.of(base64(type, data));
            case Media.Inline inline -> Texts.decoded(inline).map(AnthropicBlocks::plain);
            case Media.Plain(String text) -> Optional.of(plain(text));
            case Media.Remote(String url, var type)
            when isWeb(url) && type.orElse("").equals(PDF) -> Optional.of(url(url));
            default -> Optional.empty();
        };
    }

    static boolean isWeb(String url) {
        return url.regionMatches(true, 0, "https://", 0, 8) || url.regionMatches(true, 0, "http://", 0, 7);
    }

    private static JsonObject base64(String type, String data) {
        return JsonObject.builder()
                .with("type", JsonValue.of("base64"))
                .with("media_type", JsonValue.of(type))
                .with("data", JsonValue.of(data))
                .build();
    }

    private static JsonObject url(String url) {
        return JsonObject.builder()
                .with("type", JsonValue.of("url"))
                .with("url", JsonValue.of(url))
                .build();
    }

    private static JsonObject plain(String text) {
        return JsonObject.builder()
                .with("type", JsonValue.of("text"))
                .with("media_type", JsonValue.of("text/plain"))
                .with("data", JsonValue.of(text))
                .build();
    }

    private static JsonObject toolUse(ToolUse use, Changes changes) {
        noteRest(use.origin(), changes);
        JsonObject input = use.arguments().object().orElseGet(() -> {
            changes.note(use.origin().place(), "arguments wrapped: they are no JSON object");
            return JsonObject.of("arguments", JsonValue.of(use.arguments().text()));
        });
        JsonObject block = JsonObject.builder()
                .with("type", JsonValue.of("tool_use"))
                .with("id", JsonValue.of(use.id()))
                .with("name", JsonValue.of(use.name()))
                .with("input", input)
                .build();
        return hinted(block, use.origin());
    }

    private static JsonObject toolResult(ToolResult result, Changes changes) {
        noteRest(result.origin(), changes);
        JsonObject.Builder block = JsonObject.builder()
                .with("type", JsonValue.of("tool_result"))
                .with("tool_use_id", JsonValue.of(result.callId()));
        var parts = new ArrayList<JsonValue>();
        if (result.document().isPresent()) {
            parts.add(text(Results.text(result.document().get())));
        }
        result.content().forEach(part -> write(part, changes).ifPresent(parts::add));
        boolean one = parts.size() == 1
                && (result.plain() || result.document().isPresent())
                && parts.getFirst()
                        .asObject()
                        .flatMap(each -> each.text("text"))
                        .isPresent();
        if (one) {
            block.with(
                    "content",
                    parts.getFirst()
                            .asObject()
                            .flatMap(each -> each.get("text"))
                            .orElseThrow());
        } else if (!parts.isEmpty()) {
            block.with("content", new JsonArray(parts));
        }
        if (Results.failed(result)) {
            block.with("is_error", JsonValue.of(true));
        }
        return hinted(block.build(), result.origin());
    }

    /** Unsigned thoughts are refused, and so are another issuer's. */
    private static Optional<JsonObject> thought(Reasoning thought, Changes changes) {
        Optional<String> hidden = signedByAnthropic(thought.hidden());
        if (hidden.isPresent()) {
            return Optional.of(JsonObject.builder()
                    .with("type", JsonValue.of("redacted_thinking"))
                    .with("data", JsonValue.of(hidden.get()))
                    .build());
        }
        Optional<String> signature = signedByAnthropic(thought.origin().signature());
        if (signature.isPresent()) {
            return Optional.of(JsonObject.builder()
                    .with("type", JsonValue.of("thinking"))
                    .with("thinking", JsonValue.of(thought.text()))
                    .with("signature", JsonValue.of(signature.get()))
                    .build());
        }
        Reasonings.dropped(thought, changes);
        return Optional.empty();
    }

    private static Optional<String> signedByAnthropic(Optional<Signature> signature) {
        return signature.filter(by -> by.issuer() == Vendor.ANTHROPIC).map(Signature::value);
    }
}
