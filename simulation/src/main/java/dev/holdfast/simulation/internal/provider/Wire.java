package dev.holdfast.simulation.internal.provider;

import java.io.IOException;
import java.net.Socket;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** A connection as it came, and as it is read and written: the same, or under TLS. */
record Wire(Socket raw, Socket socket) {
    private static final String HTTP_TWO = "h2";

    /** Agrees on TLS, if there is a context for it, and on the protocol within. */
    static Wire open(Socket raw, @Nullable SSLContext tls) throws IOException {
        raw.setTcpNoDelay(true);
        if (tls == null) {
            return new Wire(raw, raw);
        }
        var secure = (SSLSocket) tls.getSocketFactory().createSocket(raw, null, false);
        SSLParameters parameters = secure.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {HTTP_TWO, "http/1.1"});
        secure.setSSLParameters(parameters);
        secure.startHandshake();
        return new Wire(raw, secure);
    }

    boolean isMultiplexed() {
        return socket instanceof SSLSocket secure && HTTP_TWO.equals(secure.getApplicationProtocol());
    }

    void reset() throws IOException {
        raw.setSoLinger(true, 0);
        raw.close();
    }

    /** The end of what we say, so that all of it arrives. */
    void endOutput() throws IOException {
        socket.shutdownOutput();
    }
}
