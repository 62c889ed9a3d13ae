package io.polytable.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.polytable.server.cli.StatementSplitter.Piece;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Reader;
import java.util.Optional;
import java.util.Set;

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

    SqlScript(SqlClient client, ResultPrinter printer, PrintWriter err) {
        this.client = client;
        session = new SqlSession(client);
        this.printer = printer;
        this.err = err;
    }

    /** Returns whether all statements succeeded. */
    boolean run(Reader file) throws IOException {
        StatementSplitter statements = new StatementSplitter(file);
        StringBuilder request = new StringBuilder();
        int line = 1;
        boolean whole = true;
        for (Optional<Piece> piece = statements.next(); piece.isPresent(); piece = statements.next()) {
            Piece statement = piece.get();
            boolean full = request.length() + statement.text().length() > REQUEST_CHARS;
            boolean alone = !whole && isOfTransaction(statement);
            if (request.length() > 0 && (full || alone)) {
                if (!(whole ? sendFirst(request.toString()) : send(request.toString(), line))) {
                    return false;
                }
                whole = false;
                request.setLength(0);
                alone = isOfTransaction(statement);
            }
            if (alone) {
                if (!control(statement)) {
                    return false;
                }
                continue;
            }
            line = request.length() == 0 ? statement.line() : line;
            request.append(statement.text());
        }
        if (whole) {
            return printer.print(client.ask(request.toString()), err);
        }
        return (request.length() == 0 || send(request.toString(), line)) && end();
    }

    /** The first part of a large file: here too, each statement that begins or ends a transaction is sent alone. */
    private boolean sendFirst(String text) throws IOException {
        StatementSplitter again = new StatementSplitter(new java.io.StringReader(text));
        StringBuilder request = new StringBuilder();
        int line = 1;
        for (Optional<Piece> piece = again.next(); piece.isPresent(); piece = again.next()) {
            Piece statement = piece.get();
            if (isOfTransaction(statement)) {
                if ((request.length() > 0 && !send(request.toString(), line)) || !control(statement)) {
                    return false;
                }
                request.setLength(0);
                continue;
            }
            line = request.length() == 0 ? statement.line() : line;
            request.append(statement.text());
        }
        return request.length() == 0 || send(request.toString(), line);
    }

    private static boolean isOfTransaction(Piece statement) {
        return isBegin(statement) || isEnd(statement);
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
        String modes = statement.words().replaceFirst("(begin|start)( work| transaction)?", "").strip();
        if (first) {
            return answered(session.ask(statement.text()), statement.line());
        }
        // As in one request: BEGIN takes in the statements before it.
        return modes.isEmpty() || answered(session.ask("SET TRANSACTION " + modes), statement.line());
    }

    private boolean send(String text, int line) {
        if (!session.isInTransaction()) {
            JsonNode begun = session.ask("BEGIN");
            if (SqlCommand.isError(begun)) {
                return answered(begun, line);
            }
        }
        return answered(session.ask(text), line);
    }

    /** Prints the answer; after an error nothing of the open transaction stays. */
    private boolean answered(JsonNode answer, int line) {
        boolean fine = printer.print(answer, line - 1, err);
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
