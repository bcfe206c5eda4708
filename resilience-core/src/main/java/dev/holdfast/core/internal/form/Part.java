package dev.holdfast.core.internal.form;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonObject;
import java.util.List;
import java.util.Optional;

/** A part of what was said in a turn. */
public sealed interface Part {
    /** Where it stood and what it says beside its content. */
    Origin origin();

    /**
     * Text.
     *
     * @param text the text, perhaps empty
     * @param origin where it stood
     */
    record Text(String text, Origin origin) implements Part {}

    /**
     * An image, a sound, a document.
     *
     * @param kind what it is
     * @param source where its bytes are
     * @param name its file name
     * @param detail how closely an image is looked at, in OpenAI's words
     * @param origin where it stood
     */
    record Media(Kind kind, Source source, Optional<String> name, Optional<String> detail, Origin origin)
            implements Part {
        /** What a medium is. */
        public enum Kind {
            /** A picture. */
            IMAGE,
            /** A sound. */
            AUDIO,
            /** A moving picture. */
            VIDEO,
            /** A document, as PDF or text. */
            DOCUMENT;

            /** What a media type is. */
            static Kind of(String mediaType) {
                return switch (mediaType.split("/", 2)[0]) {
                    case "image" -> IMAGE;
                    case "audio" -> AUDIO;
                    case "video" -> VIDEO;
                    default -> DOCUMENT;
                };
            }
        }

        /** Where the bytes are. */
        public sealed interface Source {}

        /**
         * At a URL.
         *
         * @param url the URL
         * @param mediaType the media type, where it was said
         */
        public record Remote(String url, Optional<String> mediaType) implements Source {}

        /**
         * In the request.
         *
         * @param mediaType the media type
         * @param base64 the bytes
         */
        public record Inline(String mediaType, String base64) implements Source {}

        /**
         * Text in the request.
         *
         * @param text the text
         */
        public record Plain(String text) implements Source {}

        /**
         * At the provider, which alone knows the id.
         *
         * @param id the id of the upload
         */
        public record Uploaded(String id) implements Source {}
    }

    /**
     * A call of a tool that the model asked for.
     *
     * @param id the id its result names; empty where the form has none
     * @param name the tool
     * @param arguments its arguments
     * @param origin where it stood
     */
    record ToolUse(String id, String name, Arguments arguments, Origin origin) implements Part {}

    /**
     * What a tool answered.
     *
     * @param callId the id of the call; empty where the form has none
     * @param name the tool, where it was said
     * @param content the answer: texts and media
     * @param plain whether the answer was one string, not a list of parts
     * @param document the answer as an object, in forms that have it so
     * @param failed whether the tool failed, where it was said
     * @param origin where it stood
     */
    record ToolResult(
            String callId,
            Optional<String> name,
            List<Part> content,
            boolean plain,
            Optional<JsonObject> document,
            Optional<Boolean> failed,
            Origin origin)
            implements Part {
        /** Copies the list. */
        public ToolResult {
            content = List.copyOf(content);
        }
    }

    /**
     * What the model thought. Its signature, if any, is in its origin.
     *
     * @param text the thought, or a summary of it; empty where it is not shown
     * @param hidden the thought enciphered by its issuer
     * @param origin where it stood
     */
    record Reasoning(String text, Optional<Origin.Signature> hidden, Origin origin) implements Part {}

    /**
     * Why the model declined.
     *
     * @param text its words
     * @param origin where it stood
     */
    record Refusal(String text, Origin origin) implements Part {}

    /**
     * Something that only one form knows: written again in that form, dropped and reported in every other.
     *
     * @param value the part as it was
     * @param origin where it stood
     */
    record Foreign(JsonValue value, Origin origin) implements Part {}
}
