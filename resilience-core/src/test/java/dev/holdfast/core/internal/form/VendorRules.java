package dev.holdfast.core.internal.form;

import dev.holdfast.Form;
import dev.holdfast.JsonValue;
import dev.holdfast.JsonValue.JsonArray;
import dev.holdfast.JsonValue.JsonNumber;
import dev.holdfast.JsonValue.JsonObject;
import dev.holdfast.JsonValue.JsonString;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What each vendor refuses a conversation for: its rules of roles, ids and pairs, as its errors tell them. */
final class VendorRules {
    private final List<String> broken = new ArrayList<>();

    private VendorRules() {}

    /** The rules that a document breaks. */
    static List<String> broken(Addressee addressee, JsonObject document) {
        var rules = new VendorRules();
        switch (addressee.form()) {
            case OPENAI_CHAT -> rules.openAi(addressee.vendor(), document);
            case ANTHROPIC_MESSAGES -> rules.anthropic(document);
            case GEMINI_CONTENT -> rules.gemini(document, ModelNames.gemini(addressee.model()) >= 300);
            case OPAQUE -> throw new IllegalArgumentException();
        }
        return rules.broken;
    }

    private void require(boolean holds, String rule) {
        if (!holds) {
            broken.add(rule);
        }
    }

    private void openAi(Vendor vendor, JsonObject document) {
        require(!document.list("messages").isEmpty(), "messages must not be empty");
        Set<String> open = new HashSet<>();
        for (JsonValue each : document.list("messages")) {
            JsonObject message = (JsonObject) each;
            String role = message.text("role").orElse("");
            require(Set.of("system", "user", "assistant", "tool").contains(role), "unknown role " + role);
            boolean developer = vendor == Vendor.OPENAI;
            require(developer || !role.equals("developer"), "no developer at " + vendor);
            if (role.equals("tool")) {
                String id = message.text("tool_call_id").orElse("");
                require(open.remove(id), "a tool message must answer a call just before it: " + id);
                require(message.get("content").isPresent(), "a tool message needs content");
                continue;
            }
            require(open.isEmpty(), "each call must be answered before the next message");
            open.clear();
            List<JsonValue> calls = message.list("tool_calls");
            boolean content =
                    message.get("content").filter(value -> !value.isNull()).isPresent();
            require(content || !calls.isEmpty() || message.text("refusal").isPresent(), "a message needs content");
            for (JsonValue value : calls) {
                JsonObject call = (JsonObject) value;
                String id = call.text("id").orElse("");
                require(vendor != Vendor.OPENAI || id.length() <= 40, "ids have up to 40 characters: " + id);
                require(!id.isEmpty(), "ids are not empty");
                require(vendor != Vendor.MISTRAL || id.matches("[a-zA-Z0-9]{9}"), "Mistral's ids: " + id);
                require(open.add(id), "ids are unique: " + id);
                JsonObject function = call.object("function").orElse(JsonObject.empty());
                require(
                        function.get("arguments")
                                .filter(JsonString.class::isInstance)
                                .isPresent(),
                        "arguments are text");
            }
        }
        require(open.isEmpty(), "each call must be answered");
        require(document.get("tool_choice").isEmpty() || !document.list("tools").isEmpty(), "tool_choice needs tools");
        require(document.get("stop").map(stop -> stop.asList().size() <= 4).orElse(true), "at most 4 stops");
        require(atMost(document, "temperature", 2), "temperature up to 2");
    }

    private static boolean atMost(JsonObject document, String member, long most) {
        return document.get(member)
                .map(value -> ((JsonNumber) value).decimal().doubleValue() <= most)
                .orElse(true);
    }

