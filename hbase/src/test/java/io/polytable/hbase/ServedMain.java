package io.polytable.hbase;

import java.io.OutputStream;
import java.nio.file.Path;

/** The frontend in a process of its own, for tests that kill it: directory, then the ports of master, server and ZooKeeper. */
final class ServedMain {
    /** What the process prints when clients find it. */
    static final String READY = "served at";

    private ServedMain() {}

    public static void main(String[] words) throws Exception {
        int master = Integer.parseInt(words[1]);
        int regionServer = Integer.parseInt(words[2]);
        int zookeeper = Integer.parseInt(words[3]);
        try (ServedCluster served =
                ServedCluster.on(Path.of(words[0]), options -> options.withPorts(master, regionServer, zookeeper))) {
            System.out.println(READY + " " + served.face().regionServerPort());
            // Ends with whoever started it, at the latest.
            System.in.transferTo(OutputStream.nullOutputStream());
        }
        // Threads of libraries must not keep the process.
        System.exit(0);
    }
}
