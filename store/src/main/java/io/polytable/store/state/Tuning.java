package io.polytable.store.state;

import io.polytable.table.TableKind;
import io.polytable.table.TableOptions;
import io.polytable.table.WriteBuffers;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactionStyle;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.DataBlockIndexType;
import org.rocksdb.HyperClockCache;
import org.rocksdb.IndexType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Statistics;
import org.rocksdb.WriteBufferManager;

/**
 * RocksDB's options. All families share one block cache, and write buffers are charged to it, so a hundred tables need
 * no more memory than one.
 */
final class Tuning implements AutoCloseable {
    private static final int BLOOM_BITS_PER_KEY = 10;

    /**
     * Share of a write buffer for its Bloom filter: a few bytes per row save a search of the buffer for each row that
     * is not in it.
     */
    private static final double MEMTABLE_BLOOM_SHARE = 0.02;

    private static final int BLOCK_BYTES = 16 << 10;

    /** For random point reads, where most of a large block would be read and decompressed for nothing. */
    private static final int SMALL_BLOCK_BYTES = 4 << 10;

    /** Partition size of filters and indexes: large enough that few are needed to rule out a row. */
    private static final int FILTER_BLOCK_BYTES = 64 << 10;

    /** Below this, the write buffer manager throttles writers of a few families to a crawl. */
    private static final long WRITE_BUFFERS_BYTES_MIN = 64L << 20;

    /**
     * Allocation unit of the families' arenas; the default, an eighth of the buffer, would let many families use it all
     * up.
     */
    private static final long ARENA_BLOCK_BYTES = 64L << 10;

    private static final long FILE_BYTES = 64L << 20;

    private final Cache cache;
    private final WriteBufferManager writeBuffers;
    private final Statistics statistics = new Statistics();
    private final BloomFilter bloom = new BloomFilter(BLOOM_BITS_PER_KEY, false);

    private boolean closed;

    Tuning(long memoryBytes) {
        cache = new HyperClockCache(Math.max(memoryBytes, 2 * WRITE_BUFFERS_BYTES_MIN), 0, -1, false);
        writeBuffers = new WriteBufferManager(Math.max(memoryBytes / 2, WRITE_BUFFERS_BYTES_MIN), cache);
    }

    DBOptions database(int backgroundJobs) {
        return new DBOptions()
                .setCreateIfMissing(true)
                .setAtomicFlush(true)
                .setWriteBufferManager(writeBuffers)
                .setStatistics(statistics)
                .setMaxBackgroundJobs(backgroundJobs)
                .setMaxOpenFiles(1024)
                .setBytesPerSync(1 << 20)
                .setAllowConcurrentMemtableWrite(false)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setKeepLogFileNum(2);
    }

    ColumnFamilyOptions family(TableKind kind, TableOptions options) {
        WriteBuffers buffers = options.buffers().orElseGet(() -> WriteBuffers.of(kind));
        ColumnFamilyOptions family = new ColumnFamilyOptions()
                .setWriteBufferSize(buffers.memtableBytes())
                .setMaxWriteBufferNumber(buffers.memtables())
                .setMemtablePrefixBloomSizeRatio(MEMTABLE_BLOOM_SHARE)
                .setMemtableWholeKeyFiltering(true)
                .setArenaBlockSize(ARENA_BLOCK_BYTES)
                .setTargetFileSizeBase(FILE_BYTES)
                .setMaxBytesForLevelBase(4 * FILE_BYTES)
                .setLevelCompactionDynamicLevelBytes(true)
                .setTableFormatConfig(kind == TableKind.FACE ? pointBlocks(options) : blocks(options));
        compress(family, kind, options);
        if (kind == TableKind.STREAM) {
            // Ephemeral rows expire soon and in order: universal compaction, which merges files of similar size,
            // rewrites least. FIFO compaction would drop rows on its own, unknown to the log and its feeds.
            family.setCompactionStyle(CompactionStyle.UNIVERSAL).setLevelCompactionDynamicLevelBytes(false);
        }
        options.ttl().ifPresent(ttl -> family.setTtl(Math.max(1, ttl.toSeconds())));
        return family;
    }

    private static void compress(ColumnFamilyOptions family, TableKind kind, TableOptions options) {
        boolean on = options.compression();
        family.setCompressionType(on ? CompressionType.LZ4_COMPRESSION : CompressionType.NO_COMPRESSION);
        family.setBottommostCompressionType(on ? bottom(kind) : CompressionType.NO_COMPRESSION);
    }

    /** Zstd compresses better, but decompression would dominate the cost of a random read. */
    private static CompressionType bottom(TableKind kind) {
        return kind == TableKind.FACE ? CompressionType.LZ4_COMPRESSION : CompressionType.ZSTD_COMPRESSION;
    }

    private BlockBasedTableConfig pointBlocks(TableOptions options) {
        return blocks(options)
                .setBlockSize(SMALL_BLOCK_BYTES)
                .setDataBlockIndexType(DataBlockIndexType.kDataBlockBinaryAndHash);
    }

    private BlockBasedTableConfig blocks(TableOptions options) {
        BlockBasedTableConfig blocks = new BlockBasedTableConfig()
                .setBlockCache(cache)
                .setBlockSize(BLOCK_BYTES)
                .setFormatVersion(6)
                .setIndexType(IndexType.kTwoLevelIndexSearch)
                .setPartitionFilters(true)
                .setMetadataBlockSize(FILTER_BLOCK_BYTES)
                .setCacheIndexAndFilterBlocks(true)
                .setCacheIndexAndFilterBlocksWithHighPriority(options.memory())
                .setPinL0FilterAndIndexBlocksInCache(true)
                .setPinTopLevelIndexAndFilter(true);
        return options.bloom() ? blocks.setFilterPolicy(bloom) : blocks;
    }

    Statistics statistics() {
        return statistics;
    }

    long cacheBytes() {
        return cache.getUsage();
    }

    @Override
    public void close() {
        closed = true;
        writeBuffers.close();
        cache.close();
        statistics.close();
        bloom.close();
    }

    boolean isClosed() {
        return closed;
    }
}
