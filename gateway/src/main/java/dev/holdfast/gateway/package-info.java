/** A server that speaks the providers' API in front of Holdfast: {@link dev.holdfast.gateway.Gateway}. */
@org.jspecify.annotations.NullMarked
package dev.holdfast.gateway;
