package dev.holdfast.core.internal.stream;

import dev.holdfast.Form;
import dev.holdfast.ModelAnswer;
import dev.holdfast.StreamEvent;
import dev.holdfast.StreamEvent.Finished;
import dev.holdfast.StreamEvent.Opaque;
import dev.holdfast.StreamEvent.ReasoningDelta;
import dev.holdfast.StreamEvent.RefusalDelta;
import dev.holdfast.StreamEvent.TextDelta;
import dev.holdfast.StreamEvent.ToolCallDelta;
import dev.holdfast.StreamEvent.UsageReported;
import dev.holdfast.ToolCall;
import dev.holdfast.core.internal.dialect.OwnEvents;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** A whole answer as the events that a stream of it would bring: those of its own form, then each part in one piece. */
final class AnswerEvents {
    private AnswerEvents() {}

    static List<StreamEvent> of(ModelAnswer answer) {
        var events = new ArrayList<StreamEvent>(OwnEvents.of(answer));
        if (answer.form() == Form.OPAQUE) {
            events.add(new Opaque("", answer.document()));
        }
        add(events, answer.reasoning(), ReasoningDelta::new);
        add(events, answer.text(), TextDelta::new);
        add(events, answer.refusal(), RefusalDelta::new);
        List<ToolCall> calls = answer.toolCalls();
        for (int i = 0; i < calls.size(); i++) {
            ToolCall call = calls.get(i);
            events.add(new ToolCallDelta(i, call.id(), call.name(), call.arguments()));
        }
        answer.finishReason().ifPresent(reason -> events.add(new Finished(reason)));
        answer.usage().ifPresent(usage -> events.add(new UsageReported(usage)));
        return events;
    }

    private static void add(
            List<StreamEvent> events, Optional<String> text, Function<String, ? extends StreamEvent> event) {
        text.filter(said -> !said.isEmpty()).ifPresent(said -> events.add(event.apply(said)));
    }
}
