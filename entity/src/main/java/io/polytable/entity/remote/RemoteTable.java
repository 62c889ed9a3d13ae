package io.polytable.entity.remote;

import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.session.Futures;
import io.polytable.entity.store.Partition;
import io.polytable.entity.store.RowChange;
import io.polytable.entity.store.RowCursor;
import io.polytable.entity.store.RowQuery;
import io.polytable.entity.store.ScanQuery;
import io.polytable.entity.store.StoredRow;
import io.polytable.entity.store.StoredTable;
import io.polytable.entity.store.WriteAnswer;
import io.polytable.entity.wire.ChangeCodec;
import io.polytable.entity.wire.LayoutFingerprint;
import io.polytable.entity.wire.QueryCodec;
import io.polytable.entity.wire.RowCodec;
import io.polytable.entity.wire.StoreCall;
import io.polytable.table.Bytes;
import io.polytable.table.codec.BytesReader;
import io.polytable.table.codec.BytesWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Cells of a table of a server, under one layout. */
final class RemoteTable implements StoredTable {
    /** Rows per get; more rows are several parallel calls. */
    private static final int GET_ROWS_MAX = 1000;

    /** The approximate size of a write call; well below the default limit of servers. */
    private static final long WRITE_BYTES = 256 << 10;

    private static final int WRITE_CHANGES_MAX = 1000;

    private final ServerConnection server;
    private final String instance;
    private final String table;
    private final String print;
    private final WriteBatcher writes;

    RemoteTable(ServerConnection server, String instance, TableLayout layout) {
        this.server = server;
        this.instance = instance;
        table = layout.name();
        print = LayoutFingerprint.of(layout);
        writes = new WriteBatcher(this::send, WRITE_BYTES, WRITE_CHANGES_MAX);
    }

    CompletableFuture<BytesReader> call(StoreCall kind, Consumer<BytesWriter> words) {
        return server.callAsync(kind, out -> {
            out.text(instance).text(table).text(print);
            words.accept(out);
        });
    }

    @Override
    public CompletableFuture<StoredRow> get(Bytes rowKey, RowQuery query) {
        return page(List.of(rowKey), query).thenApply(rows -> rows.get(0));
    }

    @Override
    public CompletableFuture<List<StoredRow>> getAll(List<Bytes> rowKeys, RowQuery query) {
        List<CompletableFuture<List<StoredRow>>> pages = new ArrayList<>();
        for (int from = 0; from < rowKeys.size(); from += GET_ROWS_MAX) {
            pages.add(page(rowKeys.subList(from, Math.min(from + GET_ROWS_MAX, rowKeys.size())), query));
        }
        return CompletableFuture.allOf(pages.toArray(CompletableFuture<?>[]::new))
                .thenApply(done ->
                        pages.stream().flatMap(page -> page.join().stream()).toList());
    }

    private CompletableFuture<List<StoredRow>> page(List<Bytes> rowKeys, RowQuery query) {
        return call(StoreCall.GET, words -> {
                    words.varint(rowKeys.size());
                    rowKeys.forEach(words::sized);
                    QueryCodec.write(words, query);
                })
                .thenApply(in -> rows(in, rowKeys.size()));
    }

    static List<StoredRow> rows(BytesReader in, int count) {
        List<StoredRow> rows = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            rows.add(RowCodec.row(in));
        }
        return rows;
    }

    @Override
    public RowCursor scan(ScanQuery query) {
        return new RemoteCursor(this, query);
    }

    @Override
    public CompletableFuture<WriteAnswer> write(RowChange change) {
        return writes.add(change);
    }

    private CompletableFuture<List<ChangeCodec.Outcome>> send(List<RowChange> changes) {
        return call(StoreCall.WRITE, words -> write(words, changes)).thenApply(in -> {
            List<ChangeCodec.Outcome> outcomes = new ArrayList<>(changes.size());
            for (int i = 0; i < changes.size(); i++) {
                outcomes.add(ChangeCodec.outcome(in));
            }
            return outcomes;
        });
    }

    private static void write(BytesWriter words, List<RowChange> changes) {
        words.varint(changes.size());
        changes.forEach(change -> ChangeCodec.write(words, change));
    }

    /** Calls are sequential, so the changes of a row keep their order. */
    @Override
    public CompletableFuture<Void> writeAll(List<RowChange> changes) {
        CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
        List<RowChange> next = new ArrayList<>();
        long bytes = 0;
        for (RowChange change : changes) {
            long size = ChangeCodec.size(change);
            if (!next.isEmpty() && (bytes + size > WRITE_BYTES || next.size() >= WRITE_CHANGES_MAX)) {
                last = afterwards(last, next);
                next = new ArrayList<>();
                bytes = 0;
            }
            next.add(change);
            bytes += size;
        }
        return next.isEmpty() ? last : afterwards(last, next);
    }

    private CompletableFuture<Void> afterwards(CompletableFuture<Void> last, List<RowChange> next) {
        return last.thenCompose(done -> call(StoreCall.WRITE_ALL, words -> write(words, next)))
                .thenApply(answer -> null);
    }

    @Override
    public List<Partition> partitions(int wanted) {
        BytesReader in = Futures.join(call(StoreCall.PARTITIONS, words -> words.i32(wanted)));
        int count = in.count();
        List<Partition> partitions = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            partitions.add(QueryCodec.partition(in));
        }
        return partitions;
    }

    @Override
    public void flush() {
        Futures.join(call(StoreCall.FLUSH, words -> {}));
    }
}
