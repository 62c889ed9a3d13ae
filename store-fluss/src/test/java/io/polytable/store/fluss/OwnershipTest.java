package io.polytable.store.fluss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.polytable.store.log.RecordBatch;
import io.polytable.store.log.RecordBatches;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One owner at a time, whatever former owners still do; and a chain that holds what they acknowledged. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class OwnershipTest {
    private final LogFixture fixture = new LogFixture();
    private final List<FlussCluster> connections = new ArrayList<>();

    @AfterEach
    void letGo() {
        fixture.close();
        connections.forEach(FlussCluster::close);
    }

    private FlussCluster connect() {
        FlussCluster connection = LogFixture.connect();
        connections.add(connection);
        return connection;
    }

    /** Takes the log from an owner that believes to be alive, as if its lease had run out unnoticed. */
    private FlussLog takeFrom(FlussLog owner) {
        return fixture.open(connect(), LogFixture.OPTIONS.withFormerOwner(Optional.of(owner.owner())));
    }

    private static void append(FlussLog log, String... records) {
        log.append(RecordBatches.after(log, records));
        log.sync();
    }

    private static List<String> records(FlussLog log) {
        return RecordBatches.read(log, log.first()).stream()
                .map(bytes -> new String(bytes, StandardCharsets.US_ASCII).strip())
                .toList();
    }

    private static void assertRefused(StoreError error, ThrowingCallable call) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.error()).isEqualTo(error));
    }

    @Test
    void anOwnerThatWasOvertakenCannotAcknowledge() {
        FlussLog zombie = fixture.open(connect());
        append(zombie, "one");
        FlussLog owner = takeFrom(zombie);
        assertRefused(StoreError.FAILED, () -> append(zombie, "late"));
        assertThat(zombie.acknowledged()).isEqualTo(1);
        assertThat(zombie.failed()).isTrue();
        append(owner, "two");
        assertThat(records(owner)).containsExactly("one", "two");
    }

    @Test
    void whatAZombieWroteTooLateIsInNoChain() {
        FlussLog first = fixture.open(connect());
        append(first, "one");
        FlussLog second = takeFrom(first);
        assertRefused(StoreError.FAILED, () -> append(first, "late"));
        append(second, "two");
        FlussLog third = takeFrom(second);
        assertRefused(StoreError.FAILED, () -> append(second, "late too"));
        append(third, "three");
        third.close();
        FlussLog fourth = fixture.open();
        assertThat(records(fourth)).containsExactly("one", "two", "three");
        assertThat(fourth.end()).isEqualTo(3);
    }

    @Test
    void aLivingOwnerIsLeftAlone() {
        FlussLog owner = fixture.open();
        append(owner, "one");
        FlussLogOptions impatient = LogFixture.OPTIONS.withClaimMax(LogFixture.LEASE.multipliedBy(2));
        assertRefused(StoreError.IN_USE, () -> fixture.open(connect(), impatient));
        append(owner, "two");
        assertThat(records(owner)).containsExactly("one", "two");
        assertThat(owner.isCurrent()).isTrue();
    }

    /** Only in the very directory that its owner had locked its binding tells that this owner is dead. */
    @Test
    void aCopiedDirectoryDoesNotTakeTheLogFromALivingOwner(@TempDir Path disk) throws IOException {
        Path original = Files.createDirectories(disk.resolve("original"));
        FlussLog owner = fixture.openIn(original);
        append(owner, "one");
        Path copy = Files.createDirectories(disk.resolve("copy"));
        Files.copy(original.resolve("fluss.properties"), copy.resolve("fluss.properties"));
        FlussLogOptions impatient = LogFixture.OPTIONS.withClaimMax(Duration.ofMillis(100));
        assertRefused(StoreError.IN_USE, () -> FlussPartition.openLog(LogFixture.cluster(), impatient, copy));
        append(owner, "two");
        FlussLog next = FlussPartition.openLog(LogFixture.cluster(), impatient, original);
        try (next) {
            assertThat(records(next)).containsExactly("one", "two");
        }
    }

    @Test
    void aDeadOwnersLeaseRunsOut() {
        FlussCluster dying = connect();
        FlussLog dead = fixture.open(dying);
        append(dead, "one");
        dying.close();
        FlussLog heir = fixture.open();
        assertThat(records(heir)).containsExactly("one");
        assertThat(dead.isCurrent()).isFalse();
    }

    @Test
    void manyOwnersMakeOneLog() {
        List<String> expected = new ArrayList<>();
        for (int owner = 0; owner < 8; owner++) {
            FlussLog log = fixture.open();
            assertThat(records(log)).isEqualTo(expected);
            for (int record = 0; record < owner; record++) {
                String text = "owner " + owner + " record " + record;
                append(log, text);
                expected.add(text);
            }
            log.close();
        }
        FlussLog last = fixture.open();
        assertThat(records(last)).isEqualTo(expected);
        IntStream.rangeClosed(1, expected.size())
                .forEach(from -> assertThat(RecordBatches.read(last, from)).hasSize(expected.size() - from + 1));
    }

    @Test
    void aBatchLargerThanARowIsWhole() {
        FlussLog log = fixture.open();
        byte[] large = new byte[3 * RowPacker.PART_BYTES + 1000];
        new Random(7).nextBytes(large);
        append(log, "before");
        log.append(RecordBatches.after(log, List.of(large)));
        append(log, "behind");
        log.close();
        FlussLog again = fixture.open();
        assertThat(RecordBatches.read(again, 2)).containsExactly(large, RecordBatches.padded("behind"));
        assertThat(RecordBatches.read(again, 3)).containsExactly(RecordBatches.padded("behind"));
    }

    @Test
    void aWriteThatIsNeverAnsweredIsResolvedByReading() {
        FlussCluster impatient = FlussCluster.open(LogFixture.settings().withAnswerMax(Duration.ofSeconds(2)));
        connections.add(impatient);
        FlussLog log = fixture.open(impatient);
        append(log, "one");
        RecordBatch unknown = RecordBatches.after(log, "unknown");
        ClusterProcess server = TestCluster.shared().tabletServer(0);
        server.pause();
        try {
            log.append(unknown);
            assertRefused(StoreError.FAILED, log::sync);
            assertThat(log.isCurrent()).isFalse();
        } finally {
            server.resume();
        }
        assertThat(log.acknowledged()).isEqualTo(1);
        FlussLog again = fixture.open(connect(), LogFixture.OPTIONS.withFormerOwner(Optional.of(log.owner())));
        assertThat(records(again)).isIn(List.of("one"), List.of("one", "unknown"));
        List<String> found = new ArrayList<>(records(again));
        append(again, "two");
        found.add("two");
        again.close();
        assertThat(records(fixture.open())).isEqualTo(found);
    }

    /** The applier takes what is synced for safe: an interrupt must not make it believe so. */
    @Test
    void aSyncOfAnInterruptedThreadWaitsAsWell() {
        FlussLog log = fixture.open(connect());
        log.append(RecordBatches.after(log, "one"));
        Thread.currentThread().interrupt();
        try {
            log.sync();
            assertThat(log.synced()).isEqualTo(1);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
