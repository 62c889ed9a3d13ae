package io.polytable.entity.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.entity.Entities;
import io.polytable.entity.EntityTable;
import io.polytable.entity.Instance;
import io.polytable.entity.key.KeyFormat;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.Change;
import io.polytable.entity.layout.FamilyLayout;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.request.DataRequest;
import io.polytable.entity.uri.EntityUri;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * Two processes that add and remove locality groups of a table while a third writes to all existing groups. Each prints
 * what it did and when, by the machine's clock. The test compares: no acknowledged write began after its group was
 * removed, and acknowledged writes to remaining groups are present.
 */
public final class LayoutRace {
    private static final String TABLE = "race";
    private static final long PROCESS_SECONDS_MAX = 240;
    private static final int WRITES_MIN = 20;
    private static final long WRITE_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private LayoutRace() {}

    /** Runs the three processes on a new instance, which is dropped in the end. */
    public static void run(EntityUri uri, int changes) throws IOException, InterruptedException {
        Entities.install(uri);
        try (Instance instance = Entities.open(uri)) {
            EntityTable table = instance.createTable(TableLayout.of(TABLE, new KeyFormat.Raw(), group("start")));
            Process writer = start(uri, "write", "");
            CountDownLatch writing = new CountDownLatch(WRITES_MIN);
            CompletableFuture<List<String>> written = lines(writer, writing);
            try {
                // A writer that starts slowly would find nothing left to race with.
                assertThat(writing.await(PROCESS_SECONDS_MAX, TimeUnit.SECONDS))
                        .as("the writer writes")
                        .isTrue();
                List<Process> changers = new ArrayList<>();
                List<CompletableFuture<List<String>>> changed = new ArrayList<>();
                for (String name : List.of("a", "b")) {
                    Process changer = start(uri, name, String.valueOf(changes));
                    changers.add(changer);
                    changed.add(lines(changer, new CountDownLatch(0)));
                }
                List<String> told = new ArrayList<>();
                for (int i = 0; i < changers.size(); i++) {
                    told.addAll(bounded(changed.get(i)));
                    assertThat(changers.get(i).waitFor(PROCESS_SECONDS_MAX, TimeUnit.SECONDS))
                            .isTrue();
                    assertThat(changers.get(i).exitValue()).as("%s", told).isZero();
                }
                writer.getOutputStream().close();
                compare(table, told, bounded(written));
                assertThat(writer.waitFor(PROCESS_SECONDS_MAX, TimeUnit.SECONDS))
                        .isTrue();
            } finally {
                writer.destroyForcibly();
            }
        }
        Entities.uninstall(uri);
    }

    private static List<String> bounded(CompletableFuture<List<String>> lines) throws InterruptedException {
        try {
            return lines.get(PROCESS_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("A process did not end", e);
        }
    }

    private static void compare(EntityTable table, List<String> told, List<String> written) {
        Map<String, Long> withdrawnAt = new HashMap<>();
        Set<String> stay = new TreeSet<>(Set.of("start"));
        for (String line : told) {
            String[] words = line.split(" ", -1);
            if (words[0].equals("added")) {
                stay.add(words[1]);
            } else if (words[0].equals("withdrew")) {
                withdrawnAt.put(words[1], Long.parseLong(words[2]));
            }
        }
        stay.removeAll(withdrawnAt.keySet());
        Map<String, Integer> last = new HashMap<>();
        int count = 0;
        for (String line : written) {
            String[] words = line.split(" ", -1);
            assertThat(words[0]).as("what the writer says: %s", line).isEqualTo("wrote");
            count++;
            Long end = withdrawnAt.get(words[1]);
            assertThat(end == null || Long.parseLong(words[3]) <= end)
                    .as("%s, but the group was withdrawn at %s", line, end)
                    .isTrue();
            last.put(words[1], Integer.parseInt(words[2]));
        }
        assertThat(count).as("acknowledged writes").isGreaterThanOrEqualTo(WRITES_MIN);
        assertThat(withdrawnAt).isNotEmpty();
        assertThat(table.layout().groups().stream().map(LocalityGroup::name))
                .as("what nobody withdrew")
                .containsExactlyInAnyOrderElementsOf(stay);
        for (String group : stay) {
            Integer wanted = last.get(group);
            if (wanted != null) {
                assertThat(table.reader()
                                .get(table.id("row"), DataRequest.of(family(group)))
                                .value(family(group) + ":x", Integer.class))
                        // One that failed after it may have been made all the same.
                        .as("the last write to %s", group)
                        .hasValueSatisfying(value -> assertThat(value).isGreaterThanOrEqualTo(wanted));
            }
        }
    }

    private static Process start(EntityUri uri, String role, String changes) throws IOException {
        return new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-Xmx128m",
                        // Processes that live for seconds: what they compile well they never get back.
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LayoutRace.class.getName(),
                        uri.toString(),
                        role,
                        changes)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static CompletableFuture<List<String>> lines(Process process, CountDownLatch seen) {
        return CompletableFuture.supplyAsync(() -> {
            List<String> lines = new ArrayList<>();
            try (BufferedReader reader =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                    if (line.startsWith("wrote ") || line.startsWith("added ") || line.startsWith("withdrew ")) {
                        lines.add(line);
                        seen.countDown();
                    }
                }
            } catch (IOException e) {
                lines.add("broken " + e);
            }
            return lines;
        });
    }

