package io.polytable.entity.meta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.entity.Entities;
import io.polytable.entity.EntityTable;
import io.polytable.entity.Instance;
import io.polytable.entity.ddl.DdlSession;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.model.Permission;
import io.polytable.entity.request.DataRequest;
import io.polytable.entity.uri.EntityUri;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Restores of metadata backups, and their refusals. */
class MetadataBackupTest {
    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init") // before each test
    private EntityUri uri;

    @BeforeEach
    void create() {
        uri = EntityUri.embedded(directory.resolve("data")).withInstance("demo");
        try (DdlSession session = new DdlSession(uri, new PrintWriter(new StringWriter()))) {
            session.run("""
                    CREATE INSTANCE demo PROPERTIES ('owner' = 'me'); CREATE INSTANCE copy;
                    CREATE TABLE t ROW KEY FORMAT RAW WITH LOCALITY GROUP g (FAMILY f (a "string", b "long"));
                    ALTER TABLE t RENAME COLUMN f:a AS f:c;""");
        }
    }

    private static void fill(Instance instance) {
        EntityTable table = instance.table("t");
        table.writer().put(table.id("row"), "f:c", "value");
        table.notes().set(ColumnName.parse("f:c"), "about", "text");
        instance.permissions().grant("ann", Optional.of("t"), Set.of(Permission.READ));
    }

    @Test
    void anInstanceIsMadeAgainWithTheSameIds() {
        String backup;
        TableLayout layout;
        try (Instance demo = Entities.open(uri)) {
            fill(demo);
            layout = demo.table("t").layout();
            backup = demo.backup(MetadataBackup.everything());
        }
        try (Instance copy = Entities.open(uri.withInstance("copy"))) {
            assertThat(copy.restore(backup, MetadataBackup.everything())).contains("restored table t");
            assertThat(copy.table("t").layout()).isEqualTo(layout);
            assertThat(copy.layouts().history("t", 10)).hasSize(2);
            assertThat(copy.system().get("owner")).contains("me");
            assertThat(copy.table("t").notes().get(ColumnName.parse("f:c"), "about"))
                    .contains("text");
            assertThat(copy.permissions().of("ann", Optional.of("t"))).containsExactly(Permission.READ);
            // The renamed column has its old id, and schemas their numbers: rows written before are readable.
            EntityTable table = copy.table("t");
            table.writer().put(table.id("x"), "f:c", "y");
            assertThat(table.reader().get(table.id("x"), DataRequest.of("f")).value("f:c", String.class))
                    .contains("y");
            long known = copy.schemas().list().size();
            assertThat(copy.schemas()
                            .register(new org.apache.avro.Schema.Parser().parse("\"boolean\""))
                            .id())
                    .isGreaterThanOrEqualTo(known);
            assertThat(copy.restore(backup, MetadataBackup.everything())).contains("table was there: t");
        }
    }

    @Test
    void whatDiffersIsRefusedBeforeAnythingIsWritten() {
        String backup;
        try (Instance demo = Entities.open(uri)) {
            fill(demo);
            backup = demo.backup(MetadataBackup.everything());
            demo.updateLayout(demo.table("t").layout().toUpdate().withDescription("later"));
            demo.system().put("owner", "you");
            assertThatThrownBy(() -> demo.restore(backup, MetadataBackup.everything()))
                    .isInstanceOfSatisfying(
                            EntityException.class, e -> assertThat(e.error()).isEqualTo(EntityError.LAYOUT_CONFLICT));
            assertThat(demo.system().get("owner")).contains("you");
            demo.restore(backup, EnumSet.of(MetadataBackup.Part.SYSTEM));
            assertThat(demo.system().get("owner")).contains("me");
            assertThat(demo.table("t").layout().description()).isEqualTo("later");
            assertThatThrownBy(() -> demo.restore("{}", MetadataBackup.everything()))
                    .hasMessageContaining("Not a backup");
            assertThatThrownBy(() -> demo.restore("{", MetadataBackup.everything()))
                    .hasMessageContaining("Not JSON");
        }
    }
}
