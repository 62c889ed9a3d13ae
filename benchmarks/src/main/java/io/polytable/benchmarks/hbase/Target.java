package io.polytable.benchmarks.hbase;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** A measured server: its connection, its process and its files. */
record Target(Connection connection, long processId, Path directory) implements AutoCloseable {
    static final byte[] FAMILY = Bytes.toBytes("f");

    /** Of the ZooKeeper port, the process id and the directory, with colons between them. */
    static Target of(String text) throws IOException {
        String[] parts = text.split(":", 3);
        Configuration configuration = HBaseConfiguration.create();
        configuration.set(HConstants.ZOOKEEPER_QUORUM, "localhost");
        configuration.set(HConstants.ZOOKEEPER_CLIENT_PORT, parts[0]);
        return new Target(
                ConnectionFactory.createConnection(configuration), Long.parseLong(parts[1]), Path.of(parts[2]));
    }

    void create(String name) throws IOException {
        try (Admin admin = connection.getAdmin()) {
            admin.createTable(TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                    .build());
        }
    }

    void drop(String name) throws IOException {
        try (Admin admin = connection.getAdmin()) {
            admin.disableTable(TableName.valueOf(name));
            admin.deleteTable(TableName.valueOf(name));
        }
    }

    /** Flushes memory, so that sizes on disk can be compared. */
    void flush() throws IOException {
        try (Admin admin = connection.getAdmin()) {
            for (TableName name : admin.listTableNames()) {
                admin.flush(name);
            }
        }
    }

    /** The current and peak memory of the process, in mebibytes. */
    List<Long> memory() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("/proc", Long.toString(processId), "status"));
        return Stream.of("VmRSS:", "VmHWM:")
                .map(name -> lines.stream()
                        .filter(line -> line.startsWith(name))
                        .findFirst()
                        .orElse("0 kB"))
                .map(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024)
                .toList();
    }

    long diskBytes() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.mapToLong(Target::size).sum();
        } catch (UncheckedIOException gone) {
            throw gone.getCause();
        }
    }

    /** A file that the server deletes meanwhile counts as empty. */
    private static long size(Path file) {
        try {
            return Files.isRegularFile(file) ? Files.size(file) : 0;
        } catch (IOException gone) {
            return 0;
        }
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
