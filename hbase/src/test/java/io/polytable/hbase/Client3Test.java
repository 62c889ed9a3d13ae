package io.polytable.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client of HBase 3, in a process with its own jars. */
class Client3Test {
    private static final int SECONDS_MAX = 120;
    private static final List<String> ANSWERS = List.of(
            "cluster: 1",
            "get: vn",
            "increment: 4",
            "append: vn+",
            "checked: true",
            "unchecked: false",
            "cells: 2",
            "multi-get: 1",
            "scan: abcdefghijklmnopqrstuvwxyz",
            "reversed: zyx",
            "filtered: q",
            "families: 2",
            "regions: 3",
            "snapshots: 1",
            "disabled: true",
            "exists: false");

    @TempDir
    static Path directory;

    private static ServedCluster served;

    @BeforeAll
    static void start() throws IOException {
        served = ServedCluster.on(directory);
    }

    @AfterAll
    static void stop() {
        served.close();
    }

    /** Its default: it asks the servers themselves. */
    @Test
    void throughTheServers() throws Exception {
        answers("hbase.client.bootstrap.servers=localhost:" + served.face().regionServerPort());
    }

    @Test
    void throughZooKeeper() throws Exception {
        answers(
                "hbase.client.registry.impl=org.apache.hadoop.hbase.client.ZKConnectionRegistry",
                "hbase.zookeeper.quorum=localhost",
                "hbase.zookeeper.property.clientPort="
                        + served.face().zookeeperPort().orElseThrow());
    }

    private static void answers(String... settings) throws Exception {
        String classPath = ChildJvm.jarsOf("testbeds/hbase-tools/client-3")
                + File.pathSeparator
                + MapReduceTest.classesOf(Client3Main.class);
        List<String> words =
                new ArrayList<>(List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn", Client3Main.class.getName()));
        words.addAll(List.of(settings));
        try (ChildJvm child = ChildJvm.start(directory.resolve("work"), classPath, words)) {
            List<String> printed = child.awaitSuccess(SECONDS_MAX).lines().toList();
            assertThat(printed).containsAll(ANSWERS);
        }
    }
}
