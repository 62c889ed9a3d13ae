package io.polytable.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * HBase's own tests of its client, as published, against our server. Left out are the methods that look into the cluster's
 * objects in the same process, and those of features that do not exist here.
 */
@Tag("peers")
class HBaseClientTestsTest {
    private static final int SECONDS_MAX = 500;

    /** Classes, each with the methods that are left out, and why. */
    static List<String> classes() {
        return List.of(
                // MiniHBaseCluster and region replicas.
                "client.TestAdmin,testCreateTable,testTruncateTable,testTruncateTablePreservingSplits,testCloneTableSchema"
                        + ",testCloneTableSchemaPreservingSplits,testCreateTableWithRegions,testUnknownServers"
                        + ",testModifyTableOnTableWithRegionReplicas",
                // MiniHBaseCluster, region replicas, HFiles.
                "client.TestAdmin1,testCompactRegionWithTableName,testMergeRegions,testHFileReplication,testSplitAndMergeWithReplicaTable"
                        + ",testTruncateReplicaRegionNotAllowed",
                // MiniHBaseCluster, several region servers, the slow log, an exception that only HBase's server has.
                "client.TestAdmin2,testShouldUnassignTheRegion,testCloseRegionIfInvalidRegionNameIsPassed"
                        + ",testDecommissionRegionServers,testGetRegionServers,testDisableCatalogTable,testGetRegionInfo"
                        + ",testSlowLogResponses,testCloseRegionThatFetchesTheHRIFromMeta,testWALRollWriting"
                        + ",testMoveToPreviouslyAssignedRS",
                // MiniHBaseCluster, store file trackers (a descriptor of HBase names one).
                "client.TestAdmin3,testDisableAndEnableTable,testModifyTableStoreFileTracker"
                        + ",testModifyColumnFamilyStoreFileTracker,testModifyStoreFileTrackerError,testGetTableDescriptor",
                "client.TestMalformedCellFromClient,testAtomicOperations",
                // Regions that move between servers.
                "TestPartialResultsFromClientSide,testPartialResultWhenRegionMove,testReversedPartialResultWhenRegionMove"
                        + ",testCompleteResultWhenRegionMove,testReversedCompleteResultWhenRegionMove"
                        + ",testBatchingResultWhenRegionMove",
                "client.TestSplitOrMergeAtTableLevel",
                "client.TestSplitOrMergeStatus,testSplitRegionReplicaRitRecovery");
    }

    @ParameterizedTest
    @MethodSource("classes")
    void passes(String words, @TempDir Path directory) throws Exception {
        String printed = printed(words, directory);
        assertThat(printed).contains("all have run").contains("PASSED ");
        assertThat(printed.lines().filter(line -> line.startsWith("FAILED ")))
                .as(printed)
                .isEmpty();
    }

    /**
     * Every descriptor is refused or accepted as the test expects; only its last statement asks for a warning in the log
     * of a server in the same process. Left out are tiers of data by age.
     */
    @Test
    void descriptorsAreCheckedUpToTheServersLog(@TempDir Path directory) throws Exception {
        String printed =
                printed("client.TestIllegalTableDescriptor,testIllegalTableDescriptorWithDataTiering", directory);
        assertThat(printed).contains("all have run").contains("FAILED testIllegalTableDescriptor");
        assertThat(printed.lines()
                        .dropWhile(line -> !line.startsWith("FAILED "))
                        .skip(1))
                .first()
                .asString()
                .as(printed)
                .startsWith("Wanted but not invoked");
        assertThat(printed).contains("is too small, which might cause very frequent flushing");
    }

    private static String printed(String words, Path directory) throws Exception {
        try (ServedCluster served = ServedCluster.on(directory.resolve("data"))) {
            Path settings = SiteFile.write(directory.resolve("settings"), served);
            String root = System.getProperty("polytable.root", "..");
            Path standIn = Path.of(root, "testbeds/hbase-tools/client-tests/target/classes")
                    .toAbsolutePath();
            String classPath = String.join(
                    File.pathSeparator,
                    settings.toString(),
                    standIn.toString(),
                    ChildJvm.jarsOf("testbeds/hbase-tools/client-tests"));
            List<String> command = List.of("org.apache.hadoop.hbase.RunTests", "org.apache.hadoop.hbase." + words);
            try (ChildJvm child = ChildJvm.start(directory.resolve("work"), classPath, command)) {
                return child.awaitSuccess(SECONDS_MAX);
            }
        }
    }
}
