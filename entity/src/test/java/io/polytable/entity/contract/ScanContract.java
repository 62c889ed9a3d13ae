package io.polytable.entity.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.entity.EntityTable;
import io.polytable.entity.filter.ColumnFilter;
import io.polytable.entity.key.EntityRange;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.read.EntityRow;
import io.polytable.entity.read.RowScanner;
import io.polytable.entity.request.ColumnRequest;
import io.polytable.entity.request.DataRequest;
import io.polytable.entity.request.RowFilter;
import io.polytable.entity.request.RowFilterJson;
import io.polytable.entity.request.ScanOptions;
import io.polytable.entity.store.Partition;
import io.polytable.entity.write.BufferedWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Scans, over a table that is filled once: three users with ten events each, and details of some of them. */
abstract class ScanContract extends ChangeContract {
    protected EntityTable events;

    @BeforeAll
    void fill() {
        events = instance.createTable(ContractTables.events());
        try (BufferedWriter writer = events.bufferedWriter()) {
            for (String user : List.of("ann", "bob", "cid")) {
                for (long number = 0; number < 10; number++) {
                    var id = number == 5 ? events.id(user, number, 1) : events.id(user, number);
                    writer.put(id, "event:what", number % 2 == 0 ? "even" : "odd");
                    if (number < 3) {
                        writer.put(id, "event:cost", number);
                    }
                    if (number == 4) {
                        writer.put(id, "detail:a", "x");
                        writer.put(id, "detail:b", "y");
                    }
                }
            }
            writer.put(events.id("dan", -1L), "detail:only", "z");
        }
    }

    private List<String> ids(DataRequest request, ScanOptions options) {
        List<String> ids = new ArrayList<>();
        try (RowScanner scanner = events.reader().scan(request, options)) {
            scanner.forEachRemaining(row -> ids.add(row.id().toString()));
        }
        return ids;
    }

    @Test
    void aScanIsInTheOrderOfComponents() {
        List<String> ids = ids(DataRequest.of("event:what"), ScanOptions.ALL.batch(7));
        assertThat(ids).hasSize(30);
        assertThat(ids.subList(0, 12))
                .containsExactly(
                        "[\"ann\",0,null]",
                        "[\"ann\",1,null]",
                        "[\"ann\",2,null]",
                        "[\"ann\",3,null]",
                        "[\"ann\",4,null]",
                        "[\"ann\",5,1]",
                        "[\"ann\",6,null]",
                        "[\"ann\",7,null]",
                        "[\"ann\",8,null]",
                        "[\"ann\",9,null]",
                        "[\"bob\",0,null]",
                        "[\"bob\",1,null]");
    }

    @Test
    void aScanFindsEntitiesWhoseOtherFamiliesAreEmpty() {
        DataRequest both = DataRequest.of("event", "detail");
        assertThat(ids(both, ScanOptions.ALL)).hasSize(31).endsWith("[\"dan\",-1,null]");
        assertThat(ids(DataRequest.of("detail"), ScanOptions.ALL))
                .containsExactly("[\"ann\",4,null]", "[\"bob\",4,null]", "[\"cid\",4,null]", "[\"dan\",-1,null]");
        try (RowScanner scanner = events.reader().scan(both)) {
            for (EntityRow row : scanner.rows()) {
                boolean hasDetail = row.id().toString().contains(",4,")
                        || row.id().toString().contains("dan");
                assertThat(row.has("detail")).isEqualTo(hasDetail);
                assertThat(row.has("event:what")).isEqualTo(!row.id().toString().contains("dan"));
            }
        }
        assertThat(ids(DataRequest.EMPTY, ScanOptions.ALL)).hasSize(31);
    }

    @Test
    void aRangeOfKeysIsScanned() {
        DataRequest what = DataRequest.of("event:what");
        assertThat(ids(what, ScanOptions.ALL.range(events.startingWith("bob")))).hasSize(10);
        assertThat(ids(what, ScanOptions.ALL.range(events.startingWith("bob", 5L))))
                .containsExactly("[\"bob\",5,1]");
        EntityRange range = EntityRange.between(events.id("ann", 8L), events.id("bob", 2L));
        assertThat(ids(what, ScanOptions.ALL.range(range)))
                .containsExactly("[\"ann\",8,null]", "[\"ann\",9,null]", "[\"bob\",0,null]", "[\"bob\",1,null]");
        assertThat(ids(what, ScanOptions.ALL.range(events.startingWith("zoe")))).isEmpty();
    }

