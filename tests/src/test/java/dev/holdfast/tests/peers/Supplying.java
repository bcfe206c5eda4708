package dev.holdfast.tests.peers;

import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Supplier;

/** An engine that takes suppliers: checked exceptions pass through it as they are, which the JVM does not mind. */
record Supplying(Function<Supplier<Object>, Object> engine) implements Engine {
    @Override
    public Object call(Callable<Object> work) {
        return engine.apply(() -> get(work));
    }

    private static Object get(Callable<Object> work) {
        try {
            return work.call();
        } catch (Exception e) {
            throw Supplying.<RuntimeException>unchecked(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Exception> E unchecked(Exception e) throws E {
        throw (E) e;
    }
}
