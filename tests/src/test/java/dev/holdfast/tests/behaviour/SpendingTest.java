package dev.holdfast.tests.behaviour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Bytes;
import dev.holdfast.CallEvent.AttemptFinished;
import dev.holdfast.CallEvent.AttemptStarted;
import dev.holdfast.CallEvent.CallFinished;
import dev.holdfast.CallOptions;
import dev.holdfast.CallRejectedException;
import dev.holdfast.Cost;
import dev.holdfast.FailureKind;
import dev.holdfast.Headers;
import dev.holdfast.ModelRequest;
import dev.holdfast.ModelStream;
import dev.holdfast.Price;
import dev.holdfast.Rejection;
import dev.holdfast.Route;
import dev.holdfast.Spend;
import dev.holdfast.Spend.Basis;
import dev.holdfast.Usage;
import dev.holdfast.core.BreakerPolicy;
import dev.holdfast.core.ClientBuilder;
import dev.holdfast.core.LimitPolicy;
import dev.holdfast.core.ModelSettings;
import dev.holdfast.core.ResilientClient;
import dev.holdfast.routing.Budget;
import dev.holdfast.routing.Budget.Exceeded;
import dev.holdfast.routing.BudgetRouter;
import dev.holdfast.routing.Budgets;
import dev.holdfast.routing.CostRouter;
import dev.holdfast.routing.Ledger;
import dev.holdfast.simulation.FaultScript;
import dev.holdfast.simulation.Reply;
import dev.holdfast.spi.Interceptor;
import dev.holdfast.spi.PriceSource;
import dev.holdfast.spi.Timekeeper;
import dev.holdfast.spi.TokenEstimator.TokenEstimate;
import dev.holdfast.spi.TransportReply;
import dev.holdfast.tests.behaviour.World.Ended;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What calls cost, what is told of it, and what budgets do about it: through the whole client. */
class SpendingTest {
    /** A dollar a token in, two a token out. */
    private static final Price DOLLARS = Price.of(Price.Rates.of(new BigDecimal("1000000"), new BigDecimal("2000000")));

    private static final ModelRequest CAPPED = ModelRequest.chat(World.MODEL)
            .user("Name three rivers.")
            .maxTokens(10)
            .build();

    private final World world = new World();
    private final Ledger ledger = Ledger.of(10, world.time());

    private ClientBuilder client(Reply... replies) {
        world.provider("p1", FaultScript.of(replies));
        return world.builder()
                .prices((model, at) -> Optional.of(DOLLARS))
                .tokenEstimator(request -> new TokenEstimate(100, 10))
                .listener(ledger);
    }

    private static Reply answer(String usage) {
        return Reply.of(
                200,
                Headers.of("Content-Type", "application/json"),
                Bytes.utf8("{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"ok\"},"
                        + "\"finish_reason\":\"stop\"}]" + (usage.isEmpty() ? "" : ",\"usage\":" + usage) + "}"));
    }

    private static Cost usd(String amount) {
        return new Cost(new BigDecimal(amount));
    }

    private Spend lastSpend() {
        return world.events(AttemptFinished.class).getLast().attempt().spend().orElseThrow();
    }

    @Test
    void whatTheProviderReportsIsAFact() {
        try (ResilientClient client =
                client(answer("{\"prompt_tokens\":7,\"completion_tokens\":3}")).build()) {
            CallOptions options = CallOptions.none().withTenant("acme").withTag("team", "search");
            Ended call = world.call(client, options);
            assertThat(call.answer().cost()).contains(usd("13"));
            assertThat(lastSpend()).isEqualTo(new Spend(Usage.of(7, 3), Optional.of(usd("13")), Basis.REPORTED));
            assertThat(call.answer().attempts().getLast().spend()).contains(lastSpend());
            assertThat(ledger.byTenant().of("acme").cost()).isEqualTo(usd("13"));
            assertThat(ledger.byTag("team").of("search").cost()).isEqualTo(usd("13"));
            assertThat(ledger.byModel().of(World.MODEL).isExact()).isTrue();
        }
    }

    @Test
    void zeroIsAFactAndNothingSaidIsEstimated() {
        try (ResilientClient client = client(
                        answer("{\"prompt_tokens\":0,\"completion_tokens\":0,\"total_tokens\":0}"),
                        answer(""),
                        answer("{\"prompt_tokens\":null,\"completion_tokens\":7}"))
                .build()) {
            assertThat(world.call(client).answer().cost()).contains(Cost.ZERO);
            assertThat(lastSpend().basis()).isEqualTo(Basis.REPORTED);

            assertThat(world.call(client).answer().cost())
                    .as("an estimate is no cost of the answer")
                    .isEmpty();
            assertThat(lastSpend().basis()).isEqualTo(Basis.ESTIMATED);
            assertThat(lastSpend().usage()).isEqualTo(Usage.of(100, 100));

            world.call(client).answer();
            assertThat(lastSpend().usage())
                    .as("only what is absent is estimated")
                    .isEqualTo(Usage.of(100, 7));
            assertThat(ledger.total().estimated().attempts()).isEqualTo(2);
        }
    }

