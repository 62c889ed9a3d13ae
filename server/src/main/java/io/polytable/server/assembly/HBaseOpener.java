package io.polytable.server.assembly;

import io.polytable.cells.projection.CellProjection;
import io.polytable.cells.store.CellCheck;
import io.polytable.cells.store.CellStore;
import io.polytable.cells.store.CellStoreOptions;
import io.polytable.frontend.limit.MemoryPlan;
import io.polytable.frontend.net.Network;
import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.setting.Setting;
import io.polytable.frontend.setting.Settings;
import io.polytable.frontend.user.Users;
import io.polytable.hbase.HBaseFace;
import io.polytable.hbase.HBaseMemory;
import io.polytable.hbase.HBaseOptions;
import io.polytable.hbase.HBaseSettings;
import io.polytable.hbase.client.ClientLimits;
import io.polytable.server.config.MemoryShares;
import io.polytable.server.config.ServerSettings;
import io.polytable.server.run.Face;
import io.polytable.server.run.FaceOpener;
import io.polytable.server.run.Findings;
import io.polytable.server.run.RunningStore;
import io.polytable.table.TableStore;
import java.io.IOException;
import java.net.InetAddress;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Opens the HBase frontend over the store's cell tables. */
final class HBaseOpener implements FaceOpener {
    @Override
    public Setting<Boolean> enabledKey() {
        return HBaseSettings.ENABLED;
    }

    @Override
    public Setting<Integer> portKey() {
        return HBaseSettings.PORT;
    }

    @Override
    public Setting<Integer> portKey(String listener) {
        return switch (listener) {
            case HBaseFace.MASTER -> HBaseSettings.MASTER_PORT;
            case HBaseFace.ZOOKEEPER -> HBaseSettings.ZOOKEEPER_PORT;
            default -> portKey();
        };
    }

    @Override
    public Face open(
            Settings settings,
            MemoryPlan memory,
            RunningStore engine,
            Users users,
            Network network,
            Sessions sessions,
            Runnable stop)
            throws IOException {
        SharedCells cells = SharedCells.over(engine.store());
        CallCounts counts = new CallCounts();
        try {
            HBaseFace face = HBaseFace.start(
                    cells.cells(),
                    options(settings),
                    budgets(memory),
                    InstantSource.system(),
                    counts,
                    network,
                    sessions,
                    users);
            return running(face, cells, counts, engine);
        } catch (IOException | RuntimeException | Error failure) {
            cells.close();
            throw failure;
        }
    }

    /** A frontend that listens must not outlive a start that fails: its port would be taken at the next attempt. */
    private static Face running(HBaseFace face, SharedCells cells, CallCounts counts, RunningStore engine) {
        try {
            engine.projection()
                    .start(
                            engine.store(),
                            FlussTables.HBASE,
                            () -> CellProjection.of(cells.cells(), engine.store(), InstantSource.system()));
            return new RunningHBaseFace(cells, face, counts);
        } catch (RuntimeException | Error failure) {
            face.close();
            throw failure;
        }
    }

    private static HBaseMemory budgets(MemoryPlan memory) {
        return new HBaseMemory(
                memory.budget(MemoryShares.HBASE_REQUESTS),
                memory.budget(MemoryShares.HBASE_RESPONSES),
                memory.budget(MemoryShares.HBASE_RESULTS).limitBytes());
    }

    static HBaseOptions options(Settings settings) {
        List<String> quorum = settings.get(HBaseSettings.ZOOKEEPER_QUORUM);
        int threads = settings.get(HBaseSettings.THREADS);
        return new HBaseOptions(
                settings.get(ServerSettings.BIND_ADDRESS).getHostAddress(),
                advertisedHost(settings),
                settings.get(HBaseSettings.MASTER_PORT),
                settings.get(HBaseSettings.PORT),
                settings.get(HBaseSettings.ZOOKEEPER_PORT),
                quorum.isEmpty() ? Optional.empty() : Optional.of(String.join(",", quorum)),
                settings.get(HBaseSettings.ZNODE_PARENT),
                settings.get(HBaseSettings.AUTH),
                settings.get(ServerSettings.NETWORK_TRUSTED),
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

    private static String advertisedHost(Settings settings) {
        String named = settings.get(HBaseSettings.ADVERTISED_HOST);
        if (!named.isEmpty()) {
            return named;
        }
        InetAddress bound = settings.get(ServerSettings.BIND_ADDRESS);
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
    public Findings check(TableStore store, Settings settings) {
        return CellStore.isUsed(store)
                ? findings(CellStore.checkStored(store))
                : new Findings("No cell tables are stored", List.of());
    }

    @Override
    public Findings repair(TableStore store, Settings settings, RepairProgress progress) {
        if (!CellStore.isUsed(store)) {
            return new Findings("No cell tables are stored", List.of());
        }
        try (CellStore cells = CellStore.open(store, CellStoreOptions.DEFAULT.withoutBackground())) {
            long repaired = cells.repair().findingCount();
            Findings left = findings(cells.check());
            return new Findings(left.summary() + ", repaired " + repaired, left.problems());
        }
    }

    private static Findings findings(CellCheck.Report report) {
        List<String> problems = new ArrayList<>(
                report.findings().stream().map(CellCheck.Finding::toString).toList());
        long more = report.findingCount() - problems.size();
        if (more > 0) {
            problems.add("and " + more + " more");
        }
        return new Findings("Checked " + report.rowCount() + " rows of cell tables", problems);
    }
}
