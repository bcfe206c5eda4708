/** Whole calls over the loopback interface, beside the JDK's bare client and the clients that others write. */
@NullMarked
package dev.holdfast.comparisons;

import org.jspecify.annotations.NullMarked;
