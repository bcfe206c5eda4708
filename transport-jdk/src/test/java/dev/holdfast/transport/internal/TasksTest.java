package dev.holdfast.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TasksTest {
    private final List<String> done = new ArrayList<>();

    @Test
    void whatComesLastIsDoneAtTheEndOfTheOutermostTask() {
        Tasks.run(() -> {
            Tasks.run(() -> {
                Tasks.last(() -> done.add("last"));
                done.add("inner");
            });
            done.add("outer");
        });
        assertThat(done).containsExactly("inner", "outer", "last");
    }

    @Test
    void whatComesLastIsDoneAtOnceOutsideOfATask() {
        Tasks.last(() -> done.add("at once"));
        assertThat(done).containsExactly("at once");
    }

    @Test
    void aTaskThatThrowsKeepsNobodyAsleep() {
        assertThatThrownBy(() -> Tasks.run(() -> {
                    Tasks.last(() -> done.add("last"));
                    throw new IllegalStateException("thrown");
                }))
                .hasMessage("thrown");
        assertThat(done).containsExactly("last");
        Tasks.last(() -> done.add("at once"));
        assertThat(done).hasSize(2);
    }

    @Test
    void whatIsLeftForTheEndMayItselfBeATask() {
        Tasks.run(() -> Tasks.last(() -> Tasks.run(() -> Tasks.last(() -> done.add("later")))));
        assertThat(done).containsExactly("later");
    }
}