    @Test
    void usageThatContradictsItselfIsKeptAndFlagged() {
        String odd =
                "{\"prompt_tokens\":100,\"completion_tokens\":0,\"prompt_tokens_details\":{\"cached_tokens\":150}}";
        try (ResilientClient client = client(answer(odd)).build()) {
            assertThat(world.call(client).answer().usage()).contains(new Usage(0, 100, 0, 0, 0, true));
            assertThat(ledger.total().reported().contradictory()).isEqualTo(1);
            assertThat(ledger.total().isExact()).isFalse();
        }
    }

    @Test
    void aRefusalCostsNothingAndALostAnswerMayHaveCost() {
        try (ResilientClient client = client(
                        Reply.status(503),
                        Reply.rateLimited(Duration.ofSeconds(1)),
                        Reply.reset(),
                        answer("{\"prompt_tokens\":1,\"completion_tokens\":1}"))
                .build()) {
            world.call(client).answer();
            assertThat(world.events(AttemptFinished.class))
                    .extracting(event -> event.attempt().spend().map(Spend::basis))
                    .containsExactly(
                            Optional.empty(),
                            Optional.empty(),
                            Optional.of(Basis.POSSIBLE),
                            Optional.of(Basis.REPORTED));
            assertThat(ledger.total().cost()).isEqualTo(usd("3"));
            assertThat(ledger.total().possible().cost()).isEqualTo(usd("120"));
            assertThat(ledger.total().isLowerBound()).isTrue();
        }
    }

    @Test
    void anAnswerThatCannotBeUsedWasMadeAllTheSame() {
        try (ResilientClient client = client(
                        Reply.garbage(Bytes.utf8("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")),
                        answer("{\"prompt_tokens\":1,\"completion_tokens\":1}"))
                .build()) {
            world.call(client).answer();
            assertThat(ledger.total().possible().attempts()).isEqualTo(1);
        }
    }

    @Test
    void aCancelledAttemptLeavesALine() {
        List<Ended> calls = new ArrayList<>();
        try (ResilientClient client = client(Reply.hang()).build()) {
            world.time().run(() -> {
                Timekeeper.Task task = world.startCall(client, calls);
                world.sleep(Duration.ofSeconds(1));
                task.interrupt();
            });
        }
        assertThat(calls.getFirst().failure().kind()).isEqualTo(FailureKind.CANCELLED);
        assertThat(calls.getFirst().failure().mayHaveBeenBilled()).isTrue();
        assertThat(calls.getFirst().failure().attempts()).hasSize(1);
        assertThat(world.events(AttemptFinished.class)).hasSize(1);
        assertThat(ledger.total().possible().cost()).isEqualTo(usd("120"));
    }

    @Test
    void whatAPluggedInPartThrowsLeavesALineToo() {
        Interceptor broken = new Interceptor() {
            @Override
            public TransportReply aroundAttempt(AttemptCall attempt, AttemptChain chain) {
                throw new IllegalStateException("broken");
            }
        };
        Budgets budgets = Budgets.of(10, world.time(), Budget.perDay("day", new BigDecimal("1000")));
        try (ResilientClient client =
                client().interceptor(broken).spendGuard(budgets).build()) {
            assertThatThrownBy(() -> world.call(client)).hasMessage("broken");
        }
        assertThat(world.events(AttemptStarted.class)).hasSize(1);
        assertThat(world.events(AttemptFinished.class)).hasSize(1);
        assertThat(budgets.statusOf(CallOptions.none()).getFirst().reserved()).isEqualTo(Cost.ZERO);
        assertThat(budgets.statusOf(CallOptions.none()).getFirst().spent()).isEqualTo(usd("120"));
    }

    @Test
    void anEstimatorThatThrowsAfterwardsCostsNoAnswer() {
        try (ResilientClient client = client(answer(""), Reply.reset(), answer(""))
                .tokenEstimator(request -> {
                    throw new IllegalStateException("broken");
                })
                .build()) {
            world.call(client).answer();
            world.call(client).answer();
            assertThat(ledger.total().estimated().unpriced()).isEqualTo(2);
            assertThat(ledger.total().possible().unpriced()).isEqualTo(1);
        }
    }

    @Test
    void lostAttemptsCountAgainstTheMaximumOfACall() {
        try (ResilientClient client = client(Reply.reset()).build()) {
            Ended call = world.call(client, CallOptions.none().withMaxCostUsd(new BigDecimal("239")));
            assertThat(call.failure().kind()).isEqualTo(FailureKind.CONNECTION);
            assertThat(world.sent()).as("a second attempt could take it to 240").hasSize(1);
        }
    }

