package io.polytable.store.fluss.ownership;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The spans of rows, by owner, that make up the log, oldest first. Each owner writes it down when it begins, so that
 * the next one must examine only the last owner's rows. Rows that a former owner wrote too late are in no chain.
 *
 * @param start where the log began: its records follow this
 * @param checkpoint the number of the last checkpoint, 0 without one
 */
public record Chain(long incarnation, Start start, long checkpoint, List<RowSpan> spans) {
    private static final int VERSION = 2;
    private static final int HEADER_BYTES = 2 * Integer.BYTES + 4 * Long.BYTES;

    /** The start of a log: 0, or the position of what it continues. */
    public record Start(long position, long ticket) {
        public static final Start NOTHING = new Start(0, 0);
    }

    public Chain {
        spans = List.copyOf(spans);
    }

    static Chain begin(long incarnation, Start start, long checkpoint) {
        return new Chain(incarnation, start, checkpoint, List.of());
    }

    private Optional<RowSpan> last() {
        return spans.isEmpty() ? Optional.empty() : Optional.of(spans.get(spans.size() - 1));
    }

    public long end() {
        return last().map(RowSpan::lastPosition).orElse(start.position());
    }

    public long ticket() {
        return last().map(RowSpan::ticket).orElse(start.ticket());
    }

    public long bytes() {
        return last().map(RowSpan::bytesBehind).orElse(0L);
    }

    /** The next owner's span, without rows yet. */
    RowSpan next(long epoch, long owner) {
        return RowSpan.begin(epoch, owner, end(), bytes(), ticket());
    }

    Chain with(RowSpan span) {
        if (span.isEmpty()) {
            return this;
        }
        List<RowSpan> longer = new ArrayList<>(spans);
        longer.add(span);
        return new Chain(incarnation, start, checkpoint, longer);
    }

    /** Drops the rows below the floor; a floor outside the spans changes nothing. */
    Chain from(Floor floor) {
        for (int i = 0; i < spans.size(); i++) {
            RowSpan span = spans.get(i);
            if (span.epoch() == floor.key().epoch()
                    && span.owner() == floor.key().owner()) {
                List<RowSpan> rest = new ArrayList<>(spans.subList(i, spans.size()));
                rest.set(0, span.from(floor));
                return new Chain(incarnation, start, floor.checkpoint(), rest);
            }
        }
        return this;
    }

    public byte[] encode() {
        ByteBuffer into = ByteBuffer.allocate(HEADER_BYTES + spans.size() * RowSpan.BYTES);
        into.putInt(VERSION).putInt(spans.size());
        into.putLong(incarnation)
                .putLong(start.position())
                .putLong(start.ticket())
                .putLong(checkpoint);
        spans.forEach(span -> span.encode(into));
        return into.array();
    }

    static Chain decode(byte[] bytes) {
        ByteBuffer from = ByteBuffer.wrap(bytes);
        int version = from.getInt();
        if (version > VERSION) {
            throw OwnershipFault.newer(version, VERSION);
        }
        int count = from.getInt();
        long incarnation = from.getLong();
        Start start = new Start(from.getLong(), from.getLong());
        long checkpoint = from.getLong();
        List<RowSpan> spans = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            spans.add(RowSpan.decode(from));
        }
        return new Chain(incarnation, start, checkpoint, spans);
    }
}
