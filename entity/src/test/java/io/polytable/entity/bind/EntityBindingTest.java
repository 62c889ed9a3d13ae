package io.polytable.entity.bind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.entity.Entities;
import io.polytable.entity.EntityTable;
import io.polytable.entity.Instance;
import io.polytable.entity.key.ComponentType;
import io.polytable.entity.key.EntityId;
import io.polytable.entity.key.FormattedKeys;
import io.polytable.entity.key.KeyComponent;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.ColumnLayout;
import io.polytable.entity.layout.FamilyLayout;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.read.RowScanner;
import io.polytable.entity.uri.EntityUri;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EntityBindingTest {
    private record Person(
            @KeyPart(0) String name,
            @KeyPart(1) long number,
            @InColumn("info:email") Optional<String> email,
            @InColumn("info:age") int age,
            @InColumn("tags") Map<String, String> tags) {}

    private record Loose(@KeyPart String name, String nowhere) {}

    private static final class Visitor {
        @KeyPart(0)
        private String name = "";

        @KeyPart(1)
        private long number;

        @InColumn("info:age")
        private int age;

        private String ours = "untouched";
    }

    @TempDir
    Path directory;

    private Instance instance;
    private EntityTable table;

    @BeforeEach
    void open() {
        EntityUri uri = EntityUri.embedded(directory).withInstance("bound");
        Entities.install(uri);
        instance = Entities.open(uri);
        table = instance.createTable(TableLayout.of(
                "people",
                FormattedKeys.of(
                        new KeyComponent("name", ComponentType.STRING), new KeyComponent("number", ComponentType.LONG)),
                LocalityGroup.of(
                        "g",
                        FamilyLayout.group(
                                "info",
                                ColumnLayout.of("email", CellSchema.avro("string")),
                                ColumnLayout.of("age", CellSchema.avro("int"))),
                        FamilyLayout.map("tags", CellSchema.avro("string")))));
    }

    @AfterEach
    void close() {
        instance.close();
    }

    @Test
    void recordsAreEntities() {
        EntityBinding<Person> people = EntityBinding.of(table, Person.class);
        Person ada = new Person("ada", 1, Optional.of("ada@example.com"), 36, Map.of("a", "A", "b", "B"));
        Person bob = new Person("bob", 2, Optional.empty(), 0, Map.of());
        EntityId id = people.put(ada);
        people.put(bob);
        assertThat(id).isEqualTo(table.id("ada", 1L));
        assertThat(people.get(id)).contains(ada);
        assertThat(people.get(table.id("bob", 2L))).contains(bob);
        assertThat(people.get(table.id("eve", 3L))).isEmpty();
        List<Person> all = new ArrayList<>();
        try (RowScanner scanner = table.reader().scan(people.request())) {
            scanner.forEachRemaining(row -> all.add(people.of(row)));
        }
        assertThat(all).containsExactly(ada, bob);
    }

    @Test
    void classesAreEntities() {
        EntityBinding<Visitor> visitors = EntityBinding.of(table, Visitor.class);
        Visitor visitor = new Visitor();
        visitor.name = "cid";
        visitor.number = 7;
        visitor.age = 50;
        visitors.put(visitor);
        assertThat(visitors.get(table.id("cid", 7L))).hasValueSatisfying(found -> {
            assertThat(found.name).isEqualTo("cid");
            assertThat(found.number).isEqualTo(7);
            assertThat(found.age).isEqualTo(50);
            assertThat(found.ours).isEqualTo("untouched");
        });
    }

    @Test
    void whatCannotBeBoundIsRefused() {
        assertThatThrownBy(() -> EntityBinding.of(table, Loose.class)).isInstanceOf(EntityException.class);
        assertThatThrownBy(() -> EntityBinding.of(table, String.class)).isInstanceOf(EntityException.class);
    }
}
