package io.polytable.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * HBase's own tests of its client, as published, against our server. Left out are the methods that look into the cluster's
 * objects in the same process, and those of features that do not exist here.
 */
@Tag("peers")
class HBaseClientTestsTest {
    private static final int SECONDS_MAX = 500;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "client.TestAdmin",
                "client.TestAdmin1",
                "client.TestAdmin2",
                "client.TestAdmin3",
                "client.TestAdmin4",
                "client.TestMalformedCellFromClient",
                "TestPartialResultsFromClientSide",
                "client.TestIllegalTableDescriptor",
                "client.TestSplitOrMergeAtTableLevel",
                "client.TestSplitOrMergeStatus",
            })
    void passes(String words, @TempDir Path directory) throws Exception {
        try (ServedCluster served = ServedCluster.on(directory.resolve("data"))) {
            Path settings = SiteFile.write(directory.resolve("settings"), served);
            String root = System.getProperty("polytable.root", "..");
            Path standIn = Path.of(root, "hbase-tools/client-tests/target/classes").toAbsolutePath();
            String classPath = String.join(
                    File.pathSeparator,
                    settings.toString(),
                    standIn.toString(),
                    ChildJvm.jarsOf("hbase-tools/client-tests"));
            List<String> command = List.of("org.apache.hadoop.hbase.RunTests", "org.apache.hadoop.hbase." + words);
            try (ChildJvm child = ChildJvm.start(directory.resolve("work"), classPath, command)) {
                String printed = child.awaitSuccess(SECONDS_MAX);
                assertThat(printed).contains("all have run").contains("PASSED ");
                assertThat(printed.lines().filter(line -> line.startsWith("FAILED "))).as(printed).isEmpty();
            }
        }
    }
}
