package dev.holdfast.spi;

import dev.holdfast.Form;
import dev.holdfast.JsonValue.JsonObject;
import java.util.Optional;

/**
 * What an image takes, by each vendor's published rule:
 *
 * <ul>
 *   <li>OpenAI: 85 at low detail; else 85 and 170 for each tile of 512 pixels, after fitting the image into 2,048 by 2,048
 *       and its shorter side into 768 (platform.openai.com, "Images and vision")
 *   <li>Anthropic: width times height through 750, after fitting the longer side into 1,568; at most about 1,600
 *       (docs.anthropic.com, "Vision")
 *   <li>Gemini: 258, or 258 for each tile of 768 pixels where a side is over 384 (ai.google.dev, "Understand and count tokens")
 * </ul>
 *
 * <p>An image that stands in the request as PNG, GIF or JPEG tells its size; of one behind a URL, 1,024 by 1,024 is assumed.
 */
final class ImageTokens {
    private static final ImageSize ASSUMED = new ImageSize(1_024, 1_024);

    private ImageTokens() {}

    /** The tokens of a part of a message; 0 if it is no image. */
    static long of(JsonObject part, Form form) {
        return switch (form) {
            case OPENAI_CHAT, OPAQUE -> openAi(part);
            case ANTHROPIC_MESSAGES -> anthropic(part);
            case GEMINI_CONTENT -> gemini(part);
        };
    }

    private static long openAi(JsonObject part) {
        Optional<String> url =
                part.object("image_url").flatMap(image -> image.text("url")).or(() -> part.text("image_url"));
        if (url.isEmpty()) {
            return 0;
        }
        Optional<String> detail =
                part.object("image_url").flatMap(image -> image.text("detail")).or(() -> part.text("detail"));
        if (detail.filter("low"::equals).isPresent()) {
            return 85;
        }
        ImageSize size = sizeOfUrl(url.get()).fitInto(2_048);
        ImageSize scaled = size.scaledTo(Math.min(1.0, 768.0 / Math.min(size.width(), size.height())));
        return 85 + 170 * scaled.tiles(512);
    }

    private static long anthropic(JsonObject part) {
        Optional<JsonObject> source = part.object("source")
                .filter(each -> part.text("type").filter("image"::equals).isPresent());
        return source.map(each -> {
                    ImageSize size = each.text("data")
                            .flatMap(ImageSize::ofBase64)
                            .orElse(ASSUMED)
                            .fitInto(1_568);
                    return Math.clamp((long) size.width() * size.height() / 750, 1L, 1_600L);
                })
                .orElse(0L);
    }

    private static long gemini(JsonObject part) {
        Optional<JsonObject> inline = part.object("inlineData")
                .or(() -> part.object("inline_data"))
                .or(() -> part.object("fileData"))
                .or(() -> part.object("file_data"));
        boolean image = inline.flatMap(data -> data.text("mimeType").or(() -> data.text("mime_type")))
                .filter(type -> type.startsWith("image/"))
                .isPresent();
        if (!image) {
            return 0;
        }
        ImageSize size = inline.flatMap(data -> data.text("data"))
                .flatMap(ImageSize::ofBase64)
                .orElse(ASSUMED);
        return size.width() <= 384 && size.height() <= 384 ? 258 : 258 * size.tiles(768);
    }

    private static ImageSize sizeOfUrl(String url) {
        int comma = url.startsWith("data:") ? url.indexOf(',') : -1;
        return comma < 0
                ? ASSUMED
                : ImageSize.ofBase64(url.substring(comma + 1)).orElse(ASSUMED);
    }
}
