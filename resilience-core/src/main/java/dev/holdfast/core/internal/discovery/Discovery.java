package dev.holdfast.core.internal.discovery;

import dev.holdfast.spi.Dialect;
import dev.holdfast.spi.PriceSource;
import dev.holdfast.spi.Transport;
import java.security.CodeSource;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds parts by {@link ServiceLoader}, and says in the log what was found and in which jar, since parts see prompts and keys. */
public final class Discovery {
    private static final Logger LOG = LoggerFactory.getLogger(Discovery.class);

    private final boolean searches;

    private Discovery(boolean searches) {
        this.searches = searches;
    }

    /** {@return a search of the class path and module path} */
    public static Discovery onThePath() {
        return new Discovery(true);
    }

    /** {@return a search that finds nothing} */
    public static Discovery none() {
        return new Discovery(false);
    }

    /**
     * {@return the transport that is there}
     *
     * @throws IllegalStateException if there is none
     */
    public Transport transport() {
        return first(() -> ServiceLoader.load(Transport.class))
                .orElseThrow(() -> new IllegalStateException("transport: none "
                        + (searches ? "found" : "given, and discovery is off")
                        + " (expected: the module dev.holdfast:transport-jdk, or .transport(...))"));
    }

    /** {@return the prices that are there; without any, every price is unknown} */
    public PriceSource prices() {
        return first(() -> ServiceLoader.load(PriceSource.class)).orElse((model, at) -> Optional.empty());
    }

    /** {@return every dialect that is there} */
    public List<Dialect> dialects() {
        return all(() -> ServiceLoader.load(Dialect.class));
    }

    private <T> Optional<T> first(Supplier<ServiceLoader<T>> loader) {
        List<T> found = all(loader);
        if (found.size() > 1) {
            LOG.warn(
                    "{} of a kind found; taking {}",
                    found.size(),
                    found.getFirst().getClass().getName());
        }
        return found.stream().findFirst();
    }

    private <T> List<T> all(Supplier<ServiceLoader<T>> loader) {
        if (!searches) {
            return List.of();
        }
        return loader.get().stream()
                .map(Discovery::create)
                .flatMap(Optional::stream)
                .toList();
    }

    /** A broken provider is logged by its type and passed over. */
    private static <T> Optional<T> create(ServiceLoader.Provider<? extends T> provider) {
        try {
            T part = provider.get();
            LOG.info("found {} in {}", part.getClass().getName(), jarOf(part.getClass()));
            return Optional.of(part);
        } catch (ServiceConfigurationError e) {
            LOG.warn("{} cannot be created and is passed over", provider.type().getName(), e);
            return Optional.empty();
        }
    }

    private static String jarOf(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        return source == null ? "the runtime image" : String.valueOf(source.getLocation());
    }
}
