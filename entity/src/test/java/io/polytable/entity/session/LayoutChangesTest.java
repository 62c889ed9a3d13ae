package io.polytable.entity.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.entity.Entities;
import io.polytable.entity.key.KeyFormat;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.FamilyLayout;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.meta.LayoutTable;
import io.polytable.entity.meta.MetadataBackup;
import io.polytable.entity.meta.Notes;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.model.Permission;
import io.polytable.entity.permit.Permissions;
import io.polytable.entity.store.EntityStore;
import io.polytable.entity.store.InstanceStore;
import io.polytable.entity.store.LayoutBoard;
import io.polytable.entity.store.StoreRecords;
import io.polytable.entity.store.StoredTable;
import io.polytable.entity.uri.EntityUri;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Table changes that a store refuses, or that are interrupted. */
class LayoutChangesTest {
    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init") // before each test
    private EntityStore store;

    @SuppressWarnings("NullAway.Init") // before each test
    private FailingInstance instance;

    @SuppressWarnings("NullAway.Init") // before each test
    private LayoutTable layouts;

    @SuppressWarnings("NullAway.Init") // before each test
    private LayoutChanges changes;

    @BeforeEach
    void create() {
        EntityUri uri = EntityUri.embedded(directory.resolve("data")).withInstance("demo");
        Entities.install(uri);
        store = Entities.connect(uri);
        instance = new FailingInstance(store.instance("demo"));
        layouts = new LayoutTable(instance.records(), InstantSource.system());
        changes = new LayoutChanges(instance, layouts);
        changes.create(TableLayout.of(
                "t",
                new KeyFormat.Raw(),
                LocalityGroup.of("g", FamilyLayout.map("f", CellSchema.json())).withMaxVersions(3)));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private TableLayout current() {
        return layouts.get("t").version().layout();
    }

    private TableLayout withVersions(int versions) {
        TableLayout update = current().toUpdate();
        return update.withGroups(List.of(update.groups().get(0).withMaxVersions(versions)));
    }

    private static void assertRefused(EntityError error, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        EntityException.class, e -> assertThat(e.error()).isEqualTo(error));
    }

    @Test
    void aStoreThatFailsInAnUpdateIsBroughtBack() {
        TableLayout before = current();
        instance.inPrepare = () -> {
            throw new EntityException(EntityError.STORE_FAILED, "as asked");
        };
        assertRefused(EntityError.STORE_FAILED, () -> changes.update(withVersions(9), false));
        assertThat(current()).isEqualTo(before);
        assertThat(instance.prepared).last().isEqualTo(before);
    }

    @Test
    void theLoserOfTwoUpdatesLeavesTheStoreToTheWinner() {
        TableLayout winner = withVersions(5);
        TableLayout loser = withVersions(9);
        instance.inPrepare = () -> changes.update(winner, false);
        assertRefused(EntityError.LAYOUT_CONFLICT, () -> changes.update(loser, false));
        assertThat(current().groups().get(0).maxVersions()).isEqualTo(5);
        assertThat(instance.prepared).last().isEqualTo(current());
    }

    @Test
    void aDryRunIsRefusedAsTheUpdateIs() {
        instance.inCheck = () -> {
            throw new EntityException(EntityError.NOT_CAPABLE, "as asked");
        };
        int prepared = instance.prepared.size();
        assertRefused(EntityError.NOT_CAPABLE, () -> changes.update(withVersions(9), true));
        assertRefused(EntityError.NOT_CAPABLE, () -> changes.update(withVersions(9), false));
        assertThat(instance.prepared).as("nothing was changed").hasSize(prepared);
    }

    @Test
    void aDropThatWasCutShortIsEnded() {
        new Permissions(instance).grant("ann", Optional.of("t"), Set.of(Permission.READ));
        new Notes(instance.records(), "t").set("about", "text");
        TableLayout layout = current();
        instance.inDrop = () -> {
            throw new EntityException(EntityError.UNREACHABLE, "as asked");
        };
        assertRefused(EntityError.UNREACHABLE, () -> changes.drop("t"));
        assertThat(layouts.tables()).isEmpty();
        assertThat(layouts.find("t")).isEmpty();
        // Its cells may still be there: no other table must get them.
        assertThatThrownBy(() -> changes.create(layout.toUpdate())).isInstanceOf(EntityException.class);
        assertRefused(
                EntityError.TABLE_EXISTS,
                () -> changes.create(TableLayout.of("t", new KeyFormat.Raw(), LocalityGroup.of("g"))));
        assertThat(MetadataBackup.write(instance.records(), MetadataBackup.everything()))
                .doesNotContain("table/t", "grant/t/t", "layout/t");
        changes.drop("t");
        assertThat(instance.records().withPrefix("")).as("of the instance only").doesNotContainKey("table/t");
        assertThat(new Permissions(instance).users(Optional.of("t"))).isEmpty();
        assertThat(layouts.history("t", 10)).isEmpty();
        assertRefused(EntityError.NO_SUCH_TABLE, () -> changes.drop("t"));
        changes.create(TableLayout.of("t", new KeyFormat.Raw(), LocalityGroup.of("g")));
        assertThat(layouts.tables()).containsExactly("t");
    }

    /** An instance that does something else first, once, in the call that is told so. */
    private static final class FailingInstance implements InstanceStore {
        private final InstanceStore store;
        private final List<TableLayout> prepared = new ArrayList<>();
        private Runnable inCheck = FailingInstance::nothing;
        private Runnable inPrepare = FailingInstance::nothing;
        private Runnable inDrop = FailingInstance::nothing;

        FailingInstance(InstanceStore store) {
            this.store = store;
        }

        private static void nothing() {}

        @Override
        public StoreRecords records() {
            return store.records();
        }

        @Override
        public LayoutBoard layouts() {
            return store.layouts();
        }

        @Override
        public void check(TableLayout layout) {
            inCheck.run();
            store.check(layout);
        }

        @Override
        public void prepare(TableLayout layout) {
            Runnable first = inPrepare;
            inPrepare = FailingInstance::nothing;
            prepared.add(layout);
            first.run();
            store.prepare(layout);
        }

        @Override
        public void trim(TableLayout layout) {
            store.trim(layout);
        }

        @Override
        public void drop(TableLayout layout) {
            Runnable first = inDrop;
            inDrop = FailingInstance::nothing;
            first.run();
            store.drop(layout);
        }

        @Override
        public void forget(String table) {
            store.forget(table);
        }

        @Override
        public StoredTable table(TableLayout layout) {
            return store.table(layout);
        }

        @Override
        public void permit(String user, Optional<String> table, Set<Permission> permissions) {
            store.permit(user, table, permissions);
        }
    }
}
