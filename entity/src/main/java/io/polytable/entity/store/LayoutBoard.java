package io.polytable.entity.store;

import io.polytable.entity.layout.LayoutColumns;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The layouts that this process works with. Whoever works under a layout holds the table's read lock; a change of the layout
 * takes the write lock, so within the process nobody works under a layout that was withdrawn.
 *
 * <p>Other processes are not stopped by a lock but by a lease: a posted layout counts for so long, then it must be read
 * again, and a change waits for the lease before it is complete.
 */
public final class LayoutBoard {
    private static final String LEASE_OPTION = "layout.lease.millis";
    private static final String LEASE_MILLIS = "2000";

    private record Post(LayoutColumns columns, long atNanos) {}

    private final Duration lease;
    private final Duration refresh;
    private final Map<String, Post> posts = new ConcurrentHashMap<>();
    private final Map<String, ReadWriteLock> locks = new ConcurrentHashMap<>();

    private LayoutBoard(Duration lease, Duration refresh) {
        this.lease = lease;
        this.refresh = refresh;
    }

    /** For a store that only this process uses. */
    public static LayoutBoard exclusive() {
        return new LayoutBoard(Duration.ZERO, Duration.ZERO);
    }

    /**
     * For a store that other processes use too.
     *
     * @param lease how long a layout counts without being read again
     */
    public static LayoutBoard leased(Duration lease) {
        return new LayoutBoard(lease, lease);
    }

    /**
     * For a store whose server refuses every call under a layout that was replaced: a change need not wait for anybody.
     *
     * @param refresh how long a layout is shown without being read again
     */
    public static LayoutBoard fenced(Duration refresh) {
        return new LayoutBoard(Duration.ZERO, refresh);
    }

    /** The lease that a URI's options ask for. */
    public static Duration leaseOf(Map<String, String> options) {
        String text = options.getOrDefault(LEASE_OPTION, LEASE_MILLIS);
        if (!text.matches("[0-9]{1,7}") || Integer.parseInt(text) == 0) {
            throw new EntityException(EntityError.BAD_URI, "Not a lease in milliseconds", Map.of(LEASE_OPTION, text));
        }
        return Duration.ofMillis(Integer.parseInt(text));
    }

    /** How long other processes may still work under a layout that was replaced. */
    public Duration lease() {
        return lease;
    }

    public ReadWriteLock lock(String table) {
        return locks.computeIfAbsent(table, name -> new ReentrantReadWriteLock());
    }

    /** The posted layout, unless its lease is over. */
    public Optional<LayoutColumns> current(String table) {
        Post post = posts.get(table);
        if (post == null || (!refresh.isZero() && System.nanoTime() - post.atNanos > refresh.toNanos())) {
            return Optional.empty();
        }
        return Optional.of(post.columns);
    }

    /**
     * Makes the layout the one that this process works with.
     *
     * @param readAtNanos when the layout began to be read: the lease counts from there
     */
    public void post(LayoutColumns columns, long readAtNanos) {
        posts.put(columns.layout().name(), new Post(columns, readAtNanos));
    }

    /** Forgets this layout, if it is the posted one: it turned out to be replaced. */
    public void withdraw(LayoutColumns columns) {
        posts.computeIfPresent(columns.layout().name(), (table, post) -> post.columns == columns ? null : post);
    }

    public void remove(String table) {
        posts.remove(table);
    }
}
