package io.polytable.server.run;

import io.polytable.server.metrics.MetricSource;
import io.polytable.table.view.TableView;
import java.util.List;

/** A protocol that accepts connections. */
public interface Face extends MetricSource, AutoCloseable {
    /** As the ready line and the keys spell it: {@code redis}. */
    String name();

    /** The port it really listens on. */
    int port();

    /** All ports it listens on, as the ready line names them. */
    default List<NamedPort> ports() {
        return List.of(new NamedPort(name(), port()));
    }

    /** A port and what the ready line calls it. */
    record NamedPort(String name, int port) {}

    /** What it shows of its rows to readers of tables. */
    default List<TableView> views() {
        return List.of();
    }

    /** Accepts nothing more, lets running commands end, closes every connection. */
    @Override
    void close();
}
