package io.polytable.entity.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.polytable.entity.cassandra.cluster.Cluster;
import io.polytable.entity.cassandra.cluster.Names;
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
import java.util.concurrent.ConcurrentHashMap;

/** Instances as keyspaces. A keyspace is an instance if its records name one. */
final class CassandraStore implements EntityStore {
    private static final String INSTANCE = "instance";

    private final Cluster cluster;
    private final Duration lease;
    private final Map<String, CassandraInstance> open = new ConcurrentHashMap<>();

    CassandraStore(Cluster cluster, Map<String, String> options) {
        this.cluster = cluster;
        lease = LayoutBoard.leaseOf(options);
    }

    @Override
    public Set<StoreCapability> capabilities() {
        return cluster.isAuthenticated()
                ? EnumSet.of(StoreCapability.SHARED, StoreCapability.PERMISSIONS)
                : EnumSet.of(StoreCapability.SHARED);
    }

    @Override
    public List<String> instances() {
        List<String> names = new ArrayList<>();
        String cql = "SELECT keyspace_name FROM system_schema.tables WHERE table_name = ? ALLOW FILTERING";
        for (Row row : cluster.execute(SimpleStatement.newInstance(cql, CassandraRecords.TABLE))) {
            String keyspace = row.getString(0);
            if (keyspace != null && keyspace.startsWith(Names.KEYSPACE_PREFIX)) {
                nameOf(keyspace).ifPresent(names::add);
            }
        }
        return names.stream().sorted().toList();
    }

    /** Empty for an instance that another program drops meanwhile: its table fails in several ways before it is gone. */
    private Optional<String> nameOf(String keyspace) {
        try {
            return new CassandraRecords(cluster, keyspace).get(INSTANCE).map(Bytes::utf8);
        } catch (EntityException failed) {
            if (CassandraRecords.isIn(cluster, keyspace)) {
                throw failed;
            }
            return Optional.empty();
        }
    }

    @Override
    public void createInstance(String name, Map<String, String> properties) {
        io.polytable.entity.model.Names.instance(name);
        String keyspace = Names.keyspace(name);
        cluster.defineKeyspace(List.of(
                "CREATE KEYSPACE IF NOT EXISTS " + Names.quoted(keyspace) + " WITH replication = "
                        + replication(properties),
                CassandraRecords.create(keyspace)));
        if (!new CassandraRecords(cluster, keyspace).replace(INSTANCE, Optional.empty(), Bytes.utf8(name))) {
            throw new EntityException(
                    EntityError.INSTANCE_EXISTS, "There is an instance of this name", Map.of("instance", name));
        }
    }

    /** {@code replication} is {@code 3}, for the local data centre, or {@code dc1:3,dc2:2}. */
    private String replication(Map<String, String> properties) {
        String wanted = properties.getOrDefault("replication", "1");
        String all = wanted.matches("[0-9]+") ? cluster.dataCentre() + ":" + wanted : wanted;
        StringBuilder text = new StringBuilder("{'class': 'NetworkTopologyStrategy'");
        for (String part : all.split(",", -1)) {
            if (!part.matches("[A-Za-z0-9_.-]+:[1-9][0-9]?")) {
                throw new EntityException(EntityError.BAD_REQUEST, "Not a replication", Map.of("replication", wanted));
            }
            int colon = part.indexOf(':');
            text.append(", '").append(part, 0, colon).append("': ").append(part.substring(colon + 1));
        }
        return text.append('}').toString();
    }

    @Override
    public void dropInstance(String name) {
        instance(name);
        open.remove(name);
        cluster.define(List.of("DROP KEYSPACE IF EXISTS " + Names.quoted(Names.keyspace(name))));
    }

    @Override
    public InstanceStore instance(String name) {
        String keyspace = Names.keyspace(name);
        boolean isThere = CassandraRecords.isIn(cluster, keyspace)
                && new CassandraRecords(cluster, keyspace).get(INSTANCE).isPresent();
        if (!isThere) {
            throw new EntityException(
                    EntityError.NO_SUCH_INSTANCE, "There is no instance of this name", Map.of("instance", name));
        }
        return open.computeIfAbsent(name, key -> new CassandraInstance(cluster, keyspace, lease));
    }

    @Override
    public void close() {
        cluster.close();
    }
}
