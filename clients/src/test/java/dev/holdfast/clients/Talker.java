package dev.holdfast.clients;

/** A client as people use it, its own retries off. Each method asks a question and returns the whole answer, or throws what the client throws. */
interface Talker extends AutoCloseable {
    /** An answer in one piece. */
    String chat(String question);

    /** An answer in pieces, put together; only one that says that it is whole. */
    String stream(String question);

    /** Has the model call the tool {@code answer}, sends its own argument back as the tool's result, and returns what the model says then. */
    String tool(String question);

    @Override
    void close();
}
