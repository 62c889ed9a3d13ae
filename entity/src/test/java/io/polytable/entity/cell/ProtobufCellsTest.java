package io.polytable.entity.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Int64Value;
import com.google.protobuf.StringValue;
import io.polytable.entity.Entities;
import io.polytable.entity.EntityTable;
import io.polytable.entity.Instance;
import io.polytable.entity.key.EntityId;
import io.polytable.entity.key.KeyFormat;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.ColumnLayout;
import io.polytable.entity.layout.FamilyLayout;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.read.EntityRow;
import io.polytable.entity.request.DataRequest;
import io.polytable.entity.uri.EntityUri;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Columns of Protobuf messages, also of a class that is not there. */
class ProtobufCellsTest {
    /** A table with a message and a text of one entity. */
    private static EntityTable written(Instance instance) {
        EntityTable table = instance.createTable(TableLayout.of(
                "t",
                new KeyFormat.Raw(),
                LocalityGroup.of(
                        "g",
                        FamilyLayout.group(
                                "f",
                                ColumnLayout.of("text", CellSchema.protobuf(StringValue.class.getName())),
                                ColumnLayout.of("name", CellSchema.avro("string"))))));
        EntityId id = table.id("a");
        table.writer().put(id, "f:text", StringValue.of("hello"));
        table.writer().put(id, "f:name", "Ada");
        return table;
    }

    @Test
    void messagesAreWrittenAndReadAsTheirClass(@TempDir Path directory) {
        EntityUri uri = EntityUri.embedded(directory.resolve("data")).withInstance("demo");
        Entities.install(uri);
        try (Instance instance = Entities.open(uri)) {
            EntityTable table = written(instance);
            EntityId id = table.id("a");
            EntityRow row = table.reader().get(id, DataRequest.of("f"));
            assertThat(row.value("f:text", StringValue.class)).contains(StringValue.of("hello"));
            assertThat(row.cell("f:text").orElseThrow().shown().value())
                    .isEqualTo(StringValue.of("hello").toByteArray());
            assertThatThrownBy(() -> table.writer().put(id, "f:text", Int64Value.of(1)))
                    .isInstanceOfSatisfying(
                            EntityException.class, e -> assertThat(e.error()).isEqualTo(EntityError.BAD_VALUE));
        }
    }

    @Test
    void aClassThatIsNotThereKeepsNobodyFromOtherColumns(@TempDir Path directory) {
        EntityUri uri = EntityUri.embedded(directory.resolve("data")).withInstance("demo");
        Entities.install(uri);
        try (Instance instance = Entities.open(uri)) {
            EntityTable table = written(instance);
            EntityId id = table.id("a");
            ClassLoader before = Thread.currentThread().getContextClassLoader();
            try (Instance again = Entities.open(uri)) {
                EntityTable there = again.table("t");
                Thread.currentThread().setContextClassLoader(new WithoutProtobuf(before));
                EntityRow row = there.reader().get(id, DataRequest.of("f"));
                assertThat(row.value("f:name", String.class)).contains("Ada");
                assertThat(row.has("f:text")).isTrue();
                assertThatThrownBy(() -> row.cell("f:text").orElseThrow().value())
                        .isInstanceOfSatisfying(
                                EntityException.class,
                                e -> assertThat(e.error()).isEqualTo(EntityError.BAD_VALUE));
                assertThat(ValueText.of(row.cell("f:text").orElseThrow().shown().value()))
                        .isEqualTo("0a0568656c6c6f");
            } finally {
                Thread.currentThread().setContextClassLoader(before);
            }
        }
    }

    private static final class WithoutProtobuf extends ClassLoader {
        WithoutProtobuf(ClassLoader parent) {
            super(parent);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.equals(StringValue.class.getName())) {
                throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
        }
    }
}
