package io.polytable.entity.hbase;

import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.store.EntityStore;
import io.polytable.entity.store.InstanceStore;
import io.polytable.entity.store.LayoutBoard;
import io.polytable.entity.store.StoreCapability;
import io.polytable.table.Bytes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.NamespaceExistException;
import org.apache.hadoop.hbase.NamespaceNotFoundException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.AsyncAdmin;

/** Instances as namespaces. A namespace is an instance if its records name one. */
final class HBaseStore implements EntityStore {
    private static final String INSTANCE = "instance";

    private final HBaseCluster cluster;
    private final Duration lease;
    private final Map<String, HBaseInstance> open = new ConcurrentHashMap<>();

    HBaseStore(HBaseCluster cluster, Map<String, String> options) {
        this.cluster = cluster;
        lease = LayoutBoard.leaseOf(options);
    }

    @Override
    public Set<StoreCapability> capabilities() {
        return EnumSet.of(
                StoreCapability.ORDERED_SCANS,
                StoreCapability.ATOMIC_ROWS,
                StoreCapability.DELETES_MASK_LATER_PUTS,
                StoreCapability.SHARED);
    }

    @Override
    public List<String> instances() {
        List<String> names = new ArrayList<>();
        for (String namespace : cluster.define(cluster.admin().listNamespaces())) {
            if (namespace.startsWith(Names.NAMESPACE_PREFIX)) {
                named(namespace).ifPresent(names::add);
            }
        }
        return names.stream().sorted().toList();
    }

    /** The instance of the namespace, if it is one. */
    private Optional<String> named(String namespace) {
        boolean hasRecords = cluster.define(cluster.admin().tableExists(Names.records(namespace)));
        return hasRecords ? new HBaseRecords(cluster, namespace).get(INSTANCE).map(Bytes::utf8) : Optional.empty();
    }

    @Override
    public void createInstance(String name, Map<String, String> properties) {
        io.polytable.entity.model.Names.instance(name);
        String namespace = Names.namespace(name);
        AsyncAdmin admin = cluster.admin();
        // Parts that an interrupted attempt has created are used as they are.
        cluster.define(unless(
                admin.createNamespace(NamespaceDescriptor.create(namespace).build()), NamespaceExistException.class));
        cluster.define(unless(
                admin.createTable(HBaseRecords.descriptor(Names.records(namespace))), TableExistsException.class));
        if (!new HBaseRecords(cluster, namespace).replace(INSTANCE, Optional.empty(), Bytes.utf8(name))) {
            throw new EntityException(
                    EntityError.INSTANCE_EXISTS, "There is an instance of this name", Map.of("instance", name));
        }
    }

    /** Completes the call, also if it failed only because its effect existed already. */
    static CompletableFuture<Void> unless(CompletableFuture<Void> call, Class<? extends Exception> done) {
        return call.handle((value, failure) -> {
            Throwable cause = failure != null && failure.getCause() != null ? failure.getCause() : failure;
            if (failure != null && !done.isInstance(failure) && !done.isInstance(cause)) {
                throw Failures.of(failure);
            }
            return null;
        });
    }

    @Override
    public void dropInstance(String name) {
        instance(name);
        open.remove(name);
        String namespace = Names.namespace(name);
        AsyncAdmin admin = cluster.admin();
        TableName records = Names.records(namespace);
        for (TableName table : cluster.define(admin.listTableNamesByNamespace(namespace))) {
            if (!table.equals(records)) {
                dropTable(cluster, table);
            }
        }
        // The records last: a crash before this leaves an instance that can be dropped again.
        dropTable(cluster, records);
        cluster.define(unless(admin.deleteNamespace(namespace), NamespaceNotFoundException.class));
    }

    static void dropTable(HBaseCluster cluster, TableName table) {
        AsyncAdmin admin = cluster.admin();
        if (!cluster.define(admin.tableExists(table))) {
            return;
        }
        if (cluster.define(admin.isTableEnabled(table))) {
            cluster.define(unless(admin.disableTable(table), TableNotFoundException.class));
        }
        cluster.define(unless(admin.deleteTable(table), TableNotFoundException.class));
    }

    @Override
    public InstanceStore instance(String name) {
        io.polytable.entity.model.Names.instance(name);
        String namespace = Names.namespace(name);
        if (named(namespace).isEmpty()) {
            throw new EntityException(
                    EntityError.NO_SUCH_INSTANCE, "There is no instance of this name", Map.of("instance", name));
        }
        return open.computeIfAbsent(name, key -> new HBaseInstance(cluster, namespace, LayoutBoard.leased(lease)));
    }

    @Override
    public void close() {
        cluster.close();
    }
}
