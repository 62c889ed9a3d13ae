package io.polytable.entity.hbase;

import io.polytable.entity.layout.BloomType;
import io.polytable.entity.layout.CompressionType;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.TableLayout;
import io.polytable.table.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.compress.Compression;

/** Maps locality groups to HBase's column families, with the layout's storage settings. */
final class Families {
    /** A table needs a family; no id of a layout has a dash. */
    private static final byte[] NONE = Bytes.utf8("no-group").toByteArray();

    private Families() {}

    /** The families of the layout; settings that the layout does not define are kept from the present ones. */
    static List<ColumnFamilyDescriptor> of(TableLayout layout, Optional<TableDescriptor> present) {
        List<ColumnFamilyDescriptor> families = new ArrayList<>();
        for (LocalityGroup group : layout.groups()) {
            byte[] name = Names.family(group.id());
            families.add(present.filter(table -> table.hasColumnFamily(name))
                    .map(table -> of(group, ColumnFamilyDescriptorBuilder.newBuilder(table.getColumnFamily(name))))
                    .orElseGet(() -> of(group, ColumnFamilyDescriptorBuilder.newBuilder(name))));
        }
        if (families.isEmpty()) {
            families.add(ColumnFamilyDescriptorBuilder.of(NONE));
        }
        return families;
    }

    private static ColumnFamilyDescriptor of(LocalityGroup group, ColumnFamilyDescriptorBuilder family) {
        boolean forever = group.ttlSeconds() == LocalityGroup.FOREVER;
        family.setMaxVersions(group.maxVersions())
                .setTimeToLive(forever ? HConstants.FOREVER : (int) group.ttlSeconds())
                .setInMemory(group.inMemory())
                .setCompressionType(compression(group.compression()))
                .setBloomFilterType(bloom(group.bloom()));
        if (group.blockBytes() > 0) {
            family.setBlocksize(group.blockBytes());
        }
        return family.build();
    }

    private static Compression.Algorithm compression(CompressionType type) {
        return Compression.Algorithm.valueOf(type.name());
    }

    private static org.apache.hadoop.hbase.regionserver.BloomType bloom(BloomType type) {
        return org.apache.hadoop.hbase.regionserver.BloomType.valueOf(type.name());
    }
}
