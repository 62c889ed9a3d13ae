package io.polytable.hbase.meta;

import io.polytable.cells.Cell;
import io.polytable.cells.CellKind;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.hbase.catalog.Namespaces;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;

/** {@code hbase:namespace}: a row for each namespace, with its descriptor as a message. */
final class NamespaceTable extends ViewTable {
    static final TableName NAME = new TableName("hbase", "namespace");

    /** The family and its versions as in HBase. */
    private static final Bytes INFO = Bytes.utf8("info");

    private static final Bytes DESCRIPTOR = Bytes.utf8("d");
    static final CellTableSpec SPEC = CellTableSpec.of(NAME, FamilySpec.of(INFO).withVersions(0, 10));

    /** Always the same one, so that clients find it again after a restart. */
    static final RegionInfo REGION = RegionInfoBuilder.newBuilder(
                    org.apache.hadoop.hbase.TableName.NAMESPACE_TABLE_NAME)
            .setRegionId(1)
            .build();

    private final Namespaces namespaces;
    private final long startMillis;

    NamespaceTable(Namespaces namespaces, ServerAddress address) {
        super(Comparator.<Bytes>naturalOrder());
        this.namespaces = namespaces;
        startMillis = address.regionServer().getStartCode();
    }

    @Override
    NavigableMap<Bytes, List<Cell>> rows() {
        NavigableMap<Bytes, List<Cell>> rows = new TreeMap<>();
        for (NamespaceDescriptor namespace : namespaces.all()) {
            Bytes row = Bytes.utf8(namespace.getName());
            byte[] message = ProtobufUtil.toProtoNamespaceDescriptor(namespace).toByteArray();
            rows.put(row, List.of(new Cell(row, INFO, DESCRIPTOR, startMillis, CellKind.PUT, Bytes.of(message))));
        }
        return rows;
    }
}
