package dev.holdfast.transport.internal;

import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * What a transport is built with.
 *
 * @param connectTimeout the longest a connection may take to be made
 * @param proxies which requests go through which proxy
 * @param sslContext trust and keys; the JDK's where empty
 * @param sslParameters protocols and ciphers; the JDK's where empty
 * @param maxResponseBytes how large a body may be, decompressed
 * @param maxConnections how many exchanges of HTTP/1.1 an origin is given at once
 * @param maxStreams how many exchanges of HTTP/2 an origin is given at once
 * @param maxConnectionAge how old a connection may be when an exchange begins
 */
public record Settings(
        Duration connectTimeout,
        Proxies proxies,
        Optional<SSLContext> sslContext,
        Optional<SSLParameters> sslParameters,
        long maxResponseBytes,
        int maxConnections,
        int maxStreams,
        Duration maxConnectionAge) {}
