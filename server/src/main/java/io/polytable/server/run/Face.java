package io.polytable.server.run;

import io.polytable.frontend.view.View;
import io.polytable.server.metrics.MetricSource;
import java.util.List;
import java.util.Optional;

/** A protocol that accepts connections. */
public interface Face extends MetricSource, AutoCloseable {
    /** The name in the ready line and in the keys: {@code redis}. */
    String name();

    /** The port that it listens on. */
    int port();

    /** All ports that it listens on, as the ready line names them. */
    default List<NamedPort> ports() {
        return List.of(new NamedPort(name(), port()));
    }

    /** A port and its name in the ready line. */
    record NamedPort(String name, int port) {}

    /** The views of its rows. */
    default List<View> views() {
        return List.of();
    }

    /** Moves its keys in and out as RDB files, if it is the Redis protocol. The caller closes it. */
    default Optional<RdbTransfer> rdb() {
        return Optional.empty();
    }

    /** Stops listening, lets running commands finish, closes every connection. */
    @Override
    void close();
}
