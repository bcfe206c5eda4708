package dev.holdfast.core.internal.form;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.ModelRequest;
import dev.holdfast.core.internal.form.Talk.Answers;
import dev.holdfast.core.internal.form.Talk.Asks;
import dev.holdfast.core.internal.form.Talk.Call;
import dev.holdfast.core.internal.form.Talk.Settings;
import dev.holdfast.core.internal.form.Talk.Step;
import dev.holdfast.core.internal.form.Translation.Said;
import dev.holdfast.spi.DialectException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Talks with tools, made up, held with one vendor or with another at every turn. */
class ConversationPropertiesTest {
    private static final Addressee LOCAL =
            new Addressee(dev.holdfast.Form.OPENAI_CHAT, Vendor.OTHER, "local", OptionalLong.empty());

    private static final List<Addressee> VENDORS =
            List.of(Crossing.OPENAI, Crossing.MISTRAL, Crossing.CLAUDE, Crossing.GEMINI, Crossing.GEMINI_NEXT, LOCAL);

    @Property(tries = 200)
    void aTalkCrossesToEveryVendorAndBackWithoutSilentLossAndByItsRules(
            @ForAll("settings") Settings settings, @ForAll("talks") List<Step> talk) throws DialectException {
        for (Addressee home : VENDORS) {
            ModelRequest request = Talk.begin(home, settings, history(home, talk));
            for (Addressee abroad : VENDORS) {
                Said there = Crossing.to(abroad, request);
                assertRules(abroad, there.request());
                assertThat(there.request().streaming()).isEqualTo(settings.streaming());
                if (abroad.form() != home.form()) {
                    Said back = Crossing.to(home, there.request());
                    assertRules(home, back.request());
                    assertSameTalk(request, back.request());
                }
            }
        }
    }

    @Property(tries = 200)
    void aTalkGoesOnWithAnotherVendorAtEveryTurn(
            @ForAll("settings") Settings settings,
            @ForAll("talks") List<Step> talk,
            @ForAll("routes") List<Addressee> route)
            throws DialectException {
        Addressee with = route.getFirst();
        var calls = new ArrayList<String>();
        ModelRequest request = Talk.begin(with, settings, List.of());
        int turn = 0;
        for (Step step : talk) {
            request = extended(request, Talk.step(with, step, calls.size()));
            if (step instanceof Answers answers) {
                answers.calls().forEach(call -> calls.add(call.name()));
            }
            Addressee next = route.get(++turn % route.size());
            Said said = Crossing.to(next, request);
            assertRules(next, said.request());
            assertPairs(said.request(), calls);
            assertThat(Translation.say(request, next).request()).isEqualTo(said.request());
            request = said.request();
            with = next;
        }
    }

    /** Each call is there, in order, and each has its own answer. */
    private static void assertPairs(ModelRequest request, List<String> calls) {
        List<String> words = Facts.words(Facts.of(request.form(), request.document()));
        for (int i = 0; i < calls.size(); i++) {
            String call = "call " + i + " of " + calls.get(i) + " with ";
            String answered = "call " + i + " answered ";
            assertThat(words).filteredOn(word -> word.startsWith(call)).hasSize(1);
            assertThat(words).filteredOn(word -> word.startsWith(answered)).hasSize(1);
        }
        assertThat(words).noneMatch(word -> word.startsWith("call -1 "));
    }

    private static ModelRequest extended(ModelRequest request, List<JsonValue> more) {
        String member = Talk.messages(request.form());
        var all = new ArrayList<>(request.document().list(member));
        all.addAll(more);
        JsonObject document = request.document().with(member, new JsonArray(all));
        return request.withDocument(document);
    }

    private static List<JsonValue> history(Addressee vendor, List<Step> talk) {
        var messages = new ArrayList<JsonValue>();
        int calls = 0;
        for (Step step : talk) {
            messages.addAll(Talk.step(vendor, step, calls));
            calls += step instanceof Answers answers ? answers.calls().size() : 0;
        }
        return messages;
    }

    private static void assertRules(Addressee addressee, ModelRequest request) {
        assertThat(VendorRules.broken(addressee, request.document()))
                .as("rules of " + addressee)
                .isEmpty();
    }

    /** What was said, called and answered, in order; settings may have been clamped. */
    private static void assertSameTalk(ModelRequest before, ModelRequest after) {
        assertThat(talk(after)).containsExactlyElementsOf(talk(before));
    }

    private static List<String> talk(ModelRequest request) {
        return Facts.words(Facts.of(request.form(), request.document())).stream()
                .filter(word -> word.startsWith("system")
                        || word.startsWith("user s")
                        || word.startsWith("assistant")
                        || word.startsWith("call "))
                .sorted()
                .toList();
    }

    @Provide
    static Arbitrary<List<Addressee>> routes() {
        return Arbitraries.of(VENDORS).list().ofMinSize(2).ofMaxSize(6);
    }

    @Provide
    static Arbitrary<Settings> settings() {
        return Combinators.combine(
                        words().optional(),
                        Arbitraries.longs().between(1, 8_000),
                        Arbitraries.of(0.0, 0.5, 1.0, 1.5, 2.0).optional(),
                        words().list()
                                .ofMaxSize(6)
                                .map(stops -> stops.stream().distinct().toList()),
                        Arbitraries.of("auto", "none", "required").optional(),
                        Arbitraries.of(true, false))
                .as((system, max, temperature, stops, choice, streaming) ->
                        new Settings(system, max, temperature, stops, List.of("look_up", "add"), choice, streaming));
    }

    /** User and model by turns; it ends with the user or with tools' answers. */
    @Provide
    static Arbitrary<List<Step>> talks() {
        Arbitrary<Step> asks = Combinators.combine(words(), images()).as(Asks::new);
        Arbitrary<Step> answers =
                Combinators.combine(words(), calls().list().ofMaxSize(3)).as(Answers::new);
        Arbitrary<Step> working = Combinators.combine(
                        Arbitraries.of("", "Let me see."),
                        calls().list().ofMinSize(1).ofMaxSize(3))
                .as(Answers::new);
        Arbitrary<List<Step>> round = Combinators.combine(asks, working.list().ofMaxSize(2), answers)
                .as((question, work, answer) -> {
                    var steps = new ArrayList<Step>();
                    steps.add(question);
                    steps.addAll(work);
                    steps.add(new Answers(((Answers) answer).text(), List.of()));
                    return steps;
                });
        return Combinators.combine(
                        round.list().ofMaxSize(3), asks, working.list().ofMaxSize(2))
                .as((rounds, question, work) -> {
                    var steps = new ArrayList<Step>();
                    rounds.forEach(steps::addAll);
                    steps.add(question);
                    steps.addAll(work);
                    return steps;
                });
    }

    private static Arbitrary<Call> calls() {
        return Combinators.combine(
                        Arbitraries.of("look_up", "add"),
                        words(),
                        Arbitraries.oneOf(
                                words(),
                                Arbitraries.of(
                                        "{\"a\":1}",
                                        "{\"result\":\"x\"}",
                                        "{\"error\":\"no\"}",
                                        "[1,2]",
                                        "{broken",
                                        "42")))
                .as(Call::new);
    }

    private static Arbitrary<java.util.Optional<String>> images() {
        return Arbitraries.of("https://example.com/a.png", "https://example.com/b.png?x=1")
                .optional(0.2);
    }

    private static Arbitrary<String> words() {
        return Arbitraries.strings()
                .withChars("abc äß한\"\\\n~/{}")
                .ofMinLength(1)
                .ofMaxLength(12)
                .map(text -> "w" + text);
    }
}
