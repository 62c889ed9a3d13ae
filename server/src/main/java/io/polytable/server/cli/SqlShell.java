package io.polytable.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.polytable.frontend.work.Background;
import io.polytable.server.run.RefusedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.completer.StringsCompleter;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/** The prompt: history, completion of the names of tables and columns, and commands that begin with a backslash. */
final class SqlShell {
    private static final List<String> KEYWORDS = List.of(
            "SELECT",
            "FROM",
            "WHERE",
            "GROUP BY",
            "ORDER BY",
            "LIMIT",
            "INSERT INTO",
            "VALUES",
            "UPDATE",
            "SET",
            "DELETE FROM",
            "CREATE TABLE",
            "ALTER TABLE",
            "DROP TABLE",
            "JOIN",
            "EXPLAIN",
            "SHOW TABLES",
            "DESCRIBE");
    private static final String HELP =
            "\\dt tables, \\d TABLE columns, \\format table|csv|json, \\timing, \\q ends; a statement ends with ;";

    /** A third of the time after which the server ends an idle session. */
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(20);

    private static final String LOST = "The session has ended, and with it its transaction and settings."
            + " The statement was not executed; the next one begins a new session.";

    private static final String CANCELLED = "Cancelled: the connection was closed, which cancels the statement.";

    private final SqlClient client;
    private final SqlSession session;
    private final ResultPrinter printer;
    private final PrintWriter err;
    private final Duration keepAlive;

    SqlShell(SqlClient client, ResultPrinter printer, PrintWriter err) {
        this(client, printer, err, KEEP_ALIVE);
    }

    SqlShell(SqlClient client, ResultPrinter printer, PrintWriter err, Duration keepAlive) {
        this.client = client;
        session = new SqlSession(client);
        this.printer = printer;
        this.err = err;
        this.keepAlive = keepAlive;
    }

    void run() throws IOException {
        try (Terminal terminal = TerminalBuilder.builder().system(true).build()) {
            run(terminal, Path.of(System.getProperty("user.home"), ".polytable_history"));
        }
    }

    /** Reads and executes until the terminal ends or {@code \q} is entered; the history is kept in the file. */
    void run(Terminal terminal, Path history) {
        LineReader reader = LineReaderBuilder.builder()
                .terminal(terminal)
                .completer(new StringsCompleter(this::names))
                .variable(LineReader.HISTORY_FILE, history)
                .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                .build();
        terminal.writer().println(HELP);
        StringBuilder statement = new StringBuilder();
        try (Background timer = new Background("sql-keep-alive", Duration.ZERO)) {
            timer.after(keepAlive, this::keepAlive);
            while (step(reader, statement, terminal)) {
                terminal.flush();
            }
        }
    }

    private void keepAlive() {
        try {
            session.keepAlive();
        } catch (RefusedException unreachable) {
            // The next statement says so, to somebody who reads it.
            return;
        }
    }

    /** Runs a text. An interrupt from the keyboard ends its request, upon which the server cancels the statement. */
    private void run(String sql, Terminal terminal) {
        Thread running = Thread.currentThread();
        Terminal.SignalHandler before = terminal.handle(Terminal.Signal.INT, signal -> running.interrupt());
        try {
            run(sql);
        } finally {
            terminal.handle(Terminal.Signal.INT, before);
            if (Thread.interrupted()) {
                settle();
            }
        }
    }

    private void settle() {
        try {
            session.interrupted();
        } catch (RefusedException unreachable) {
            err.println(unreachable.getMessage());
        }
        err.flush();
    }

    private void run(String sql) {
        try {
            JsonNode answer = session.ask(sql);
            printer.print(answer, err);
            if (SqlSession.isLost(answer)) {
                err.println(LOST);
            }
        } catch (RefusedException unreachable) {
            err.println(Thread.currentThread().isInterrupted() ? CANCELLED : unreachable.getMessage());
        }
        err.flush();
    }

    private String prompt() {
        if (!session.isInTransaction()) {
            return "polytable> ";
        }
        return session.isFailed() ? "polytable!> " : "polytable*> ";
    }

    /** Outside the session: a completion must neither fail its transaction nor hide that it was lost. */
    private List<String> names() {
        List<String> names = new ArrayList<>(KEYWORDS);
        JsonNode answer = client.ask(
                "SELECT namespace || '.' || table_name, table_name, column_name FROM system.columns LIMIT 5000");
        for (JsonNode row : answer.at("/results/0/rows")) {
            row.forEach(name -> names.add(name.asText()));
        }
        return names.stream().distinct().toList();
    }

    private boolean step(LineReader reader, StringBuilder statement, Terminal terminal) {
        String line;
        try {
            line = reader.readLine(statement.length() == 0 ? prompt() : "        -> ");
        } catch (UserInterruptException interrupted) {
            statement.setLength(0);
            return true;
        } catch (EndOfFileException end) {
            return false;
        }
        if (statement.length() == 0 && line.startsWith("\\")) {
            return command(line.strip(), terminal);
        }
        statement.append(line).append('\n');
        if (line.stripTrailing().endsWith(";")) {
            run(statement.toString(), terminal);
            statement.setLength(0);
        }
        return true;
    }

    private boolean command(String line, Terminal terminal) {
        String[] parts = line.split("\\s+", 2);
        switch (parts[0]) {
            case "\\q" -> {
                return false;
            }
            case "\\dt" -> run("SHOW TABLES", terminal);
            case "\\d" -> run(parts.length > 1 ? "DESCRIBE " + parts[1] : "SHOW TABLES", terminal);
            case "\\timing" -> err.println("Timing is " + (printer.toggleTiming() ? "on" : "off"));
            case "\\format" -> format(parts.length > 1 ? parts[1] : "");
            default -> err.println(HELP);
        }
        err.flush();
        return true;
    }

    private void format(String name) {
        for (ResultPrinter.Form form : ResultPrinter.Form.values()) {
            if (form.name().equalsIgnoreCase(name.strip())) {
                printer.form(form);
                return;
            }
        }
        err.println("Formats are table, csv and json");
    }
}
