package dev.holdfast;

/** The version of HTTP an endpoint is spoken to in. */
public enum HttpVersion {
    /** HTTP/1.1: one exchange at a time on a connection. */
    HTTP_1_1,
    /** HTTP/2 over TLS: many exchanges on one connection. */
    HTTP_2
}
