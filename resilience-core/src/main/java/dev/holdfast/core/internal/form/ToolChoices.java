package dev.holdfast.core.internal.form;

import dev.holdfast.core.internal.form.Conversation.CallMode;
import dev.holdfast.core.internal.form.Conversation.FunctionTool;
import dev.holdfast.core.internal.form.Conversation.Tool;
import dev.holdfast.core.internal.form.Conversation.ToolChoice;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What becomes of a choice of tools where some of them, such as a provider's own, do not cross to another form. */
final class ToolChoices {
    private ToolChoices() {}

    /**
     * The choice among the functions that cross. Where none of those it names does, no other may be called in their place.
     */
    static ToolChoice among(List<Tool> tools, ToolChoice choice, Changes changes) {
        Set<String> functions = new HashSet<>();
        for (Tool tool : tools) {
            if (tool instanceof FunctionTool function) {
                functions.add(function.name());
            }
        }
        List<String> crossing =
                choice.names().stream().filter(functions::contains).toList();
        if (functions.isEmpty() || crossing.size() == choice.names().size()) {
            return choice;
        }
        boolean none = crossing.isEmpty();
        changes.note(
                choice.origin().place(),
                none ? "said as none: no tool it names crosses" : "limited to the functions among the tools it names");
        return new ToolChoice(none ? CallMode.NONE : choice.mode(), crossing, choice.said(), choice.origin());
    }
}
