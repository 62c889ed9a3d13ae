package io.polytable.entity.hbase;

import io.polytable.cells.store.CellStore;
import io.polytable.cells.store.CellStoreOptions;
import io.polytable.entity.uri.EntityUri;
import io.polytable.entity.uri.StoreKind;
import io.polytable.hbase.HBaseServer;
import io.polytable.hbase.LoopbackOptions;
import io.polytable.store.EmbeddedStore;
import io.polytable.store.engine.EngineOptions;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.table.TableStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

/** Our own HBase frontend over a store in a directory, on free ports of this machine. */
final class ServedFace implements AutoCloseable {
    private final TableStore store;
    private final CellStore cells;
    private final HBaseServer face;

    private ServedFace(TableStore store) throws IOException {
        this.store = store;
        cells = CellStore.open(store, CellStoreOptions.DEFAULT);
        face = HBaseServer.start(
                cells, new LoopbackOptions().options(), InstantSource.system(), (service, method, nanos, failed) -> {});
    }

    static ServedFace on(Path directory) throws IOException {
        EngineOptions small = EngineOptions.DEFAULT.withMemory(16 << 20, 16 << 20);
        TableStore store = EmbeddedStore.open(directory.resolve("store"), small, FileLogOptions.defaults());
        return new ServedFace(store);
    }

    EntityUri uri() {
        return EntityUri.remote(
                StoreKind.HBASE, List.of("localhost"), face.zookeeperPort().orElseThrow());
    }

    @Override
    public void close() {
        face.close();
        cells.close();
        store.close();
    }
}
