package io.polytable.sql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A file in the format of sqllogictest: records apart by empty lines, each {@code statement ok}, {@code statement error
 * CODE} or {@code query TYPES [rowsort]} with its SQL; a query's rows follow {@code ----}, one a line with {@code |}
 * between values. The code is ours or a SQLSTATE. A line {@code onlyif postgres} before a record says that we answer
 * something else there, which docs/sql.md tells of.
 */
final class LogicFile {
    private static final String ONLY = "onlyif ";

    private final Path path;
    private final List<Step> records = new ArrayList<>();

    /** One statement and what it shall answer; {@code only} names the one server that answers so, empty for all. */
    record Step(int line, String only, String head, String sql, List<String> expected) {
        boolean isQuery() {
            return head.startsWith("query");
        }

        boolean isComment() {
            return head.startsWith("#");
        }

        boolean isSorted() {
            return head.endsWith("rowsort");
        }

        /** A letter for each column of a query. */
        String types() {
            return head.split(" ", -1)[1];
        }

        Step answered(String newHead, List<String> rows) {
            return new Step(line, only, newHead, sql, rows);
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
        boolean some = block.get(0).startsWith(ONLY);
        String only = some ? block.get(0).substring(ONLY.length()) : "";
        List<String> rest = some ? block.subList(1, block.size()) : block;
        int rows = rest.indexOf("----");
        int end = rows < 0 ? rest.size() : rows;
        List<String> expected = rows < 0 ? List.of() : rest.subList(rows + 1, rest.size());
        String sql = String.join("\n", rest.subList(1, end));
        records.add(new Step(line, only, rest.get(0), sql, List.copyOf(expected)));
    }

    List<Step> records() {
        return records;
    }

    /** Rewrites the file with the actual answers: for review by eye, never to make a test pass. */
    void rewrite(List<Step> answered) throws IOException {
        StringBuilder text = new StringBuilder();
        for (Step record : answered) {
            if (text.length() > 0) {
                text.append('\n');
            }
            if (!record.only().isEmpty()) {
                text.append(ONLY).append(record.only()).append('\n');
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
