package io.polytable.store.state;

import io.polytable.store.state.ReadableRuns.Run;
import io.polytable.table.Bytes;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileReader;
import org.rocksdb.SstFileReaderIterator;

/**
 * The keys of a family in ascending order, each once, as far as its files can be read. Which value of a key is valid, if
 * any, the database decides. A file is open from its first key to its last, so of each sorted level one is open at a
 * time.
 */
final class ReadableKeys implements AutoCloseable {
    private final Options options = new Options();
    private final ReadOptions reads = new ReadOptions().setFillCache(false);
    private final PriorityQueue<Part> parts = new PriorityQueue<>(Comparator.comparing(part -> part.key));
    private Optional<Bytes> last = Optional.empty();

    /** A run of a file's keys, opened when its turn comes. */
    private final class Part implements AutoCloseable {
        private final Path file;
        private final Bytes until;
        private Bytes key;
        private Optional<SstFileReader> reader = Optional.empty();
        private Optional<SstFileReaderIterator> rows = Optional.empty();

        Part(Path file, Run run) {
            this.file = file;
            key = run.first();
            until = run.last();
        }

        boolean isOpen() {
            return rows.isPresent();
        }

        /** Moves to the run's first key, or to the next one; returns whether there is any. */
        boolean advance() throws RocksDBException {
            SstFileReaderIterator at;
            if (rows.isPresent()) {
                at = rows.get();
                at.next();
            } else {
                at = opened();
                at.seek(key.toByteArray());
            }
            if (!at.isValid()) {
                return false;
            }
            key = Bytes.of(at.key());
            return key.compareTo(until) <= 0;
        }

        private SstFileReaderIterator opened() throws RocksDBException {
            SstFileReader opening = new SstFileReader(options);
            reader = Optional.of(opening);
            opening.open(file.toString());
            SstFileReaderIterator iterator = opening.newIterator(reads);
            rows = Optional.of(iterator);
            return iterator;
        }

        @Override
        public void close() {
            rows.ifPresent(SstFileReaderIterator::close);
            reader.ifPresent(SstFileReader::close);
        }
    }

    /** Adds the keys of a run. */
    void add(Path file, Run run) {
        parts.add(new Part(file, run));
    }

    /** The next key; empty at the end. */
    Optional<Bytes> next() throws RocksDBException {
        while (!parts.isEmpty()) {
            Part first = parts.remove();
            Optional<Bytes> key = first.isOpen() ? Optional.of(first.key) : Optional.empty();
            if (first.advance()) {
                parts.add(first);
            } else {
                first.close();
            }
            if (key.isPresent() && (last.isEmpty() || key.get().compareTo(last.get()) > 0)) {
                last = key;
                return key;
            }
        }
        return Optional.empty();
    }

    @Override
    public void close() {
        parts.forEach(Part::close);
        reads.close();
        options.close();
    }
}
