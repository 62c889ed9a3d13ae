package io.polytable.hbase;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The file in which HBase's and Hadoop's programs look for their cluster. */
final class SiteFile {
    private SiteFile() {}

    /** Writes the settings; answers the directory to put before the jars of a class path. */
    static Path write(Path directory, Map<String, String> settings) throws IOException {
        StringBuilder text = new StringBuilder("<configuration>\n");
        settings.forEach((name, value) -> text.append("<property><name>")
                .append(name)
                .append("</name><value>")
                .append(value)
                .append("</value></property>\n"));
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("hbase-site.xml"), text.append("</configuration>\n"));
        return directory;
    }

    /** All that a team changes: where ZooKeeper is. */
    static Path write(Path directory, ServedCluster served) throws IOException {
        return write(
                directory,
                Map.of(
                        "hbase.zookeeper.quorum",
                        "localhost",
                        "hbase.zookeeper.property.clientPort",
                        Integer.toString(served.face().zookeeperPort().orElseThrow())));
    }
}
