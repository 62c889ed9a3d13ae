package io.polytable.entity.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.entity.filter.ColumnFilter;
import io.polytable.entity.key.EntityId;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.read.ColumnPager;
import io.polytable.entity.read.EntityCell;
import io.polytable.entity.read.EntityRow;
import io.polytable.entity.read.RowScanner;
import io.polytable.entity.request.ColumnRequest;
import io.polytable.entity.request.DataRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Column filters, and large columns and families in pages. */
abstract class PageContract extends RowContract {
    /** An entity with three versions of its columns. */
    EntityId filled() {
        EntityId id = someone();
        for (long time = 1; time <= 3; time++) {
            users.writer().put(id, "info:name", time, "n" + time);
            users.writer().put(id, "info:email", time, "e" + time);
            users.writer().put(id, "tags:a", time, "a" + time);
            users.writer().put(id, "tags:b", time, "b" + time);
        }
        users.writer().put(id, "state:now", 2, "here");
        return id;
    }

    @Test
    void columnFiltersAreAppliedBeforeVersionsAreCounted() {
        EntityId id = someone();
        for (String tag : List.of("apple", "apricot", "banana", "cherry")) {
            users.writer().put(id, "tags:" + tag, 1, tag + "1");
            users.writer().put(id, "tags:" + tag, 2, tag + "2");
        }
        assertThat(filtered(
                        id,
                        new ColumnFilter.Range(
                                java.util.Optional.of("apricot"), true, java.util.Optional.of("cherry"), false)))
                .containsExactly("apricot", "banana");
        assertThat(filtered(id, ColumnFilter.Matches.of("a.*"))).containsExactly("apple", "apricot");
        assertThat(filtered(id, new ColumnFilter.Not(ColumnFilter.Matches.of("a.*"))))
                .containsExactly("banana", "cherry");
        assertThat(filtered(
                        id,
                        new ColumnFilter.Or(
                                List.of(ColumnFilter.Matches.of("apple"), ColumnFilter.Range.of("c", "d")))))
                .containsExactly("apple", "cherry");
        users.writer().put(id, "info:name", "x");
        users.writer().put(id, "info:email", "y");
        EntityRow row =
                users.reader().get(id, DataRequest.of(ColumnRequest.of("info").filter(ColumnFilter.Matches.of("n.*"))));
        assertThat(row.qualifiers("info")).containsExactly("name");
    }

    private Iterable<String> filtered(EntityId id, ColumnFilter filter) {
        EntityRow row = users.reader()
                .get(id, DataRequest.of(ColumnRequest.of("tags").filter(filter).allVersions()));
        row.familyCells("tags").values().forEach(cells -> assertThat(cells).hasSize(2));
        return row.qualifiers("tags");
    }

    @Test
    void valuesCanBeLeftOutOrMeasured() {
        EntityId id = someone();
        users.writer().put(id, "info:photo", new byte[1000]);
        EntityRow without = users.reader()
                .get(id, DataRequest.of(ColumnRequest.of("info:photo").withoutValues()));
        assertThat(without.cell("info:photo")).hasValueSatisfying(cell -> {
            assertThat(cell.stored().isEmpty()).isTrue();
            assertRefused(EntityError.BAD_REQUEST, cell::value);
        });
        EntityRow sizes = users.reader()
                .get(id, DataRequest.of(ColumnRequest.of("info:photo").sizes()));
        assertThat(sizes.cell("info:photo").map(EntityCell::storedBytes)).contains(1000L);
    }

    @Test
    void aLargeFamilyIsReadInPages() {
        EntityId id = someone();
        for (int i = 0; i < 25; i++) {
            users.writer().put(id, "tags:t" + (100 + i), 1, "v" + i);
            users.writer().put(id, "tags:t" + (100 + i), 2, "w" + i);
        }
        EntityRow row = users.reader()
                .get(id, DataRequest.of(ColumnRequest.of("tags").versions(2).paged(7)));
        assertThat(row.isEmpty()).as("paged columns are not read with the row").isTrue();
        List<String> seen = new ArrayList<>();
        ColumnPager pager = row.pager("tags");
        for (List<EntityCell> page = pager.next(); !page.isEmpty(); page = pager.next()) {
            assertThat(page).hasSizeLessThanOrEqualTo(7);
            page.forEach(cell -> seen.add(cell.column().column() + cell.value(String.class)));
        }
        List<String> wanted = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            wanted.add("t" + (100 + i) + "w" + i);
            wanted.add("t" + (100 + i) + "v" + i);
        }
        assertThat(seen).isEqualTo(wanted);
        assertThat(row.iterate("tags")).hasSize(50);
        assertThat(row.iterate("tags")).as("a second time").hasSize(50);
        EntityRow newest =
                users.reader().get(id, DataRequest.of(ColumnRequest.of("tags").paged(4)));
        assertThat(newest.iterate("tags"))
                .extracting(EntityCell::timestamp)
                .hasSize(25)
                .containsOnly(2L);
    }

    @Test
    void versionsOfAColumnAreReadInPages() {
        EntityId id = someone();
        for (long time = 1; time <= 5; time++) {
            users.writer().put(id, "info:name", time, "v" + time);
        }
        EntityRow row = users.reader()
                .get(
                        id,
                        DataRequest.of(
                                ColumnRequest.of("info:name").allVersions().paged(2)));
        ColumnPager pager = row.pager("info:name");
        assertThat(pager.next()).extracting(EntityCell::timestamp).containsExactly(5L, 4L);
        assertThat(pager.next(1)).extracting(EntityCell::timestamp).containsExactly(3L);
        assertThat(pager.next()).extracting(EntityCell::timestamp).containsExactly(2L, 1L);
        assertThat(pager.next()).isEmpty();
        assertRefused(EntityError.BAD_REQUEST, () -> get(id, "info").pager("info"));
    }

    @Test
    void aPagerOfOneColumnOfAPagedFamilyHasThatColumn() {
        EntityId id = filled();
        EntityRow row = users.reader()
                .get(
                        id,
                        DataRequest.of(
                                ColumnRequest.of("tags").allVersions().paged(2),
                                ColumnRequest.of("info")
                                        .filter(ColumnFilter.Matches.of("e.*"))
                                        .paged(2)));
        assertThat(row.iterate("tags:a"))
                .extracting(cell -> cell.value(String.class))
                .containsExactly("a3", "a2", "a1");
        assertThat(row.iterate("info:email")).hasSize(1);
        assertThat(row.iterate("info:name")).isEmpty();
    }

    /** Also filters that a store cannot decide itself are decided before cells are counted. */
    @Test
    void pagesAndScansLeaveOutNothingThatAFilterAccepts() {
        EntityId id = someone();
        for (int i = 0; i < 10; i++) {
            users.writer().put(id, "tags:a" + i, 1, "a");
            users.writer().put(id, "tags:z" + i, 1, "z");
        }
        for (ColumnFilter filter : List.of(
                ColumnFilter.Matches.of("(?x) z . # a comment"),
                new ColumnFilter.Not(ColumnFilter.Matches.of("(?x) a . # a comment")))) {
            DataRequest request =
                    DataRequest.of(ColumnRequest.of("tags").filter(filter).paged(3));
            EntityRow row = users.reader().get(id, request);
            assertThat(row.iterate("tags"))
                    .extracting(cell -> cell.column().column())
                    .hasSize(10)
                    .allMatch(name -> name.startsWith("z"));
            try (RowScanner scanner = users.reader().scan(request)) {
                List<EntityId> found = new ArrayList<>();
                scanner.forEachRemaining(next -> found.add(next.id()));
                assertThat(found).contains(id);
            }
        }
    }
}
