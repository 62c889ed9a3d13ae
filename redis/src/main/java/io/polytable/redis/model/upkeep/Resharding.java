package io.polytable.redis.model.upkeep;

import io.polytable.frontend.Progress;
import io.polytable.frontend.answer.AnswerGate;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.keyspace.ReshardMark;
import io.polytable.redis.model.keyspace.RowSum;
import io.polytable.redis.model.keyspace.ShardTables;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Garbage;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.RowKey;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.TableStore;
import io.polytable.table.write.WriteSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Moves all keys of a store that nobody else uses to another number of shards.
 *
 * <p>A key moves with one commit, together with its collection's new home and the deletion of the elements in the old
 * one; the elements of a large collection are copied before that. So an interrupted run leaves each key whole, in its old
 * place or in its new one, and the next run continues. From the first commit to the last the store is marked, and opens
 * for nobody else. The mark has a checksum of all rows, which must be that of the rows in their new places.
 */
public final class Resharding {
    private static final long COMMIT_BYTES = 4 << 20;

    private final TableStore store;
    private final Table settings;
    private final ShardTables from;
    private final ShardTables to;
    private final Progress progress;
    private final WriteSet writes;
    private long rows;
    private long moved;

    /**
     * What a run did.
     *
     * @param rows all rows of keys and elements
     * @param moved the keys that this run put into another table
     */
    public record Outcome(int from, int to, long rows, long moved) {}

    private Resharding(TableStore store, int from, int to, Progress progress) {
        this.store = store;
        this.settings = RedisTables.settings(store);
        this.from = ShardTables.create(store, from);
        this.to = ShardTables.create(store, to);
        this.progress = progress;
        this.writes = new WriteSet(store);
    }

    /** The goal of a run that was interrupted. */
    public static Optional<Integer> interrupted(TableStore store) {
        return ReshardMark.find(store).map(ReshardMark::shards);
    }

    /**
     * Moves the keys, or continues to. The rows must pass a check before the first run.
     *
     * @param shards zero for one table of all keys
     * @throws StoreException if an interrupted run had another goal, or the rows are in several logs
     */
    public static Outcome run(TableStore store, int shards, Progress progress) {
        if (store.partitions() > 1) {
            throw new StoreException(
                    StoreError.BAD_SPEC,
                    "Keys in several logs cannot be resharded",
                    Map.of("logs", store.partitions()));
        }
        Optional<ReshardMark> mark = ReshardMark.find(store);
        if (mark.isPresent() && mark.get().shards() != shards) {
            throw new StoreException(
                    StoreError.BAD_SPEC,
                    "An interrupted run with another number of shards must be finished first",
                    Map.of("shards", mark.get().shards()));
        }
        int written = RedisTables.shardsOf(store);
        if (mark.isEmpty() && written == shards) {
            return new Outcome(shards, shards, 0, 0);
        }
        Resharding work = new Resharding(store, written, shards, progress);
        return work.finish(mark.orElseGet(work::begin));
    }

    private ReshardMark begin() {
        sweep();
        ReshardMark mark = new ReshardMark(to.shards(), RowSum.of(store, from));
        writes.put(settings, ReshardMark.ROW, mark.row());
        AnswerGate.settle(writes.commit());
        return mark;
    }

    /** Deletes what removed collections left behind, so that all elements are of keys. */
    private void sweep() {
        Table garbage = RedisTables.garbage(store);
        try (Cursor notes = store.scan(garbage, Layout.garbage())) {
            while (notes.next()) {
                Garbage note = Garbage.decode(notes.value());
                long id = Layout.garbageId(notes.key());
                for (ElementKind kind : ElementKind.of(note.type())) {
                    writes.deleteRange(from.elements().get(note.home()), Layout.elements(id, kind));
                }
                writes.delete(garbage, new RowKey(notes.key(), 1));
                commitIfLarge();
            }
        }
        AnswerGate.settle(writes.commit());
    }

    private Outcome finish(ReshardMark mark) {
        for (Table keys : from.keys()) {
            moveAll(keys, mark.rows().rows());
        }
        AnswerGate.settle(writes.commit());
        RowSum after = RowSum.of(store, to);
        if (!after.equals(mark.rows())) {
            throw new StoreException(
                    StoreError.CORRUPT,
                    "The rows are not those from before; no table was removed",
                    Map.of("before", mark.rows(), "after", after));
        }
        RedisTables.writeShards(writes, settings, to.shards());
        writes.delete(settings, ReshardMark.ROW);
        AnswerGate.settle(writes.commit());
        from.without(to).forEach(table -> store.drop(table.name()));
        return new Outcome(from.shards(), to.shards(), after.rows(), moved);
    }

    private void moveAll(Table source, long total) {
        try (Cursor keys = store.scan(source, KeyRange.ALL)) {
            while (keys.next()) {
                progress.at(++rows, total);
                move(source, keys.key(), Header.decode(keys.value()));
                commitIfLarge();
            }
        }
    }

    private void move(Table source, Bytes row, Header header) {
        int part = to.part(Layout.redisKey(row));
        Table target = to.keys().get(part);
        Header next = header;
        if (header instanceof CollectionHeader collection) {
            moveElements(collection, to.elements().get(part));
            next = collection.withHome(part);
        }
        if (next.equals(header) && target.equals(source)) {
            return;
        }
        RowKey key = new RowKey(row, 1);
        writes.put(target, key, next.rowHead(), next.rowTail());
        if (!target.equals(source)) {
            writes.delete(source, key);
            moved++;
        }
    }

    private void moveElements(CollectionHeader collection, Table target) {
        Table source = from.elements().get(collection.home());
        if (source.equals(target)) {
            return;
        }
        List<KeyRange> copied = new ArrayList<>();
        for (ElementKind kind : ElementKind.of(collection.type())) {
            KeyRange range = Layout.elements(collection.id(), kind);
            if (copy(source, range, target)) {
                copied.add(range);
            }
        }
        // From here on nothing is committed before the header is there.
        copied.forEach(range -> writes.deleteRange(source, range));
    }

    /** Copies may be committed without the header: until it follows, nobody looks for them here. */
    private boolean copy(Table source, KeyRange range, Table target) {
        boolean isEmpty = true;
        try (Cursor elements = store.scan(source, range)) {
            while (elements.next()) {
                isEmpty = false;
                rows++;
                writes.put(target, new RowKey(elements.key(), Layout.ELEMENT_PREFIX), elements.value());
                commitIfLarge();
            }
        }
        return !isEmpty;
    }

    private void commitIfLarge() {
        if (writes.sizeBytes() >= COMMIT_BYTES) {
            if (!store.hasRoom()) {
                CompletableFuture<Void> room = new CompletableFuture<>();
                store.whenRoom(() -> room.complete(null));
                room.join();
            }
            writes.commit();
        }
    }
}
