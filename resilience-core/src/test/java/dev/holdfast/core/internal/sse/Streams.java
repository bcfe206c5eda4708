package dev.holdfast.core.internal.sse;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/** Event streams made of what is difficult about them, often damaged. */
final class Streams {
    private static final List<String> PARTS = List.of(
            "\n",
            "\n",
            "\r",
            "\r\n",
            "\n\n",
            "\r\r",
            "\r\n\r\n",
            ":",
            ": ping",
            "data",
            "data:",
            "data: ",
            "data:  x",
            "data: {\"a\":1}",
            "event",
            "event:",
            "event: error",
            "event: ",
            "id",
            "id:",
            "id: 7",
            "id: a\0b",
            "retry: 15",
            "retry: 1x",
            "retry:",
            "retry: 99999999999999999999",
            "\uFEFF",
            "\uFEFFdata: b",
            "datax: 1",
            "dat: 1",
            " data: 1",
            "é",
            "🌍",
            "\u2028",
            "\0",
            "x",
            "data : 1",
            "DATA: 1",
            "a longer line that spans more than eight bytes");

    private static final byte[] LEADS = {(byte) 0xC0, (byte) 0xE0, (byte) 0xED, (byte) 0xF0, (byte) 0xF4, (byte) 0xEF};

    private Streams() {}

    static byte[] random(Random random) {
        var text = new StringBuilder();
        for (int i = random.nextInt(24); i >= 0; i--) {
            text.append(PARTS.get(random.nextInt(PARTS.size())));
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        for (int i = random.nextInt(3); i > 0 && bytes.length > 0 && random.nextBoolean(); i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        for (int i = 0; i + 2 < bytes.length && random.nextInt(4) == 0; i += 1 + random.nextInt(9)) {
            bytes[i] = LEADS[random.nextInt(LEADS.length)];
            bytes[i + 1] = (byte) (0x80 + random.nextInt(0x40));
            bytes[i + 2] = (byte) random.nextInt(256);
        }
        return bytes;
    }
}
