package io.polytable.entity.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.entity.Entities;
import io.polytable.entity.EntityTable;
import io.polytable.entity.Instance;
import io.polytable.entity.filter.ColumnFilter;
import io.polytable.entity.key.EntityRange;
import io.polytable.entity.key.KeyFormat;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.FamilyLayout;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.store.CellEdit;
import io.polytable.entity.store.CellTimes;
import io.polytable.entity.store.ColumnPlace;
import io.polytable.entity.store.ColumnQuery;
import io.polytable.entity.store.EntityStore;
import io.polytable.entity.store.RowChange;
import io.polytable.entity.store.RowQuery;
import io.polytable.entity.store.ScanQuery;
import io.polytable.entity.store.ValueMode;
import io.polytable.entity.uri.EntityUri;
import io.polytable.entity.wire.ChangeCodec;
import io.polytable.entity.wire.LayoutFingerprint;
import io.polytable.entity.wire.QueryCodec;
import io.polytable.entity.wire.StoreCall;
import io.polytable.table.Bytes;
import io.polytable.table.codec.BytesWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Malformed calls of any kind get an error, and do no harm. */
class StoreServiceTest {
    private static final int ROUNDS = 20_000;
    private static final Bytes KEY = Bytes.utf8("row");

    @TempDir
    Path directory;

    private static Bytes call(StoreCall kind, Consumer<BytesWriter> words) {
        BytesWriter out = new BytesWriter().u8(StoreCall.VERSION).u8(kind.number());
        words.accept(out);
        return out.toBytes();
    }

    private static List<Bytes> calls(TableLayout layout) {
        String print = LayoutFingerprint.of(layout);
        ColumnPlace place = new ColumnPlace("g", "f", "x");
        ColumnQuery column = new ColumnQuery(
                "g",
                "f",
                Optional.empty(),
                CellTimes.ALL,
                3,
                Optional.of(new ColumnFilter.And(List.of(
                        ColumnFilter.Matches.of("x.*"), new ColumnFilter.Not(ColumnFilter.Range.of("y", "z"))))),
                ValueMode.FULL,
                10,
                Optional.empty());
        RowQuery query = new RowQuery(List.of(column));
        Consumer<BytesWriter> table = out -> out.text("demo").text("t").text(print);
        RowChange put = RowChange.of(KEY, new CellEdit.Put(place, 5, KEY, 0));
        return List.of(
                call(StoreCall.GET_RECORD, out -> out.text("demo").text("table/t")),
                call(StoreCall.RECORDS, out -> out.text("demo").text("table/")),
                call(
                        StoreCall.REPLACE_RECORD,
                        out -> out.text("demo").text("free/x").u8(0).sized(KEY)),
                call(StoreCall.PREPARE, out -> out.text("demo").text(layout.toJson())),
                call(StoreCall.PARTITIONS, out -> {
                    table.accept(out);
                    out.i32(4);
                }),
                call(StoreCall.GET, out -> {
                    table.accept(out);
                    out.varint(1).sized(KEY);
                    QueryCodec.write(out, query);
                }),
                call(StoreCall.WRITE, out -> {
                    table.accept(out);
                    out.varint(1);
                    ChangeCodec.write(out, put);
                }),
                call(StoreCall.WRITE_ALL, out -> {
                    table.accept(out);
                    out.varint(1);
                    ChangeCodec.write(out, put);
                }),
                call(StoreCall.SCAN, out -> {
                    table.accept(out);
                    out.i32(10).u8(0);
                    QueryCodec.write(out, new ScanQuery(EntityRange.ALL, Optional.empty(), query, Optional.empty()));
                }));
    }

    private static Bytes damaged(Bytes call, Random random) {
        byte[] bytes = call.toByteArray();
        switch (random.nextInt(3)) {
            case 0 -> bytes = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
            case 1 -> bytes = Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(8));
            default -> {}
        }
        // The first two bytes say what is called: without them nothing else would be tried.
        for (int i = random.nextInt(4); i > 0 && bytes.length > 2; i--) {
            bytes[2 + random.nextInt(bytes.length - 2)] = (byte) random.nextInt(256);
        }
        return Bytes.of(bytes);
    }

    @Test
    void brokenCallsAreAnswered() {
        EntityUri uri = EntityUri.embedded(directory.resolve("data")).withInstance("demo");
        Entities.install(uri);
        try (Instance instance = Entities.open(uri);
                EntityStore store = Entities.connect(uri)) {
            EntityTable table = instance.createTable(TableLayout.of(
                    "t", new KeyFormat.Raw(), LocalityGroup.of("g", FamilyLayout.map("f", CellSchema.bytes()))));
            StoreService service = new StoreService(store);
            List<Bytes> calls = calls(table.layout());
            for (Bytes call : calls) {
                assertThat(service.answer(call).at(0)).as("a whole call").isZero();
            }
            List<Integer> answers = new ArrayList<>();
            for (int seed = 0; seed < ROUNDS; seed++) {
                Random random = new Random(seed);
                Bytes call = damaged(calls.get(random.nextInt(calls.size())), random);
                try {
                    answers.add((int) service.answer(call).at(0));
                } catch (RuntimeException e) {
                    throw new AssertionError("seed " + seed, e);
                }
            }
            assertThat(answers).contains(0, 1).containsOnly(0, 1);
            for (Bytes call : calls.subList(5, calls.size())) {
                assertThat(service.answer(call).at(0))
                        .as("the table is unharmed")
                        .isZero();
            }
        }
    }
}
