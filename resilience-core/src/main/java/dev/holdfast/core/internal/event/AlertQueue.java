package dev.holdfast.core.internal.event;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What people were told of that is not over, and what waits to be sent, in the order in which it was noted: a beginning never comes
 * behind its end. Immutable; what changes nothing is the same queue.
 *
 * @param told the subjects that are not over
 * @param waiting what waits to be sent, the oldest first
 * @param dropped how many were not sent since the last that was, as too many waited
 * @param sending whether a sender is at work
 * @param closed whether nothing is sent any more
 */
public record AlertQueue(Set<String> told, List<Alert> waiting, long dropped, boolean sending, boolean closed) {
    public static final AlertQueue EMPTY = new AlertQueue(Set.of(), List.of(), 0, false, false);
    public static final int MOST_WAITING = 100;
    private static final int MOST_TOLD = 10_000;

    /** {@return the queue with the beginning or the end of something, which is told once} */
    public AlertQueue with(Alert alert) {
        boolean known = told.contains(alert.subject());
        if (alert.over() != known || (!known && told.size() == MOST_TOLD)) {
            return this;
        }
        var subjects = new HashSet<>(told);
        if (known) {
            subjects.remove(alert.subject());
        } else {
            subjects.add(alert.subject());
        }
        if (closed) {
            return new AlertQueue(subjects, waiting, dropped, sending, true);
        }
        boolean full = waiting.size() == MOST_WAITING;
        var line = new ArrayList<>(full ? waiting.subList(1, MOST_WAITING) : waiting);
        line.add(alert);
        return new AlertQueue(subjects, line, full ? dropped + 1 : dropped, true, false);
    }

    /** {@return the alert to send next, which says how many before it were dropped} */
    public Alert first() {
        return waiting.getFirst().after(dropped);
    }

    /** {@return the queue once its first was taken; the sender goes where there is none} */
    public AlertQueue withoutFirst() {
        return waiting.isEmpty()
                ? withoutSender()
                : new AlertQueue(told, waiting.subList(1, waiting.size()), 0, sending, closed);
    }

    /** {@return the queue whose sender has gone; the next alert has another} */
    public AlertQueue withoutSender() {
        return new AlertQueue(told, waiting, dropped, false, closed);
    }

    /** {@return the queue of which nothing is sent any more} */
    public AlertQueue withClosed() {
        return new AlertQueue(told, List.of(), dropped, sending, true);
    }
}
