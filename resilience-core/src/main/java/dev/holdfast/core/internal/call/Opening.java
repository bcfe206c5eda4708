package dev.holdfast.core.internal.call;

import dev.holdfast.ModelResponse;
import dev.holdfast.ModelStream;
import dev.holdfast.core.internal.call.CallRun.Opened;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What the innermost step of a streamed call opened, whatever the interceptors around it make of that. */
final class Opening {
    private @Nullable Opened opened;

    ModelStream opened(Supplier<Opened> open) {
        if (opened != null) {
            throw new IllegalStateException("an interceptor went on twice (expected: at most once)");
        }
        Opened what = open.get();
        opened = what;
        return what.stream();
    }

    /** Whether a stream has begun, which tells of its end by itself. */
    boolean isLive() {
        return opened != null && opened.whole().isEmpty();
    }

    /** The response, where it came as a whole. */
    Optional<ModelResponse> whole() {
        return opened == null ? Optional.empty() : opened.whole();
    }

    /** The call failed: a stream that nobody will get is closed, which tells of it; else it is told here. */
    void failed(Runnable tell) {
        if (opened != null && opened.whole().isEmpty()) {
            opened.stream().close("an interceptor threw");
        } else {
            tell.run();
        }
    }
}
