package io.polytable.entity.cassandra.write;

import io.polytable.table.Bytes;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** An LRU cache of this process's last conditional writes per row and group, used to guess the current value. */
final class LastWrites {
    private static final int ROWS_MAX = 20_000;
    private static final int KEY_BYTES_MAX = 256;

    private record Place(String groupId, Bytes rowKey) {}

    private final Map<Place, CheckedWrites.Last> rows = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Place, CheckedWrites.Last> eldest) {
            return size() > ROWS_MAX;
        }
    };

    synchronized Optional<CheckedWrites.Last> of(CheckedWrites.Task task) {
        return Optional.ofNullable(rows.get(place(task)));
    }

    synchronized void add(CheckedWrites.Task task, CheckedWrites.Last last) {
        int qualifierLength =
                last.counter().map(cell -> cell.qualifier().length()).orElse(0);
        if (task.rowKey().length() + qualifierLength <= KEY_BYTES_MAX) {
            rows.put(place(task), last);
        } else {
            rows.remove(place(task));
        }
    }

    private static Place place(CheckedWrites.Task task) {
        return new Place(task.place().groupId(), task.rowKey());
    }
}
