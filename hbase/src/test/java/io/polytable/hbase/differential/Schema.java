package io.polytable.hbase.differential;

import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table to play histories in: two families that keep different things.
 *
 * @param expires whether a family has a time to live; timestamps are then near the present, otherwise small numbers
 */
record Schema(String name, List<ColumnFamilyDescriptor> families, boolean expires) {
    static final List<String> FAMILY_NAMES = List.of("a", "b");
    static final List<String> QUALIFIERS = List.of("", "p", "pq", "q", "r");
    static final int TICKS = 20;

    /** Everything that histories say of the present is said of this moment. */
    static final long START_MILLIS = System.currentTimeMillis();

    private static final Duration LIFE = Duration.ofHours(1);

    static final List<Schema> ALL = List.of(
            new Schema("plain", List.of(family("a", 1, 0), family("b", 3, 0)), false),
            new Schema("versions", List.of(family("a", 5, 0), family("b", 2, 0)), false),
            new Schema(
                    "kept",
                    List.of(
                            keeping(family("a", 3, 0), KeepDeletedCells.TRUE),
                            keeping(family("b", 1, 0), KeepDeletedCells.TRUE)),
                    false),
            new Schema("living", List.of(mortal(family("a", 3, 0)), mortal(family("b", 4, 2))), true),
            new Schema(
                    "kept-living",
                    List.of(
                            keeping(mortal(family("a", 3, 1)), KeepDeletedCells.TTL),
                            keeping(mortal(family("b", 4, 2)), KeepDeletedCells.TRUE)),
                    true));

    private static ColumnFamilyDescriptor family(String name, int max, int min) {
        return ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(name))
                .setMaxVersions(max)
                .setMinVersions(min)
                .build();
    }

    private static ColumnFamilyDescriptor mortal(ColumnFamilyDescriptor family) {
        return ColumnFamilyDescriptorBuilder.newBuilder(family)
                .setTimeToLive((int) LIFE.toSeconds())
                .build();
    }

    private static ColumnFamilyDescriptor keeping(ColumnFamilyDescriptor family, KeepDeletedCells kept) {
        return ColumnFamilyDescriptorBuilder.newBuilder(family)
                .setKeepDeletedCells(kept)
                .build();
    }

    TableName table() {
        return TableName.valueOf(name);
    }

    TableDescriptor descriptor() {
        return TableDescriptorBuilder.newBuilder(table())
                .setColumnFamilies(families)
                .build();
    }

    /** Whether what is deleted stays, and its markers with it. */
    boolean keepsDeleted() {
        return families.stream().anyMatch(family -> family.getKeepDeletedCells() != KeepDeletedCells.FALSE);
    }

    /** The timestamp of a tick. Where cells expire, the first half of them has expired. */
    long time(int tick) {
        if (!expires) {
            return tick * 10L;
        }
        long age = tick * 2 <= TICKS ? 2 * LIFE.toMillis() : LIFE.toMillis() / 2;
        return START_MILLIS - age + tick * 1000L;
    }
}
