package io.polytable.redis.wire;

import io.netty.buffer.ByteBuf;
import io.polytable.frontend.answer.AnswerGate;
import io.polytable.table.Commit;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The replies of a turn whose commits are not durable yet. */
final class HeldReplies {
    private final AnswerGate answers;
    private final Deque<Connection> connections = new ArrayDeque<>();
    private final Deque<ByteBuf> replies = new ArrayDeque<>();
    private @Nullable Commit until;

    HeldReplies(AnswerGate answers) {
        this.answers = answers;
    }

    void add(Connection connection, ByteBuf bytes) {
        connections.add(connection);
        replies.add(bytes);
    }

    void until(Commit commit) {
        until = commit;
    }

    /**
     * Sends the replies if their commits are durable; drops them if the commits can never become durable. Returns false
     * if it is too early.
     */
    boolean release() {
        Commit commit = until;
        if (commit == null || answers.isSafe(commit)) {
            while (!connections.isEmpty()) {
                // Removed first: a sent buffer must not be dropped when a later one fails.
                Connection connection = connections.removeFirst();
                connection.sendHeld(replies.removeFirst());
            }
            return true;
        }
        if (!answers.isLost(commit)) {
            return false;
        }
        drop();
        return true;
    }

    /** Drops the replies: their commits are lost. */
    void drop() {
        while (!connections.isEmpty()) {
            connections.removeFirst().output().drop(replies.removeFirst());
        }
    }
}
