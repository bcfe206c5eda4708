package dev.holdfast;

/**
 * A call of a tool that the model asks for.
 *
 * @param id the id that the tool's result must name
 * @param name the tool
 * @param arguments the arguments as the model wrote them: JSON text, perhaps malformed
 */
public record ToolCall(String id, String name, String arguments) {
    @Override
    public String toString() {
        return "ToolCall[" + id + ", " + name + "]";
    }
}
