package io.polytable.redis.command;

import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;

/**
 * A session's WATCHed keys and, between MULTI and EXEC, its queue. The session's own event loop changes it; whoever commits
 * a change of a watched key marks it as touched, and CLIENT LIST reads its size. The watched keys are also forgotten when the client leaves, maybe while
 * a worker runs its EXEC.
 */
public final class Transaction {
    /** What a queued word and a queued command cost beside their bytes. */
    private static final int COPIED_BYTES_MAX = 64 << 10;

    private static final int WORD_BYTES = 48;

    private static final int COMMAND_BYTES = 64;

    /** What a watched key takes beside its bytes: it is in a list here, and in a set in a map of all that are watched. */
    private static final int WATCHED_BYTES = 400;

    private final List<Queued> queue = new ArrayList<>();
    private final List<Watched> watched = new ArrayList<>();
    private volatile boolean open;
    private volatile int size;
    private volatile long queuedBytes;
    private long watchedBytes;
    private volatile boolean touched;
    private boolean aborted;
    private boolean writes;
    private boolean paused;
    private boolean offLoop;
    private boolean touchesEverything;
    private int changes;

    /** One command that waits for EXEC. */
    public static final class Queued {
        private final Command command;
        private final Bytes[] words;

        private Queued(Command command, Bytes[] words) {
            this.command = command;
            this.words = words;
        }

        /** Fills the call with this command. */
        public void fill(Call call, Session session) {
            call.begin(session, words, words.length);
            call.command(command);
        }
    }

    /**
     * One key to which nothing may happen before EXEC.
     *
     * @param present whether there was such a key; one that had expired counts as absent, so its removal is no change
     */
    public record Watched(Transaction owner, int database, Bytes key, boolean present) {
        /** What it takes of memory, about. */
        public long bytes() {
            return bytesOf(key);
        }

        public static long bytesOf(Bytes key) {
            return (long) WATCHED_BYTES + key.length();
        }
    }

    /** How often it was opened or queued a call. Its end is no change: the reply of EXEC tells of what ran. */
    int changes() {
        return changes;
    }

    /** Whether MULTI was called and neither EXEC nor DISCARD yet. */
    public boolean isOpen() {
        return open;
    }

    public void open() {
        open = true;
        changes++;
    }

    /** Forgets the queue. The watched keys are not its own to forget. */
    public void close() {
        open = false;
        queue.clear();
        size = 0;
        queuedBytes = 0;
        aborted = false;
        writes = false;
        paused = false;
        offLoop = false;
        touchesEverything = false;
    }

    /** What the call would add to the queue's bytes. */
    public static long bytesOf(Call call) {
        long bytes = COMMAND_BYTES;
        for (int i = 0; i < call.size(); i++) {
            bytes += WORD_BYTES + call.word(i).length();
        }
        return bytes;
    }

    public void queue(Call call) {
        Command command = call.command();
        queue.add(new Queued(command, ownWords(call)));
        changes++;
        size = queue.size();
        queuedBytes = queuedBytes() + bytesOf(call);
        writes |= command.writes();
        paused |= command.writes() || command.has(Flag.MAY_REPLICATE);
        offLoop |= command.isOffLoop();
        touchesEverything |= command.touchesUnnamedKeys() || command.keys().reachFurther(call);
    }

    /** Small words lie in what was read from the network at once, and would keep all of that. */
    private static Bytes[] ownWords(Call call) {
        Bytes[] words = call.copyWords();
        for (int i = 0; i < words.length; i++) {
            words[i] = words[i].length() <= COPIED_BYTES_MAX ? words[i].copy() : words[i];
        }
        return words;
    }

    public List<Queued> queued() {
        return queue;
    }

    /** How many commands are queued. */
    public int size() {
        return size;
    }

    public long queuedBytes() {
        return queuedBytes;
    }

    /** What queue and watched keys hold of memory, about. */
    public synchronized long heldBytes() {
        return queuedBytes + watchedBytes;
    }

    /** A command was refused: EXEC will be, too. */
    public void abort() {
        aborted |= open;
    }

    public boolean isAborted() {
        return aborted;
    }

    public boolean writes() {
        return writes;
    }

    /** Whether CLIENT PAUSE WRITE holds its EXEC. */
    public boolean isPausedWithWrites() {
        return paused;
    }

    /** Whether one of its commands may take long. */
    public boolean isOffLoop() {
        return offLoop;
    }

    /** Whether one of its commands touches keys that it does not name. */
    public boolean touchesEverything() {
        return touchesEverything;
    }

    public synchronized List<Watched> watched() {
        return List.copyOf(watched);
    }

    public synchronized void watch(Watched key) {
        watched.add(key);
        watchedBytes += key.bytes();
    }

    /** Forgets the watched keys, which it answers, and that one was touched. */
    public synchronized List<Watched> unwatch() {
        List<Watched> all = List.copyOf(watched);
        watched.clear();
        watchedBytes = 0;
        touched = false;
        return all;
    }

    /**
     * As {@link #unwatch}, for a client that leaves. An EXEC of it that a worker has begun must not run as if nothing had been
     * watched.
     */
    public synchronized List<Watched> abandon() {
        List<Watched> all = List.copyOf(watched);
        watched.clear();
        watchedBytes = 0;
        touched |= !all.isEmpty();
        return all;
    }

    /** A watched key was changed: EXEC will do nothing. */
    public void touch() {
        touched = true;
    }

    public boolean isTouched() {
        return touched;
    }
}
