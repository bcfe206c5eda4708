package dev.holdfast.core.internal.form;

import dev.holdfast.core.internal.form.Conversation.Role;
import dev.holdfast.core.internal.form.Conversation.Turn;
import java.util.ArrayList;
import java.util.List;

/**
 * The turns of a conversation for targets that have the system's words in a place of their own.
 *
 * @param system what the system says
 * @param spoken what user and assistant say; a system that speaks alone is a user
 */
record SystemApart(List<Turn> system, List<Turn> spoken) {
    /** Takes the turns apart, and notes which ones were moved to the system's place. */
    static SystemApart of(Conversation conversation, String systemsPlace, Changes changes) {
        var system = new ArrayList<Turn>();
        var spoken = new ArrayList<Turn>();
        for (Turn turn : conversation.turns()) {
            if (turn.role() == Role.SYSTEM) {
                if (!spoken.isEmpty()) {
                    changes.note(turn.origin().place(), "moved to " + systemsPlace);
                }
                system.add(turn);
            } else {
                spoken.add(turn);
            }
        }
        return spoken.isEmpty()
                ? new SystemApart(List.of(), saidByUser(system, changes))
                : new SystemApart(system, spoken);
    }

    private static List<Turn> saidByUser(List<Turn> system, Changes changes) {
        var spoken = new ArrayList<Turn>();
        for (Turn turn : system) {
            changes.note(turn.origin().place(), "said by the user: the target wants a user's turn");
            spoken.add(new Turn(Role.USER, "user", turn.parts(), turn.plain(), turn.name(), turn.origin()));
        }
        return spoken;
    }
}
