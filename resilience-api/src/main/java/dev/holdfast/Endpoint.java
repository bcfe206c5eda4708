package dev.holdfast;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A base URL with its dialect and one or more credentials.
 *
 * <p>A key is not sent over plain http to anything but this machine: such an endpoint is refused when built unless
 * {@link Builder#allowPlainHttp} says otherwise. Nor is a key sent to a vendor's own host that looks like another vendor's.
 */
public final class Endpoint {
    private static final URI OPENAI = URI.create("https://api.openai.com/v1");
    private static final URI ANTHROPIC = URI.create("https://api.anthropic.com");
    private static final URI GEMINI = URI.create("https://generativelanguage.googleapis.com");
    private static final String VERTEX_HOST = "aiplatform.googleapis.com";
    private static final String GLOBAL = "global";
    private static final Pattern PLACE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9:._-]*");
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]", "::1");

    private final Builder settings;

    private Endpoint(Builder settings) {
        this.settings = settings;
    }

    /**
     * {@return OpenAI's own endpoint, named "openai"}
     *
     * @param key the API key
     */
    public static Endpoint openAi(Secret key) {
        return builder("openai", OPENAI)
                .credential(new Credential("default", key))
                .vendor("openai")
                .build();
    }

    /**
     * {@return Anthropic's own endpoint, named "anthropic", for requests in Anthropic's form}
     *
     * @param key the API key
     */
    public static Endpoint anthropic(Secret key) {
        return builder("anthropic", ANTHROPIC)
                .dialect("anthropic")
                .credential(new Credential("default", key))
                .vendor("anthropic")
                .build();
    }

    /**
     * {@return Gemini at Google's AI Studio, named "gemini", for requests in Gemini's form}
     *
     * @param key the API key
     */
    public static Endpoint gemini(Secret key) {
        return builder("gemini", GEMINI)
                .dialect("gemini")
                .credential(new Credential("default", key))
                .vendor("google")
                .build();
    }

    /**
     * {@return Gemini at Google's Vertex AI, named "vertex", for requests in Gemini's form} It has no key of its own: give the
     * client a credential source for "vertex" that issues access tokens.
     *
     * @param project the project's id or number
     * @param location where the models run: {@code "europe-west4"}, or {@code "global"}; it is the endpoint's region as well
     * @throws IllegalArgumentException if either is no such name
     */
    public static Endpoint vertex(String project, String location) {
        checkPlace("project", project);
        checkPlace("location", location);
        String host = location.equals(GLOBAL) ? VERTEX_HOST : location + "-" + VERTEX_HOST;
        return builder("vertex", URI.create("https://" + host + "/v1/projects/" + project + "/locations/" + location))
                .dialect("vertex")
                .vendor("google")
                .region(location)
                .build();
    }

    private static void checkPlace(String what, String name) {
        if (!PLACE.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    what + " of endpoint vertex: \"" + name + "\" (expected: letters, digits, '-', '.', '_' and ':')");
        }
    }

    /**
     * {@return a resource of Azure OpenAI, named "azure"} Its deployments are the models: a deployment of another name than
     * the model is the model's upstream name.
     *
     * @param resource the resource's URL: {@code https://NAME.openai.azure.com}, or with {@code /openai/v1} for the form
     *     without deployments in its paths
     * @param apiVersion the version of the API: {@code "2024-10-21"}
     * @param key the API key
     */
    public static Endpoint azure(URI resource, String apiVersion, Secret key) {
        return builder("azure", resource)
                .dialect("azure")
                .apiVersion(apiVersion)
                .credential(new Credential("default", key))
                .vendor("azure")
                .build();
    }

    /**
     * {@return a builder of an endpoint that speaks OpenAI's chat completions unless told otherwise}
     *
     * @param name what logs, metrics and errors call it
     * @param baseUrl where it is: {@code https://api.openai.com/v1}
     */
    public static Builder builder(String name, URI baseUrl) {
        return new Builder(name, baseUrl);
    }

    /** {@return what logs, metrics and errors call it} */
    public String name() {
        return settings.name;
    }

    /** {@return where it is, without a slash at the end} */
    public URI baseUrl() {
        return settings.baseUrl;
    }

    /** {@return the name of the dialect it speaks; {@code "openai"} unless set} */
    public String dialect() {
        return settings.dialect;
    }

    /**
     * {@return the version of the API to ask for: Azure's {@code api-version}, Anthropic's {@code anthropic-version}, the
     * version in the paths of Gemini and Vertex; empty for the dialect's own}
     */
    public Optional<String> apiVersion() {
        return settings.apiVersion;
    }

    /** {@return its credentials, in the order they are used; empty where the server wants none} */
    public List<Credential> credentials() {
        return settings.credentials;
    }

    /**
     * Refuses a key that is none of this endpoint's own, as {@link Builder#build} refuses those, if it looks like the key of
     * another vendor than the one whose host this is. Asked before a key of a call or of a credential source is sent.
     *
     * @param credential the key
     * @throws IllegalArgumentException if it looks like another vendor's; the message does not tell the key
     */
    public void checkForm(Credential credential) {
        KeyForms.check(settingOf(credential, name()), credential.secret(), baseUrl());
    }

    private static String settingOf(Credential credential, String endpoint) {
        return "credential " + credential.name() + " of endpoint " + endpoint;
    }

    /** {@return headers that every attempt carries} */
    public Headers headers() {
        return settings.headers;
    }

    /** {@return the region it stands in, for allow lists} */
    public Optional<String> region() {
        return settings.region;
    }

    /** {@return who runs it, for allow lists} */
    public Optional<String> vendor() {
        return settings.vendor;
    }

    /** {@return what it keeps of a prompt, for allow lists} */
    public Optional<String> retention() {
        return settings.retention;
    }

    /** {@return whether a repeated idempotency key is executed once there; false unless set} */
    public boolean honoursIdempotencyKey() {
        return settings.honoursIdempotencyKey;
    }

    /** {@return its share where load is balanced, at least 1; 1 unless set} */
    public int weight() {
        return settings.weight;
    }

    /** {@return the version of HTTP to speak; 1.1 unless set} */
    public HttpVersion httpVersion() {
        return settings.httpVersion;
    }

    @Override
    public String toString() {
        return "Endpoint[" + name() + ", " + Urls.withoutSecrets(baseUrl()) + ", " + dialect() + "]";
    }

    /** Builds an endpoint. Not safe for use by several threads. */
    public static final class Builder implements Cloneable {
        private final String name;
        private final URI baseUrl;
        private String dialect = "openai";
        private Optional<String> apiVersion = Optional.empty();
        private List<Credential> credentials = List.of();
        private Headers headers = Headers.empty();
        private Optional<String> region = Optional.empty();
        private Optional<String> vendor = Optional.empty();
        private Optional<String> retention = Optional.empty();
        private boolean honoursIdempotencyKey;
        private boolean allowPlainHttp;
        private int weight = 1;
        private HttpVersion httpVersion = HttpVersion.HTTP_1_1;

        private Builder(String name, URI baseUrl) {
            Checks.notBlank("endpoint name", name);
            this.name = name;
            this.baseUrl = Urls.checkedBase(name, baseUrl);
        }

        /**
         * Sets the dialect.
         *
         * @param dialect a dialect's name; built in are {@code "openai"}, {@code "azure"}, {@code "anthropic"},
         *     {@code "gemini"} and {@code "vertex"}
         * @return this builder
         */
        public Builder dialect(String dialect) {
            this.dialect = dialect;
            return this;
        }

        /**
         * Sets the version of the API to ask for. Azure needs one unless the base URL ends in {@code /openai/v1}.
         *
         * @param version Azure's {@code api-version}, Anthropic's {@code anthropic-version}, or the version in the paths of
         *     Gemini and Vertex ({@code "v1"}); visible ASCII
         * @return this builder
         */
        public Builder apiVersion(String version) {
            Checks.notBlank("api-version of endpoint " + name, version);
            Checks.headerValue("api-version of endpoint " + name, version);
            this.apiVersion = Optional.of(version.strip());
            return this;
        }

        /**
         * Adds a credential; the first is used until it is limited or refused.
         *
         * @param credential a named key
         * @return this builder
         */
        public Builder credential(Credential credential) {
            var all = new java.util.ArrayList<>(credentials);
            all.add(credential);
            this.credentials = List.copyOf(all);
            return this;
        }

        /**
         * Sends a header with every attempt.
         *
         * @param header its name
         * @param value its value
         * @return this builder
         */
        public Builder header(String header, String value) {
            Checks.headerValue("header " + header + " of endpoint " + name, value);
            this.headers = headers.with(header, value);
            return this;
        }

        /**
         * Sets the region.
         *
         * @param region a word that allow lists use
         * @return this builder
         */
        public Builder region(String region) {
            this.region = Optional.of(region);
            return this;
        }

        /**
         * Sets the vendor.
         *
         * @param vendor a word that allow lists use
         * @return this builder
         */
        public Builder vendor(String vendor) {
            this.vendor = Optional.of(vendor);
            return this;
        }

        /**
         * Sets the retention.
         *
         * @param retention a word that allow lists use
         * @return this builder
         */
        public Builder retention(String retention) {
            this.retention = Optional.of(retention);
            return this;
        }

        /**
         * Says whether the server executes a repeated idempotency key once.
         *
         * @param honours whether it does
         * @return this builder
         */
        public Builder honoursIdempotencyKey(boolean honours) {
            this.honoursIdempotencyKey = honours;
            return this;
        }

        /**
         * Lets keys travel over plain http to another machine.
         *
         * @param allow whether they may
         * @return this builder
         */
        public Builder allowPlainHttp(boolean allow) {
            this.allowPlainHttp = allow;
            return this;
        }

        /**
         * Sets the share where load is balanced.
         *
         * @param weight at least 1
         * @return this builder
         */
        public Builder weight(int weight) {
            if (weight < 1) {
                throw new IllegalArgumentException("weight of endpoint " + name + ": " + weight + " (expected: >= 1)");
            }
            this.weight = weight;
            return this;
        }

        /**
         * Sets the version of HTTP.
         *
         * @param version the version to speak
         * @return this builder
         */
        public Builder httpVersion(HttpVersion version) {
            this.httpVersion = version;
            return this;
        }

        /**
         * {@return the endpoint}
         *
         * @throws IllegalArgumentException if a key would travel over plain http to another machine, looks like the key of
         *     another vendor than the one whose host it is, or HTTP/2 is asked for over plain http
         */
        public Endpoint build() {
            credentials.forEach(key -> KeyForms.check(settingOf(key, name), key.secret(), baseUrl));
            boolean plain = "http".equalsIgnoreCase(baseUrl.getScheme());
            if (plain && !credentials.isEmpty() && !allowPlainHttp && !LOOPBACK.contains(baseUrl.getHost())) {
                throw new IllegalArgumentException("base-url of endpoint " + name
                        + ": plain http would show the key to the network (expected: https, or allowPlainHttp(true))");
            }
            if (plain && httpVersion == HttpVersion.HTTP_2) {
                throw new IllegalArgumentException("http-version of endpoint " + name
                        + ": HTTP_2 over plain http (expected: an https base-url, where both sides agree on it first)");
            }
            return new Endpoint(copy());
        }

        private Builder copy() {
            try {
                return (Builder) clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
