package io.polytable.hbase;

import io.polytable.cells.store.SharedCells;
import io.polytable.frontend.Frontend;
import io.polytable.frontend.metric.Labels;
import io.polytable.frontend.metric.Metric;
import io.polytable.frontend.metric.MetricSink;
import io.polytable.frontend.view.View;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The HBase frontend, its metrics and views, and its lease of the cell store beneath it. */
final class HBaseFrontend implements Frontend {
    private static final Metric CONNECTIONS = new Metric("polytable_hbase_connections", "Open HBase connections");
    private static final Metric SCANNERS = new Metric("polytable_hbase_scanners", "Open HBase scanners");

    private final SharedCells.Lease cells;
    private final HBaseServer server;
    private final CallCounts counts;
    private final Supplier<List<View>> views;

    HBaseFrontend(SharedCells.Lease cells, HBaseServer server, CallCounts counts, Supplier<List<View>> views) {
        this.cells = cells;
        this.server = server;
        this.counts = counts;
        this.views = views;
    }

    @Override
    public String name() {
        return HBaseServer.REGION_SERVER;
    }

    @Override
    public List<Port> ports() {
        List<Port> ports = new ArrayList<>();
        ports.add(new Port(HBaseServer.REGION_SERVER, server.regionServerPort()));
        ports.add(new Port(HBaseServer.MASTER, server.masterPort()));
        server.zookeeperPort().ifPresent(port -> ports.add(new Port(HBaseServer.ZOOKEEPER, port)));
        return ports;
    }

    @Override
    public void sample(MetricSink sink) {
        sink.gauge(CONNECTIONS, Labels.NONE, server.connectionCount());
        sink.gauge(SCANNERS, Labels.NONE, server.scannerCount());
        counts.sample(sink);
    }

    @Override
    public List<View> views() {
        return views.get();
    }

    @Override
    public void close() {
        server.close();
        cells.close();
    }
}
