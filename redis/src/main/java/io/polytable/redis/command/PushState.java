package io.polytable.redis.command;

import io.polytable.table.Bytes;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * A session's sources of push messages: its subscriptions, its tracking mode, MONITOR. Only its own event loop changes
 * it; other threads may read slightly stale values.
 */
public final class PushState {
    /** The kinds of subscriptions. */
    @SuppressWarnings("ImmutableEnumChecker") // a reply is immutable
    public enum Kind {
        CHANNEL(""),
        PATTERN("p"),
        SHARD("s");

        private final Reply subscribed;
        private final Reply unsubscribed;

        Kind(String letter) {
            subscribed = Reply.of(letter + "subscribe");
            unsubscribed = Reply.of(letter + "unsubscribe");
        }

        public Reply subscribed() {
            return subscribed;
        }

        public Reply unsubscribed() {
            return unsubscribed;
        }
    }

    /** The options of CLIENT TRACKING; only broadcasting mode has prefixes. */
    public record Tracking(
            boolean broadcast,
            boolean optIn,
            boolean optOut,
            boolean noLoop,
            long redirect,
            SortedSet<Bytes> prefixes) {}

    /** The overhead of a tracked prefix: entries in three maps. */
    private static final long PREFIX_BYTES = 300;

    private final Map<Kind, Set<Bytes>> names = new EnumMap<>(Kind.class);
    private volatile int channelCount;
    private volatile int patternCount;
    private volatile int shardCount;
    private volatile @Nullable Tracking tracking;
    private volatile long prefixBytes;
    private volatile boolean redirectBroken;
    private volatile boolean monitors;
    private volatile boolean restricted;
    private volatile boolean caching;
    private int changes;

    /** The subscribed names, in the order of subscribing. Called on its own loop. */
    public List<Bytes> names(Kind kind) {
        return List.copyOf(names.getOrDefault(kind, Set.of()));
    }

    /** Called on its own loop. */
    public boolean has(Kind kind, Bytes name) {
        return names.getOrDefault(kind, Set.of()).contains(name);
    }

    /** Adds a subscription; false when it existed. */
    public boolean add(Kind kind, Bytes name) {
        boolean added =
                names.computeIfAbsent(kind, each -> new LinkedHashSet<>()).add(name);
        recount();
        return added;
    }

    public boolean remove(Kind kind, Bytes name) {
        Set<Bytes> known = names.get(kind);
        if (known == null || !known.remove(name)) {
            return false;
        }
        recount();
        return true;
    }

    private void recount() {
        changes++;
        channelCount = names.getOrDefault(Kind.CHANNEL, Set.of()).size();
        patternCount = names.getOrDefault(Kind.PATTERN, Set.of()).size();
        shardCount = names.getOrDefault(Kind.SHARD, Set.of()).size();
        restricted = monitors || isSubscriber();
    }

    public int count(Kind kind) {
        return switch (kind) {
            case CHANNEL -> channelCount;
            case PATTERN -> patternCount;
            case SHARD -> shardCount;
        };
    }

    /** The count in the confirmation of a subscription: shard channels are counted separately. */
    public int countTold(Kind kind) {
        return kind == Kind.SHARD ? shardCount : channelCount + patternCount;
    }

    int changes() {
        return changes;
    }

    public boolean isSubscriber() {
        return channelCount + patternCount + shardCount > 0;
    }

    /** Whether the session may call only some commands. */
    public boolean isRestricted() {
        return restricted;
    }

    public @Nullable Tracking tracking() {
        return tracking;
    }

    public void tracking(@Nullable Tracking mode) {
        tracking = mode;
        changes++;
        prefixBytes = mode == null
                ? 0
                : mode.prefixes().stream()
                        .mapToLong(prefix -> PREFIX_BYTES + prefix.length())
                        .sum();
        redirectBroken = false;
        caching = false;
    }

    /** The memory of its tracked prefixes. */
    long prefixBytes() {
        return prefixBytes;
    }

    /** Whether the client that invalidations are redirected to has disconnected. */
    public boolean redirectBroken() {
        return redirectBroken;
    }

    public void breakRedirect() {
        redirectBroken = true;
    }

    /** Whether CLIENT CACHING applies to the next command. */
    public boolean caching() {
        return caching;
    }

    public void caching(boolean given) {
        caching = given;
        // The reset after the next command is not a change that a reply would report.
        changes += given ? 1 : 0;
    }

    public boolean monitors() {
        return monitors;
    }

    public void monitors(boolean on) {
        monitors = on;
        changes++;
        restricted = on || isSubscriber();
    }
}
