package io.polytable.sql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A file in the format of sqllogictest: records apart by empty lines, each {@code statement ok}, {@code statement error
 * CODE} or {@code query TYPES [rowsort]} with its SQL; a query's rows follow {@code ----}, one a line with {@code |}
 * between values.
 */
final class LogicFile {
    private final Path path;
    private final List<Step> records = new ArrayList<>();

    /** One statement and what it shall answer. */
    record Step(int line, String head, String sql, List<String> expected) {
        boolean isQuery() {
            return head.startsWith("query");
        }

        boolean isComment() {
            return head.startsWith("#");
        }

        boolean isSorted() {
            return head.endsWith("rowsort");
        }

        String errorCode() {
            return head.startsWith("statement error")
                    ? head.substring("statement error".length()).strip()
                    : "";
        }
    }

    private LogicFile(Path path) {
        this.path = path;
    }

    static LogicFile read(Path path) throws IOException {
        LogicFile file = new LogicFile(path);
        List<String> lines = Files.readAllLines(path);
        int at = 0;
        while (at < lines.size()) {
            if (lines.get(at).isBlank()) {
                at++;
                continue;
            }
            int end = at;
            while (end < lines.size() && !lines.get(end).isBlank()) {
                end++;
            }
            file.add(at + 1, lines.subList(at, end));
            at = end;
        }
        return file;
    }

    private void add(int line, List<String> block) {
        int rows = block.indexOf("----");
        int end = rows < 0 ? block.size() : rows;
        List<String> expected = rows < 0 ? List.of() : block.subList(rows + 1, block.size());
        records.add(new Step(line, block.get(0), String.join("\n", block.subList(1, end)), List.copyOf(expected)));
    }

    List<Step> records() {
        return records;
    }

    /** Writes the file anew with what was answered: for looking over by eye, never for making a test pass. */
    void rewrite(List<Step> answered) throws IOException {
        StringBuilder text = new StringBuilder();
        for (Step record : answered) {
            if (text.length() > 0) {
                text.append('\n');
            }
            text.append(record.head()).append('\n');
            if (!record.sql().isEmpty()) {
                text.append(record.sql()).append('\n');
            }
            if (record.isQuery()) {
                text.append("----\n");
                record.expected().forEach(row -> text.append(row).append('\n'));
            }
        }
        Files.writeString(path, text);
    }
}
