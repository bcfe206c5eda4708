package dev.holdfast.cache;

import dev.holdfast.CallException;
import dev.holdfast.ModelResponse;
import dev.holdfast.spi.Interceptor.Call;
import dev.holdfast.spi.Interceptor.CallChain;
import java.util.concurrent.atomic.AtomicInteger;

/** The rest of the chain: says what it is told to say and counts. */
final class Upstream implements CallChain {
    private final AtomicInteger calls = new AtomicInteger();
    private volatile ModelResponse response = Calls.response("answer");
    private volatile CallException failure;

    void answers(ModelResponse next) {
        response = next;
        failure = null;
    }

    void fails(CallException next) {
        failure = next;
    }

    CallException failure() {
        return failure;
    }

    int calls() {
        return calls.get();
    }

    @Override
    public ModelResponse proceed(Call call) {
        calls.incrementAndGet();
        if (failure != null) {
            throw failure;
        }
        return response;
    }
}
