package io.polytable.sql.wire;

import io.polytable.frontend.http.HttpReply;
import io.polytable.frontend.http.HttpRequest;
import io.polytable.frontend.http.ReplyStream;
import io.polytable.frontend.http.RequestGuard;
import io.polytable.frontend.session.Cancellation;
import io.polytable.frontend.session.Principal;
import io.polytable.sql.command.session.Outcome;
import io.polytable.sql.command.session.Prepared;
import io.polytable.sql.command.session.Session;
import io.polytable.sql.command.session.SqlEngine;
import io.polytable.sql.query.QueryRows;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.StoreException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP endpoint {@code POST /v1/api/sql}: runs the statements of a request and writes the reply. */
public final class SqlEndpoint implements AutoCloseable {
    public static final String PATH = "/v1/api/sql";

    /** The header of every reply of a session, whatever its format: the session's id. */
    public static final String SESSION_HEADER = "X-Polytable-Session";

    private static final Logger LOG = LoggerFactory.getLogger(SqlEndpoint.class);

    /** {@code Accept: application/json; numbers=bare} */
    private static final Pattern BARE_NUMBERS = Pattern.compile("application/json\\s*;\\s*numbers\\s*=\\s*\"?bare");

    private static final String ARROW = "application/vnd.apache.arrow.stream";

    private final RequestGuard guard;
    private final KeptSessions sessions;

    public SqlEndpoint(SqlEngine engine, RequestGuard guard, InstantSource clock) {
        this.guard = guard;
        sessions = new KeptSessions(engine, clock);
    }

    /** Answers on the calling thread, which may block on the store and on a slow client. */
    public void answer(HttpRequest request, ReplyStream reply) {
        RequestGuard.Admission admission = guard.admit(request, HttpReply.JSON);
        if (admission instanceof RequestGuard.Admission.Refused refused) {
            SqlCode code = refused.status() == 401 ? SqlCode.UNAUTHENTICATED : SqlCode.NOT_ALLOWED;
            refuse(reply, refused.status(), new SqlError(code, refused.text()), "");
            return;
        }
        Principal caller = ((RequestGuard.Admission.Admitted) admission).principal();
        try {
            answer(request, RequestBody.of(request.body()), caller, reply);
        } catch (SqlError error) {
            refuse(reply, status(error), error, "");
        } catch (IOException gone) {
            // The client is gone, so there is nobody to report this to.
            LOG.debug("A client left before its answer", gone);
        }
    }

