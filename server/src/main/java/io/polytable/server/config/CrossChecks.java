package io.polytable.server.config;

import static io.polytable.server.config.StoreKeys.LogPlace.FLUSS;

import io.polytable.frontend.limit.MemoryPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Validates combinations of settings, and settings against this machine. */
public final class CrossChecks {
    private CrossChecks() {}

    /** Refuses a configuration that a server with this heap must not start with. */
    public static void refuseUnsafe(Configuration configuration, long heapBytes) {
        refuseOpenBind(configuration);
        refuseTrustless(configuration);
        refuseMissingLog(configuration);
        refuseGroupsWithoutShards(configuration);
        refuseSharedPort(configuration);
        MemoryPlan unusedButValid = MemoryShares.of(configuration, heapBytes);
    }

    private static void refuseOpenBind(Configuration configuration) {
        boolean loopback = configuration.get(ServerKeys.BIND_ADDRESS).isLoopbackAddress();
        boolean password = !configuration.get(RedisKeys.REQUIREPASS).isEmpty();
        boolean asks = configuration.get(RedisKeys.ENABLED) || configuration.get(SqlKeys.ENABLED);
        if (!loopback && asks && !password) {
            throw new ConfigurationException("bind.address="
                    + configuration.setting(ServerKeys.BIND_ADDRESS).text()
                    + " would let the network in without credentials: set redis.requirepass, or redis.enabled=false"
                    + " and sql.enabled=false");
        }
    }

    /** HBase's SIMPLE authentication and ZooKeeper do not authenticate a caller. */
    private static void refuseTrustless(Configuration configuration) {
        boolean loopback = configuration.get(ServerKeys.BIND_ADDRESS).isLoopbackAddress();
        boolean open = configuration.get(HBaseKeys.ENABLED) && !configuration.get(ServerKeys.NETWORK_TRUSTED);
        if (!loopback && open) {
            throw new ConfigurationException("bind.address="
                    + configuration.setting(ServerKeys.BIND_ADDRESS).text()
                    + " would let HBase clients of the network in, whose names nobody can check: set network.trusted=true,"
                    + " or hbase.enabled=false");
        }
    }

    /** Falling back to local files when a cluster is configured would break a promise. */
    private static void refuseMissingLog(Configuration configuration) {
        if (configuration.get(StoreKeys.LOG) == FLUSS
                && configuration.get(FlussKeys.BOOTSTRAP_SERVERS).isEmpty()) {
            throw new ConfigurationException("store.log=fluss needs fluss.bootstrap.servers=host:port");
        }
    }

    /** Refuses settings that need a Fluss cluster if none is configured. */
    public static void refuseWithoutFluss(Configuration configuration) {
        if (configuration.get(FlussKeys.BOOTSTRAP_SERVERS).isEmpty()) {
            throw new ConfigurationException("fluss.bootstrap.servers=host:port must say where the Fluss cluster is");
        }
    }

    /** A group is a range of shards. */
    private static void refuseGroupsWithoutShards(Configuration configuration) {
        int groups = configuration.get(FlussKeys.LOG_GROUPS);
        boolean sharded = configuration.get(RedisKeys.SHARDING_ENABLED).orElse(true);
        int shards = sharded ? configuration.get(RedisKeys.SHARDS) : 1;
        if (configuration.get(StoreKeys.LOG) == FLUSS && configuration.get(RedisKeys.ENABLED) && shards < groups) {
            throw new ConfigurationException("fluss.log.groups=" + groups
                    + " needs as many shards at least: redis.sharding.enabled=true and redis.sharding.num.shards="
                    + groups + " or more");
        }
    }

    private static void refuseSharedPort(Configuration configuration) {
        List<Key<Integer>> used = new ArrayList<>();
        if (configuration.get(RedisKeys.ENABLED)) {
            used.add(RedisKeys.PORT);
        }
        if (configuration.get(HBaseKeys.ENABLED)) {
            used.addAll(List.of(HBaseKeys.PORT, HBaseKeys.MASTER_PORT));
            if (configuration.get(HBaseKeys.ZOOKEEPER_QUORUM).isEmpty()) {
                used.add(HBaseKeys.ZOOKEEPER_PORT);
            }
        }
        used.add(ServerKeys.HTTP_PORT);
        Map<Integer, Key<Integer>> taken = new HashMap<>();
        for (Key<Integer> key : used) {
            int port = configuration.get(key);
            Key<Integer> other = port == 0 ? null : taken.put(port, key);
            if (other != null) {
                throw new ConfigurationException(other.name() + " and " + key.name() + " are both " + port);
            }
        }
    }
}
