package dev.holdfast.simulation;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Requests that somebody once sent: when, and of what length. Read from the form in which Azure published its traces of LLM
 * inference: a CSV file whose first line is {@code TIMESTAMP,ContextTokens,GeneratedTokens}.
 *
 * @param rows the requests in the order of their arrival, at least one; the first arrives at 0
 */
public record Trace(List<Row> rows) {
    private static final String HEADER = "TIMESTAMP,ContextTokens,GeneratedTokens";

    /** Refuses an empty trace. */
    public Trace {
        if (rows.isEmpty()) {
            throw new IllegalArgumentException("rows: none (expected: at least one)");
        }
        rows = List.copyOf(rows);
    }

    /**
     * One request.
     *
     * @param at when it arrives, from the first
     * @param contextTokens the tokens that go in
     * @param generatedTokens the tokens that come out
     */
    public record Row(Duration at, long contextTokens, long generatedTokens) {}

    /** A row as it was read: its time is a date. */
    private record Read(LocalDateTime at, long contextTokens, long generatedTokens) {}

    /**
     * {@return the trace in a file}
     *
     * @param file a CSV file
     * @throws IOException if it cannot be read
     * @throws IllegalArgumentException if it is no trace; the message names the line
     */
    public static Trace read(Path file) throws IOException {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (MalformedInputException e) {
            throw new IllegalArgumentException("line 1: not text in UTF-8 (expected: " + HEADER + ")", e);
        }
        if (lines.isEmpty() || !withoutMark(lines.getFirst()).equalsIgnoreCase(HEADER)) {
            throw new IllegalArgumentException("line 1: not the header (expected: " + HEADER + ")");
        }
        var read = new ArrayList<Read>(lines.size());
        for (int i = 1; i < lines.size(); i++) {
            if (!lines.get(i).isBlank()) {
                read.add(row(i + 1, lines.get(i)));
            }
        }
        if (read.isEmpty()) {
            throw new IllegalArgumentException("line 2: missing (expected: at least one row below the header)");
        }
        read.sort(Comparator.comparing(Read::at));
        LocalDateTime start = read.getFirst().at();
        return new Trace(read.stream()
                .map(row -> new Row(Duration.between(start, row.at()), row.contextTokens(), row.generatedTokens()))
                .toList());
    }

    /**
     * {@return the beginning of this trace}
     *
     * @param count how many rows, at least 1 and at most as many as there are
     */
    public Trace first(int count) {
        return new Trace(rows.subList(0, count));
    }

    private static Read row(int line, String text) {
        String[] fields = text.split(",", -1);
        if (fields.length != 3) {
            throw malformed(line, fields.length + " fields", "3: " + HEADER);
        }
        return new Read(
                time(line, fields[0].strip()),
                tokens(line, "ContextTokens", fields[1].strip()),
                tokens(line, "GeneratedTokens", fields[2].strip()));
    }

    private static LocalDateTime time(int line, String text) {
        try {
            return LocalDateTime.parse(text.replace(' ', 'T'));
        } catch (DateTimeParseException e) {
            throw malformed(line, "TIMESTAMP '" + shortened(text) + "'", "2023-11-16 18:17:03.9799600");
        }
    }

    private static long tokens(int line, String column, String text) {
        if (!text.matches("\\d{1,9}")) {
            throw malformed(line, column + " '" + shortened(text) + "'", "a whole number from 0 to 999999999");
        }
        return Long.parseLong(text);
    }

    private static IllegalArgumentException malformed(int line, String found, String expected) {
        return new IllegalArgumentException("line " + line + ": " + found + " (expected: " + expected + ")");
    }

    private static String withoutMark(String line) {
        return line.startsWith("\uFEFF") ? line.substring(1).strip() : line.strip();
    }

    private static String shortened(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "…";
    }
}
