package io.polytable.sql.wire;

import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.command.session.SqlEngine;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.syntax.StatementParser;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.StoreException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code POST /v1/api/sql}. */
public final class SqlEndpoint implements AutoCloseable {
    public static final String PATH = "/v1/api/sql";

    private static final Logger LOG = LoggerFactory.getLogger(SqlEndpoint.class);
    private static final String ARROW = "application/vnd.apache.arrow.stream";

    private final Gate gate;
    private final Sessions sessions;

    public SqlEndpoint(SqlEngine engine, Gate gate, InstantSource clock) {
        this.gate = gate;
        sessions = new Sessions(engine, clock);
    }

    /** Answers on the calling thread, which may wait for the store and for the client. */
    public void answer(SqlRequest request, SqlReply reply) {
        Optional<Gate.Refusal> refusal = gate.refusal(request.headers(), JsonResults.CONTENT_TYPE, request.loopback());
        if (refusal.isPresent()) {
            int status = refusal.get().status();
            SqlCode code = status == 401 ? SqlCode.UNAUTHENTICATED : SqlCode.NOT_ALLOWED;
            refuse(reply, status, new SqlError(code, refusal.get().text()));
            return;
        }
        try {
            answer(Question.of(request.body()), SqlEngine.ROOT, request.header("accept"), reply);
        } catch (SqlError error) {
            refuse(reply, 400, error);
        } catch (IOException gone) {
            // Nobody is there to be told.
            LOG.debug("A client left before its answer", gone);
        }
    }

    private static void refuse(SqlReply reply, int status, SqlError error) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            new JsonResults(out, "").end(0, "", error, "");
        } catch (IOException impossible) {
            throw new IllegalStateException("Writing to an array failed", impossible);
        }
        reply.whole(status, JsonResults.CONTENT_TYPE, out.toByteArray());
    }

    private void answer(Question question, String user, String accept, SqlReply reply) throws IOException {
        Sessions.Borrowed borrowed = sessions.borrow(question.session(), user);
        try {
            Session session = borrowed.session();
            question.namespace().ifPresent(session::use);
            String wanted = accept.toLowerCase(Locale.ROOT);
            if (wanted.contains("text/csv") || wanted.contains(ARROW)) {
                single(question, session, wanted.contains(ARROW), reply);
            } else {
                all(question, session, borrowed.id(), reply);
            }
        } finally {
            sessions.giveBack(borrowed);
        }
    }

    private static void all(Question question, Session session, String id, SqlReply reply) throws IOException {
        long begun = System.nanoTime();
        GrowingReply out = new GrowingReply(reply, JsonResults.CONTENT_TYPE);
        JsonResults results = new JsonResults(out, session.user());
        SqlError error = null;
        try {
            List<StatementParser.Parsed> statements = session.parse(question.sql());
            requireOne(statements, question);
            for (StatementParser.Parsed statement : statements) {
                results.add(session.execute(statement, question.parameters()));
            }
        } catch (RuntimeException failure) {
            error = asError(failure);
        }
        results.end((System.nanoTime() - begun) / 1000, id, error, question.sql());
        out.end(error == null ? 200 : status(error));
    }

    /** Parameters belong to one statement; which of several they mean nobody could tell. */
    private static void requireOne(List<StatementParser.Parsed> statements, Question question) {
        if (statements.isEmpty()) {
            throw new SqlError(SqlCode.SYNTAX_ERROR, "there is no statement");
        }
        if (statements.size() > 1 && question.parameters().length > 0) {
            throw new SqlError(SqlCode.PARAMS_WITH_BATCH, "parameters are for a single statement");
        }
    }

    /** One result as CSV or Arrow: that of the last statement. */
    private static void single(Question question, Session session, boolean arrow, SqlReply reply) throws IOException {
        GrowingReply out = new GrowingReply(reply, arrow ? ARROW : CsvResults.CONTENT_TYPE);
        SqlError error = null;
        try {
            List<StatementParser.Parsed> statements = session.parse(question.sql());
            requireOne(statements, question);
            for (int i = 0; i < statements.size(); i++) {
                Outcome outcome = session.execute(statements.get(i), question.parameters());
                if (outcome instanceof Outcome.Rows result) {
                    try (QueryRows rows = result.rows()) {
                        if (i == statements.size() - 1) {
                            write(out, rows, arrow);
                        }
                    }
                }
            }
        } catch (RuntimeException failure) {
            error = asError(failure);
        }
        if (error == null) {
            out.end(200);
        } else if (out.isStarted()) {
            // Half a file looks like a whole one; only a broken connection tells the client.
            throw new IOException(error.text());
        } else {
            refuse(reply, status(error), error);
        }
    }

    private static void write(GrowingReply out, QueryRows rows, boolean arrow) throws IOException {
        if (arrow) {
            ArrowResults.write(out, rows);
        } else {
            CsvResults.write(out, rows);
        }
    }

    private static SqlError asError(RuntimeException failure) {
        if (failure instanceof SqlError error) {
            return error;
        }
        if (failure instanceof StoreException store) {
            return new SqlError(
                    store.error().retryable() ? SqlCode.UNAVAILABLE : SqlCode.DATA_EXCEPTION,
                    "the store refused: " + store.error());
        }
        LOG.error("A statement failed", failure);
        return new SqlError(SqlCode.INTERNAL, "internal error; the server's log has the details");
    }

    private static int status(@Nullable SqlError error) {
        if (error == null) {
            return 200;
        }
        return switch (error.code()) {
            case INTERNAL -> 500;
            case UNAVAILABLE, TOO_MANY, OUT_OF_MEMORY -> 503;
            case TIMEOUT, CANCELLED -> 408;
            case NOT_ALLOWED, READ_ONLY -> 403;
            case SERIALIZATION_FAILURE -> 409;
            default -> 400;
        };
    }

    @Override
    public void close() {
        sessions.close();
    }
}
