package io.polytable.hbase.catalog;

import io.polytable.cells.store.CellRecords;
import io.polytable.hbase.rpc.CallFailure;
import io.polytable.table.Bytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.NamespaceExistException;
import org.apache.hadoop.hbase.NamespaceNotFoundException;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;

/** The namespaces, stored as records beside the tables. Two always exist: HBase's own and the default one. */
public final class Namespaces {
    private static final String PREFIX = "hbase/namespace/";

    private final Catalog catalog;

    public Namespaces(Catalog catalog) {
        this.catalog = catalog;
    }

    private CellRecords records() {
        return catalog.store().records();
    }

    public List<NamespaceDescriptor> all() {
        List<NamespaceDescriptor> all = new ArrayList<>();
        all.add(NamespaceDescriptor.DEFAULT_NAMESPACE);
        all.add(NamespaceDescriptor.SYSTEM_NAMESPACE);
        records().withPrefix(Bytes.utf8(PREFIX)).values().forEach(stored -> all.add(decode(stored)));
        return all;
    }

    private static NamespaceDescriptor decode(Bytes stored) {
        return CallFailure.of(() ->
                ProtobufUtil.toNamespaceDescriptor(HBaseProtos.NamespaceDescriptor.parseFrom(stored.toByteArray())));
    }

    public NamespaceDescriptor get(String name) throws NamespaceNotFoundException {
        return all().stream()
                .filter(namespace -> namespace.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new NamespaceNotFoundException(name));
    }

    public synchronized void create(NamespaceDescriptor namespace) throws IOException {
        if (all().stream().anyMatch(known -> known.getName().equals(namespace.getName()))) {
            throw new NamespaceExistException(namespace.getName());
        }
        put(namespace);
    }

    public synchronized void modify(NamespaceDescriptor namespace) throws IOException {
        get(namespace.getName());
        requireOwn(namespace.getName());
        put(namespace);
    }

    private void put(NamespaceDescriptor namespace) {
        records()
                .put(
                        key(namespace.getName()),
                        Bytes.of(ProtobufUtil.toProtoNamespaceDescriptor(namespace)
                                .toByteArray()));
    }

    public synchronized void delete(String name) throws IOException {
        get(name);
        requireOwn(name);
        for (HBaseTable table : catalog.tables().all()) {
            if (table.name().namespace().equals(name)) {
                throw new DoNotRetryIOException("Only empty namespaces can be removed. Namespace " + name + " has "
                        + table.hbaseName() + " and perhaps more");
            }
        }
        records().remove(key(name));
    }

    private static void requireOwn(String name) throws DoNotRetryIOException {
        if (NamespaceDescriptor.RESERVED_NAMESPACES.contains(name)) {
            throw new DoNotRetryIOException("Reserved namespace " + name + " cannot be changed");
        }
    }

    private static Bytes key(String name) {
        return Bytes.utf8(PREFIX + name);
    }
}
