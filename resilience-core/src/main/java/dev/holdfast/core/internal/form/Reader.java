package dev.holdfast.core.internal.form;

import dev.holdfast.ModelRequest;
import dev.holdfast.spi.DialectException;

/** Reads the documents of one form. */
interface Reader {
    /**
     * Reads a request.
     *
     * @param request a request in this form
     * @return what it says
     * @throws DialectException if it is no request of this form; the message begins with a JSON pointer and quotes no content
     */
    Conversation read(ModelRequest request) throws DialectException;
}
