package io.polytable.benchmarks;

import java.nio.file.Path;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** The peer: rocksdbjni used directly, with its own write-ahead log, and settings like ours. */
final class PlainRocks implements AutoCloseable {
    private final Options options;
    private final WriteOptions writes;
    private final RocksDB database;

    PlainRocks(Path directory, long cacheBytes, boolean sync) throws RocksDBException {
        RocksDB.loadLibrary();
        options = new Options()
                .setCreateIfMissing(true)
                .setWriteBufferSize(64L << 20)
                .setMaxBackgroundJobs(2)
                .setCompressionType(CompressionType.LZ4_COMPRESSION)
                .setBottommostCompressionType(CompressionType.ZSTD_COMPRESSION)
                .setTableFormatConfig(new BlockBasedTableConfig()
                        .setBlockCache(new LRUCache(cacheBytes))
                        .setBlockSize(16 << 10)
                        .setFilterPolicy(new BloomFilter(10, false)));
        writes = new WriteOptions().setSync(sync);
        database = RocksDB.open(options, directory.toString());
    }

    void write(int[] numbers, int from, int count, byte[] value) throws RocksDBException {
        try (WriteBatch batch = new WriteBatch()) {
            for (int i = 0; i < count; i++) {
                batch.put(Keys.bytes(numbers[(from + i) % numbers.length]), value);
            }
            database.write(writes, batch);
        }
    }

    boolean read(int number) throws RocksDBException {
        return database.get(Keys.bytes(number)) != null;
    }

    int scan(int from, int rows) {
        try (ReadOptions reads = new ReadOptions();
                RocksIterator iterator = database.newIterator(reads)) {
            int seen = 0;
            for (iterator.seek(Keys.bytes(from)); iterator.isValid() && seen < rows; iterator.next()) {
                seen += iterator.key().length > 0 && iterator.value().length > 0 ? 1 : 0;
            }
            return seen;
        }
    }

    /** Copies each key and value into a buffer; returns the number of rows. */
    long scanAll() {
        byte[] key = new byte[64];
        byte[] value = new byte[1024];
        long rows = 0;
        long bytes = 0;
        try (ReadOptions reads = new ReadOptions();
                RocksIterator iterator = database.newIterator(reads)) {
            for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                bytes += iterator.key(key) + iterator.value(value);
                rows++;
            }
        }
        return bytes < 0 ? 0 : rows;
    }

    @Override
    public void close() {
        database.close();
        options.close();
        writes.close();
    }
}
