package dev.holdfast;

import java.net.URI;

/** Checks base URLs and shows them without what may be secret in them. */
final class Urls {
    private Urls() {}

    static URI checkedBase(String endpoint, URI url) {
        String scheme = url.getScheme();
        if (scheme == null
                || url.getHost() == null
                || !scheme.toLowerCase(java.util.Locale.ROOT).matches("https?")) {
            throw new IllegalArgumentException("base-url of endpoint " + endpoint
                    + ": not an absolute http URL with a host (expected: https://api.example.com/v1)");
        }
        if (url.getRawUserInfo() != null || url.getRawFragment() != null) {
            throw new IllegalArgumentException("base-url of endpoint " + endpoint
                    + ": carries user info or a fragment (expected: keys as credentials)");
        }
        String text = url.toString();
        return text.endsWith("/") ? URI.create(text.replaceAll("/+$", "")) : url;
    }

    static String withoutSecrets(URI url) {
        return url.getScheme() + "://" + url.getRawAuthority() + (url.getRawPath() == null ? "" : url.getRawPath())
                + (url.getRawQuery() == null ? "" : "?***");
    }
}
