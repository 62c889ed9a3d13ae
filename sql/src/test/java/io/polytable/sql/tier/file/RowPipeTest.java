package io.polytable.sql.tier.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.sql.model.row.StoredRow;
import io.polytable.sql.tier.storage.StorageFailure;
import io.polytable.table.Bytes;
import io.polytable.table.RowKey;
import io.polytable.table.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A segment file whose writer thread fails, blocks or is abandoned. */
@Timeout(60)
class RowPipeTest {
    /** More rows than the queue holds. */
    private static final int MANY = 50_000;

    private static final StoredRow ROW =
            new StoredRow(new RowKey(Bytes.utf8("k"), 1), new Object[0], Instant.EPOCH, false);

    @TempDir
    private Path directory = Path.of("");

    private final AtomicInteger written = new AtomicInteger();

    /** Called for each row with its number. */
    private interface Row {
        void write(int number);
    }

    private ParquetWriter<StoredRow> writer(Row row) throws IOException {
        return new Builder(new LocalOutputFile(directory.resolve("file")), number -> {
                    row.write(number);
                    written.set(number);
                })
                .withConf(new PlainParquetConfiguration())
                .build();
    }

    private static void writeMany(RowPipe pipe) {
        for (int i = 0; i < MANY; i++) {
            pipe.write(ROW, 1);
        }
        pipe.finish();
    }

    @Test
    void allRowsAreWrittenWhenItEnds() throws IOException {
        try (ParquetWriter<StoredRow> writer = writer(number -> {})) {
            writeMany(new RowPipe(writer));
            assertThat(written).hasValue(MANY);
        }
    }

    @Test
    void aFailureIsTheCallersAndStopsNobody() throws IOException {
        try (ParquetWriter<StoredRow> writer = writer(number -> {
            if (number == 700) {
                throw new UncheckedIOException(new IOException("The disk is full"));
            }
        })) {
            RowPipe pipe = new RowPipe(writer);
            assertThatThrownBy(() -> writeMany(pipe))
                    .isInstanceOf(RuntimeException.class)
                    .hasStackTraceContaining("The disk is full");
            pipe.abandon();
            assertThat(written).hasValue(699);
        }
    }

    @Test
    void anErrorOfTheLastRowIsToldAtTheEnd() throws IOException {
        try (ParquetWriter<StoredRow> writer = writer(number -> {
            if (number == MANY) {
                throw new AssertionError("ours");
            }
        })) {
            assertThatThrownBy(() -> writeMany(new RowPipe(writer))).hasStackTraceContaining("ours");
        }
    }

    @Test
    void oneThatIsToldToStopLeavesTheWriterWhole() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        try (ParquetWriter<StoredRow> writer = writer(number -> {
            if (number == 10) {
                reached.countDown();
                awaited(go);
            }
        })) {
            RowPipe pipe = new RowPipe(writer);
            Thread caller = Thread.currentThread();
            Thread stopping = new Thread(() -> {
                awaited(reached);
                caller.interrupt();
            });
            stopping.start();
            assertThatThrownBy(() -> writeMany(pipe)).isInstanceOf(StorageFailure.class);
            assertThat(Thread.interrupted()).as("the stop is not forgotten").isTrue();
            stopping.join();
            // The row in progress ends only after the queue was cleared: abandon() then waits for the thread.
            Thread releasing = new Thread(() -> {
                Await.until("the pipe waits for its thread", () -> caller.getState() == Thread.State.WAITING);
                go.countDown();
            });
            releasing.start();
            pipe.abandon();
            releasing.join();
            int last = written.get();
            assertThat(last)
                    .as("what was handed over and not begun is left out")
                    .isBetween(10, 500);
            writer.write(ROW);
            assertThat(written).as("the writer is the caller's again").hasValue(last + 1);
        }
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class Builder extends ParquetWriter.Builder<StoredRow, Builder> {
        private final Row row;

        Builder(OutputFile file, Row row) {
            super(file);
            this.row = row;
        }

        @Override
        protected Builder self() {
            return this;
        }

        @Override
        @SuppressWarnings("deprecation") // It is abstract: nobody calls it.
        protected WriteSupport<StoredRow> getWriteSupport(Configuration configuration) {
            return new Support(row);
        }

        @Override
        protected WriteSupport<StoredRow> getWriteSupport(ParquetConfiguration configuration) {
            return new Support(row);
        }
    }

    /** Rows of one number. */
    private static final class Support extends WriteSupport<StoredRow> {
        private static final MessageType SCHEMA = Types.buildMessage()
                .addField(Types.required(PrimitiveTypeName.INT32).named("number"))
                .named("row");

        private final Row row;
        private RecordConsumer[] consumer = new RecordConsumer[0];
        private int number;

        Support(Row row) {
            this.row = row;
        }

        @Override
        @SuppressWarnings("deprecation") // It is abstract: nobody calls it.
        public WriteContext init(Configuration configuration) {
            return new WriteContext(SCHEMA, Map.of());
        }

        @Override
        public WriteContext init(ParquetConfiguration configuration) {
            return new WriteContext(SCHEMA, Map.of());
        }

        @Override
        public void prepareForWrite(RecordConsumer recordConsumer) {
            consumer = new RecordConsumer[] {recordConsumer};
        }

        @Override
        public void write(StoredRow unused) {
            row.write(++number);
            consumer[0].startMessage();
            consumer[0].startField("number", 0);
            consumer[0].addInteger(number);
            consumer[0].endField("number", 0);
            consumer[0].endMessage();
        }
    }
}
