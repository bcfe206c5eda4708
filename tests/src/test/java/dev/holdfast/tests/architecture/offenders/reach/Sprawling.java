package dev.holdfast.tests.architecture.offenders.reach;

import org.assertj.core.api.Assertions;

/** Depends on a library its module has no business with. */
public final class Sprawling {
    public void reach() {
        Assertions.assertThat(true).isTrue();
    }
}