    private void anthropic(JsonObject document) {
        require(document.longValue("max_tokens").orElse(0) >= 1, "max_tokens is needed");
        require(atMost(document, "temperature", 1), "temperature up to 1");
        List<JsonValue> messages = document.list("messages");
        require(!messages.isEmpty(), "messages must not be empty");
        String before = "assistant";
        Set<String> open = new HashSet<>();
        Set<String> ids = new HashSet<>();
        for (JsonValue each : messages) {
            JsonObject message = (JsonObject) each;
            String role = message.text("role").orElse("");
            require(!role.equals(before), "roles alternate, beginning with user");
            before = role;
            boolean results = true;
            for (JsonValue value : blocks(message)) {
                JsonObject block = (JsonObject) value;
                String type = block.text("type").orElse("");
                if (type.equals("tool_result")) {
                    require(results && role.equals("user"), "results come first, in a user's turn");
                    require(
                            open.remove(block.text("tool_use_id").orElse("")),
                            "a result answers a call of the turn before");
                } else {
                    results = false;
                }
                if (type.equals("text")) {
                    require(!block.text("text").orElse("").isBlank(), "no blank text");
                }
                if (type.equals("thinking")) {
                    require(block.text("signature").isPresent(), "thinking is signed");
                }
            }
            require(open.isEmpty(), "each call is answered in the next turn");
            open.clear();
            for (JsonValue value : blocks(message)) {
                JsonObject block = (JsonObject) value;
                if (block.text("type").orElse("").equals("tool_use")) {
                    String id = block.text("id").orElse("");
                    require(id.matches("[a-zA-Z0-9_-]+"), "ids are letters, digits, _ and -: " + id);
                    require(ids.add(id), "ids are unique: " + id);
                    require(block.object("input").isPresent(), "input is an object");
                    require(role.equals("assistant"), "calls are the assistant's");
                    open.add(id);
                }
            }
        }
        require(open.isEmpty(), "each call is answered");
        require(ids.isEmpty() || !document.list("tools").isEmpty(), "a history with calls needs tools");
        require(document.get("tool_choice").isEmpty() || !document.list("tools").isEmpty(), "tool_choice needs tools");
        document.object("thinking")
                .flatMap(thinking -> thinking.get("budget_tokens"))
                .ifPresent(budget -> {
                    long tokens = budget.asLong().orElse(0);
                    require(tokens >= 1_024, "a budget is at least 1024");
                    require(tokens < document.longValue("max_tokens").orElse(0), "a budget is below max_tokens");
                    require(document.get("temperature").isEmpty(), "no temperature with thinking");
                });
        document.list("stop_sequences")
                .forEach(stop -> require(!stop.asText().orElse("").isBlank(), "stops are not blank"));
    }

    private static List<JsonValue> blocks(JsonObject message) {
        return message.get("content").orElse(JsonValue.of("")) instanceof JsonArray(List<JsonValue> blocks)
                ? blocks
                : List.of(JsonObject.builder()
                        .with("type", JsonValue.of("text"))
                        .with("text", message.get("content").orElse(JsonValue.of("")))
                        .build());
    }

    private void gemini(JsonObject document, boolean signed) {
        List<JsonValue> contents = document.list("contents");
        require(!contents.isEmpty(), "contents must not be empty");
        List<String> open = List.of();
        boolean first = true;
        for (JsonValue each : contents) {
            JsonObject content = (JsonObject) each;
            String role = content.text("role").orElse("");
            require(role.equals("user") || role.equals("model"), "role is user or model");
            require(!first || role.equals("user"), "the user begins");
            first = false;
            List<JsonValue> parts = content.list("parts");
            require(!parts.isEmpty(), "parts must not be empty");
            List<String> answers = names(parts, "functionResponse");
            List<String> calls = names(parts, "functionCall");
            require(
                    answers.equals(open),
                    "results are as many, in the order of their calls: " + open + " and " + answers);
            require(answers.isEmpty() || answers.size() == parts.size(), "results stand alone");
            require(calls.isEmpty() || role.equals("model"), "calls are the model's");
            if (signed && !calls.isEmpty()) {
                JsonObject call = parts.stream()
                        .map(JsonObject.class::cast)
                        .filter(part -> part.get("functionCall").isPresent())
                        .findFirst()
                        .orElseThrow();
                require(call.text("thoughtSignature").isPresent(), "the first call of a turn is signed");
            }
            open = calls;
        }
        require(open.isEmpty(), "each call is answered");
        JsonObject config = document.object("generationConfig").orElse(JsonObject.empty());
        require(config.list("stopSequences").size() <= 5, "at most 5 stops");
        require(atMost(config, "temperature", 2), "temperature up to 2");
        require(document.get("model").isEmpty(), "the model stands in the URL");
    }

    private static List<String> names(List<JsonValue> parts, String member) {
        return parts.stream()
                .flatMap(part -> ((JsonObject) part).object(member).stream())
                .map(object -> object.text("name").orElse(""))
                .toList();
    }

    static boolean isForm(Form form, JsonObject document) {
        return document.get(form == Form.GEMINI_CONTENT ? "contents" : "messages")
                .isPresent();
    }
}
