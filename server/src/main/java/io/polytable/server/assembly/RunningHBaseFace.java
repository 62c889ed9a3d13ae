package io.polytable.server.assembly;

import io.polytable.cells.tables.TableCellStore;
import io.polytable.hbase.HBaseFace;
import io.polytable.server.metrics.Labels;
import io.polytable.server.metrics.Metric;
import io.polytable.server.metrics.MetricSink;
import io.polytable.server.run.Face;
import io.polytable.table.view.TableView;
import java.util.ArrayList;
import java.util.List;

/** An HBase face that accepts connections, and the cell store beneath it. */
final class RunningHBaseFace implements Face {
    private static final Metric CONNECTIONS = new Metric("polytable_hbase_connections", "Open HBase connections");
    private static final Metric SCANNERS = new Metric("polytable_hbase_scanners", "Open HBase scanners");

    private final TableCellStore cells;
    private final HBaseFace face;
    private final CallCounts counts;

    RunningHBaseFace(TableCellStore cells, HBaseFace face, CallCounts counts) {
        this.cells = cells;
        this.face = face;
        this.counts = counts;
    }

    @Override
    public String name() {
        return "hbase";
    }

    @Override
    public int port() {
        return face.regionServerPort();
    }

    @Override
    public List<NamedPort> ports() {
        List<NamedPort> ports = new ArrayList<>();
        ports.add(new NamedPort("hbase", face.regionServerPort()));
        ports.add(new NamedPort("hbase-master", face.masterPort()));
        face.zookeeperPort().ifPresent(port -> ports.add(new NamedPort("zookeeper", port)));
        return ports;
    }

    @Override
    public void sample(MetricSink sink) {
        sink.gauge(CONNECTIONS, Labels.NONE, face.connectionCount());
        sink.gauge(SCANNERS, Labels.NONE, face.scannerCount());
        counts.sample(sink);
    }

    @Override
    public List<TableView> views() {
        return cells.views();
    }

    @Override
    public void close() {
        face.close();
        cells.close();
    }
}
