package dev.holdfast.gateway.internal.reload;

import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hears signals of the system. Java has no supported way to: where the JDK's own is not there, or the JVM keeps signals to itself, nothing is heard. */
public final class Signals {
    private static final Logger LOG = LoggerFactory.getLogger("dev.holdfast.gateway");

    private Signals() {}

    /**
     * Has something done at each such signal from now on, in place of what was before.
     *
     * @param name the signal's, without SIG: {@code "HUP"}
     * @param action what is done; must return at once
     * @return whether it is heard
     */
    @SuppressWarnings("ReferenceEquality") // what equals means where nobody says otherwise
    public static boolean hear(String name, Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object acts = Proxy.newProxyInstance(
                    Signals.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                        if (method.getName().equals("handle")) {
                            action.run();
                        }
                        return switch (method.getName()) {
                            case "hashCode" -> System.identityHashCode(proxy);
                            case "equals" -> arguments != null && proxy == arguments[0];
                            case "toString" -> "Signals";
                            default -> null;
                        };
                    });
            Object heard = signal.getConstructor(String.class).newInstance(name);
            signal.getMethod("handle", signal, handler).invoke(null, heard, acts);
            return true;
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.info("SIG{} is not heard here: {}", name, e.getClass().getSimpleName());
            return false;
        }
    }
}