    /** @param text the statements, in which the error has its place */
    private static void refuse(ReplyStream reply, int status, SqlError error, String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            new JsonResults(out, "", false).end(0, error, text);
        } catch (IOException impossible) {
            throw new IllegalStateException("Writing to an array failed", impossible);
        }
        reply.whole(status, JsonResults.CONTENT_TYPE, out.toByteArray());
    }

    private void answer(HttpRequest request, RequestBody body, Principal caller, ReplyStream reply) throws IOException {
        KeptSessions.Borrowed borrowed = sessions.borrow(body.session(), caller, request.address());
        boolean isNew = body.session().equals(KeptSessions.NEW);
        Ending ending;
        try {
            Session session = borrowed.session();
            Cancellation cancelled = session.beginRequest(borrowed.registered());
            session.calledFrom(request.address());
            reply.whenGone(cancelled::cancel);
            body.namespace().ifPresent(session::use);
            if (!borrowed.id().isEmpty()) {
                reply.header(SESSION_HEADER, borrowed.id());
            }
            String wanted = request.header("accept").toLowerCase(Locale.ROOT);
            ending = wanted.contains("text/csv") || wanted.contains(ARROW)
                    ? single(body, session, wanted.contains(ARROW), reply)
                    : all(
                            body,
                            session,
                            borrowed.id(),
                            BARE_NUMBERS.matcher(wanted).find(),
                            reply);
        } catch (SqlError refused) {
            // The client does not learn the id of a session that it asked for and did not get.
            giveBack(borrowed, isNew);
            throw refused;
        } catch (IOException | RuntimeException | Error failure) {
            giveBack(borrowed, false);
            throw failure;
        }
        // Before the reply ends: the client may send the session's next request as soon as it has this one's answer.
        giveBack(borrowed, false);
        ending.send();
    }

    private void giveBack(KeptSessions.Borrowed borrowed, boolean discard) {
        if (discard) {
            sessions.discard(borrowed);
        } else {
            sessions.giveBack(borrowed);
        }
    }

    /** The last part of a reply, which completes it. */
    private interface Ending {
        void send() throws IOException;
    }

    private static Ending all(RequestBody body, Session session, String id, boolean bareNumbers, ReplyStream reply)
            throws IOException {
        long begun = System.nanoTime();
        Run run = new Run(session);
        GrowingReply out = new GrowingReply(reply, JsonResults.CONTENT_TYPE, run);
        JsonResults results = new JsonResults(out, session.user(), bareNumbers);
        SqlError error = null;
        try {
            session.executeAll(run.begin(statements(session, body)), body.parameters(), results::add);
        } catch (RuntimeException failure) {
            error = asError(failure);
        } catch (IOException failure) {
            // A refusal in the middle of a row leaves JSON that cannot be completed; it is replaced below.
            if (!out.isRefused()) {
                throw failure;
            }
        }
        try {
            out.release();
        } catch (SqlError unsafe) {
            error = unsafe;
            if (!out.isStarted()) {
                results = new JsonResults(out, session.user(), bareNumbers);
            }
        }
        if (!id.isEmpty()) {
            results.session(id, session.status());
        }
        results.end((System.nanoTime() - begun) / 1000, error, body.sql());
        int status = status(error);
        return () -> out.end(status);
    }

    /** The gate of a request's reply. A request that ran no statement has seen nothing. */
    private static final class Run implements Runnable {
        private final Session session;
        private boolean begun;

        Run(Session session) {
            this.session = session;
        }

        List<Prepared> begin(List<Prepared> statements) {
            begun = !statements.isEmpty();
            return statements;
        }

        @Override
        public void run() {
            if (begun) {
                session.awaitSafe();
            }
        }
    }

    /** An empty text keeps a session alive; without one it is a mistake. */
    private static List<Prepared> statements(Session session, RequestBody body) {
        List<Prepared> statements = session.prepare(body.sql());
        if (!statements.isEmpty() || body.session().isEmpty()) {
            requireOne(statements, body);
        }
        return statements;
    }

    /** Parameters are allowed with a single statement only: of several, it would be unclear which takes them. */
    private static void requireOne(List<Prepared> statements, RequestBody body) {
        if (statements.isEmpty()) {
            throw new SqlError(SqlCode.SYNTAX_ERROR, "there is no statement");
        }
        if (statements.size() > 1 && body.parameters().length > 0) {
            throw new SqlError(SqlCode.PARAMS_WITH_BATCH, "parameters are for a single statement");
        }
    }

    /** Runs all statements and writes the result of the last one as CSV or Arrow. */
    private static Ending single(RequestBody body, Session session, boolean arrow, ReplyStream reply) {
        Run run = new Run(session);
        GrowingReply out = new GrowingReply(reply, arrow ? ARROW : CsvResults.CONTENT_TYPE, run);
        SqlError error = null;
        try {
            List<Prepared> statements = run.begin(statements(session, body));
            int[] left = {statements.size()};
            session.executeAll(statements, body.parameters(), outcome -> {
                left[0]--;
                if (outcome instanceof Outcome.Rows result) {
                    try (QueryRows rows = result.rows()) {
                        if (left[0] == 0) {
                            write(out, rows, arrow);
                        }
                    }
                }
            });
        } catch (RuntimeException failure) {
            error = asError(failure);
        } catch (IOException gone) {
            return () -> {
                throw gone;
            };
        }
        try {
            out.release();
        } catch (SqlError unsafe) {
            error = unsafe;
        }
        SqlError failed = error;
        if (failed == null) {
            return () -> out.end(200);
        }
        if (out.isStarted()) {
            // A truncated file looks complete, so the stream stays open: only a broken connection shows the failure.
            return () -> LOG.debug("A streamed result failed: {}", failed.text());
        }
        return () -> refuse(reply, status(failed), failed, body.sql());
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
            case INTERNAL, DATA_CORRUPTED -> 500;
            case UNAVAILABLE, TOO_MANY, OUT_OF_MEMORY -> 503;
            case TIMEOUT, CANCELLED -> 408;
            case NOT_ALLOWED, READ_ONLY -> 403;
            case UNDEFINED_SESSION -> 404;
            case SERIALIZATION_FAILURE -> 409;
            default -> 400;
        };
    }

    @Override
    public void close() {
        sessions.close();
    }
}
