package io.polytable.cells.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.cells.Cell;
import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.CellKind;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.KeepDeleted;
import io.polytable.cells.RowRange;
import io.polytable.cells.TimeRange;
import io.polytable.cells.read.CellScanner;
import io.polytable.cells.request.Condition;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.Edit.Append;
import io.polytable.cells.request.Edit.Delete;
import io.polytable.cells.request.Edit.DeleteRow;
import io.polytable.cells.request.Edit.Increment;
import io.polytable.cells.request.Edit.Put;
import io.polytable.cells.request.FamilySelection;
import io.polytable.cells.request.FilterDecision;
import io.polytable.cells.request.ResumePoint;
import io.polytable.cells.request.RowWrite;
import io.polytable.cells.request.ScanRequest;
import io.polytable.cells.request.ScanStep;
import io.polytable.cells.request.Selection;
import io.polytable.cells.request.StepLimit;
import io.polytable.cells.request.WriteResult;
import io.polytable.table.Bytes;
import io.polytable.table.TableName;
import io.polytable.table.codec.BytesWriter;
import io.polytable.table.testkit.ManualClock;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * A random history of writes, reads and compactions on one table, each answer compared with {@link PlainCells}. The seed
 * alone repeats it.
 */
public final class CellHistory {
    private static final TableName NAME = new TableName("default", "history");
    private static final Bytes A = Bytes.utf8("a");
    private static final Bytes B = Bytes.utf8("b");

    private static final List<Condition.Relation> RELATIONS = List.of(Condition.Relation.values());

    private final long seed;
    private final Random random;
    private final ManualClock clock;
    private final CellTableSpec spec;
    private final PlainCells oracle;
    private CellStore store;
    private CellTable table;
    private int step;

    public CellHistory(long seed, CellStore store, ManualClock clock) {
        this.seed = seed;
        this.store = store;
        this.clock = clock;
        random = new Random(seed);
        spec = CellTableSpec.of(NAME, family(A), family(B));
        oracle = new PlainCells(spec);
        table = store.create(spec);
    }

    private FamilySpec family(Bytes name) {
        int max = 1 + random.nextInt(4);
        FamilySpec family = FamilySpec.of(name).withVersions(0, max);
        if (random.nextInt(3) == 0) {
            family = family.withTtlMillis(1000L + random.nextInt(20_000));
            family = family.withVersions(random.nextInt(max + 1), max);
        }
        KeepDeleted[] all = KeepDeleted.values();
        return family.withKeepDeleted(all[random.nextInt(all.length)]);
    }

    /** The same table in a store that was opened again. */
    public void reopened(CellStore again) {
        store = again;
        table = again.table(NAME);
        assertThat(table.spec()).isEqualTo(spec);
    }

    public void run(int steps) {
        for (int i = 0; i < steps; i++) {
            step++;
            clock.advance(Duration.ofMillis(2 + random.nextInt(random.nextInt(20) == 0 ? 3000 : 30)));
            int choice = random.nextInt(100);
            if (choice < 55) {
                write();
            } else if (choice < 75) {
                get();
            } else if (choice < 97) {
                scan();
            } else {
                boolean markers = random.nextBoolean();
                store.compact(NAME, markers);
                oracle.compact(markers, now());
            }
        }
    }

    private String where() {
        return "seed " + seed + ", step " + step;
    }

    private long now() {
        return clock.millis();
    }

    private Bytes row() {
        return Bytes.utf8(List.of("r", "r\0", "r1", "r2", "s\0t").get(random.nextInt(5)));
    }

    private Bytes family() {
        return random.nextBoolean() ? A : B;
    }

    private Bytes qualifier() {
        return Bytes.utf8(List.of("", "\0", "p", "q", "qq").get(random.nextInt(5)));
    }

    private long timestamp() {
        return random.nextInt(4) == 0 ? Cell.LATEST : now() - 6000 + 500L * random.nextInt(20);
    }

    private long ttl() {
        return random.nextInt(8) == 0 ? 1 + random.nextInt(8000) : Cell.NO_TTL;
    }

    private Bytes value() {
        return random.nextInt(3) == 0 ? counter(random.nextInt(100)) : Bytes.utf8("v" + random.nextInt(30));
    }

    private static Bytes counter(long value) {
        return new BytesWriter(8).i64(value).toBytes();
    }

