package io.polytable.hbase.admin;

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

    /** @param regionBytesMax larger regions are split */
    public MasterService(
            Catalog catalog, ServedRegions regions, ServerAddress address, InstantSource clock, long regionBytesMax) {
        procedures = new Procedures(clock);
        Namespaces namespaces = new Namespaces(catalog);
        TableChanges changes = new TableChanges(catalog, namespaces, clock);
        compactions = new Compactions(changes);
        Switches switches = new Switches();
        splits = new SizeSplits(catalog, changes, switches, regionBytesMax);
        ClusterMetrics metrics = new ClusterMetrics(catalog, regions, address, switches, clock);
        master = new RpcService(
                "MasterService",
                List.of(
                        new ClusterCalls(metrics).methods(),
                        new TableCalls(changes, procedures).methods(),
                        new ListingCalls(catalog, namespaces).methods(),
                        new NamespaceCalls(namespaces, procedures).methods(),
                        new ProcedureCalls(procedures).methods(),
                        new SnapshotCalls(changes, procedures).methods(),
                        new RegionCalls(catalog, changes, procedures, switches).methods(),
                        new SwitchCalls(switches).methods(),
                        AbsentFeatureCalls.methods(address)));
        regionServer = new RpcService(
                "AdminService",
                List.of(new RegionServerCalls(regions, metrics, compactions, switches, address, clock).methods()));
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
