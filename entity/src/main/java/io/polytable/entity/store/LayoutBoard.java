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
 * The layouts in use in this process. A call under a layout holds the table's read lock; a layout change takes the
 * write lock, so no call of this process runs under a replaced layout.
 *
 * <p>Other processes use leases instead of locks: a posted layout is valid for the lease, then it must be read again,
 * and a change waits for the lease to expire before it is complete.
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
     * @param lease how long a layout is valid without being read again
     */
    public static LayoutBoard leased(Duration lease) {
        return new LayoutBoard(lease, lease);
    }

    /**
     * For a store whose server fences calls under a replaced layout: a change waits for no other process.
     *
     * @param refresh how long a layout is shown without being read again
     */
    public static LayoutBoard fenced(Duration refresh) {
        return new LayoutBoard(Duration.ZERO, refresh);
    }

    /** The lease in a URI's options. */
    public static Duration leaseOf(Map<String, String> options) {
        String text = options.getOrDefault(LEASE_OPTION, LEASE_MILLIS);
        if (!text.matches("[0-9]{1,7}") || Integer.parseInt(text) == 0) {
            throw new EntityException(EntityError.BAD_URI, "Not a lease in milliseconds", Map.of(LEASE_OPTION, text));
        }
        return Duration.ofMillis(Integer.parseInt(text));
    }

    /** How long other processes may still use a replaced layout. */
    public Duration lease() {
        return lease;
    }

    public ReadWriteLock lock(String table) {
        return locks.computeIfAbsent(table, name -> new ReentrantReadWriteLock());
    }

    /** The posted layout, unless its lease has expired. */
    public Optional<LayoutColumns> current(String table) {
        Post post = posts.get(table);
        if (post == null || (!refresh.isZero() && System.nanoTime() - post.atNanos > refresh.toNanos())) {
            return Optional.empty();
        }
        return Optional.of(post.columns);
    }

    /**
     * Posts the layout for use in this process.
     *
     * @param readAtNanos when the read of the layout started: the lease counts from there
     */
    public void post(LayoutColumns columns, long readAtNanos) {
        posts.put(columns.layout().name(), new Post(columns, readAtNanos));
    }

    /** Removes this layout, if it is the posted one: it was replaced. */
    public void withdraw(LayoutColumns columns) {
        posts.computeIfPresent(columns.layout().name(), (table, post) -> post.columns == columns ? null : post);
    }

    public void remove(String table) {
        posts.remove(table);
    }
}
