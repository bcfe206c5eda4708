package dev.holdfast.core.internal.form;

import dev.holdfast.JsonValue.JsonObject;

/** Writes the documents of one form. */
interface Writer {
    /**
     * Writes a request. In the form it was read from, it comes out as it went in.
     *
     * @param conversation what is to be said
     * @param addressee who reads it
     * @param changes hears what could not be said, or not so
     * @return the document
     */
    JsonObject write(Conversation conversation, Addressee addressee, Changes changes);
}
