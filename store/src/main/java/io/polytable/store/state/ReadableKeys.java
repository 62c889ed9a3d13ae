package io.polytable.store.state;

import io.polytable.table.Bytes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReader;
import org.rocksdb.SstFileReaderIterator;

/**
 * The keys of a family in ascending order, each once, as far as its files can be read: of a damaged file, the keys
 * before its first and after its last damaged block. Which value of a key is valid, if any, the database decides.
 */
final class ReadableKeys implements AutoCloseable {
    private final Options options = new Options();
    private final ReadOptions reads = new ReadOptions().setFillCache(false);
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final PriorityQueue<Part> parts = new PriorityQueue<>(Comparator.comparing(part -> part.key));
    private Optional<Bytes> last = Optional.empty();

    /** A part of a file without damage. */
    private static final class Part {
        private final SstFileReaderIterator rows;
        private final Optional<Bytes> until;
        private Bytes key = Bytes.EMPTY;

        /** @param until the last key; empty for the end of the file */
        Part(SstFileReaderIterator rows, Optional<Bytes> until) {
            this.rows = rows;
            this.until = until;
        }

        boolean isValid() {
            if (!rows.isValid()) {
                return false;
            }
            key = Bytes.of(rows.key());
            return until.isEmpty() || key.compareTo(until.get()) <= 0;
        }
    }

    void addWhole(Path file) throws RocksDBException {
        SstFileReaderIterator rows = iterator(file);
        rows.seekToFirst();
        add(new Part(rows, Optional.empty()));
    }

    /** Adds what can be read of a damaged file; nothing of a file that cannot be opened. */
    void addDamaged(DamagedFile file) throws RocksDBException {
        if (file.family().isEmpty()) {
            return;
        }
        if (file.after().isPresent()) {
            SstFileReaderIterator rows = iterator(file.file());
            rows.seekToFirst();
            add(new Part(rows, file.after()));
        }
        if (file.before().isPresent()) {
            SstFileReaderIterator rows = iterator(file.file());
            rows.seek(file.before().get().toByteArray());
            add(new Part(rows, Optional.empty()));
        }
    }

    private SstFileReaderIterator iterator(Path file) throws RocksDBException {
        SstFileReader reader = new SstFileReader(options);
        opened.add(reader);
        reader.open(file.toString());
        SstFileReaderIterator rows = reader.newIterator(reads);
        opened.add(rows);
        return rows;
    }

    private void add(Part part) {
        if (part.isValid()) {
            parts.add(part);
        }
    }

    /** The next key; empty at the end. */
    Optional<Bytes> next() {
        while (!parts.isEmpty()) {
            Part first = parts.remove();
            Bytes key = first.key;
            first.rows.next();
            add(first);
            if (last.isEmpty() || key.compareTo(last.get()) > 0) {
                last = Optional.of(key);
                return last;
            }
        }
        return Optional.empty();
    }

    @Override
    public void close() throws RocksDBException {
        try {
            for (int i = opened.size() - 1; i >= 0; i--) {
                opened.get(i).close();
            }
        } catch (RocksDBException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("Closing a reader of RocksDB does not throw", e);
        } finally {
            reads.close();
            options.close();
        }
    }
}
