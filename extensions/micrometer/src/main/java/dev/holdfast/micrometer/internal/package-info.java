/** Which event counts where, and which gauge reads what. */
@org.jspecify.annotations.NullMarked
package dev.holdfast.micrometer.internal;
