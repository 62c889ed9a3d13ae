package io.polytable.hbase.differential;

import io.polytable.cells.store.CellStoreOptions;
import io.polytable.hbase.ServedCluster;
import io.polytable.hbase.peer.HBaseNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A real HBase and our frontend, with the same tables. */
final class Opponents implements AutoCloseable {
    static {
        // It asserts that its count of rows is right, which it is not where a limited scan comes in several portions.
        Optional.ofNullable(Opponents.class.getClassLoader())
                .ifPresent(loader ->
                        loader.setClassAssertionStatus("org.apache.hadoop.hbase.client.ClientScanner", false));
    }

    private final ServedCluster cluster;
    private final Side theirs;
    private final Side ours;

    private Opponents(ServedCluster cluster) throws IOException {
        this.cluster = cluster;
        theirs = Side.theirs(HBaseNode.shared());
        ours = Side.ours(cluster.configuration());
    }

    /** Ours compacts only when it is asked to, as the other one is set up to do. */
    static Opponents in(Path directory) throws IOException {
        return new Opponents(ServedCluster.on(directory, CellStoreOptions.DEFAULT.withoutBackground()));
    }

    Opponents with(List<Schema> schemas) throws IOException {
        for (Schema schema : schemas) {
            theirs.create(schema);
            ours.create(schema);
        }
        return this;
    }

    Side theirs() {
        return theirs;
    }

    Side ours() {
        return ours;
    }

    Duel duel() {
        return new Duel(theirs, ours);
    }

    @Override
    public void close() throws IOException {
        ours.close();
        theirs.close();
        cluster.close();
    }
}
