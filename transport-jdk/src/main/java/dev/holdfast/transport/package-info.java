/** The transport on {@link java.net.http.HttpClient}. */
package dev.holdfast.transport;
