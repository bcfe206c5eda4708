package dev.holdfast.core.internal.form;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Adjustment;
import dev.holdfast.Form;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.internal.form.Facts.Fact;
import dev.holdfast.core.internal.form.Translation.Said;
import dev.holdfast.spi.DialectException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Takes a request to another form and looks whether anything was lost in silence. */
final class Crossing {
    static final Addressee OPENAI = new Addressee(Form.OPENAI_CHAT, Vendor.OPENAI, "gpt-4.1", OptionalLong.empty());
    static final Addressee MISTRAL =
            new Addressee(Form.OPENAI_CHAT, Vendor.MISTRAL, "mistral-small-latest", OptionalLong.empty());
    static final Addressee CLAUDE =
            new Addressee(Form.ANTHROPIC_MESSAGES, Vendor.ANTHROPIC, "claude-sonnet-4-5", OptionalLong.empty());
    static final Addressee GEMINI =
            new Addressee(Form.GEMINI_CONTENT, Vendor.GOOGLE, "gemini-2.5-flash", OptionalLong.empty());
    static final Addressee GEMINI_NEXT =
            new Addressee(Form.GEMINI_CONTENT, Vendor.GOOGLE, "gemini-3-flash-preview", OptionalLong.empty());

    private Crossing() {}

    static Said to(Addressee addressee, ModelRequest request) throws DialectException {
        Said said = Translation.say(request, addressee);
        assertNothingLost(request, said);
        return said;
    }

    /** Each fact of the source is one of the target, or a change names its place; and the other way round. */
    static void assertNothingLost(ModelRequest from, Said to) {
        List<Fact> before = Facts.of(from.form(), from.document());
        List<Fact> after = Facts.of(to.request().form(), to.request().document());
        var left = new ArrayList<>(Facts.words(after));
        for (Fact fact : before) {
            if (!left.remove(fact.what())) {
                assertThat(to.changes())
                        .as("changes that tell of <%s> at %s; the target says %s", fact.what(), fact.pointer(), left)
                        .anyMatch(change -> tells(change, fact.pointer()));
            }
        }
        if (to.changes().isEmpty()) {
            assertThat(left).as("facts that nobody said").isEmpty();
        }
    }

    private static boolean tells(Adjustment change, String pointer) {
        String place = change.pointer();
        return place.equals(pointer) || pointer.startsWith(place + "/") || place.startsWith(pointer + "/");
    }
}
