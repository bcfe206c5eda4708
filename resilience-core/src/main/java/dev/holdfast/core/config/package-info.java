/**
 * Configuration: one schema whose keys, units and errors are the same in JSON, in YAML and in the builder.
 *
 * <p>{@link dev.holdfast.core.config.ClientSettings} reads a client's; a server or a tool adds {@link dev.holdfast.core.config.Key
 * keys} of its own to its {@link dev.holdfast.core.config.Schema}.
 */
package dev.holdfast.core.config;
