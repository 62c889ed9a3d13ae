package io.polytable.hbase.admin;

import io.polytable.hbase.access.Access;
import io.polytable.hbase.access.GrantCalls;
import io.polytable.hbase.access.MasterRules;
import io.polytable.hbase.access.ServerRules;
import io.polytable.hbase.catalog.Catalog;
import io.polytable.hbase.catalog.Namespaces;
import io.polytable.hbase.catalog.TableChanges;
import io.polytable.hbase.meta.ServedRegions;
import io.polytable.hbase.meta.ServerAddress;
import io.polytable.hbase.rpc.RpcService;
import java.time.InstantSource;
import java.util.List;

/** Assembles HBase's {@code MasterService} and {@code AdminService} from their groups of methods. */
public final class MasterService implements AutoCloseable {
    private final Procedures procedures;
    private final Compactions compactions;
    private final SizeSplits splits;
    private final RpcService master;
    private final RpcService regionServer;

    /**
     * @param regionBytesMax larger regions are split
     * @param grants the calls on permissions
     */
    public MasterService(
            Catalog catalog,
            ServedRegions regions,
            ServerAddress address,
            InstantSource clock,
            long regionBytesMax,
            Access access,
            GrantCalls grants) {
        procedures = new Procedures(clock);
        Namespaces namespaces = new Namespaces(catalog);
        TableChanges changes = new TableChanges(catalog, namespaces, clock);
        compactions = new Compactions(changes);
        Switches switches = new Switches();
        splits = new SizeSplits(catalog, changes, switches, regionBytesMax);
        ClusterMetrics metrics = new ClusterMetrics(catalog, regions, address, switches, clock);
        RpcService unguarded = new RpcService(
                "MasterService",
                List.of(
                        new ClusterCalls(metrics, access.isEnforced()).methods(),
                        grants.methods(),
                        new TableCalls(changes, procedures, access).methods(),
                        new ListingCalls(catalog, namespaces).methods(),
                        new NamespaceCalls(namespaces, procedures, access).methods(),
                        new ProcedureCalls(procedures).methods(),
                        new SnapshotCalls(changes, procedures, access).methods(),
                        new RegionCalls(catalog, changes, procedures, switches).methods(),
                        new SwitchCalls(switches).methods(),
                        AbsentFeatureCalls.methods(address)));
        master = MasterRules.guard(unguarded, access, catalog, changes::savedTable);
        regionServer = ServerRules.guard(
                new RpcService(
                        "AdminService",
                        List.of(new RegionServerCalls(regions, metrics, compactions, switches, address, clock)
                                .methods())),
                access,
                regions);
        splits.start();
    }

    public RpcService master() {
        return master;
    }

    /** HBase's {@code AdminService}. */
    public RpcService regionServer() {
        return regionServer;
    }

    @Override
    public void close() {
        splits.close();
        procedures.close();
        compactions.close();
    }
}
