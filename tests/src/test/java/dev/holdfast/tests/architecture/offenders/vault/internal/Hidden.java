package dev.holdfast.tests.architecture.offenders.vault.internal;

/** What only its own module may use. */
public final class Hidden {}
