package io.polytable.hbase.catalog;

import io.polytable.hbase.convert.Descriptors;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks the descriptor of a table that is created or altered: HBase's sanity checks, which a table can turn into
 * warnings, and the settings that cannot be honoured here, which are always refused.
 */
final class DescriptorChecks {
    private static final Logger LOG = LoggerFactory.getLogger(DescriptorChecks.class);

    private static final String SANITY_CHECKS = "hbase.table.sanity.checks";
    private static final long MAX_FILESIZE_MIN = 2 << 20;
    private static final long FLUSHSIZE_MIN = 1 << 20;
    private static final int BLOCK_BYTES_MIN = 1 << 10;
    private static final int BLOCK_BYTES_MAX = 16 << 20;
    private static final int BLOCKING_FILES = 16;
    private static final int BLOCKING_FILES_OF_FIFO_MIN = 1_000;

    private static final String SPLIT_POLICIES = "org.apache.hadoop.hbase.regionserver.";
    private static final Set<String> SPLIT_POLICY_NAMES = Set.of(
            "BusyRegionSplitPolicy",
            "ConstantSizeRegionSplitPolicy",
            "DelimitedKeyPrefixRegionSplitPolicy",
            "DisabledRegionSplitPolicy",
            "IncreasingToUpperBoundRegionSplitPolicy",
            "KeyPrefixRegionSplitPolicy",
            "SteppingSplitPolicy");

    /** Where HBase looks besides the descriptor's own field. */
    private static final String SPLIT_POLICY = "hbase.regionserver.region.split.policy";

    private static final String COMPACTION_POLICY = "hbase.hstore.defaultengine.compactionpolicy.class";
    private static final String FIFO = "org.apache.hadoop.hbase.regionserver.compactions.FIFOCompactionPolicy";
    private static final String BLOCKING_FILES_KEY = "hbase.hstore.blockingStoreFiles";
    private static final String BLOOM_PREFIX_LENGTH = "RowPrefixBloomFilter.prefix_length";

    private final TableDescriptor table;

    /** Whether a failed sanity check is only logged. */
    private final boolean warnsOnly;

    private DescriptorChecks(TableDescriptor table) {
        this.table = table;
        String asked = table.getValue(SANITY_CHECKS);
        warnsOnly = asked != null && !Boolean.parseBoolean(asked);
    }

