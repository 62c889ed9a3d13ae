package io.polytable.entity.remote;

import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.store.InstanceStore;
import io.polytable.entity.store.LayoutBoard;
import io.polytable.entity.store.StoreRecords;
import io.polytable.entity.store.StoredTable;
import io.polytable.entity.wire.StoreCall;
import java.time.Duration;

/** An instance of a server. */
final class RemoteInstance implements InstanceStore {
    /** The maximum age of a layout that a program is shown; the server checks the layout of each read and write. */
    private static final Duration REFRESH = Duration.ofSeconds(1);

    private final ServerConnection server;
    private final String name;
    private final RemoteRecords records;
    private final LayoutBoard board = LayoutBoard.fenced(REFRESH);

    RemoteInstance(ServerConnection server, String name) {
        this.server = server;
        this.name = name;
        records = new RemoteRecords(server, name);
    }

    @Override
    public StoreRecords records() {
        return records;
    }

    @Override
    public LayoutBoard layouts() {
        return board;
    }

    private void define(StoreCall kind, TableLayout layout) {
        server.call(kind, words -> words.text(name).text(layout.toJson()));
    }

    @Override
    public void prepare(TableLayout layout) {
        define(StoreCall.PREPARE, layout);
    }

    @Override
    public void trim(TableLayout layout) {
        define(StoreCall.TRIM, layout);
    }

    @Override
    public void drop(TableLayout layout) {
        define(StoreCall.DROP, layout);
    }

    /** The server does this with the drop: a user who may drop a table need not have GRANT. */
    @Override
    public void forget(String table) {}

    @Override
    public StoredTable table(TableLayout layout) {
        return new RemoteTable(server, name, layout);
    }
}
