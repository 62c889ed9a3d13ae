package io.polytable.store.memory;

import io.polytable.store.memory.flat.IntList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A generation's rows by number, in commit order: where each lies, and which row precedes it in its partition. It grows
 * under the append mutex. A reader that learned the size there may read that many rows at any later time.
 */
final class RowList {
    private static final int FIRST_STRETCHES = 4;

    private volatile @Nullable Stretch[] stretches = new Stretch[FIRST_STRETCHES];
    private int count;
    private int size;
    private long linkBytes;

    /** Consecutive rows of one chunk; two generations may share a chunk. */
    private static final class Stretch {
        private final Chunk chunk;
        private final int firstInChunk;
        private final int first;
        private final IntList links = new IntList();

        Stretch(Chunk chunk, int first) {
            this.chunk = chunk;
            this.first = first;
            firstInChunk = chunk.rows.size();
        }
    }

    interface Visitor {
        void row(Chunk chunk, int offset);
    }

    /** From now on rows are added to this chunk. */
    void hold(Chunk chunk) {
        @Nullable Stretch[] next = stretches;
        if (count == next.length) {
            next = Arrays.copyOf(next, count * 2);
        }
        next[count++] = new Stretch(chunk, size);
        stretches = next;
    }

    /** Adds the chunk's last row; {@code before} is the previous row of its partition, if any. */
    void add(int before) {
        IntList links = at(stretches, count - 1).links;
        if (links.add(before)) {
            linkBytes += links.bytes() / 2;
        }
        size++;
    }

    long linkBytes() {
        return linkBytes;
    }

    int size() {
        return size;
    }

    /** Visits the rows with numbers in [from, to). */
    void forEach(int from, int to, Visitor visitor) {
        @Nullable Stretch[] all = stretches;
        int number = from;
        for (int i = from == to ? 0 : indexOf(all, from); number < to; i++) {
            Stretch stretch = at(all, i);
            boolean last = i + 1 == all.length || all[i + 1] == null;
            int end = last ? to : Math.min(to, at(all, i + 1).first);
            for (; number < end; number++) {
                visitor.row(stretch.chunk, stretch.chunk.rows.get(stretch.firstInChunk + number - stretch.first));
            }
        }
    }

    /** Visits the row and then its predecessors in the partition's chain, down to number {@code from}. */
    void forEachBack(int newest, int from, Visitor visitor) {
        @Nullable Stretch[] all = stretches;
        int at = newest < from ? 0 : indexOf(all, newest);
        for (int number = newest; number >= from; ) {
            Stretch stretch = at(all, at);
            if (number < stretch.first) {
                at = indexOf(all, number);
                stretch = at(all, at);
            }
            visitor.row(stretch.chunk, stretch.chunk.rows.get(stretch.firstInChunk + number - stretch.first));
            number = stretch.links.get(number - stretch.first);
        }
    }

    /** The index of the last stretch that starts at or below the number. */
    private static int indexOf(@Nullable Stretch[] all, int number) {
        int low = 0;
        int high = all.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            Stretch stretch = all[middle];
            if (stretch == null || stretch.first > number) {
                high = middle - 1;
            } else {
                low = middle;
            }
        }
        return low;
    }

    private static Stretch at(@Nullable Stretch[] all, int index) {
        Stretch stretch = all[index];
        if (stretch == null) {
            throw new IllegalStateException("no such row");
        }
        return stretch;
    }
}
