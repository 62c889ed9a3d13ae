package io.polytable.server.config;

import static io.polytable.server.config.StoreSettings.LogPlace.FLUSS;

import io.polytable.frontend.limit.MemoryPlan;
import io.polytable.frontend.net.Tls;
import io.polytable.frontend.setting.Setting;
import io.polytable.frontend.setting.SettingException;
import io.polytable.frontend.setting.Settings;
import io.polytable.hbase.HBaseSettings;
import io.polytable.hbase.access.Identities;
import io.polytable.redis.command.config.RedisSettings;
import java.net.URL;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Validates combinations of settings, and settings against this machine. */
public final class CrossChecks {
    private CrossChecks() {}

    /** Refuses a configuration that a server with this heap must not start with. */
    public static void refuseUnsafe(Settings settings, long heapBytes) {
        refusePlainBind(settings);
        refuseTrustless(settings);
        refuseUnusableIdentity(settings);
        Optional<URL> unusedButUsable = AuthSettings.issuerKeys(settings);
        refuseMissingLog(settings);
        refusePartitionsWithoutShards(settings);
        refuseSharedPort(settings);
        MemoryPlan unusedButValid = MemoryShares.of(settings, heapBytes);
    }

    /** Passwords and tokens must not cross a network in the clear. ZooKeeper's port only serves addresses. */
    private static void refusePlainBind(Settings settings) {
        if (settings.get(ServerSettings.BIND_ADDRESS).isLoopbackAddress()
                || settings.get(ServerSettings.NETWORK_TRUSTED)) {
            return;
        }
        boolean certified = !settings.get(TlsSettings.CERTIFICATE).isEmpty();
        for (Map.Entry<String, Boolean> port : List.of(
                Map.entry("redis", settings.get(RedisSettings.ENABLED)),
                Map.entry("hbase", settings.get(HBaseSettings.ENABLED)),
                Map.entry("http", true))) {
            if (port.getValue() && !(certified && TlsSettings.mode(settings, port.getKey()) == Tls.Mode.REQUIRED)) {
                throw new SettingException("bind.address="
                        + settings.given(ServerSettings.BIND_ADDRESS).text() + " would send what " + port.getKey()
                        + " says over the network unencrypted: set tls.certificate and tls.key with tls.mode=required, or"
                        + " network.trusted=true");
            }
        }
    }

    /** HBase's SIMPLE authentication and ZooKeeper do not authenticate a caller. */
    private static void refuseTrustless(Settings settings) {
        boolean loopback = settings.get(ServerSettings.BIND_ADDRESS).isLoopbackAddress();
        boolean open = settings.get(HBaseSettings.ENABLED)
                && !settings.get(ServerSettings.NETWORK_TRUSTED)
                && settings.get(HBaseSettings.AUTH) != Identities.Source.CERTIFICATE;
        if (!loopback && open) {
            throw new SettingException("bind.address="
                    + settings.given(ServerSettings.BIND_ADDRESS).text()
                    + " would let HBase clients of the network in, whose names nobody can check: set hbase.auth=certificate,"
                    + " network.trusted=true, or hbase.enabled=false");
        }
    }

    private static void refuseUnusableIdentity(Settings settings) {
        Identities.Source source = settings.get(HBaseSettings.AUTH);
        if (source != Identities.Source.NONE
                && !settings.get(HBaseSettings.AUTH_USERS).isEmpty()) {
            throw new SettingException("hbase.auth.users has no effect with hbase.auth="
                    + settings.given(HBaseSettings.AUTH).text() + ": the users of the server decide");
        }
        boolean certifies = !settings.get(TlsSettings.CERTIFICATE).isEmpty()
                && settings.get(TlsSettings.CLIENTS) != Tls.Clients.NONE;
        if (source == Identities.Source.CERTIFICATE && !certifies) {
            throw new SettingException(
                    "hbase.auth=certificate needs tls.certificate, tls.key, tls.ca and tls.clients=required");
        }
    }

    /** Falling back to local files when a cluster is configured would break a promise. */
    private static void refuseMissingLog(Settings settings) {
        if (settings.get(StoreSettings.LOG) == FLUSS
                && settings.get(FlussLogSettings.BOOTSTRAP_SERVERS).isEmpty()) {
            throw new SettingException("store.log=fluss needs fluss.bootstrap.servers=host:port");
        }
    }

    /** Refuses settings that need a Fluss cluster if none is configured. */
    public static void refuseWithoutFluss(Settings settings) {
        if (settings.get(FlussLogSettings.BOOTSTRAP_SERVERS).isEmpty()) {
            throw new SettingException("fluss.bootstrap.servers=host:port must say where the Fluss cluster is");
        }
    }

    /** A partition is a range of shards. */
    private static void refusePartitionsWithoutShards(Settings settings) {
        int partitions = settings.get(FlussLogSettings.LOG_GROUPS);
        boolean sharded = settings.get(RedisSettings.SHARDING_ENABLED).orElse(true);
        int shards = sharded ? settings.get(RedisSettings.SHARDS) : 1;
        if (settings.get(StoreSettings.LOG) == FLUSS && settings.get(RedisSettings.ENABLED) && shards < partitions) {
            throw new SettingException("fluss.log.groups=" + partitions
                    + " needs as many shards at least: redis.sharding.enabled=true and redis.sharding.num.shards="
                    + partitions + " or more");
        }
    }

    private static void refuseSharedPort(Settings settings) {
        List<Setting<Integer>> used = new ArrayList<>();
        if (settings.get(RedisSettings.ENABLED)) {
            used.add(RedisSettings.PORT);
        }
        if (settings.get(HBaseSettings.ENABLED)) {
            used.addAll(List.of(HBaseSettings.PORT, HBaseSettings.MASTER_PORT));
            if (settings.get(HBaseSettings.ZOOKEEPER_QUORUM).isEmpty()) {
                used.add(HBaseSettings.ZOOKEEPER_PORT);
            }
        }
        used.add(ServerSettings.HTTP_PORT);
        Map<Integer, Setting<Integer>> taken = new HashMap<>();
        for (Setting<Integer> key : used) {
            int port = settings.get(key);
            Setting<Integer> other = port == 0 ? null : taken.put(port, key);
            if (other != null) {
                throw new SettingException(other.name() + " and " + key.name() + " are both " + port);
            }
        }
    }
}
