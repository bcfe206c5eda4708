package dev.holdfast.core.internal.form;

import dev.holdfast.core.internal.form.Part.Media;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/** Texts that come as bytes. */
final class Texts {
    private Texts() {}

    /** The text of a medium that is text; empty for any other, and for bytes that are none. */
    static Optional<String> decoded(Media.Inline medium) {
        if (!medium.mediaType().startsWith("text/") && !medium.mediaType().equals("application/json")) {
            return Optional.empty();
        }
        try {
            byte[] bytes = Base64.getMimeDecoder().decode(medium.base64());
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (IllegalArgumentException | CharacterCodingException e) {
            return Optional.empty();
        }
    }

    static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
