package io.polytable.server.wire;

import io.netty.channel.Channel;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connections that have not sent a complete request, the one that waits longest first. When all connections are taken,
 * it gives way to a new one: clients that never complete a request must not shut out those that do. Thread safe.
 */
final class WaitingConnections {
    private final Set<Channel> oldestFirst = new LinkedHashSet<>();

    synchronized void add(Channel channel) {
        oldestFirst.remove(channel);
        oldestFirst.add(channel);
    }

    synchronized void remove(Channel channel) {
        oldestFirst.remove(channel);
    }

    /** Closes the connection that waits longest; false if every connection is being answered. */
    boolean closeOldest() {
        Channel oldest = pollOldest();
        if (oldest == null) {
            return false;
        }
        var unused = oldest.close();
        return true;
    }

    private synchronized @Nullable Channel pollOldest() {
        Iterator<Channel> all = oldestFirst.iterator();
        if (!all.hasNext()) {
            return null;
        }
        Channel oldest = all.next();
        all.remove();
        return oldest;
    }
}
