package dev.holdfast.clients;

import dev.holdfast.core.JsonText;

/** The argument of the tool. */
final class Question {
    private Question() {}

    /** What stands in a tool call's arguments; throws if they were cut. */
    static String of(String arguments) {
        return JsonText.parse(arguments)
                .asObject()
                .flatMap(object -> object.text("question"))
                .orElseThrow();
    }
}