    static void check(TableDescriptor table) throws DoNotRetryIOException {
        DescriptorChecks checks = new DescriptorChecks(table);
        checks.checkSupported();
        checks.checkTable();
        for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
            checks.checkFamily(family);
        }
    }

    private void checkSupported() throws DoNotRetryIOException {
        if (!table.getCoprocessorDescriptors().isEmpty()) {
            throw new DoNotRetryIOException("Coprocessors are not supported: "
                    + table.getCoprocessorDescriptors().iterator().next().getClassName());
        }
        if (table.getColumnFamilyCount() == 0) {
            throw new DoNotRetryIOException(
                    "Table " + table.getTableName() + " should have at least one column family.");
        }
        String layout = table.getValue(Descriptors.LAYOUT);
        if (layout != null && !layout.equalsIgnoreCase("CELL")) {
            throw new DoNotRetryIOException("The storage layout " + layout + " is not supported; " + Descriptors.LAYOUT
                    + " must be CELL. SQL and Fluss show each table with a row per row key and a column per family");
        }
        if (table.getRegionReplication() > 1) {
            throw new DoNotRetryIOException("Region replicas are not supported; REGION_REPLICATION must be 1");
        }
        for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
            Map<String, Boolean> absent = Map.of(
                    "NEW_VERSION_BEHAVIOR",
                    family.isNewVersionBehavior(),
                    "IS_MOB",
                    family.isMobEnabled(),
                    "ENCRYPTION",
                    family.getEncryptionType() != null);
            for (Map.Entry<String, Boolean> setting : absent.entrySet()) {
                if (setting.getValue()) {
                    throw new DoNotRetryIOException(
                            setting.getKey() + " is not supported, in column family " + family.getNameAsString());
                }
            }
        }
    }

    private void checkTable() throws DoNotRetryIOException {
        long fileSize = number(TableDescriptorBuilder.MAX_FILESIZE, MAX_FILESIZE_MIN);
        require(
                fileSize >= number("hbase.hregion.max.filesize.limit", MAX_FILESIZE_MIN),
                "MAX_FILESIZE for table descriptor or \"hbase.hregion.max.filesize\" (" + fileSize
                        + ") is too small, which might cause over splitting into unmanageable number of regions.");
        long flushSize = number(TableDescriptorBuilder.MEMSTORE_FLUSHSIZE, FLUSHSIZE_MIN);
        require(
                flushSize >= number("hbase.hregion.memstore.flush.size.limit", FLUSHSIZE_MIN),
                "MEMSTORE_FLUSHSIZE for table descriptor or \"hbase.hregion.memstore.flush.size\" (" + flushSize
                        + ") is too small, which might cause very frequent flushing.");
        String configured = table.getValue(SPLIT_POLICY);
        String policy = configured == null ? table.getRegionSplitPolicyClassName() : configured;
        boolean isKnown = policy == null
                || (policy.startsWith(SPLIT_POLICIES)
                        && SPLIT_POLICY_NAMES.contains(policy.substring(SPLIT_POLICIES.length())));
        require(
                isKnown,
                "Unable to load configured region split policy '" + policy + "' for table '" + table.getTableName()
                        + "'");
        require(table.getRegionReplication() >= 1, "Table region replication should be at least one.");
        number(Region.CELL_BYTES_MAX_KEY, Region.CELL_BYTES_MAX);
    }

    private void checkFamily(ColumnFamilyDescriptor family) throws DoNotRetryIOException {
        String name = family.getNameAsString();
        checkFifo(family);
        require(family.getTimeToLive() > 0, "TTL for column family " + name + " must be positive.");
        require(
                family.getBlocksize() >= BLOCK_BYTES_MIN && family.getBlocksize() <= BLOCK_BYTES_MAX,
                "Block size for column family " + name + "  must be between 1K and 16MB.");
        require(family.getMinVersions() >= 0, "Min versions for column family " + name + "  must be positive.");
        require(
                family.getMinVersions() <= family.getMaxVersions(),
                "Min versions for column family " + name + " must be less than the Max versions.");
        if (WALProtos.ScopeType.forNumber(family.getScope()) == null) {
            throw new DoNotRetryIOException(
                    "Replication scope for column family " + name + " is " + family.getScope() + " which is invalid.");
        }
        checkBloomFilter(family);
        require(
                family.getDFSReplication() >= 0,
                "HFile Replication for column family " + name + "  must be greater than zero.");
        checkInMemoryCompaction(family);
    }

    private void checkFifo(ColumnFamilyDescriptor family) throws DoNotRetryIOException {
        String own = family.getConfigurationValue(COMPACTION_POLICY);
        if (!FIFO.equals(own == null ? table.getValue(COMPACTION_POLICY) : own)) {
            return;
        }
        requireAlways(
                family.getTimeToLive() != ColumnFamilyDescriptorBuilder.DEFAULT_TTL,
                "Default TTL is not supported for FIFO compaction");
        requireAlways(family.getMinVersions() == 0, "MIN_VERSION > 0 is not supported for FIFO compaction");
        String ownFiles = family.getConfigurationValue(BLOCKING_FILES_KEY);
        long files =
                ownFiles == null ? number(BLOCKING_FILES_KEY, BLOCKING_FILES) : number(BLOCKING_FILES_KEY, ownFiles);
        requireAlways(
                files >= BLOCKING_FILES_OF_FIFO_MIN,
                "Blocking file count '" + BLOCKING_FILES_KEY + "' " + files
                        + " is below recommended minimum of 1000 for column family " + family.getNameAsString());
    }

    private static void checkBloomFilter(ColumnFamilyDescriptor family) throws DoNotRetryIOException {
        if (family.getBloomFilterType() != BloomType.ROWPREFIX_FIXED_LENGTH) {
            return;
        }
        String length = family.getConfigurationValue(BLOOM_PREFIX_LENGTH);
        long bytes = length == null ? 0 : number(BLOOM_PREFIX_LENGTH, length);
        if (bytes <= 0 || bytes > Short.MAX_VALUE) {
            throw new DoNotRetryIOException("Failed to get bloom filter param");
        }
    }

    private void checkInMemoryCompaction(ColumnFamilyDescriptor family) throws DoNotRetryIOException {
        try {
            family.getInMemoryCompaction();
        } catch (IllegalArgumentException unknown) {
            require(false, String.valueOf(unknown.getMessage()));
        }
    }

    private long number(String key, long byDefault) throws DoNotRetryIOException {
        String value = table.getValue(key);
        return value == null ? byDefault : number(key, value);
    }

    private static long number(String key, String value) throws DoNotRetryIOException {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException wrong) {
            throw new DoNotRetryIOException(key + " is not a number. " + wrong.getMessage(), wrong);
        }
    }

    private void require(boolean holds, String message) throws DoNotRetryIOException {
        if (holds) {
            return;
        }
        if (!warnsOnly) {
            throw sanity(message);
        }
        LOG.warn("{}: {}", table.getTableName(), message);
    }

    /** For checks that HBase does not skip either. */
    private static void requireAlways(boolean holds, String message) throws DoNotRetryIOException {
        if (!holds) {
            throw sanity(message);
        }
    }

    private static DoNotRetryIOException sanity(String message) {
        return new DoNotRetryIOException(message + " Set " + SANITY_CHECKS
                + " to false at conf or table descriptor if you want to bypass sanity checks");
    }
}
