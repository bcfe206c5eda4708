package dev.holdfast.core.internal.call;

import dev.holdfast.CallEvent;
import dev.holdfast.spi.Interceptor.Call;
import dev.holdfast.spi.Timekeeper;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * One call as it stands, for the steps that take it further: what was asked, what the client shares with it, and what has come of
 * it. The call's own thread alone touches it.
 */
final class Progress {
    private final Call call;
    private final Services services;
    private final Spending spending;
    private final Timekeeper time;
    private CallState state;
    private Duration waited = Duration.ZERO;
    private int begun;
    private boolean cutByDeadline;

    Progress(Call call, CallState begun, Services services) {
        this.call = call;
        this.state = begun;
        this.services = services;
        this.spending = services.spendingOf(call);
        this.time = services.setup().timekeeper();
    }

    Call call() {
        return call;
    }

    Services services() {
        return services;
    }

    Spending spending() {
        return spending;
    }

    Timekeeper time() {
        return time;
    }

    CallState state() {
        return state;
    }

    Track track(int candidate) {
        return state.tracks().get(candidate);
    }

    Candidate candidate(int index) {
        return state.candidates().get(index);
    }

    void update(UnaryOperator<CallState> change) {
        state = change.apply(state);
    }

    /** Looks at the clock, and at how long anyone waits for this call now: the rules decide on a wait by these. */
    CallState asOfNow() {
        state = state.at(time.nanoTime(), call.patienceNanos());
        return state;
    }

    void tell(CallEvent event) {
        call.events().accept(event);
    }

    /** The next attempt's number: several may be underway. */
    int number() {
        return ++begun;
    }

    /** The deadline has cut an attempt: the call is over, whatever the clock says. */
    void cutByDeadline() {
        cutByDeadline = true;
    }

    boolean isCutByDeadline() {
        return cutByDeadline;
    }

    void waited(Duration length) {
        waited = waited.plus(length);
    }

    /** How long the call has waited since its last attempt began. */
    Duration waitedSince() {
        Duration sum = waited;
        waited = Duration.ZERO;
        return sum;
    }
}
