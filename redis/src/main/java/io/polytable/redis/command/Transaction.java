package io.polytable.redis.command;

import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;

/**
 * A session's WATCHed keys and, between MULTI and EXEC, its queue. The session's own event loop changes it. Other
 * threads mark it as touched when they commit a change of a watched key, and read its size for CLIENT LIST. A
 * disconnect drops the watched keys, maybe while a worker runs the EXEC.
 */
public final class Transaction {
    /** Words up to this length are copied when they are queued. */
    private static final int COPIED_BYTES_MAX = 64 << 10;

    /** The overhead of a queued word and of a queued command. */
    private static final int WORD_BYTES = 48;

    private static final int COMMAND_BYTES = 64;

    /** The overhead of a watched key: an entry in a list here, and one in the map of all watched keys. */
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
    private boolean changesKeys;
    private boolean paused;
    private boolean offLoop;
    private boolean touchesEverything;
    private boolean addsData;
    private int changes;

    /** A queued command. */
    public static final class Queued {
        private final Command command;
        private final Bytes[] words;

        private Queued(Command command, Bytes[] words) {
            this.command = command;
            this.words = words;
        }

        /** Loads this command into the call. */
        public void fill(Call call, Session session) {
            call.begin(session, words, words.length);
            call.command(command);
        }
    }

    /**
     * A watched key.
     *
     * @param present whether the key existed; an expired one counts as absent, so its removal is no change
     */
    public record Watched(Transaction owner, int database, Bytes key, boolean present) {
        /** Its memory, estimated. */
        public long bytes() {
            return bytesOf(key);
        }

        public static long bytesOf(Bytes key) {
            return (long) WATCHED_BYTES + key.length();
        }
    }

    /** Counts MULTI and queued calls. The end of the transaction does not count: the reply of EXEC reports it. */
    int changes() {
        return changes;
    }

    /** Whether MULTI was called, and neither EXEC nor DISCARD since. */
    public boolean isOpen() {
        return open;
    }

    public void open() {
        open = true;
        changes++;
    }

    /** Drops the queue. The watched keys stay: {@code Watches} drops them. */
    public void close() {
        open = false;
        queue.clear();
        size = 0;
        queuedBytes = 0;
        aborted = false;
        writes = false;
        changesKeys = false;
        addsData = false;
        paused = false;
        offLoop = false;
        touchesEverything = false;
    }

    /** The bytes that the call would add to the queue. */
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
        changesKeys |= command.writes() && !command.runsScript();
        addsData |= command.has(Flag.DENYOOM);
        paused |= command.writes() || command.has(Flag.MAY_REPLICATE);
        // Inside a transaction a script cannot be restarted: it has all it may need from the start.
        offLoop |= command.isOffLoop() || command.runsScript();
        touchesEverything |= command.runsScript()
                || command.touchesUnnamedKeys()
                || command.keys().reachFurther(call);
    }

    /** Copies the small words. They are slices of a network chunk, which a queued slice would keep alive. */
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

    /** The memory of queue and watched keys, estimated. */
    public synchronized long heldBytes() {
        return queuedBytes + watchedBytes;
    }

    /** Marks the transaction as failed because a command was rejected: EXEC will be rejected too. */
    public void abort() {
        aborted |= open;
    }

    public boolean isAborted() {
        return aborted;
    }

    public boolean writes() {
        return writes;
    }

    /** Whether a queued command writes itself, not only as a script may. */
    public boolean changesKeys() {
        return changesKeys;
    }

    /** Whether CLIENT PAUSE WRITE holds its EXEC. */
    public boolean isPausedWithWrites() {
        return paused;
    }

    /** Whether a queued command may take long. */
    public boolean isOffLoop() {
        return offLoop;
    }

    /** Whether a queued command accesses keys that it does not name. */
    /** Whether a queued command may add data. */
    public boolean addsData() {
        return addsData;
    }

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

    /** Drops and returns the watched keys, and clears the touched mark. */
    public synchronized List<Watched> unwatch() {
        List<Watched> all = List.copyOf(watched);
        watched.clear();
        watchedBytes = 0;
        touched = false;
        return all;
    }

    /**
     * As {@link #unwatch}, for a client that disconnects. A worker may have begun its EXEC, which must not run as if
     * nothing had been watched: the transaction stays touched.
     */
    public synchronized List<Watched> abandon() {
        List<Watched> all = List.copyOf(watched);
        watched.clear();
        watchedBytes = 0;
        touched |= !all.isEmpty();
        return all;
    }

    /** Marks that a watched key changed: EXEC will not run. */
    public void touch() {
        touched = true;
    }

    public boolean isTouched() {
        return touched;
    }
}
