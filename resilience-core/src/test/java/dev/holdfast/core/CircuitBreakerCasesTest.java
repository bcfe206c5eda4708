package dev.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.BreakerState;
import dev.holdfast.core.CircuitBreaker.Admission;
import dev.holdfast.core.CircuitBreaker.Open;
import dev.holdfast.core.CircuitBreaker.Permit;
import dev.holdfast.core.CircuitBreaker.Transition;
import dev.holdfast.core.internal.Cases;
import dev.holdfast.core.internal.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class CircuitBreakerCasesTest {
    @TestFactory
    Stream<DynamicTest> reportedFailures() {
        return Cases.replay("circuit-breaker", "breaker", CircuitBreakerCasesTest::play);
    }

    private static void play(JsonNode given) {
        JsonNode expect = given.get("expect");
        judge(new Player(given.at("/given/config")).play(given.at("/given/steps")), expect);
        for (JsonNode variant : given.at("/given/variants")) {
            judge(new Player(given.at("/given/config")).play(variant.get("steps")), expect);
        }
    }

    private static void judge(Player player, JsonNode expect) {
        int judged = 0;
        for (Map.Entry<String, JsonNode> field : expect.properties()) {
            String key = field.getKey();
            JsonNode value = field.getValue();
            switch (key) {
                case "states" -> judgeStates(player.states, texts(value));
                case "states_key" -> assertThat(value.asText()).isEqualTo("state after each step");
                case "open_events" -> assertThat(player.openings()).isEqualTo(value.asInt());
                case "final_state" -> assertThat(player.states).last().isEqualTo(value.asText());
                case "open_until_not_extended_by" ->
                    assertThat(player.openTimeAround("fail " + value.asText())).containsExactly(true);
                case "state_after" ->
                    value.properties()
                            .forEach(step -> assertThat(player.stateAfter(step.getKey()))
                                    .isEqualTo(step.getValue().asText()));
                default -> {
                    if (key.endsWith("_permitted")) {
                        assertThat(player.permitted.get(key.replace("_permitted", "")))
                                .isEqualTo(value.asBoolean());
                    } else {
                        String step = key.replace("state_after_", "").replace('_', ' ');
                        assertThat(player.stateAfter(step)).isEqualTo(value.asText());
                    }
                }
            }
            judged++;
        }
        assertThat(judged).isPositive();
    }

    /** A variant may take more steps through the same states. */
    private static void judgeStates(List<String> states, List<String> expected) {
        if (states.size() == expected.size()) {
            assertThat(states).isEqualTo(expected);
        } else {
            assertThat(withoutRepetitions(states)).isEqualTo(withoutRepetitions(expected));
        }
    }

    private static List<String> withoutRepetitions(List<String> states) {
        List<String> changes = new ArrayList<>();
        for (String state : states) {
            if (changes.isEmpty() || !changes.getLast().equals(state)) {
                changes.add(state);
            }
        }
        return changes;
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(each -> texts.add(each.asText()));
        return texts;
    }

    /** Plays steps and remembers what there was to see after each. */
    private static final class Player {
        private final ManualTime time = new ManualTime();
        private final List<Transition> heard = new ArrayList<>();
        private final CircuitBreaker breaker;
        private final Map<String, Permit> permits = new HashMap<>();
        private final Map<String, Boolean> permitted = new HashMap<>();
        private final List<String> steps = new ArrayList<>();
        private final List<String> states = new ArrayList<>();
        private final List<Optional<Duration>> openTimes = new ArrayList<>();

        Player(JsonNode config) {
            Duration open = Duration.ofMillis(config.get("open_ms").asLong());
            BreakerPolicy policy = BreakerPolicy.defaults()
                    .withFailureThreshold(config.get("failure_threshold").asInt())
                    .withOpenTime(open)
                    .withProbes(
                            config.get("half_open_permits").asInt(),
                            config.path("success_threshold").asInt(1))
                    .withProbeTimeout(open);
            breaker = CircuitBreaker.of("t", policy, time, new Random(7), heard::add);
        }

        Player play(JsonNode script) {
            for (JsonNode step : script) {
                play(step.asText());
                steps.add(step.asText());
                states.add(breaker.state().name());
                openTimes.add(breaker.rejection().flatMap(Open::availableIn));
            }
            return this;
        }

        private void play(String step) {
            String[] words = step.split(" ");
            switch (words[0]) {
                case "advance" -> time.advance(Duration.ofMillis(Long.parseLong(words[1])));
                case "begin" -> begin(words[1]);
                case "cancel", "ignored_exception" -> permits.get(words[1]).ignored();
                case "never" -> assertThat(permits).containsKey(words[2]);
                case "succeed" -> permits.get(words[1]).succeeded();
                case "fail" -> fail(words);
                default -> throw new IllegalArgumentException("unknown step: " + step);
            }
        }

        private void begin(String id) {
            Admission admission = breaker.acquire();
            permitted.put(id, admission instanceof Permit);
            if (admission instanceof Permit permit) {
                permits.put(id, permit);
            }
        }

        private void fail(String[] words) {
            if (words.length == 2 && permits.containsKey(words[1])) {
                permits.get(words[1]).failed();
                return;
            }
            int times = words.length == 1 ? 1 : Integer.parseInt(words[1].substring(1));
            for (int i = 0; i < times; i++) {
                ((Permit) breaker.acquire()).failed();
            }
        }

        long openings() {
            return heard.stream()
                    .filter(transition -> transition.to() == BreakerState.OPEN)
                    .count();
        }

        String stateAfter(String step) {
            return states.get(steps.lastIndexOf(step));
        }

        /** {@return for each such step, whether the rest of the open time is the same before and after} */
        List<Boolean> openTimeAround(String step) {
            List<Boolean> same = new ArrayList<>();
            for (int i = 1; i < steps.size(); i++) {
                if (steps.get(i).equals(step)) {
                    same.add(openTimes.get(i).isPresent() && openTimes.get(i).equals(openTimes.get(i - 1)));
                }
            }
            return same;
        }
    }
}
