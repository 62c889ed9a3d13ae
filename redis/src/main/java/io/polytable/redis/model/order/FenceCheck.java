package io.polytable.redis.model.order;

import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.Reader;
import io.polytable.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Verifies a collection's fences against its element rows and against each other, by recounting. */
public final class FenceCheck {
    private final Reader reader;
    private final OrderIndex.Shape shape;
    private final OrderRows orders;
    private final FenceRows fences;
    private final FenceLimits limits;
    private final Consumer<String> faults;

    public FenceCheck(Reader reader, Table table, OrderIndex.Shape shape, FenceLimits limits, Consumer<String> faults) {
        this.reader = reader;
        this.shape = shape;
        this.orders = new OrderRows(table, shape.id(), shape.ordering());
        this.fences = new FenceRows(table, shape.id(), shape.ordering());
        this.limits = limits;
        this.faults = faults;
    }

    public void run() {
        if (shape.levels() == 0 && shape.size() > limits.most()) {
            faults.accept("it has " + shape.size() + " elements and no fences");
        }
        countElements();
        for (int level = 2; level <= shape.levels(); level++) {
            countChildren(level);
        }
        countTop();
    }

    /** One walk over the elements, in step with one walk over the fences of each level. */
    private void countElements() {
        List<Walk> levels = new ArrayList<>();
        try (Cursor elements = orders.scan(reader, SortKeys.START, SortKeys.END, Direction.FORWARD, Long.MAX_VALUE)) {
            for (int level = 1; level <= shape.levels(); level++) {
                levels.add(new Walk(level));
            }
            while (elements.next()) {
                Bytes place = OrderRows.placeOf(elements.key());
                levels.forEach(level -> level.count(place));
            }
            levels.forEach(Walk::finishElements);
        } finally {
            levels.forEach(Walk::close);
        }
    }

    private void countChildren(int level) {
        try (Walk parents = new Walk(level);
                Walk children = new Walk(level - 1)) {
            while (children.step()) {
                parents.countChild(children.current().place);
            }
            parents.finishChildren();
        }
    }

    private void countTop() {
        long top = 0;
        try (Cursor rows = reader.scan(orders.table(), fences.all())) {
            while (rows.next()) {
                int level = fences.decode(rows.key(), rows.value()).level;
                top += level == shape.levels() ? 1 : 0;
                if (level > shape.levels()) {
                    faults.accept("it has a fence on level " + level + " of " + shape.levels());
                }
            }
        }
        if (shape.levels() > 0 && (top < 2 || top > limits.most())) {
            faults.accept("its highest level has " + top + " fences");
        }
    }

    /** A walk over the fences of one level that counts what is between them. */
    private final class Walk implements AutoCloseable {
        private final int level;
        private final Cursor rows;
        private @Nullable Fence current;
        private @Nullable Fence next;
        private long counted;

        Walk(int level) {
            this.level = level;
            this.rows = fences.scan(reader, level);
            readNext();
        }

        private void readNext() {
            next = rows.next() ? fences.decode(rows.key(), rows.value()) : null;
        }

        boolean step() {
            current = next;
            counted = 0;
            readNext();
            return current != null;
        }

        Fence current() {
            Fence fence = current;
            if (fence == null) {
                throw new IllegalStateException("not on a fence");
            }
            return fence;
        }

        void count(Bytes place) {
            while (next != null && next.place.compareTo(place) <= 0) {
                compareElements();
                step();
            }
            counted++;
        }

        void finishElements() {
            while (next != null) {
                compareElements();
                step();
            }
            compareElements();
        }

        private void compareElements() {
            Fence fence = current;
            if (fence == null) {
                if (counted > 0) {
                    faults.accept(counted + " elements stand before its first fence of level " + level);
                }
            } else if (fence.elements() != counted) {
                faults.accept("fence " + fence.place + " of level " + level + " counts " + fence.elements() + " of "
                        + counted + " elements");
            } else if (level == 1) {
                compareWithLimits(fence, counted);
            }
        }

        void countChild(Bytes place) {
            while (next != null && next.place.compareTo(place) <= 0) {
                compareChildren();
                step();
                if (!current().place.equals(place)) {
                    faults.accept("fence " + current().place + " of level " + level + " has none beneath it");
                }
            }
            counted++;
        }

        void finishChildren() {
            while (next != null) {
                compareChildren();
                step();
            }
            compareChildren();
        }

        private void compareChildren() {
            Fence fence = current;
            if (fence == null) {
                return;
            }
            if (fence.children() != counted) {
                faults.accept("fence " + fence.place + " of level " + level + " counts " + fence.children() + " of "
                        + counted + " fences");
            }
            compareWithLimits(fence, counted);
        }

        private void compareWithLimits(Fence fence, long count) {
            if (count < limits.fewest() || count > limits.most()) {
                faults.accept("fence " + fence.place + " of level " + level + " covers " + count);
            }
        }

        @Override
        public void close() {
            rows.close();
        }
    }
}
