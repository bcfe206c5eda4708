package dev.holdfast.core.internal.dialect;

import dev.holdfast.Form;
import dev.holdfast.ModelRequest;
import dev.holdfast.spi.Dialect.StreamCodec;
import dev.holdfast.spi.Dialect.StreamDecoder;
import dev.holdfast.spi.Dialect.StreamEncoder;
import java.util.function.Function;

/**
 * The codec of a dialect's streams; those without a form pass through in every dialect.
 *
 * @param decoders makes a decoder for the answer to a request
 * @param encoders makes an encoder for a client's request
 */
record Codec(Function<ModelRequest, StreamDecoder> decoders, Function<ModelRequest, StreamEncoder> encoders)
        implements StreamCodec {
    @Override
    public StreamDecoder decoder(ModelRequest request) {
        return request.form() == Form.OPAQUE ? new OpaqueStreamDecoder(request) : decoders.apply(request);
    }

    @Override
    public StreamEncoder encoder(ModelRequest request) {
        return request.form() == Form.OPAQUE ? new OpaqueStreamEncoder() : encoders.apply(request);
    }
}
