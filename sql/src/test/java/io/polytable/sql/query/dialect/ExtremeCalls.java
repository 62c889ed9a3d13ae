package io.polytable.sql.query.dialect;

import io.polytable.frontend.setting.Settings;
import io.polytable.sql.SqlFace;
import io.polytable.sql.SqlOptions;
import io.polytable.sql.SqlSettings;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.type.SqlError;
import io.polytable.table.testkit.MemoryStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * Calls allowed functions with very large arguments. A process of its own, whose end says whether it lived: a fault of
 * this kind ends the process.
 */
final class ExtremeCalls {
    private static final long MEMORY = 64L << 20;

    /** Read from a table, so that DuckDB cannot compute the call while it plans. */
    private static final String TEXT = "repeat(w, 3000000)";

    private static final String NUMBER = "(2000000000 + id)";
    private static final String LIST = "range(id, 500000)";

    private static final List<List<String>> ARGUMENTS = List.of(
            List.of(TEXT),
            List.of(NUMBER),
            List.of(LIST),
            List.of(TEXT, TEXT),
            List.of(TEXT, NUMBER),
            List.of(TEXT, "w"),
            List.of(NUMBER, NUMBER),
            List.of("1", NUMBER),
            List.of(LIST, NUMBER),
            List.of(LIST, LIST),
            List.of("w", "[" + NUMBER + "]"),
            List.of(TEXT, "w", TEXT),
            List.of(TEXT, NUMBER, TEXT),
            List.of("1", NUMBER, "1"),
            List.of(LIST, NUMBER, "1"),
            List.of(TEXT, "w", TEXT, "'g'"));

    private ExtremeCalls() {}

    /**
     * Calls every function of some growths.
     *
     * @param arguments a directory and the growths of the functions to call
     */
    public static void main(String[] arguments) throws IOException {
        Set<String> growths = Set.of(arguments[1].split(",", -1));
        try (MemoryStore store = new MemoryStore();
                SqlFace face = SqlFace.open(
                        store,
                        new SqlOptions(
                                Path.of(arguments[0]),
                                MEMORY,
                                2,
                                MEMORY,
                                Duration.ofSeconds(2),
                                Settings.defaults(SqlSettings.all())));
                Session session = face.session("root")) {
            session.execute("CREATE TABLE t (id INT PRIMARY KEY, w TEXT)");
            session.execute("INSERT INTO t VALUES (1, 'x')");
            new TreeMap<>(new KnownFunctions().growths()).forEach((name, growth) -> {
                if (growths.contains(growth.name())) {
                    ARGUMENTS.forEach(each -> call(session, name, String.join(", ", each)));
                }
            });
            System.out.println("peak " + peakKilobytes());
        }
    }

    private static void call(Session session, String name, String arguments) {
        // Shown before the call: the last line names the call that ended the process.
        System.out.println(name + "(" + arguments + ")");
        String sql = "SELECT " + name + "(" + arguments + ") IS NULL FROM t";
        try (QueryRows rows = ((Outcome.Rows) session.execute(sql)).rows()) {
            while (rows.next()) {
                // Only that it ends matters.
            }
        } catch (SqlError rejected) {
            System.out.println("  " + rejected.code());
        }
    }

    private static long peakKilobytes() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"), StandardCharsets.UTF_8)) {
            if (line.startsWith("VmHWM:")) {
                return Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        return 0;
    }
}
