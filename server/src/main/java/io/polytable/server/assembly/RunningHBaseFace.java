package io.polytable.server.assembly;

import io.polytable.entity.embedded.view.EntityViews;
import io.polytable.frontend.view.View;
import io.polytable.hbase.HBaseFace;
import io.polytable.server.metrics.Labels;
import io.polytable.server.metrics.Metric;
import io.polytable.server.metrics.MetricSink;
import io.polytable.server.run.Face;
import java.util.ArrayList;
import java.util.List;

/** An HBase frontend that accepts connections, and the cell store beneath it. */
final class RunningHBaseFace implements Face {
    private static final Metric CONNECTIONS = new Metric("polytable_hbase_connections", "Open HBase connections");
    private static final Metric SCANNERS = new Metric("polytable_hbase_scanners", "Open HBase scanners");

    private final SharedCells cells;
    private final HBaseFace face;
    private final CallCounts counts;
    private final EntityViews entities;

    RunningHBaseFace(SharedCells cells, HBaseFace face, CallCounts counts) {
        this.cells = cells;
        this.face = face;
        this.counts = counts;
        entities = new EntityViews(cells.cells());
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
    public List<View> views() {
        return entities.all();
    }

    @Override
    public void close() {
        face.close();
        cells.close();
    }
}
