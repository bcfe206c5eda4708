package dev.holdfast.core.internal.form;

import dev.holdfast.core.internal.form.Origin.Signature;
import dev.holdfast.core.internal.form.Part.Reasoning;
import java.util.Optional;

/** Tells of thoughts that are not passed on. */
final class Reasonings {
    private Reasonings() {}

    static void dropped(Reasoning thought, Changes changes) {
        Optional<Signature> signed = thought.hidden().or(() -> thought.origin().signature());
        if (signed.isPresent()) {
            Vendor issuer = signed.get().issuer();
            changes.note(thought.origin().place(), "dropped: reasoning goes only back to its issuer, " + issuer);
        } else if (!thought.text().isEmpty()) {
            changes.note(thought.origin().place(), "dropped: the target takes no reasoning that it did not sign");
        }
    }
}
