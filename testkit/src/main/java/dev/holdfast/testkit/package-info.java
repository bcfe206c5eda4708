/** Contract tests for each SPI, a JUnit extension, assertions and a scripted transport. */
package dev.holdfast.testkit;