    /** One of the three. */
    public static void main(String[] arguments) {
        try (Instance instance = Entities.open(EntityUri.parse(arguments[0]))) {
            if (arguments[1].equals("write")) {
                write(instance.table(TABLE));
            } else {
                change(instance, arguments[1], Integer.parseInt(arguments[2]));
            }
        }
    }

    private static LocalityGroup group(String name) {
        return LocalityGroup.of(name, FamilyLayout.map(family(name), CellSchema.avro("int")));
    }

    private static String family(String group) {
        return group + "_cells";
    }

    private static long nowMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    /** Writes until its input ends. */
    private static void write(EntityTable table) {
        Random random = new Random(7);
        int number = 0;
        CompletableFuture<Integer> ended = CompletableFuture.supplyAsync(LayoutRace::inputEnd);
        while (!ended.isDone()) {
            List<LocalityGroup> groups = table.layout().groups();
            String group = groups.get(random.nextInt(groups.size())).name();
            long began = nowMicros();
            try {
                table.writer().put(table.id("row"), family(group) + ":x", ++number);
                System.out.println("wrote " + group + " " + number + " " + began);
            } catch (EntityException e) {
                boolean isGone =
                        e.error() == EntityError.NO_SUCH_COLUMN || e.error().retryable();
                if (!isGone) {
                    System.out.println("wrote nothing: " + e.error());
                }
            }
            // Leaves the processor to those that change the layout.
            LockSupport.parkNanos(WRITE_PAUSE_NANOS);
        }
    }

    /** Returns when whoever started this process releases its input, also by dying. */
    private static int inputEnd() {
        try {
            return System.in.read();
        } catch (IOException e) {
            return -1;
        }
    }

    private static void change(Instance instance, String name, int changes) {
        EntityTable table = instance.table(TABLE);
        for (int i = 0; i < changes; i++) {
            String fresh = name + i;
            update(instance, table, layout -> {
                List<LocalityGroup> groups = new ArrayList<>(layout.groups());
                groups.add(group(fresh));
                return groups;
            });
            System.out.println("added " + fresh);
            if (i % 2 == 1) {
                String gone = name + (i - 1);
                update(
                        instance,
                        table,
                        layout -> layout.groups().stream()
                                .map(group -> group.name().equals(gone) ? group.with(Change.DELETE) : group)
                                .toList());
                System.out.println("withdrew " + gone + " " + nowMicros());
            }
        }
    }

    private static void update(
            Instance instance, EntityTable table, java.util.function.Function<TableLayout, List<LocalityGroup>> next) {
        while (true) {
            TableLayout now = instance.layouts().get(table.name()).version().layout();
            try {
                instance.updateLayout(now.toUpdate().withGroups(next.apply(now)));
                return;
            } catch (EntityException e) {
                if (e.error() != EntityError.LAYOUT_CONFLICT) {
                    throw e;
                }
            }
        }
    }
}
