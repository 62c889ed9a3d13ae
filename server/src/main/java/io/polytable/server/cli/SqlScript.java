package io.polytable.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.polytable.server.cli.StatementSplitter.Piece;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Runs the statements of a file. A small file is one request, and so one transaction unless it says otherwise. A larger
 * one is sent in several requests of a session, with the same outcome: this class opens the transaction, and commits it
 * at the end of the file.
 */
final class SqlScript {
    /** Few enough for the server's limit of a request's bytes, whatever the characters. */
    static final int REQUEST_CHARS = 200_000;

    private static final Set<String> ENDS = Set.of("commit", "end", "rollback", "abort");

    private final SqlClient client;
    private final SqlSession session;
    private final ResultPrinter printer;
    private final PrintWriter err;

    /** Whether the open transaction is the file's own, so that only the file may commit it. */
    private boolean isOfFile;

    private final StringBuilder request = new StringBuilder();
    private int line = 1;

    SqlScript(SqlClient client, ResultPrinter printer, PrintWriter err) {
        this.client = client;
        session = new SqlSession(client);
        this.printer = printer;
        this.err = err;
    }

    /** Returns whether all statements succeeded. */
    boolean run(Reader file) throws IOException {
        StatementSplitter statements = new StatementSplitter(file);
        List<Piece> head = new ArrayList<>();
        int chars = 0;
        Optional<Piece> piece = statements.next();
        while (piece.isPresent() && chars + piece.get().text().length() <= REQUEST_CHARS) {
            head.add(piece.get());
            chars += piece.get().text().length();
            piece = statements.next();
        }
        if (piece.isEmpty()) {
            String whole = head.stream().map(Piece::text).collect(Collectors.joining());
            return printer.print(client.ask(whole), err);
        }
        for (Piece statement : head) {
            if (!add(statement)) {
                return false;
            }
        }
        for (; piece.isPresent(); piece = statements.next()) {
            if (!add(piece.get())) {
                return false;
            }
        }
        return send() && end();
    }

    private boolean add(Piece statement) {
        if (isBegin(statement) || isEnd(statement)) {
            // Alone, so that the state of the transaction is known before the next statement.
            return send() && control(statement);
        }
        if (request.length() + statement.text().length() > REQUEST_CHARS && !send()) {
            return false;
        }
        if (request.length() == 0) {
            line = statement.line();
        }
        request.append(statement.text());
        return true;
    }

    private static boolean isBegin(Piece statement) {
        return statement.words().equals("begin")
                || statement.words().startsWith("begin ")
                || statement.words().startsWith("start transaction");
    }

    private static boolean isEnd(Piece statement) {
        String[] words = statement.words().split(" ", -1);
        boolean toSavepoint = statement.words().matches("(rollback|abort)( work| transaction)? to .*");
        return ENDS.contains(words[0]) && !toSavepoint;
    }

    private boolean control(Piece statement) {
        if (!isBegin(statement)) {
            isOfFile = false;
            return answered(session.ask(statement.text()), statement.line());
        }
        boolean first = !session.isInTransaction() || isOfFile;
        isOfFile = true;
        String modes = statement
                .words()
                .replaceFirst("(begin|start)( work| transaction)?", "")
                .strip();
        if (first) {
            return answered(session.ask(statement.text()), statement.line());
        }
        // As in one request: BEGIN takes in the statements before it.
        return modes.isEmpty() || answered(session.ask("SET TRANSACTION " + modes), statement.line());
    }

    /** Sends the statements that were collected, in a transaction. */
    private boolean send() {
        if (request.length() == 0) {
            return true;
        }
        String text = request.toString();
        request.setLength(0);
        if (!session.isInTransaction()) {
            JsonNode begun = session.ask("BEGIN");
            if (SqlCommand.isError(begun)) {
                return answered(begun, line);
            }
        }
        return answered(session.ask(text), line);
    }

    /** Prints the answer; after an error nothing of the open transaction stays. */
    private boolean answered(JsonNode answer, int from) {
        boolean fine = printer.print(answer, from - 1, err);
        if (!fine && session.isInTransaction()) {
            session.ask("ROLLBACK");
        }
        return fine;
    }

    private boolean end() {
        if (!session.isInTransaction()) {
            return true;
        }
        if (isOfFile) {
            session.ask("ROLLBACK");
            err.println("WARNING: the file ended inside a transaction, which was rolled back");
            err.flush();
            return true;
        }
        JsonNode committed = session.ask("COMMIT");
        return !SqlCommand.isError(committed) || answered(committed, 1);
    }
}
