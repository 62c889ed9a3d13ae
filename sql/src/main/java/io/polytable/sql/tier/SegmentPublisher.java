package io.polytable.sql.tier;

import io.polytable.frontend.answer.AnswerGate;
import io.polytable.sql.model.definition.DefinitionJson;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.tier.file.FileTypes;
import io.polytable.sql.tier.file.SegmentWriter;
import io.polytable.sql.tier.manifest.Manifest;
import io.polytable.sql.tier.manifest.ManifestJson;
import io.polytable.sql.tier.manifest.Segment;
import io.polytable.sql.tier.storage.Storage;
import io.polytable.sql.tier.storage.StorageDef;
import io.polytable.sql.tier.storage.StoragePaths;
import io.polytable.sql.type.SqlCode;
import io.polytable.sql.type.SqlError;
import io.polytable.table.Commit;
import io.polytable.table.Origin;
import io.polytable.table.write.Batch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Lock;

/** Publishes segments and manifests of a table, for flushes and compactions. */
final class SegmentPublisher {
    private final Tiering tier;
    private final SqlTable table;
    private final ColdTable cold;
    private final long emptied;
    private final StorageDef storage;

    /** Kept for the whole run: it tracks which files are not synced yet, and a reopened one would not. */
    private final Storage files;

    private boolean schemaWritten;

    /** @param emptied the number of TRUNCATEs, read at the same moment as the table */
    SegmentPublisher(Tiering tier, SqlTable table, long emptied) {
        this.tier = tier;
        this.table = table;
        this.emptied = emptied;
        cold = tier.cold(table);
        storage = tier.storages().require(storageOf(table.def()));
        files = tier.storages().open(storage.id());
    }

    static String storageOf(TableDef def) {
        return def.options().getOrDefault("storage_id", StorageDef.LOCAL);
    }

    /** A segment file of a scope that is being written. */
    final class OpenFile implements AutoCloseable {
        final SegmentWriter writer;
        private final long id = tier.store().ticket();
        private final String path;
        private final Path temporary;

        OpenFile(String scope) {
            path = StoragePaths.directory(storage, table.def(), scope) + "/batch-" + String.format("%019d", id)
                    + ".parquet";
            temporary = files.temporary(path);
            writer = new SegmentWriter(temporary, table);
        }

        /** Finishes the file and publishes it under its final path. */
        Segment publish(long order, long replaces) {
            assert tier.storages().mayWait() : "A segment is written under a lock";
            writer.finish();
            tier.reached(Step.FILE_WRITTEN);
            long bytes = writer.bytes();
            Optional<String> checksum = Optional.of(writer.sha256());
            files.publish(temporary, path);
            tier.reached(Step.FILE_PUBLISHED);
            return new Segment(
                    id,
                    order < 0 ? id : order,
                    storage.id(),
                    path,
                    table.def().version(),
                    writer.rows(),
                    writer.tombstones(),
                    replaces,
                    bytes,
                    checksum,
                    writer.minKey(),
                    writer.maxKey(),
                    tier.now());
        }

        /** Deletes a file that was not published: its name contains a ticket and is never used again. */
        @Override
        public void close() {
            writer.close();
            try {
                Files.deleteIfExists(temporary);
            } catch (IOException left) {
                // A later reconcile deletes it.
                return;
            }
        }
    }

    OpenFile file(String scope) {
        return new OpenFile(scope);
    }

    /** The next version of the manifest. */
    Manifest next(Manifest before, Collection<Segment> gone, Collection<Segment> more) {
        long version = tier.manifests().nextVersion(tier.store(), table.table().id(), before.scope());
        return before.next(
                table.name().toString(),
                version,
                tier.now(),
                gone,
                more,
                Map.of(table.def().version(), FileTypes.columns(table.def())));
    }

    /**
     * Makes manifests visible, first on the storage for outside readers, then in the store, which is authoritative.
     *
     * @throws SqlError when the table was dropped or truncated meanwhile; then nothing is visible
     */
    void commit(List<Manifest> manifests) {
        assert tier.storages().mayWait() : "A manifest is written under a lock";
        if (!schemaWritten) {
            String schema = StoragePaths.tableDirectory(storage, table.def()) + "/schema_v"
                    + table.def().version() + ".json";
            files.write(schema, DefinitionJson.table(table.def()).getBytes(StandardCharsets.UTF_8));
            schemaWritten = true;
        }
        // Syncs the files first: after a crash manifest.json must not name files that are missing.
        files.sync();
        Map<String, byte[]> texts = new LinkedHashMap<>();
        manifests.forEach(manifest -> texts.put(path(manifest), text(manifest)));
        files.writeAll(texts);
        files.sync();
        tier.reached(Step.MANIFEST_WRITTEN);
        tier.hold().publishing(() -> AnswerGate.settle(commitToStore(manifests)));
        tier.reached(Step.MANIFEST_COMMITTED);
    }

    /** Whoever waits until it is durable holds no lock: a definition that waits for it would hold up all writers. */
    private Commit commitToStore(List<Manifest> manifests) {
        Batch batch = new Batch(Origin.FLUSH);
        manifests.forEach(manifest -> tier.manifests().put(batch, manifest));
        Lock writing = tier.catalog().writing();
        writing.lock();
        try {
            if (cold.emptied.get() != emptied || !tier.isThere(table)) {
                throw new SqlError(
                        SqlCode.SERIALIZATION_FAILURE, "table " + table.name() + " was emptied or dropped meanwhile");
            }
            cold.markUsed();
            return tier.store().commit(batch);
        } finally {
            writing.unlock();
        }
    }

    private static byte[] text(Manifest manifest) {
        return ManifestJson.text(manifest).getBytes(StandardCharsets.UTF_8);
    }

    private String path(Manifest manifest) {
        return StoragePaths.directory(storage, table.def(), manifest.scope()) + "/manifest.json";
    }

    /** Rewrites manifest.json where it differs from the store, after a crash between the two writes. */
    void restore(Manifest manifest) {
        byte[] text = text(manifest);
        boolean same = files.read(path(manifest))
                .map(present -> Arrays.equals(present, text))
                .orElse(false);
        if (!same) {
            files.write(path(manifest), text);
        }
    }
}
