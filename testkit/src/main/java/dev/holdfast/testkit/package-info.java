/** Contract tests that a plugin's author extends, and a clock that stands still. */
package dev.holdfast.testkit;