    @Test
    void aScanStopsAtItsLimitAndGoesOnAtItsToken() {
        DataRequest what = DataRequest.of("event:what");
        List<String> whole = ids(what, ScanOptions.ALL);
        List<String> pieces = new ArrayList<>();
        Optional<String> token = Optional.empty();
        while (true) {
            ScanOptions options = ScanOptions.ALL.limit(4).batch(3);
            options = token.isPresent() ? options.resumedAt(token.get()) : options;
            try (RowScanner scanner = events.reader().scan(what, options)) {
                if (!scanner.hasNext()) {
                    break;
                }
                scanner.forEachRemaining(row -> pieces.add(row.id().toString()));
                token = scanner.token();
            }
        }
        assertThat(pieces).isEqualTo(whole);
        assertRefused(
                EntityError.BAD_REQUEST,
                () -> events.reader()
                        .scan(what, ScanOptions.ALL.resumedAt("no token"))
                        .close());
    }

    @Test
    void rowFiltersDecideOnColumnsThatWereNotRequested() {
        DataRequest cost = DataRequest.of("event:cost");
        RowFilter even = new RowFilter.ColumnEquals(ColumnName.parse("event:what"), "even");
        List<String> found = ids(cost, ScanOptions.ALL.filter(even));
        assertThat(found).hasSize(6).allMatch(id -> id.contains(",0,") || id.contains(",2,"));
        RowFilter noDetail = new RowFilter.Not(new RowFilter.HasColumn(ColumnName.parse("detail")));
        assertThat(ids(DataRequest.of("event:what"), ScanOptions.ALL.filter(noDetail)))
                .hasSize(27);
        assertThat(ids(DataRequest.EMPTY, ScanOptions.ALL.filter(noDetail))).hasSize(27);
        RowFilter key = new RowFilter.KeyMatches(Arrays.asList(null, 5L));
        assertThat(ids(DataRequest.of("event:what"), ScanOptions.ALL.filter(key)))
                .containsExactly("[\"ann\",5,1]", "[\"bob\",5,1]", "[\"cid\",5,1]");
        RowFilter cheap = new RowFilter.ColumnEquals(ColumnName.parse("event:cost"), 1);
        RowFilter both = new RowFilter.Or(List.of(key, new RowFilter.And(List.of(cheap, new RowFilter.Not(even)))));
        RowFilter again = RowFilterJson.parse(RowFilterJson.write(both));
        assertThat(ids(DataRequest.of("event:what"), ScanOptions.ALL.filter(again)))
                .hasSize(6)
                .isEqualTo(ids(DataRequest.of("event:what"), ScanOptions.ALL.filter(both)));
    }

    @Test
    void aSampleIsAlwaysTheSame() {
        DataRequest what = DataRequest.of("event:what");
        List<String> half = ids(what, ScanOptions.ALL.filter(new RowFilter.Sample(0.5)));
        assertThat(half.size()).isBetween(5, 25);
        assertThat(ids(what, ScanOptions.ALL.filter(new RowFilter.Sample(0.5)))).isEqualTo(half);
        assertThat(ids(what, ScanOptions.ALL.filter(new RowFilter.Sample(0)))).isEmpty();
        assertThat(ids(what, ScanOptions.ALL.filter(new RowFilter.Sample(1)))).hasSize(30);
    }

    @Test
    void partitionsTogetherAreTheTable() {
        DataRequest what = DataRequest.of("event:what");
        List<String> whole = ids(what, ScanOptions.ALL);
        for (int wanted : new int[] {1, 2, 5, 40}) {
            List<String> together = new ArrayList<>();
            for (Partition partition : events.reader().partitions(wanted)) {
                together.addAll(ids(what, ScanOptions.ALL.partition(partition)));
            }
            assertThat(together).as("%d partitions", wanted).hasSize(30);
            assertThat(new TreeSet<>(together)).isEqualTo(new TreeSet<>(whole));
        }
    }

