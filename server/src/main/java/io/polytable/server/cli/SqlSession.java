package io.polytable.server.cli;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A session at the server. Nothing is sent twice: a session that the server no longer has took its transaction and its
 * settings with it, and its user must learn that before the next statement begins another one.
 */
final class SqlSession {
    private static final String NEW = "new";
    private static final String IDLE = "idle";
    private static final int CANCEL_TRIES = 100;
    private static final long CANCEL_LOOK_MILLIS = 50;

    private final SqlClient client;
    private String id = NEW;
    private String transaction = IDLE;

    SqlSession(SqlClient client) {
        this.client = client;
    }

    /** The server's answer, which may be an error. After {@link #isLost} the next text begins another session. */
    synchronized JsonNode ask(String sql) {
        JsonNode answer = client.ask(sql, id);
        if (isLost(answer)) {
            id = NEW;
            transaction = IDLE;
        } else {
            id = answer.path("session_id").asText(id);
            transaction = answer.path("transaction").asText(transaction);
        }
        return answer;
    }

    /** Whether the answer says that the session does not exist any more; the text was not executed. */
    static boolean isLost(JsonNode answer) {
        return answer.at("/error/code").asText().equals("UNDEFINED_SESSION");
    }

    /**
     * Waits until the server has cancelled the text whose request was interrupted, so that the session takes the next
     * one. A session that this client never learned the id of ends by itself.
     */
    synchronized void interrupted() {
        for (int tries = 0; tries < CANCEL_TRIES && !id.equals(NEW); tries++) {
            JsonNode answer = client.ask("", id);
            if (!answer.at("/error/code").asText().equals("TOO_MANY")) {
                transaction = answer.path("transaction").asText(transaction);
                return;
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(CANCEL_LOOK_MILLIS);
        } catch (InterruptedException again) {
            // Somebody presses the keys again; the wait is short.
            return;
        }
    }

    /** Keeps the server from ending the session for lack of use. Whether it is lost is for the next text to say. */
    synchronized void keepAlive() {
        if (!id.equals(NEW)) {
            client.ask("", id);
        }
    }

    /** Whether a transaction is open, failed ones included. */
    synchronized boolean isInTransaction() {
        return !transaction.equals(IDLE);
    }

    synchronized boolean isFailed() {
        return transaction.equals("failed");
    }
}
