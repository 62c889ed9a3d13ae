package io.polytable.store.log.file;

import io.polytable.store.log.LogFault;
import io.polytable.store.log.disk.LogFile;
import io.polytable.store.log.disk.LogFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;

/**
 * The manifest of the log: which segments must exist. Four pages with one stamp each, updated in place, so that a full
 * disk cannot keep the log from releasing segments. Pages 0 and 1 hold the {@link State} alternately; each is forced
 * before the other is overwritten, so one of them is always intact. Pages 2 and 3 are {@link SyncMarks}.
 */
final class ControlFile implements AutoCloseable {
    static final String NAME = "control";
    static final String TEMPORARY = "control.tmp";
    static final int PAGE = 4096;

    private static final int PAGES = 4;
    private static final long MAGIC = Stamp.magic("PTLOGCTL");

    /**
     * The segments of the log.
     *
     * @param secret the base of the batches' salts; whoever knew it could craft values that pass for batches
     * @param sequence grows with each state written
     * @param newest may be prepared and not yet in use; one below the oldest if there is no segment yet
     * @param ticketBefore the ticket of the last batch before the oldest segment
     */
    record State(long secret, long sequence, long oldest, long newest, long oldestFirst, long ticketBefore) {
        State withOldest(long id, long first, long ticket) {
            return new State(secret, sequence + 1, id, newest, first, ticket);
        }

        State withNewest(long id) {
            return new State(secret, sequence + 1, oldest, id, oldestFirst, ticketBefore);
        }

        /** An identifier of the log that feeds may see: derived from the secret without revealing it. */
        long incarnation() {
            try {
                byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(secret).array();
                return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(bytes))
                        .getLong();
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("Every Java has SHA-256", e);
            }
        }

        private ByteBuffer encode() {
            return Stamp.encode(MAGIC, secret, sequence, oldest, newest, oldestFirst, ticketBefore);
        }

        private static State decode(Stamp stamp) {
            return new State(
                    stamp.number(0),
                    stamp.number(1),
                    stamp.number(2),
                    stamp.number(3),
                    stamp.number(4),
                    stamp.number(5));
        }

        private long place() {
            return PAGE * (sequence & 1);
        }
    }

    private final LogFile file;
    private final SyncMarks marks;
    private State state;

    private ControlFile(LogFile file, State state, SyncMarks marks) {
        this.file = file;
        this.state = state;
        this.marks = marks;
    }

    /** Creates the file for a log without segments whose first record follows the position. */
    public static ControlFile create(LogFiles files, long secret, long position, long ticket) throws IOException {
        State state = new State(secret, 1, 1, 0, position + 1, ticket);
        try (LogFile file = files.create(TEMPORARY)) {
            file.writeAll(ByteBuffer.allocate(PAGE * PAGES), 0);
            file.writeAll(state.encode(), state.place());
            file.force();
        }
        files.rename(TEMPORARY, NAME);
        files.syncDirectory();
        LogFile file = files.open(NAME);
        return new ControlFile(file, state, SyncMarks.read(file, secret));
    }

    static ControlFile open(LogFiles files) throws IOException {
        LogFile file = files.open(NAME);
        try {
            State state = newest(file, files.describe(NAME));
            return new ControlFile(file, state, SyncMarks.read(file, state.secret()));
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static State newest(LogFile file, String described) throws IOException {
        Optional<State> newest = Optional.empty();
        for (int page = 0; page < 2; page++) {
            Optional<Stamp> stamp = stamp(file, page, MAGIC);
            if (stamp.isPresent() && stamp.get().version() > Stamp.VERSION) {
                throw LogFault.newer(described, stamp.get().version(), Stamp.VERSION);
            }
            Optional<State> found = stamp.map(State::decode);
            if (found.isPresent()
                    && found.get().sequence() > newest.map(State::sequence).orElse(0L)) {
                newest = found;
            }
        }
        return newest.orElseThrow(() -> LogFault.corrupt("The log's control file is damaged", described, 0));
    }

    static Optional<Stamp> stamp(LogFile file, int page, long magic) throws IOException {
        byte[] bytes = new byte[Stamp.BYTES];
        file.readAll(ByteBuffer.wrap(bytes), (long) page * PAGE);
        return Stamp.decode(magic, bytes);
    }

    SyncMarks marks() {
        return marks;
    }

    synchronized State state() {
        return state;
    }

    /** Writes the state durably. After a failure the next call writes the same page again. */
    synchronized void write(State next) throws IOException {
        file.writeAll(next.encode(), next.place());
        file.force();
        state = next;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
