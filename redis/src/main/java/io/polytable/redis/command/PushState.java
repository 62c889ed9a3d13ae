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
 * What a session receives unrequested: its subscriptions, its tracking mode, whether it monitors. Only its own event loop changes
 * it; others may read slightly older values.
 */
public final class PushState {
    /** The kinds of subscriptions. */
    @SuppressWarnings("ImmutableEnumChecker") // a reply is never changed
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

    /** CLIENT TRACKING's options; the prefixes only of a broadcasting one. */
    public record Tracking(
            boolean broadcast,
            boolean optIn,
            boolean optOut,
            boolean noLoop,
            long redirect,
            SortedSet<Bytes> prefixes) {}

    /** Of a tracked prefix besides its bytes: the entries of three maps. */
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
    private boolean caching;
    private int changes;

    /** The names it is subscribed to, in the order of subscribing. On its own loop. */
    public List<Bytes> names(Kind kind) {
        return List.copyOf(names.getOrDefault(kind, Set.of()));
    }

    /** On its own loop. */
    public boolean has(Kind kind, Bytes name) {
        return names.getOrDefault(kind, Set.of()).contains(name);
    }

    /** Adds a name; false when it was there. */
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

    /** The number that a confirmation tells: shard channels are counted by themselves. */
    public int countTold(Kind kind) {
        return kind == Kind.SHARD ? shardCount : channelCount + patternCount;
    }

    int changes() {
        return changes;
    }

    public boolean isSubscriber() {
        return channelCount + patternCount + shardCount > 0;
    }

    /** Whether it may not call everything. */
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

    /** What the prefixes of its tracking take. */
    long prefixBytes() {
        return prefixBytes;
    }

    /** Whether the client that invalidations go to is gone. */
    public boolean redirectBroken() {
        return redirectBroken;
    }

    public void breakRedirect() {
        redirectBroken = true;
    }

    /** Whether CLIENT CACHING was called for the next command. */
    public boolean caching() {
        return caching;
    }

    public void caching(boolean given) {
        caching = given;
        // That it ends with the next command is no change that a reply would tell of.
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
