/** The clients' APIs: how each says that something went wrong, and which status is honest. */
@org.jspecify.annotations.NullMarked
package dev.holdfast.gateway.internal.api;
