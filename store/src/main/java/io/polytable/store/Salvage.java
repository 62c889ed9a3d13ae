package io.polytable.store;

import io.polytable.store.directory.PartitionDirectories;
import io.polytable.store.directory.StoreDirectory;
import io.polytable.store.log.LogReader;
import io.polytable.store.log.file.FileLog;
import io.polytable.store.log.file.FileLogOptions;
import io.polytable.store.state.Family;
import io.polytable.store.state.StateSalvage;
import io.polytable.table.Bytes;
import io.polytable.table.codec.SpecCodec;
import io.polytable.table.write.EncodedRow;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes a store with damaged files usable again: the rows that can be read stay, those that the log still has come
 * back, and the ranges of keys that are lost are named. The damaged files are kept in the directory {@code damaged}.
 */
public final class Salvage {
    /**
     * What was salvaged.
     *
     * @param redone how many rows the log restored or deleted
     * @param logFrom the first record that the log still has
     */
    public record Report(List<StateSalvage.Outcome> tables, long redone, long logFrom) {}

    private Salvage() {}

    /** Salvages all partitions of a store that no process has open; one report for each partition with damage. */
    public static List<Report> run(Path directory) {
        int partitions = Math.max(1, PartitionDirectories.present(directory));
        List<Report> reports = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            try (StoreDirectory held = StoreDirectory.lock(PartitionDirectories.of(directory, partition, partitions));
                    StateSalvage state = StateSalvage.open(held.path())) {
                if (state.run()) {
                    long from = redo(state, held.log());
                    reports.add(new Report(state.finish(), state.redone(), from));
                }
            }
        }
        return reports;
    }

    /** Applies what the log has of the lost ranges; returns its first position. */
    private static long redo(StateSalvage state, Path log) {
        long applied = state.applied().position();
        if (!FileLog.isIn(log)) {
            return applied + 1;
        }
        Map<Integer, Family> families = families(state);
        try (FileLog records = FileLog.open(log, FileLogOptions.defaults().withBackground(false))) {
            long from = records.first();
            EncodedRow row = new EncodedRow();
            try (LogReader reader = records.read(from)) {
                while (reader.next() && reader.position() <= applied) {
                    int end = reader.offset() + reader.length();
                    for (int at = reader.offset(); at < end; at = row.end()) {
                        Family family =
                                families.get(row.moveTo(reader.array(), at).table());
                        if (family != null) {
                            state.redo(family, row);
                        }
                    }
                }
            }
            return from;
        }
    }

    private static Map<Integer, Family> families(StateSalvage state) {
        Map<Integer, Family> families = new HashMap<>();
        for (Map.Entry<Bytes, Bytes> row : state.catalog().entrySet()) {
            Bytes key = row.getKey();
            int id = ByteBuffer.wrap(key.array(), key.offset(), key.length()).getInt();
            // The row 0 holds the next id.
            if (id != 0) {
                families.put(id, Family.of(SpecCodec.decode(row.getValue())));
            }
        }
        return families;
    }
}