    @Test
    void pagesWithinRowsMixWithAScan() {
        DataRequest request = DataRequest.of(
                ColumnRequest.of("event:what"), ColumnRequest.of("detail").paged(1));
        int details = 0;
        try (RowScanner scanner = events.reader().scan(request, ScanOptions.ALL.range(events.startingWith("bob")))) {
            for (EntityRow row : scanner.rows()) {
                if (row.value("event:what", String.class).orElse("").equals("even")) {
                    var cells = row.iterate("detail").iterator();
                    while (cells.hasNext()) {
                        cells.next();
                        details++;
                    }
                }
            }
        }
        assertThat(details).isEqualTo(2);
        DataRequest only = DataRequest.of(ColumnRequest.of("detail").paged(1));
        assertThat(ids(only, ScanOptions.ALL)).hasSize(4);
    }

    @Test
    void anUnorderedTableIsScannedWhole() {
        TreeSet<String> wanted = new TreeSet<>();
        for (int i = 0; i < 20; i++) {
            var id = someone();
            users.writer().put(id, "INFO:Name", "scanned");
            wanted.add(id.toString());
        }
        RowFilter filter = new RowFilter.ColumnEquals(ColumnName.parse("INFO:Name"), "scanned");
        TreeSet<String> found = new TreeSet<>();
        try (RowScanner scanner = users.reader()
                .scan(DataRequest.of("INFO"), ScanOptions.ALL.filter(filter).batch(6))) {
            scanner.forEachRemaining(row -> found.add(row.id().toString()));
        }
        assertThat(found).isEqualTo(wanted);
    }

    @Test
    void aRowFilterLooksAtMoreThanTheRequestShows() {
        var id = events.id("zed", 1L);
        events.writer().put(id, "detail:a", 10, "old");
        events.writer().put(id, "detail:a", 20, "new");
        events.writer().put(id, "detail:b", 15, "other");
        RowFilter isNew = new RowFilter.ColumnEquals(ColumnName.parse("detail:a"), "new");
        ScanOptions options = ScanOptions.ALL.range(events.startingWith("zed")).filter(isNew);
        try {
            List<DataRequest> requests = List.of(
                    DataRequest.of(ColumnRequest.of("detail").allVersions()).between(5, 16),
                    DataRequest.of(ColumnRequest.of("detail").filter(ColumnFilter.Matches.of("b"))),
                    DataRequest.of(ColumnRequest.of("detail").withoutValues()),
                    DataRequest.of(ColumnRequest.of("detail").paged(1)),
                    DataRequest.of(ColumnRequest.of("detail:a").versions(2)));
            List<Integer> cells = List.of(2, 1, 2, 0, 2);
            for (int i = 0; i < requests.size(); i++) {
                try (RowScanner scanner = events.reader().scan(requests.get(i), options)) {
                    assertThat(scanner.hasNext()).as("request %d", i).isTrue();
                    assertThat(scanner.next().allCells()).as("request %d", i).hasSize(cells.get(i));
                }
            }
            RowFilter hasAny = new RowFilter.HasColumn(ColumnName.parse("detail"));
            DataRequest two = DataRequest.of(ColumnRequest.of("detail:a").versions(2));
            try (RowScanner scanner = events.reader().scan(two, options.filter(hasAny))) {
                assertThat(scanner.next().timestamps("detail:a")).containsExactly(20L, 10L);
            }
        } finally {
            events.writer().deleteRow(id);
        }
    }

    @Test
    void anOrderedTableTakesLargeValues() {
        var id = events.id("yon", 1L);
        String large = "x".repeat(200_000);
        events.atomicWriter()
                .begin(id)
                .put("event:what", large)
                .put("detail:a", "small")
                .commit();
        assertThat(events.reader().get(id, DataRequest.of("event")).value("event:what", String.class))
                .contains(large);
        assertThat(ids(DataRequest.of("detail"), ScanOptions.ALL.range(events.startingWith("yon"))))
                .hasSize(1);
        events.writer().deleteRow(id);
    }
}
