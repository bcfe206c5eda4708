package dev.holdfast.core.internal.call;

import dev.holdfast.core.internal.event.Events;
import dev.holdfast.spi.Interceptor;
import dev.holdfast.spi.Interceptor.AttemptChain;
import dev.holdfast.spi.Interceptor.Call;
import java.time.Duration;
import java.util.List;

/** What the calls of one client share: breakers, limits, cooldowns, budgets, keys. */
final class Services {
    private final Setup setup;
    private final Keys keys;
    private final Admission admission;
    private final Budgets budgets;
    private final RetryDelay retryDelay;
    private final Routes routes;
    private final Classifiers classifiers;
    private final AttemptChain attempts;

    Services(Setup setup, Events events) {
        this.setup = setup;
        this.keys = new Keys(setup.credentialSources(), setup.timekeeper());
        this.admission = new Admission(setup, events);
        this.budgets = new Budgets(setup.retry().budget(), setup.timekeeper());
        this.retryDelay = new RetryDelay(setup.retry().backoff(), setup.random());
        this.routes = new Routes(setup, keys, admission::wouldAdmit);
        this.classifiers = new Classifiers(setup.endpoints());
        this.attempts = chain(setup.interceptors());
    }

    private AttemptChain chain(List<Interceptor> interceptors) {
        AttemptChain chain = attempt -> setup.transport().send(attempt.wire());
        for (Interceptor interceptor : interceptors.reversed()) {
            AttemptChain inner = chain;
            chain = attempt -> interceptor.aroundAttempt(attempt, inner);
        }
        return chain;
    }

    Setup setup() {
        return setup;
    }

    Admission admission() {
        return admission;
    }

    Budgets budgets() {
        return budgets;
    }

    RetryDelay retryDelay() {
        return retryDelay;
    }

    Routes routes() {
        return routes;
    }

    Moves movesFor(Call call) {
        return new Moves(
                setup.retry(),
                call.options().retry().orElse(true),
                call.options().fallback().orElse(true),
                setup.retry().onlyIfIdempotent() || Effects.of(call.request()));
    }

    AttemptSender senderFor(Call call) {
        return new AttemptSender(call, setup, keys, classifiers, attempts);
    }

    Duration timeoutFor(Call call, Candidate candidate) {
        return AttemptTimeout.of(call.options(), candidate.model(), setup.timeout(), call.request());
    }
}
