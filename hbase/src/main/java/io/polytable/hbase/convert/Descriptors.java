package io.polytable.hbase.convert;

import io.polytable.cells.BloomKind;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.Compression;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.KeepDeleted;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.BloomType;

/**
 * Converts descriptors of tables and families. Settings that the store acts on become fields of the specification; all
 * others are kept verbatim as attributes, so that a client reads what it wrote.
 */
public final class Descriptors {
    /** Prefix of internal attributes, which descriptors do not contain. */
    public static final Bytes HIDDEN = Bytes.utf8("polytable:");

    /** A table attribute that chose a storage layout in older versions; only {@code CELL} is left. */
    public static final String LAYOUT = "POLYTABLE_LAYOUT";

    private static final Bytes CONFIGURATION = Bytes.utf8("CONFIGURATION:");

    private Descriptors() {}

    /** The specification of a new or altered table, without splits and hidden attributes. */
    public static CellTableSpec spec(TableDescriptor descriptor) {
        List<FamilySpec> families = new ArrayList<>();
        for (ColumnFamilyDescriptor family : descriptor.getColumnFamilies()) {
            families.add(spec(family));
        }
        Map<Bytes, Bytes> attributes = new TreeMap<>();
        descriptor
                .getValues()
                .forEach((key, value) -> attributes.put(Bytes.of(key.copyBytes()), Bytes.of(value.copyBytes())));
        attributes.keySet().removeIf(key -> key.startsWith(HIDDEN));
        return new CellTableSpec(HBaseTypes.name(descriptor.getTableName()), families, attributes, List.of());
    }

    public static FamilySpec spec(ColumnFamilyDescriptor family) {
        Map<Bytes, Bytes> attributes = new TreeMap<>();
        family.getValues()
                .forEach((key, value) -> attributes.put(Bytes.of(key.copyBytes()), Bytes.of(value.copyBytes())));
        family.getConfiguration()
                .forEach((key, value) -> attributes.put(CONFIGURATION.concat(Bytes.utf8(key)), Bytes.utf8(value)));
        boolean forever = family.getTimeToLive() == HConstants.FOREVER;
        return new FamilySpec(
                Bytes.of(family.getName()),
                family.getMaxVersions(),
                family.getMinVersions(),
                forever ? FamilySpec.FOREVER : TimeUnit.SECONDS.toMillis(family.getTimeToLive()),
                switch (family.getKeepDeletedCells()) {
                    case FALSE -> KeepDeleted.NEVER;
                    case TRUE -> KeepDeleted.ALWAYS;
                    case TTL -> KeepDeleted.UNTIL_TTL;
                },
                compression(family),
                bloom(family.getBloomFilterType()),
                family.isInMemory(),
                attributes);
    }

    private static Compression compression(ColumnFamilyDescriptor family) {
        return Compression.valueOf(family.getCompressionType().name());
    }

    private static BloomKind bloom(BloomType type) {
        return switch (type) {
            case NONE -> BloomKind.NONE;
            case ROW, ROWPREFIX_FIXED_LENGTH -> BloomKind.ROW;
            case ROWCOL -> BloomKind.ROW_AND_COLUMN;
        };
    }

    public static TableDescriptor descriptor(CellTableSpec spec) {
        TableDescriptorBuilder builder = TableDescriptorBuilder.newBuilder(HBaseTypes.hbaseName(spec.name()));
        spec.attributes().forEach((key, value) -> {
            if (!key.startsWith(HIDDEN)) {
                builder.setValue(key.toByteArray(), value.toByteArray());
            }
        });
        spec.families().forEach(family -> builder.setColumnFamily(descriptor(family)));
        return builder.build();
    }

    private static ColumnFamilyDescriptor descriptor(FamilySpec spec) {
        ColumnFamilyDescriptorBuilder builder =
                ColumnFamilyDescriptorBuilder.newBuilder(spec.name().toByteArray());
        long seconds = TimeUnit.MILLISECONDS.toSeconds(spec.ttlMillis());
        builder.setMaxVersions(spec.maxVersions());
        builder.setMinVersions(spec.minVersions());
        builder.setTimeToLive(seconds >= HConstants.FOREVER ? HConstants.FOREVER : (int) seconds);
        builder.setKeepDeletedCells(
                switch (spec.keepDeleted()) {
                    case NEVER -> KeepDeletedCells.FALSE;
                    case ALWAYS -> KeepDeletedCells.TRUE;
                    case UNTIL_TTL -> KeepDeletedCells.TTL;
                });
        spec.attributes().forEach((key, value) -> {
            if (key.startsWith(CONFIGURATION)) {
                builder.setConfiguration(key.from(CONFIGURATION.length()).utf8(), value.utf8());
            } else {
                builder.setValue(key.toByteArray(), value.toByteArray());
            }
        });
        return builder.build();
    }
}
