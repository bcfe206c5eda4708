package dev.holdfast.tests.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.Extension;

class AtRestTest {
    @Test
    void seesAThreadOfEitherKind() throws Exception {
        var done = new CountDownLatch(1);
        Thread virtual = Thread.ofVirtual().name("holdfast-left-virtual").start(() -> await(done));
        Thread platform = Thread.ofPlatform().name("holdfast-left-platform").start(() -> await(done));
        assertThat(AtRest.running()).contains("\"holdfast-left-virtual\"", "\"holdfast-left-platform\"");
        assertThatThrownBy(() -> AtRest.check(Duration.ofMillis(1)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("holdfast-left-virtual");
        done.countDown();
        virtual.join();
        platform.join();
        assertThat(AtRest.running()).doesNotContain("\"holdfast-left-virtual\"", "\"holdfast-left-platform\"");
    }

    @Test
    void isAskedAfterEachClassOfTests() throws Exception {
        assertThat(ServiceLoader.load(Extension.class)).hasAtLeastOneElementOfType(AtRest.class);
        var settings = new Properties();
        try (var file = getClass().getResourceAsStream("/junit-platform.properties")) {
            settings.load(file);
        }
        assertThat(settings).containsEntry("junit.jupiter.extensions.autodetection.enabled", "true");
    }

    private static void await(CountDownLatch done) {
        try {
            done.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
