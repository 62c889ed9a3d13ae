package io.polytable.hbase;

import io.polytable.cells.projection.CellProjection;
import io.polytable.cells.store.CellCheck;
import io.polytable.cells.store.CellStore;
import io.polytable.cells.store.CellStoreOptions;
import io.polytable.cells.store.SharedCells;
import io.polytable.frontend.Findings;
import io.polytable.frontend.Frontend;
import io.polytable.frontend.FrontendContext;
import io.polytable.frontend.FrontendOpener;
import io.polytable.frontend.Progress;
import io.polytable.frontend.limit.MemoryPlan;
import io.polytable.frontend.setting.Setting;
import io.polytable.frontend.setting.Settings;
import io.polytable.frontend.view.View;
import io.polytable.hbase.client.ClientLimits;
import io.polytable.table.TableStore;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Opens the HBase frontend over the store's cell tables. */
public final class HBaseOpener implements FrontendOpener {
    /** The name under which its tables are followed. */
    private static final String FOLLOWED = "hbase";

    private final SharedCells cells;
    private final Function<CellStore, Supplier<List<View>>> views;
    private final Predicate<Settings> trustsNetwork;

    /**
     * Creates the opener.
     *
     * @param cells the cell stores of all frontends
     * @param views the views of what the cells hold
     * @param trustsNetwork whether clients are who they say they are
     */
    public HBaseOpener(
            SharedCells cells, Function<CellStore, Supplier<List<View>>> views, Predicate<Settings> trustsNetwork) {
        this.cells = cells;
        this.views = views;
        this.trustsNetwork = trustsNetwork;
    }

    @Override
    public List<Setting<?>> settings() {
        return HBaseSettings.all();
    }

    @Override
    public Setting<Boolean> enabled() {
        return HBaseSettings.ENABLED;
    }

    @Override
    public Optional<Setting<Integer>> port(String listener) {
        return Optional.of(
                switch (listener) {
                    case HBaseServer.MASTER -> HBaseSettings.MASTER_PORT;
                    case HBaseServer.ZOOKEEPER -> HBaseSettings.ZOOKEEPER_PORT;
                    default -> HBaseSettings.PORT;
                });
    }

    @Override
    public void plan(MemoryPlan.Builder plan, Settings settings) {
        if (settings.get(HBaseSettings.ENABLED)) {
            HBaseMemory.plan(plan);
        }
    }

    @Override
    public Frontend open(FrontendContext context) throws IOException {
        SharedCells.Lease lease = cells.over(context.store());
        try {
            return open(context, lease);
        } catch (IOException | RuntimeException | Error failure) {
            lease.close();
            throw failure;
        }
    }

    private Frontend open(FrontendContext context, SharedCells.Lease lease) throws IOException {
        CallCounts counts = new CallCounts();
        HBaseServer server = HBaseServer.start(
                lease.cells(),
                options(context.settings(), context.address()),
                HBaseMemory.of(context.memory()),
                context.clock(),
                counts,
                context.network(),
                context.sessions(),
                context.users());
        try {
            context.followers()
                    .start(
                            context.store(),
                            FOLLOWED,
                            () -> CellProjection.of(lease.cells(), context.store(), context.clock()));
            return new HBaseFrontend(lease, server, counts, views.apply(lease.cells()));
        } catch (RuntimeException | Error failure) {
            // It listens already: its port would be taken at the next attempt.
            server.close();
            throw failure;
        }
    }

    /** The options that the settings give. */
    public HBaseOptions options(Settings settings, InetAddress address) {
        List<String> quorum = settings.get(HBaseSettings.ZOOKEEPER_QUORUM);
        int threads = settings.get(HBaseSettings.THREADS);
        return new HBaseOptions(
                address.getHostAddress(),
                advertisedHost(settings, address),
                settings.get(HBaseSettings.MASTER_PORT),
                settings.get(HBaseSettings.PORT),
                settings.get(HBaseSettings.ZOOKEEPER_PORT),
                quorum.isEmpty() ? Optional.empty() : Optional.of(String.join(",", quorum)),
                settings.get(HBaseSettings.ZNODE_PARENT),
                settings.get(HBaseSettings.AUTH),
                trustsNetwork.test(settings),
                users(settings),
                threads == 0 ? HBaseOptions.defaultThreads() : threads,
                settings.get(HBaseSettings.CONNECTIONS_MAX),
                settings.get(HBaseSettings.CALL_BYTES_MAX).intValue(),
                settings.get(HBaseSettings.REGION_BYTES_MAX),
                new ClientLimits(
                        settings.get(HBaseSettings.SCANNERS_MAX),
                        settings.get(HBaseSettings.SCANNER_LEASE),
                        settings.get(HBaseSettings.RESULT_BYTES_MAX)));
    }

    private static String advertisedHost(Settings settings, InetAddress bound) {
        String named = settings.get(HBaseSettings.ADVERTISED_HOST);
        if (!named.isEmpty()) {
            return named;
        }
        if (bound.isLoopbackAddress()) {
            return "localhost";
        }
        return bound.isAnyLocalAddress() ? thisMachine() : bound.getHostAddress();
    }

    private static String thisMachine() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (IOException nameless) {
            return "localhost";
        }
    }

    private static Set<String> users(Settings settings) {
        Set<String> users = new TreeSet<>();
        for (String user : settings.get(HBaseSettings.AUTH_USERS).split(",", -1)) {
            if (!user.isBlank()) {
                users.add(user.strip());
            }
        }
        return users;
    }

    @Override
    public Optional<Findings> verify(TableStore store, Settings settings, boolean repair, Progress progress) {
        if (!CellStore.isUsed(store)) {
            return Optional.of(new Findings("No cell tables are stored", List.of()));
        }
        if (!repair) {
            return Optional.of(findings(CellStore.checkStored(store)));
        }
        try (CellStore opened = CellStore.open(store, CellStoreOptions.DEFAULT.withoutBackground())) {
            long repaired = opened.repair().findingCount();
            return Optional.of(findings(opened.check()).repaired(repaired));
        }
    }

    private static Findings findings(CellCheck.Report report) {
        return Findings.of(
                "Checked " + report.rowCount() + " rows of cell tables", report.findings(), report.findingCount());
    }
}
