package dev.holdfast.spi;

import dev.holdfast.Adjustment;
import dev.holdfast.Bytes;
import dev.holdfast.Credential;
import dev.holdfast.Endpoint;
import dev.holdfast.Form;
import dev.holdfast.Headers;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelAnswer;
import dev.holdfast.ModelRequest;
import dev.holdfast.StreamEvent;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A provider's language, in both directions: a client encodes requests and decodes answers, a server decodes requests and
 * encodes answers.
 *
 * <p>Called by the thread of the call; must not block and keeps no state between calls. A document it cannot read or say is
 * a {@link DialectException}.
 *
 * <p>Found by {@link java.util.ServiceLoader} beside the built-in ones: a public class with a public constructor without
 * parameters.
 */
public interface Dialect {
    /** {@return the name that endpoints give: {@code "openai"}} */
    String name();

    /** {@return the form of its documents} */
    Form form();

    /**
     * Encodes a request for a target.
     *
     * @param outgoing what is sent, where to and as whom
     * @return the request on the wire
     * @throws DialectException if the request cannot be said in this dialect
     */
    WireRequest encodeRequest(OutgoingRequest outgoing) throws DialectException;

    /**
     * Decodes a good answer that is not streamed.
     *
     * @param request the request it answers
     * @param document the answer
     * @return the answer decoded
     * @throws DialectException if it is no answer of this dialect
     */
    ModelAnswer decodeAnswer(ModelRequest request, JsonObject document) throws DialectException;

    /**
     * Decodes a request that a client sent to a server of ours.
     *
     * @param path the path it came to
     * @param document the request
     * @return the request decoded
     * @throws DialectException if it is no request of this dialect; the message begins with a JSON pointer
     */
    ModelRequest decodeRequest(String path, JsonObject document) throws DialectException;

    /**
     * Encodes an answer for a client of a server of ours.
     *
     * @param answer the answer
     * @param model the model the client asked for
     * @return the document
     * @throws DialectException if the answer cannot be said in this dialect
     */
    JsonObject encodeAnswer(ModelAnswer answer, String model) throws DialectException;

    /**
     * Says what {@link #encodeAnswer} leaves out of an answer because this dialect has no word for it: log probabilities,
     * signatures of reasoning, what a server's own tools did. A stream leaves out the same.
     *
     * @param answer the answer, of any form
     * @return what is left out or said otherwise, by pointers into the answer's own document; empty for answers of this
     *     dialect's own form, which are passed on whole
     */
    default List<Adjustment> unsaid(ModelAnswer answer) {
        return List.of();
    }

    /** {@return the codec of its streams; empty if it does not stream} */
    default Optional<StreamCodec> streams() {
        return Optional.empty();
    }

    /** Encodes and decodes streams. */
    interface StreamCodec {
        /**
         * {@return a decoder for one stream}
         *
         * @param request the request it answers
         */
        StreamDecoder decoder(ModelRequest request);

        /**
         * {@return an encoder for one stream}
         *
         * @param request the request as the client sent it
         */
        StreamEncoder encoder(ModelRequest request);
    }

    /** Decodes one stream; used by one thread. */
    interface StreamDecoder {
        /**
         * Decodes one server-sent event.
         *
         * @param event the event
         * @return what it means, in order; perhaps nothing
         * @throws DialectException if it cannot be read
         */
        List<StreamEvent> decode(ServerSentEvent event) throws DialectException;

        /** {@return whether the stream has come to the end that the dialect promises} */
        boolean isComplete();

        /**
         * {@return whether nothing can follow what came; a stream may be complete before, and bring the usage yet}
         */
        default boolean isFinal() {
            return false;
        }

        /**
         * {@return whether the end of the body, where it comes as HTTP has it, is a good end of the stream, since nothing that came
         * promises another} Asked at the end of the body alone.
         */
        default boolean mayEndHere() {
            return false;
        }

        /** {@return the answer assembled from what came so far, equal to the one that is not streamed} */
        ModelAnswer answer();
    }

    /** Encodes one stream; used by one thread. */
    interface StreamEncoder {
        /**
         * Encodes one step.
         *
         * @param event the step
         * @return the server-sent events to write, in order
         */
        List<ServerSentEvent> encode(StreamEvent event);

        /** {@return the events that end the stream} */
        List<ServerSentEvent> end();
    }

    /**
     * A request to be encoded.
     *
     * @param request the request
     * @param model the name the endpoint knows the model by
     * @param endpoint where it goes
     * @param credential the key; empty where the endpoint wants none
     */
    record OutgoingRequest(ModelRequest request, String model, Endpoint endpoint, Optional<Credential> credential) {}

    /**
     * A request on the wire.
     *
     * @param method the method
     * @param uri the absolute URI
     * @param headers the header fields, the key included
     * @param body the body
     * @param adjusted what was changed in the request
     */
    record WireRequest(String method, URI uri, Headers headers, Bytes body, List<Adjustment> adjusted) {
        /** Copies the list. */
        public WireRequest {
            adjusted = List.copyOf(adjusted);
        }

        /**
         * {@return this request with what was changed before it was encoded}
         *
         * @param before what was changed, to stand before what the dialect changed
         */
        public WireRequest withAdjusted(List<Adjustment> before) {
            if (before.isEmpty()) {
                return this;
            }
            List<Adjustment> all =
                    Stream.concat(before.stream(), adjusted.stream()).toList();
            return new WireRequest(method, uri, headers, body, all);
        }

        @Override
        public String toString() {
            return "WireRequest[" + method + " " + uri.getRawPath() + ", " + body + "]";
        }
    }
}
