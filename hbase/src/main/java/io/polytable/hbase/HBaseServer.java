package io.polytable.hbase;

import io.polytable.cells.store.CellStore;
import io.polytable.frontend.net.Network;
import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.user.Grants;
import io.polytable.frontend.user.Users;
import io.polytable.frontend.work.Background;
import io.polytable.hbase.access.Access;
import io.polytable.hbase.access.GrantCalls;
import io.polytable.hbase.access.Identities;
import io.polytable.hbase.admin.MasterService;
import io.polytable.hbase.admin.RegistryCalls;
import io.polytable.hbase.catalog.Catalog;
import io.polytable.hbase.catalog.Tables;
import io.polytable.hbase.client.ClientLimits;
import io.polytable.hbase.client.ClientService;
import io.polytable.hbase.client.Scanners;
import io.polytable.hbase.meta.ServedRegions;
import io.polytable.hbase.meta.ServerAddress;
import io.polytable.hbase.rpc.CallListener;
import io.polytable.hbase.rpc.Services;
import io.polytable.hbase.wire.RpcServer;
import io.polytable.hbase.wire.WireOptions;
import io.polytable.hbase.zookeeper.Discovery;
import io.polytable.hbase.zookeeper.Znodes;
import io.polytable.hbase.zookeeper.wire.DiscoveryServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves a cell store as an HBase cluster of one server, until closed. The store stays open. */
public final class HBaseServer implements AutoCloseable {
    /** The names of its ports, as in the ready line. */
    public static final String MASTER = "hbase-master";

    public static final String REGION_SERVER = "hbase";
    public static final String ZOOKEEPER = "zookeeper";

    private static final Logger LOG = LoggerFactory.getLogger(HBaseServer.class);
    private static final Duration LEASE_CHECK_EVERY = Duration.ofSeconds(1);

    /** A client that does not continue a partial transfer for this long is considered gone. */
    private static final Duration STALL_MAX = Duration.ofSeconds(60);

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final Scanners scanners;
    private final RpcServer server;
    private final int masterPort;
    private final int regionServerPort;
    private final Optional<DiscoveryServer> zookeeper;

    private HBaseServer(
            CellStore store,
            HBaseOptions options,
            HBaseMemory memory,
            InstantSource clock,
            CallListener tally,
            Network network,
            Sessions sessions,
            Optional<Users> users)
            throws IOException {
        try {
            boolean isTrusting = options.identity() == Identities.Source.NONE;
            Identities identities = users.map(
                            known -> Identities.of(options.identity(), options.users(), known, options.trustsNetwork()))
                    .orElseGet(() -> Identities.trusting(options.users()));
            Access access =
                    isTrusting ? Access.OPEN : Access.by(users.orElseThrow().grants());
            ClientLimits limits = options.limits().within(memory.resultBytes(), options.threads());
            scanners = opened(new Scanners(limits));
            server = opened(new RpcServer(wire(options, identities, memory), network, sessions));
            masterPort = server.listen(MASTER, options.masterPort());
            regionServerPort = server.listen(REGION_SERVER, options.regionServerPort());
            ServerAddress address =
                    ServerAddress.of(options.advertisedHost(), masterPort, regionServerPort, clock.millis());
            Catalog catalog = new Catalog(store);
            ServedRegions regions = new ServedRegions(catalog, address);
            GrantCalls grants = new GrantCalls(
                    access, name -> catalog.tables().find(name).isPresent(), name -> isSuperuser(users, name));
            MasterService master = opened(
                    new MasterService(catalog, regions, address, clock, options.regionBytesMax(), access, grants));
            String clusterId = catalog.clusterId();
            server.serve(
                    new Services(
                            clusterId,
                            List.of(
                                    ClientService.of(regions, access, scanners, limits),
                                    master.master(),
                                    master.regionServer(),
                                    RegistryCalls.service(address, clusterId))),
                    tally);
            expireScanners();
            zookeeper = discovery(options, network, clock);
            publish(options, address, catalog, clusterId);
        } catch (IOException | RuntimeException failed) {
            close();
            throw failed;
        }
    }

    /** Starts serving; clients can find it when this returns. */
    public static HBaseServer start(CellStore store, HBaseOptions options, InstantSource clock, CallListener tally)
            throws IOException {
        Network own = new Network();
        try {
            HBaseServer started = new HBaseServer(
                    store, options, HBaseMemory.standard(), clock, tally, own, new Sessions(clock), Optional.empty());
            started.opened.addLast(own);
            return started;
        } catch (IOException | RuntimeException failed) {
            own.close();
            throw failed;
        }
    }

    /**
     * As above, with the memory that the server assigned, its event loops, its registry of the sessions of all
     * protocols, and their users.
     */
    public static HBaseServer start(
            CellStore store,
            HBaseOptions options,
            HBaseMemory memory,
            InstantSource clock,
            CallListener tally,
            Network network,
            Sessions sessions,
            Users users)
            throws IOException {
        return new HBaseServer(store, options, memory, clock, tally, network, sessions, Optional.of(users));
    }

    private static boolean isSuperuser(Optional<Users> users, String name) {
        return users.flatMap(all -> all.find(name))
                .filter(user -> Grants.needsNoGrants(user.principal()))
                .isPresent();
    }

    private <T extends AutoCloseable> T opened(T part) {
        opened.push(part);
        return part;
    }

    private static WireOptions wire(HBaseOptions options, Identities identities, HBaseMemory memory) {
        return new WireOptions(
                options.host(),
                identities,
                options.threads(),
                options.connectionsMax(),
                options.callBytesMax(),
                memory.requests(),
                memory.responses(),
                STALL_MAX);
    }

    private Optional<DiscoveryServer> discovery(HBaseOptions options, Network network, InstantSource clock) {
        if (options.quorum().isPresent()) {
            return Optional.empty();
        }
        InetSocketAddress address = new InetSocketAddress(options.host(), options.zookeeperPort());
        return Optional.of(opened(DiscoveryServer.start(network, ZOOKEEPER, address, clock)));
    }

    private void publish(HBaseOptions options, ServerAddress address, Catalog catalog, String clusterId)
            throws IOException {
        String parent = options.znodeParent();
        if (zookeeper.isPresent()) {
            DiscoveryServer own = zookeeper.get();
            catalog.onChange(tables -> own.publish(Znodes.all(
                    parent, address, clusterId, options.identity() == Identities.Source.NONE ? tables : Tables.NONE)));
        } else {
            Discovery discovery = opened(Discovery.start(options.quorum().orElseThrow(), parent, address, clusterId));
            catalog.onChange(discovery::tablesChanged);
        }
    }

    private void expireScanners() {
        opened(new Background("hbase-leases", Duration.ZERO)).after(LEASE_CHECK_EVERY, scanners::closeExpired);
    }

    public int masterPort() {
        return masterPort;
    }

    public int regionServerPort() {
        return regionServerPort;
    }

    /** The port of discovery; empty if an external ZooKeeper is used. */
    public Optional<Integer> zookeeperPort() {
        return zookeeper.map(DiscoveryServer::port);
    }

    public int connectionCount() {
        return server.connectionCount();
    }

    public int scannerCount() {
        return scanners.count();
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception failed) {
                LOG.warn("A part of the HBase frontend did not close", failed);
            }
        }
    }
}
