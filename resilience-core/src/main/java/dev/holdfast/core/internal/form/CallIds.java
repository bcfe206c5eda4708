package dev.holdfast.core.internal.form;

import dev.holdfast.Form;
import dev.holdfast.core.internal.form.Conversation.Role;
import dev.holdfast.core.internal.form.Conversation.Turn;
import dev.holdfast.core.internal.form.Part.ToolResult;
import dev.holdfast.core.internal.form.Part.ToolUse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gives tool calls the ids that the target takes, and their results with them. An id that the target takes stays; any other is
 * made of the old one, or of the call's place in order where there was none, so that the same history has the same ids each
 * time, as prompt caches and idempotency keys need it. Results that name no call belong to the first unanswered call of their
 * tool. One is made for each conversation.
 */
final class CallIds {
    private static final String ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final int LONGEST = 40;
    private static final int LONGEST_AT_ANTHROPIC = 64;
    private static final int MISTRAL = 9;
    private static final int MADE = 24;

    private final Addressee addressee;
    private final Changes changes;
    /** The calls of the model's last turn: by their ids, and by their tools. */
    private final Map<String, Deque<Call>> openById = new HashMap<>();

    private final Map<String, Deque<Call>> openByName = new HashMap<>();
    private final Set<Call> answered = new HashSet<>();
    private final Map<String, Call> latest = new HashMap<>();
    private final Set<String> given = new HashSet<>();
    private int calls;
    private int changed;
    private @Nullable Place firstChanged;

    private CallIds(Addressee addressee, Changes changes) {
        this.addressee = addressee;
        this.changes = changes;
    }

    private record Call(String id, String name, String given, int number) {}

    /** The conversation with ids that the addressee takes; each result knows its tool and stands where its call stood. */
    static Conversation fit(Conversation conversation, Addressee addressee, Changes changes) {
        boolean calling = conversation.turns().stream()
                .flatMap(turn -> turn.parts().stream())
                .anyMatch(part -> part instanceof ToolUse || part instanceof ToolResult);
        if (!calling) {
            return conversation;
        }
        var ids = new CallIds(addressee, changes);
        var turns = new ArrayList<Turn>(conversation.turns().size());
        Role before = Role.SYSTEM;
        for (Turn turn : conversation.turns()) {
            if (turn.role() == Role.ASSISTANT && before != Role.ASSISTANT) {
                ids.openById.clear();
                ids.openByName.clear();
            }
            before = turn.role();
            turns.add(turn.with(ids.fit(turn.parts())));
        }
        ids.tell();
        return conversation.withTurns(turns);
    }

    private List<Part> fit(List<Part> parts) {
        var fitted = new ArrayList<Part>(parts.size());
        for (Part part : parts) {
            fitted.add(
                    switch (part) {
                        case ToolUse use -> fit(use);
                        case ToolResult result -> fit(result);
                        default -> part;
                    });
        }
        return fitted;
    }

    private ToolUse fit(ToolUse use) {
        int number = calls++;
        String id = unique(use.id(), use.name(), number);
        note(use.id(), id, use.origin().place());
        var call = new Call(use.id(), use.name(), id, number);
        openByName.computeIfAbsent(use.name(), name -> new ArrayDeque<>()).add(call);
        if (!use.id().isEmpty()) {
            openById.computeIfAbsent(use.id(), same -> new ArrayDeque<>()).add(call);
            latest.put(use.id(), call);
        }
        return new ToolUse(id, use.name(), use.arguments(), use.origin());
    }

    private ToolResult fit(ToolResult result) {
        Call call = answered(result);
        String id = call == null ? shaped(result.callId(), result.callId()) : call.given();
        Optional<String> name = call == null ? result.name() : Optional.of(call.name());
        return new ToolResult(
                id, name, result.content(), result.plain(), result.document(), result.failed(), result.origin());
    }

    /** The call that a result answers: of its id, else the first of its tool that is open. */
    private @Nullable Call answered(ToolResult result) {
        boolean named = !result.callId().isEmpty();
        Call call = named
                ? next(openById.get(result.callId()))
                : next(openByName.get(result.name().orElse("")));
        return call == null && named ? latest.get(result.callId()) : call;
    }

    private @Nullable Call next(@Nullable Deque<Call> calls) {
        while (calls != null && !calls.isEmpty()) {
            Call call = calls.remove();
            if (answered.add(call)) {
                return call;
            }
        }
        return null;
    }

    private String unique(String id, String name, int number) {
        String wanted = id.isEmpty() ? made(addressee, name + '\n' + number) : shaped(id, id);
        for (int i = 1; !given.add(wanted); i++) {
            wanted = made(addressee, id + '\n' + name + '\n' + number + '\n' + i);
        }
        return wanted;
    }

    private String shaped(String id, String seed) {
        return takes(addressee, id) ? id : made(addressee, seed);
    }

    /** Whether the addressee is known to refuse some ids. */
    static boolean areBound(Addressee addressee) {
        return switch (addressee.vendor()) {
            case OPENAI, AZURE, MISTRAL -> true;
            case ANTHROPIC -> addressee.form() == Form.ANTHROPIC_MESSAGES;
            default -> false;
        };
    }

    /** Whether the addressee takes an id: Mistral takes nine letters and digits, OpenAI up to 40 characters. */
    static boolean takes(Addressee addressee, String id) {
        if (addressee.vendor() == Vendor.MISTRAL) {
            return id.length() == MISTRAL && isPlain(id, "");
        }
        return switch (addressee.form()) {
            case ANTHROPIC_MESSAGES -> !id.isEmpty() && id.length() <= LONGEST_AT_ANTHROPIC && isPlain(id, "_-");
            case OPENAI_CHAT -> !id.isEmpty() && id.length() <= LONGEST;
            case GEMINI_CONTENT, OPAQUE -> true;
        };
    }

    private static boolean isPlain(String id, String beside) {
        for (int i = 0; i < id.length(); i++) {
            if (ALPHABET.indexOf(id.charAt(i)) < 0 && beside.indexOf(id.charAt(i)) < 0) {
                return false;
            }
        }
        return true;
    }

    /** An id that the addressee takes, the same for the same seed. */
    static String made(Addressee addressee, String seed) {
        if (addressee.vendor() == Vendor.MISTRAL) {
            return digest(seed, MISTRAL);
        }
        return (addressee.form() == Form.ANTHROPIC_MESSAGES ? "toolu_" : "call_") + digest(seed, MADE);
    }

    private static String digest(String seed, int length) {
        byte[] hash;
        try {
            hash = MessageDigest.getInstance("SHA-256").digest(seed.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
        var text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(ALPHABET.charAt((hash[i] & 0xFF) % ALPHABET.length()));
        }
        return text.toString();
    }

    private void note(String old, String fresh, Place place) {
        if (!old.isEmpty() && !old.equals(fresh)) {
            changed++;
            firstChanged = firstChanged == null ? place : firstChanged;
        }
    }

    /** Gemini matches by name and order: its documents hold no ids. */
    private void tell() {
        if (firstChanged != null && addressee.form() != Form.GEMINI_CONTENT) {
            String which = changed == 1 ? "id" : "ids of " + changed + " tool calls from here on";
            changes.note(firstChanged, which + " rewritten as the target takes them");
        }
    }
}