    @Test
    void aBudgetRefusesBeforeAnythingIsSent() {
        Budgets budgets = Budgets.of(
                10,
                world.time(),
                Budget.perDay("roomy", new BigDecimal("9000")),
                Budget.perDay("day", new BigDecimal("150")));
        try (ResilientClient client = client(answer("{\"prompt_tokens\":40,\"completion_tokens\":0}"))
                .spendGuard(budgets)
                .build()) {
            world.call(client).answer();
            Ended second = world.call(client);
            assertThat(second.failure()).isInstanceOf(CallRejectedException.class);
            assertThat(second.failure().kind()).isEqualTo(FailureKind.COST_LIMIT);
            assertThat(second.failure().retryAfter()).as("until midnight").contains(Duration.ofHours(24));
            assertThat(second.failure().rejections())
                    .extracting(Rejection::by)
                    .as("which of several budgets it was")
                    .containsExactly(Optional.of("day"));
            assertThat(second.failure()).hasMessageContaining("cost_limit by day for 86400000 ms");
            assertThat(second.took()).isZero();
            assertThat(world.sent()).hasSize(1);
            world.pass(Duration.ofHours(24));
            world.call(client).answer();
        }
    }

    @Test
    void callsAtTheSameTimeCannotPassABudgetTogether() {
        Budgets budgets = Budgets.of(10, world.time(), Budget.perDay("day", new BigDecimal("250")));
        Reply slow = answer("{\"prompt_tokens\":10,\"completion_tokens\":0}").withDelay(Duration.ofSeconds(5));
        List<Ended> calls = new ArrayList<>();
        try (ResilientClient client =
                client(slow, slow, slow).spendGuard(budgets).build()) {
            world.time().run(() -> {
                for (int i = 0; i < 3; i++) {
                    world.startCall(client, calls);
                }
            });
        }
        assertThat(world.sent()).hasSize(2);
        assertThat(calls).filteredOn(call -> call.error().isPresent()).hasSize(1);
        assertThat(budgets.statusOf(CallOptions.none()).getFirst().spent()).isEqualTo(usd("20"));
        assertThat(budgets.statusOf(CallOptions.none()).getFirst().reserved()).isEqualTo(Cost.ZERO);
    }

    @Test
    void aRefusedModelLeadsToOneThatFits() {
        world.provider("p1", FaultScript.healthy());
        PriceSource prices =
                (model, at) -> Optional.of(model.equals("small") ? Price.blended(BigDecimal.ONE) : DOLLARS);
        Budgets budgets = Budgets.of(10, world.time(), Budget.perDay("day", new BigDecimal("1")));
        try (ResilientClient client = world.builder()
                .prices(prices)
                .spendGuard(budgets)
                .model(ModelSettings.of(World.MODEL).withFallbacks("small"))
                .model(ModelSettings.of("small"))
                .build()) {
            Ended call = world.call(client);
            assertThat(call.answer().model()).contains("small");
            assertThat(world.sent()).hasSize(1);
        }
    }

