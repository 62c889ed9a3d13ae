package io.polytable.redis.command.tracking;

import io.polytable.redis.command.Session;
import io.polytable.redis.model.change.Origin;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Tracking in broadcasting mode: the prefixes of all clients, and the keys below them that changed since the last
 * message. All keys of a turn go into one message per prefix.
 */
final class Broadcasts {
    /** Beyond this many bytes, pending keys are sent at once. */
    private static final int PENDING_BYTES_MAX = 1 << 20;

    private final Map<Bytes, Prefix> prefixes = new TreeMap<>();
    private final Invalidations invalidations;
    private volatile int count;
    private volatile boolean pending;
    private long pendingBytes;

    private static final class Prefix {
        private final Map<Long, Session> clients = new TreeMap<>();
        private final Map<Bytes, Origin> changed = new TreeMap<>();
    }

    Broadcasts(Invalidations invalidations) {
        this.invalidations = invalidations;
    }

    synchronized void add(Bytes prefix, Session client) {
        prefixes.computeIfAbsent(prefix, each -> new Prefix()).clients.put(client.id(), client);
        count = prefixes.size();
    }

    synchronized void remove(Bytes prefix, Session client) {
        Prefix known = prefixes.get(prefix);
        if (known != null && known.clients.remove(client.id()) != null && known.clients.isEmpty()) {
            prefixes.remove(prefix);
            count = prefixes.size();
        }
    }

    int count() {
        return count;
    }

    boolean isEmpty() {
        return count == 0;
    }

    boolean isPending() {
        return pending;
    }

    /** Any one of the clients, whose event loop will send the messages. */
    synchronized List<Session> someClient() {
        return prefixes.values().stream()
                .flatMap(prefix -> prefix.clients.values().stream())
                .limit(1)
                .toList();
    }

    /** Records keys that changed in one commit. */
    synchronized void changed(List<Bytes> keys, Origin origin) {
        for (Bytes key : keys) {
            prefixes.forEach((prefix, state) -> {
                if (key.startsWith(prefix)) {
                    state.changed.put(key.copy(), origin);
                    pendingBytes += key.length();
                    pending = true;
                }
            });
        }
        if (pendingBytes > PENDING_BYTES_MAX) {
            tell();
        }
    }

    /** Sends the keys that changed since the last message. */
    synchronized void tell() {
        pending = false;
        pendingBytes = 0;
        for (Prefix prefix : prefixes.values()) {
            if (!prefix.changed.isEmpty()) {
                prefix.clients.values().forEach(client -> tell(client, prefix.changed));
                prefix.changed.clear();
            }
        }
    }

    private void tell(Session client, Map<Bytes, Origin> changed) {
        var mode = client.pushState().tracking();
        List<Bytes> keys = new ArrayList<>(changed.keySet());
        if (mode != null && mode.noLoop()) {
            keys.removeIf(key -> changed.get(key) == client);
        }
        if (!keys.isEmpty()) {
            invalidations.send(client, keys);
        }
    }
}
