package io.polytable.redis.model.keyspace;

import io.polytable.frontend.view.FollowedViews;
import io.polytable.frontend.view.RowLookup;
import io.polytable.frontend.view.View;
import io.polytable.table.Bytes;
import io.polytable.table.Position;
import io.polytable.table.Snapshot;
import io.polytable.table.TableStore;
import io.polytable.table.column.Value;
import io.polytable.table.feed.Change;
import io.polytable.table.feed.ChangeFeed;
import io.polytable.table.feed.FeedFollower;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Keeps a projection's tables in maps. It can break off at any row, after which it begins again with what it had saved; of
 * the rows that were on their way then, some arrive and some do not.
 */
public final class PlainKeeper implements FeedFollower {
    private final TableStore store;
    private final FollowedViews projection;
    private final Random random;
    private final Map<String, Map<List<Value>, List<Value>>> shown = new HashMap<>();
    private final Map<Bytes, Optional<Bytes>> notes = new HashMap<>();
    private Optional<Position> saved = Optional.empty();
    private Attempt attempt;
    private int begun;
    private int passed;

    public PlainKeeper(TableStore store, FollowedViews projection, Random random) {
        this.store = store;
        this.projection = projection;
        this.random = random;
        projection.views().forEach(this::rowsByKey);
        attempt = new Attempt();
    }

    private static final class BrokenOffException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @Override
    public long mark() {
        return begun + 1L;
    }

    @Override
    public boolean hasPassed(long mark) {
        return passed >= mark;
    }

    public Set<List<Value>> rows(String table) {
        return Set.copyOf(shown.getOrDefault(table, Map.of()).values());
    }

    private Map<List<Value>, List<Value>> rowsByKey(View table) {
        return shown.computeIfAbsent(table.name().name(), name -> new HashMap<>());
    }

    public Set<String> tables() {
        return shown.keySet();
    }

    public void makeAnew() {
        saved = Optional.empty();
        attempt = new Attempt();
    }

    /** Another process continues. */
    public void begin() {
        attempt = new Attempt();
    }

    /** One window; answers false when it broke off, after so many rows. */
    public boolean window(int rowsMax) {
        begun++;
        try (Snapshot snapshot = store.snapshot()) {
            attempt.run(snapshot, rowsMax);
            saved = Optional.of(snapshot.position());
            passed = begun;
            return true;
        } catch (BrokenOffException broken) {
            attempt = new Attempt();
            return false;
        }
    }

    /** What a process has in memory. */
    private final class Attempt implements FollowedViews.Notes, FollowedViews.Touched {
        private record Row(View table, List<Value> key) {}

        private final Map<Bytes, Optional<Bytes>> held = new LinkedHashMap<>();
        private final List<Row> told = new ArrayList<>();
        private final FollowedViews.Session session = projection.begin(this);
        private Optional<Snapshot> snapshot = Optional.empty();
        private int left;

        void run(Snapshot end, int rowsMax) {
            left = rowsMax;
            FollowedViews.Window now = session.window(end);
            snapshot = Optional.of(end);
            if (saved.isEmpty()) {
                now.everything(this);
                removeOthers();
            } else {
                follow(now, saved.get());
            }
            now.end();
            flush();
        }

        private void removeOthers() {
            for (View table : projection.views()) {
                rowsByKey(table).keySet().removeIf(key -> shown(table, key).isEmpty());
            }
        }

        private void follow(FollowedViews.Window now, Position from) {
            try (ChangeFeed feed = store.changes(projection.sources(), from)) {
                List<Change> changes = feed.poll(1 + random.nextInt(7), Duration.ZERO);
                while (!changes.isEmpty()) {
                    now.touchedBy(changes, this);
                    if (random.nextBoolean()) {
                        flush();
                    }
                    changes = feed.poll(1 + random.nextInt(7), Duration.ZERO);
                }
            }
        }

        @Override
        public void row(View table, List<Value> key) {
            if (left-- == 0) {
                told.removeIf(row -> random.nextBoolean());
                told.forEach(this::write);
                throw new BrokenOffException();
            }
            told.add(new Row(table, key));
            if (told.size() > 20) {
                flush();
            }
        }

        private void flush() {
            told.forEach(this::write);
            told.clear();
            notes.putAll(held);
            held.clear();
        }

        private Optional<List<Value>> shown(View table, List<Value> key) {
            try (RowLookup lookup = table.lookup(snapshot.orElseThrow())) {
                return lookup.row(key);
            }
        }

        private void write(Row row) {
            Map<List<Value>, List<Value>> table = rowsByKey(row.table());
            Optional<List<Value>> present = shown(row.table(), row.key());
            if (present.isPresent()) {
                table.put(row.key(), present.get());
            } else {
                table.remove(row.key());
            }
        }

        @Override
        public List<Optional<Bytes>> read(List<Bytes> keys) {
            return keys.stream()
                    .map(key -> held.getOrDefault(key, notes.getOrDefault(key, Optional.empty())))
                    .collect(Collectors.toList());
        }

        @Override
        public void put(Bytes key, Bytes note) {
            held.put(key, Optional.of(note));
        }

        @Override
        public void remove(Bytes key) {
            held.put(key, Optional.empty());
        }
    }

    /** How many collections it remembers. */
    public long noteCount() {
        return notes.values().stream().filter(Optional::isPresent).count();
    }
}