    @Test
    void aBudgetThatDowngradesAsksTheCheapestOnceItIsSpent() {
        world.provider("p1", FaultScript.healthy());
        PriceSource prices =
                (model, at) -> Optional.of(Price.blended(new BigDecimal(model.equals("small") ? "1" : "1000000")));
        Budgets budgets = Budgets.of(
                10, world.time(), Budget.perDay("soft", new BigDecimal("40")).withExceeded(Exceeded.DOWNGRADE));
        try (ResilientClient client = world.builder()
                .prices(prices)
                .spendGuard(budgets)
                .model(ModelSettings.of("big"))
                .model(ModelSettings.of("small"))
                .router(BudgetRouter.of(request -> Route.of("best first", "big", "small"), budgets, prices))
                .build()) {
            List<String> models = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                models.add(world.call(client, CAPPED, CallOptions.none())
                        .answer()
                        .model()
                        .orElseThrow());
            }
            assertThat(models.getFirst()).isEqualTo("big");
            assertThat(models.getLast()).isEqualTo("small");
            assertThat(models).isSortedAccordingTo(String::compareTo);
        }
    }

    @Test
    void aRefusalFurtherInGivesTheMoneyBack() {
        Budgets budgets = Budgets.of(10, world.time(), Budget.perDay("day", new BigDecimal("1000")));
        LimitPolicy one = LimitPolicy.defaults().withRpm(1).withMaxWait(Duration.ZERO);
        try (ResilientClient client = client(answer("{\"prompt_tokens\":1,\"completion_tokens\":0}"))
                .limits(World.MODEL, one)
                .breaker(BreakerPolicy.defaults())
                .spendGuard(budgets)
                .build()) {
            world.call(client).answer();
            assertThat(world.call(client, CallOptions.none().withDeadline(Duration.ofSeconds(1)))
                            .failure()
                            .kind())
                    .isEqualTo(FailureKind.LIMIT_EXCEEDED);
            Budgets.Status status = budgets.statusOf(CallOptions.none()).getFirst();
            assertThat(status.reserved()).isEqualTo(Cost.ZERO);
            assertThat(status.spent()).isEqualTo(usd("1"));
        }
    }

    @Test
    void aStreamCostsWhatItsLastEventReports() {
        Budgets budgets = Budgets.of(10, world.time(), Budget.perDay("day", new BigDecimal("1000")));
        try (ResilientClient client = client(Sse.of(Sse.ROLE, Sse.text("Rhine"), Sse.STOP, Sse.USAGE, Sse.DONE))
                .spendGuard(budgets)
                .build()) {
            Reader reader = Reader.of(world, client, CallOptions.none().withTenant("acme"));
            assertThat(reader.answer().cost()).contains(usd("19"));
            assertThat(lastSpend()).isEqualTo(new Spend(Usage.of(5, 7), Optional.of(usd("19")), Basis.REPORTED));
            assertThat(ledger.byTenant().of("acme").cost()).isEqualTo(usd("19"));
            assertThat(world.events(CallFinished.class).getLast().cost()).contains(usd("19"));
            Budgets.Status status = budgets.statusOf(CallOptions.none()).getFirst();
            assertThat(status.spent()).isEqualTo(usd("19"));
            assertThat(status.reserved()).isEqualTo(Cost.ZERO);
        }
    }

    @Test
    void aStreamThatSaysNothingOfTokensIsEstimated() {
        try (ResilientClient client =
                client(Sse.of(Sse.ROLE, Sse.text("Rhine"), Sse.STOP, Sse.DONE)).build()) {
            assertThat(Reader.of(world, client).answer().cost()).isEmpty();
            assertThat(lastSpend()).isEqualTo(new Spend(Usage.of(100, 100), Optional.of(usd("300")), Basis.ESTIMATED));
        }
    }

    @Test
    void aStreamThatBreaksMayHaveCostAllOfIt() {
        Budgets budgets = Budgets.of(10, world.time(), Budget.perDay("day", new BigDecimal("1000")));
        try (ResilientClient client = client(Sse.of(Sse.ROLE, Sse.text("Rhine"), Sse.ERROR))
                .spendGuard(budgets)
                .build()) {
            assertThat(Reader.of(world, client).failure().mayHaveBeenBilled()).isTrue();
            assertThat(lastSpend().basis()).isEqualTo(Basis.POSSIBLE);
            Budgets.Status status = budgets.statusOf(CallOptions.none()).getFirst();
            assertThat(status.possible()).isEqualTo(usd("120"));
            assertThat(status.reserved()).isEqualTo(Cost.ZERO);
        }
    }

    @Test
    void aStreamThatNobodyReadsToItsEndMayHaveCostAllOfIt() {
        Budgets budgets = Budgets.of(10, world.time(), Budget.perDay("day", new BigDecimal("1000")));
        try (ResilientClient client =
                client(Sse.silentAfter("Rhine")).spendGuard(budgets).build()) {
            world.time().run(() -> {
                try (ModelStream stream = client.stream(World.request())) {
                    assertThat(stream.iterator().next()).isNotNull();
                }
            });
            assertThat(lastSpend().basis()).isEqualTo(Basis.POSSIBLE);
            assertThat(ledger.total().possible().cost()).isEqualTo(usd("120"));
            Budgets.Status status = budgets.statusOf(CallOptions.none()).getFirst();
            assertThat(status.spent()).isEqualTo(usd("120"));
            assertThat(status.reserved()).isEqualTo(Cost.ZERO);
        }
    }

    @Test
    void aPriceSourceThatThrowsCostsNoAnswer() {
        PriceSource broken = (model, at) -> {
            throw new IllegalStateException("broken");
        };
        try (ResilientClient client = client(answer("{\"prompt_tokens\":1,\"completion_tokens\":1}"))
                .prices(broken)
                .model(ModelSettings.of(World.MODEL))
                .router(CostRouter.of(broken))
                .build()) {
            assertThat(world.call(client).answer().cost()).isEmpty();
            assertThat(ledger.total().reported().unpriced()).isEqualTo(1);
        }
    }

    @Test
    void theChainNamesTheBudgets() {
        Budgets budgets = Budgets.of(10, world.time(), Budget.perDay("day", BigDecimal.ONE));
        try (ResilientClient client = client().spendGuard(budgets).build()) {
            assertThat(client.toString()).contains("Budgets");
        }
    }
}
