package dev.holdfast.simulation.internal.provider.h2;

import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The fields that are known by a number: always the same ones, and behind them the latest (RFC 7541, section 2.3). */
final class HeaderTable {
    private static final int OVERHEAD = 32;
    static final int LARGEST = 4096;

    private static final List<Map.Entry<String, String>> STATIC =
            """
            :authority
            :method GET
            :method POST
            :path /
            :path /index.html
            :scheme http
            :scheme https
            :status 200
            :status 204
            :status 206
            :status 304
            :status 400
            :status 404
            :status 500
            accept-charset
            accept-encoding gzip, deflate
            accept-language
            accept-ranges
            accept
            access-control-allow-origin
            age
            allow
            authorization
            cache-control
            content-disposition
            content-encoding
            content-language
            content-length
            content-location
            content-range
            content-type
            cookie
            date
            etag
            expect
            expires
            from
            host
            if-match
            if-modified-since
            if-none-match
            if-range
            if-unmodified-since
            last-modified
            link
            location
            max-forwards
            proxy-authenticate
            proxy-authorization
            range
            referer
            refresh
            retry-after
            server
            set-cookie
            strict-transport-security
            transfer-encoding
            user-agent
            vary
            via
            www-authenticate
            """.lines().map(HeaderTable::split).toList();

    private final ArrayList<Map.Entry<String, String>> latest = new ArrayList<>();
    private int max = LARGEST;
    private int size;

    private static Map.Entry<String, String> split(String line) {
        int blank = line.indexOf(' ');
        return blank < 0 ? entry(line, "") : entry(line.substring(0, blank), line.substring(blank + 1));
    }

    static Map.Entry<String, String> entry(String name, String value) {
        return new SimpleImmutableEntry<>(name, value);
    }

    Map.Entry<String, String> get(int index) throws ProtocolErrorException {
        int behind = index - STATIC.size();
        if (index < 1 || behind > latest.size()) {
            throw new ProtocolErrorException(Frame.COMPRESSION_ERROR);
        }
        return behind < 1 ? STATIC.get(index - 1) : latest.get(latest.size() - behind);
    }

    void add(Map.Entry<String, String> field) {
        size += sizeOf(field);
        latest.add(field);
        evict();
    }

    void resize(int value) throws ProtocolErrorException {
        if (value > LARGEST) {
            throw new ProtocolErrorException(Frame.COMPRESSION_ERROR);
        }
        max = value;
        evict();
    }

    private void evict() {
        while (size > max) {
            size -= sizeOf(latest.removeFirst());
        }
    }

    private static int sizeOf(Map.Entry<String, String> field) {
        return field.getKey().length() + field.getValue().length() + OVERHEAD;
    }
}