    private void write() {
        Bytes row = row();
        List<Edit> edits = new ArrayList<>();
        for (int left = 1 + random.nextInt(4); left > 0; left--) {
            edits.add(edit());
        }
        RowWrite write = RowWrite.of(row, edits);
        Bytes family = family();
        Bytes qualifier = qualifier();
        Bytes expected = value();
        Condition.Relation relation = RELATIONS.get(random.nextInt(RELATIONS.size()));
        boolean conditional = random.nextInt(4) == 0;
        boolean absent = random.nextInt(3) == 0;
        if (conditional) {
            write = write.when(
                    absent
                            ? new Condition.Absent(family, qualifier)
                            : new Condition.Compares(family, qualifier, relation, expected));
        }
        Optional<Cell> checked = conditional ? newest(row, family, qualifier) : Optional.empty();
        boolean holds = !conditional
                || (absent
                        ? checked.isEmpty()
                        : checked.isPresent()
                                && relation.holds(checked.get().value().compareTo(expected)));
        Optional<List<Cell>> after = holds ? onOracle(row, edits, checked) : Optional.of(List.of());
        if (after.isEmpty()) {
            RowWrite refused = write;
            assertThat(failure(refused)).as(where()).isEqualTo(CellError.NOT_A_COUNTER);
            return;
        }
        assertThat(table.write(write)).as("%s, %s", where(), write).isEqualTo(new WriteResult(holds, after.get()));
    }

    private CellError failure(RowWrite write) {
        try {
            table.write(write);
        } catch (CellException e) {
            return e.error();
        }
        throw new AssertionError(where() + ": not refused: " + write);
    }

    private Edit edit() {
        Bytes family = family();
        return switch (random.nextInt(14)) {
            case 0 -> Delete.version(family, qualifier(), timestamp());
            case 1 -> Delete.column(family, qualifier(), timestamp());
            case 2 ->
                random.nextInt(3) > 0 ? Delete.familyVersion(family, timestamp()) : Delete.family(family, timestamp());
            case 3 ->
                random.nextInt(4) > 0 ? Delete.version(family, qualifier(), Cell.LATEST) : new DeleteRow(timestamp());
            case 4 -> new Increment(family, qualifier(), random.nextInt(10));
            case 5 -> new Append(family, qualifier(), Bytes.utf8("+"));
            default -> new Put(family, qualifier(), timestamp(), value(), ttl());
        };
    }

    /** Applies the edits; the cells of increments and appends, or empty when one is refused and nothing is done. */
    private Optional<List<Cell>> onOracle(Bytes row, List<Edit> edits, Optional<Cell> checked) {
        long time = Math.max(now(), checked.map(Cell::timestamp).orElse(0L));
        List<Cell> puts = new ArrayList<>();
        List<Cell> replaced = new ArrayList<>();
        List<Delete> newestDeleted = new ArrayList<>();
        List<Cell> answered = new ArrayList<>();
        for (Edit edit : edits) {
            if (edit instanceof Put put) {
                long at = put.timestamp() == Cell.LATEST ? time : put.timestamp();
                puts.add(new Cell(row, put.family(), put.qualifier(), at, CellKind.PUT, put.value(), put.ttlMillis()));
            } else if (edit instanceof Delete delete) {
                puts.add(marker(row, delete, newestDeleted, time));
            } else if (edit instanceof DeleteRow delete) {
                long at = delete.timestamp() == Cell.LATEST ? time : delete.timestamp();
                for (Bytes family : List.of(A, B)) {
                    puts.add(new Cell(row, family, Bytes.EMPTY, at, CellKind.DELETE_FAMILY, Bytes.EMPTY));
                }
            } else {
                Optional<Cell> after = counted(row, edit, time, replaced);
                if (after.isEmpty()) {
                    return Optional.empty();
                }
                puts.add(after.get());
                answered.add(after.get());
            }
        }
        replaced.forEach(oracle::remove);
        puts.forEach(oracle::put);
        return Optional.of(answered.stream().sorted().toList());
    }

    private Cell marker(Bytes row, Delete delete, List<Delete> newestDeleted, long time) {
        long at = delete.timestamp() == Cell.LATEST ? time : delete.timestamp();
        if (delete.kind() == CellKind.DELETE_VERSION && delete.timestamp() == Cell.LATEST) {
            long earlier = newestDeleted.stream().filter(delete::equals).count();
            newestDeleted.add(delete);
            Selection column =
                    Selection.column(delete.family(), delete.qualifier()).withMaxVersions((int) earlier + 1);
            List<Cell> versions = oracle.read(row, column, now());
            at = versions.size() <= earlier ? time : versions.get((int) earlier).timestamp();
        }
        return new Cell(row, delete.family(), delete.qualifier(), at, delete.kind(), Bytes.EMPTY);
    }

    private Optional<Cell> newest(Bytes row, Bytes family, Bytes qualifier) {
        return oracle.read(row, Selection.column(family, qualifier), now()).stream()
                .findFirst();
    }

