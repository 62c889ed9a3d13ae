package io.polytable.redis.model.stream;

import io.polytable.redis.model.row.Elements;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.redis.model.stream.entry.StreamNode;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Removes entries from the start of a stream: node by node as Redis does, and within the first remaining node when the
 * rule is exact. The nodes decide how far; then the rows up to there are deleted.
 */
final class Trimming {
    /**
     * Beyond this many rows one range delete replaces the single ones. It is cheaper, but a follower of the change
     * feed cannot see from it which rows were deleted, and reads everything again.
     */
    static final long SINGLE_DELETES_MAX = 20_000;

    private final OpenStream stream;
    private final TrimRule rule;
    private long length;
    private long deleted;
    private @Nullable StreamNode tail;
    private @Nullable StreamId removedThrough;
    private @Nullable StreamId kept;

    private Trimming(OpenStream stream, TrimRule rule) {
        this.stream = stream;
        this.rule = rule;
        this.length = stream.length();
        this.tail = stream.meta().tail();
    }

    /** Returns how many entries were removed; the caller saves the stream. */
    static long trim(OpenStream stream, TrimRule rule) {
        return new Trimming(stream, rule).run();
    }

    private long run() {
        Optional<StreamNode> node = isEnough() ? Optional.empty() : firstNode();
        while (node.isPresent() && mayRemove(node.get()) && isWhollyRemoved(node.get())) {
            drop(node.get());
            node = isEnough() ? Optional.empty() : nodeAfter(node.get());
        }
        deleteRows();
        if (node.isPresent() && mayRemove(node.get()) && !rule.isApproximate()) {
            trimWithin(node.get());
        }
        if (deleted > 0) {
            stream.shrink(deleted, stream.length() > deleted ? firstKept() : StreamId.MIN, tail);
        }
        return deleted;
    }

    private StreamId firstKept() {
        StreamId known = kept;
        return known == null ? stream.firstFrom(start()).orElse(StreamId.MIN) : known;
    }

    /** A lower bound of the ids of remaining entries. */
    private StreamId start() {
        StreamId through = removedThrough;
        return through == null ? stream.meta().first() : through.next().orElse(StreamId.MAX);
    }

    private boolean isEnough() {
        return rule instanceof TrimRule.ToLength to && length <= to.length();
    }

    private boolean mayRemove(StreamNode node) {
        return rule.limit() == 0 || deleted + node.live() <= rule.limit();
    }

    private boolean isWhollyRemoved(StreamNode node) {
        return rule instanceof TrimRule.ToLength to
                ? length - node.live() >= to.length()
                : node.last().isBefore(((TrimRule.ToId) rule).id());
    }

    /** The node of the first entry: all nodes with rows have live entries. */
    private Optional<StreamNode> firstNode() {
        StreamId first = stream.meta().first();
        Optional<StreamNode> last = Optional.ofNullable(tail);
        if (last.isEmpty() || stream.length() == 0 || !last.get().first().isAfter(first)) {
            return last;
        }
        return stream.node(first, Direction.REVERSE).or(() -> last);
    }

    private Optional<StreamNode> nodeAfter(StreamNode node) {
        Optional<StreamNode> last = Optional.ofNullable(tail);
        return last.isEmpty()
                ? last
                : stream.node(node.last(), Direction.FORWARD).or(() -> last);
    }

    private void drop(StreamNode node) {
        if (node.equals(tail)) {
            tail = null;
        } else {
            stream.deleteNode(node);
        }
        length -= node.live();
        deleted += node.live();
        removedThrough = node.last();
    }

    /** Deletes the entries of all dropped nodes. */
    private void deleteRows() {
        StreamId through = removedThrough;
        if (through == null || deleted == 0) {
            return;
        }
        Elements entries = stream.rows().entries();
        Bytes from = stream.meta().first().bytes();
        Bytes end = through.next().map(StreamId::bytes).orElse(Bytes.EMPTY);
        if (deleted > SINGLE_DELETES_MAX) {
            entries.deleteRange(from, end);
            return;
        }
        try (Cursor cursor = entries.scan(from, end, Direction.FORWARD, Long.MAX_VALUE)) {
            while (cursor.next()) {
                entries.delete(entries.sub(cursor));
            }
        }
    }

    private void trimWithin(StreamNode node) {
        Elements entries = stream.rows().entries();
        List<Bytes> gone = new ArrayList<>();
        try (Cursor cursor = entries.scan(start().bytes(), Bytes.EMPTY, Direction.FORWARD, node.live())) {
            while (kept == null && cursor.next()) {
                StreamId id = StreamRows.id(entries.sub(cursor));
                if (isKept(id, gone.size())) {
                    kept = id;
                } else {
                    gone.add(entries.sub(cursor));
                }
            }
        }
        gone.forEach(entries::delete);
        deleted += gone.size();
        update(node, node.without(gone.size()));
    }

    private boolean isKept(StreamId id, long goneBefore) {
        return rule instanceof TrimRule.ToLength to
                ? length - goneBefore <= to.length()
                : !id.isBefore(((TrimRule.ToId) rule).id());
    }

    private void update(StreamNode node, StreamNode next) {
        if (node.equals(tail)) {
            tail = next;
        } else if (next.live() == 0) {
            stream.deleteNode(node);
        } else if (!next.equals(node)) {
            stream.putNode(next);
        }
    }
}
