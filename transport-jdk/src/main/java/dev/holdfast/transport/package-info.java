/**
 * The {@link dev.holdfast.spi.Transport} on {@link java.net.http.HttpClient}.
 *
 * <p>With this module on the path the client finds it by itself. Who wants a proxy, a trust store or other limits builds
 * one:
 *
 * <pre>{@code
 * Transport transport = JdkTransport.builder()
 *         .proxy(ProxySelector.of(new InetSocketAddress("proxy.example", 3128)))
 *         .build();
 * }</pre>
 */
package dev.holdfast.transport;