    private Optional<Cell> counted(Bytes row, Edit edit, long time, List<Cell> replaced) {
        Bytes family = edit instanceof Increment i ? i.family() : ((Append) edit).family();
        Bytes qualifier = edit instanceof Increment i ? i.qualifier() : ((Append) edit).qualifier();
        Optional<Cell> before = newest(row, family, qualifier);
        Bytes old = before.map(Cell::value).orElse(Bytes.EMPTY);
        Bytes value;
        if (edit instanceof Increment increment) {
            if (before.isPresent() && old.length() != 8) {
                return Optional.empty();
            }
            value = counter(
                    (before.isPresent() ? new BigInteger(old.toByteArray()).longValue() : 0) + increment.amount());
        } else {
            value = old.concat(((Append) edit).suffix());
        }
        long at = before.map(cell -> Math.max(cell.timestamp() + 1, time)).orElse(time);
        FamilySpec rules = spec.family(family).orElseThrow();
        if (rules.maxVersions() == 1) {
            before.ifPresent(cell -> oracle.older(cell).stream().limit(16).forEach(replaced::add));
        }
        long life = before.map(Cell::ttlMillis).orElse(Cell.NO_TTL);
        return Optional.of(new Cell(row, family, qualifier, at, CellKind.PUT, value, life));
    }

    private Selection selection() {
        Selection selection = Selection.ALL.withMaxVersions(1 + random.nextInt(5));
        if (random.nextInt(8) == 0) {
            return selection.asRaw();
        }
        if (random.nextInt(3) == 0) {
            selection = selection.with(family(), FamilySelection.WHOLE);
        }
        if (random.nextInt(3) == 0) {
            selection = selection.withColumns(family(), List.of(qualifier(), Bytes.utf8("q")));
        }
        if (random.nextInt(3) == 0) {
            long from = now() - random.nextInt(8000);
            selection = selection.withTimes(new TimeRange(from, from + random.nextInt(4000)));
        }
        if (random.nextInt(5) == 0) {
            selection = selection.withFamilyPage(random.nextInt(4), random.nextInt(3));
        }
        if (random.nextInt(4) == 0) {
            selection = selection.withFilter(
                    cell -> cell.value().hashCode() % 2 == 0 ? FilterDecision.SKIP : FilterDecision.INCLUDE);
        }
        return selection;
    }

    private void get() {
        Bytes row = row();
        Selection selection = selection();
        assertThat(table.get(row, selection).cells())
                .as("%s, %s of %s", where(), selection, row)
                .isEqualTo(oracle.read(row, selection, now()));
    }

    private void scan() {
        Bytes from = random.nextInt(3) == 0 ? row() : Bytes.EMPTY;
        Bytes to = random.nextInt(3) == 0 ? row() : Bytes.EMPTY;
        Selection selection = selection();
        ScanRequest request = ScanRequest.of(new RowRange(from, to), selection);
        if (random.nextBoolean()) {
            request = request.inReverse();
        }
        if (random.nextInt(3) == 0) {
            request = request.withBatchCells(1 + random.nextInt(3));
        }
        List<Bytes> rows = new ArrayList<>(oracle.rows());
        if (request.reversed()) {
            Collections.reverse(rows);
        }
        List<Cell> expected = new ArrayList<>();
        for (Bytes row : rows) {
            if (request.range().contains(row)) {
                expected.addAll(oracle.read(row, selection, now()));
            }
        }
        assertThat(scanned(request)).as("%s, %s", where(), request).isEqualTo(expected);
    }

    /** All cells of a scan in small steps, now and then in a new scan that continues where the last one stopped. */
    private List<Cell> scanned(ScanRequest request) {
        StepLimit limit = new StepLimit(
                1 + random.nextInt(3), 1 + random.nextInt(200), 1 + random.nextInt(20), true, () -> false);
        boolean resumes = random.nextBoolean();
        List<Cell> cells = new ArrayList<>();
        CellScanner scanner = table.scan(request);
        try {
            ScanStep result = scanner.next(limit);
            while (true) {
                result.rows().forEach(row -> cells.addAll(row.cells()));
                if (!result.hasMore()) {
                    return cells;
                }
                Optional<ResumePoint> position = scanner.position();
                if (resumes && position.isPresent()) {
                    scanner.close();
                    scanner = table.scan(request.resumedAt(position.get()));
                    limit = new StepLimit(limit.rows(), limit.bytes(), 10_000, true, () -> false);
                }
                result = scanner.next(limit);
            }
        } finally {
            scanner.close();
        }
    }
}
