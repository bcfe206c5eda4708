package dev.holdfast.spi;

/**
 * One event of an event stream (WHATWG HTML, section 9.2).
 *
 * @param event the event's type; empty where the stream named none
 * @param data the data lines, joined by a line feed
 * @param id the last id seen; empty for none
 */
public record ServerSentEvent(String event, String data, String id) {
    /**
     * {@return an event without type and id}
     *
     * @param data the data
     */
    public static ServerSentEvent ofData(String data) {
        return new ServerSentEvent("", data, "");
    }

    @Override
    public String toString() {
        return "ServerSentEvent[" + event + ", " + data.length() + " characters]";
    }
}
