package io.polytable.redis.wire;

import io.netty.buffer.ByteBuf;
import io.polytable.table.Commit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The replies of a turn whose commits are not durable yet. */
final class HeldReplies {
    private final List<Connection> connections = new ArrayList<>();
    private final List<ByteBuf> replies = new ArrayList<>();
    private @Nullable Commit until;

    void add(Connection connection, ByteBuf bytes) {
        connections.add(connection);
        replies.add(bytes);
    }

    void until(Commit commit) {
        until = commit;
    }

    /** Sends them if they may go; when what they tell of can never become durable, nobody hears of it. */
    boolean release() {
        Commit commit = until;
        if (commit == null || commit.isDurable()) {
            for (int i = 0; i < connections.size(); i++) {
                connections.get(i).sendHeld(replies.get(i));
            }
            return true;
        }
        CompletableFuture<Void> durable = commit.durable().toCompletableFuture();
        if (!durable.isCompletedExceptionally()) {
            return false;
        }
        for (int i = 0; i < connections.size(); i++) {
            connections.get(i).output().drop(replies.get(i));
        }
        return true;
    }
}
