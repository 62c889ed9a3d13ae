package io.polytable.entity.uri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.entity.Entities;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EntityUriTest {
    private static final Map<String, String> ENVIRONMENT = Map.of(
            "POLYTABLE_CASSANDRA_HOSTS",
            "c1,c2:9999",
            "POLYTABLE_HBASE_QUORUM",
            "z1,z2",
            "POLYTABLE_DIR",
            "/data/here");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "polytable:///var/data/inst|EMBEDDED|inst",
                "polytable:///var/data//inst/users/info,tags:a%2Cb|EMBEDDED|inst",
                "polytable://localhost:8080/inst|SERVER|inst",
                "polytable://localhost:8080/inst/users/info|SERVER|inst",
                "polytable-hbase://z1,z2:2181/inst/users|HBASE|inst",
                "polytable-cassandra://c1,c2:9042/inst/users/info:name?dc=dc1&user=me|CASSANDRA|inst",
                "polytable-cassandra://[::1]:9042/inst|CASSANDRA|inst",
            })
    void writtenAgainAsItWasRead(String text, StoreKind store, String instance) {
        EntityUri uri = EntityUri.parse(text, ENVIRONMENT);
        assertThat(uri.toString()).isEqualTo(text);
        assertThat(uri.store()).isEqualTo(store);
        assertThat(uri.instanceName()).isEqualTo(instance);
        assertThat(EntityUri.parse(uri.toString(), ENVIRONMENT)).isEqualTo(uri);
    }

    @Test
    void partsOfAnEmbeddedUri() {
        EntityUri whole = EntityUri.parse("polytable:///a/b%20c//i/t/f,g:q:r", ENVIRONMENT);
        assertThat(whole.directory()).contains(Path.of("/a/b c"));
        assertThat(whole.table()).contains("t");
        assertThat(whole.columns()).containsExactly(ColumnName.family("f"), ColumnName.of("g", "q:r"));
        assertThat(EntityUri.parse("polytable:///a/b/", ENVIRONMENT).instance()).isEmpty();
        assertThat(EntityUri.parse("polytable:///./rel/i", ENVIRONMENT).directory())
                .contains(Path.of("rel"));
        assertThat(EntityUri.parse("polytable:///.env/i", ENVIRONMENT).directory())
                .contains(Path.of("/data/here"));
    }

    @Test
    void hostsFromTheEnvironmentAndInBrackets() {
        EntityUri cassandra = EntityUri.parse("polytable-cassandra://.env/i", ENVIRONMENT);
        assertThat(cassandra.hosts()).containsExactly("c1", "c2");
        assertThat(cassandra.portOrDefault()).isEqualTo(9999);
        EntityUri hbase = EntityUri.parse("polytable-hbase://(z1,z2):77/i", ENVIRONMENT);
        assertThat(hbase.hosts()).containsExactly("z1", "z2");
        assertThat(hbase.portOrDefault()).isEqualTo(77);
        assertThat(EntityUri.parse("polytable-hbase://.env/i", ENVIRONMENT).portOrDefault())
                .isEqualTo(2181);
    }

    @Test
    void aPortMayStandBehindEachHost() {
        EntityUri hbase = EntityUri.parse("polytable-hbase://z1:77,z2:77/i", ENVIRONMENT);
        assertThat(hbase).hasToString("polytable-hbase://z1,z2:77/i");
        assertThatThrownBy(() -> EntityUri.parse("polytable-hbase://z1:77,z2:78/i", ENVIRONMENT))
                .hasMessageContaining("one port");
        assertThatThrownBy(() -> EntityUri.parse("polytable-hbase://z1:77,z2/i", ENVIRONMENT))
                .hasMessageContaining("one port");
    }

    @Test
    void putTogetherPieceByPiece() {
        EntityUri uri = EntityUri.builder(StoreKind.CASSANDRA)
                .hosts("c1", "[::1]")
                .port(9042)
                .instance("i")
                .table("t")
                .column("info")
                .column("tags:a,b")
                .option("dc", "dc1")
                .build();
        assertThat(uri).hasToString("polytable-cassandra://c1,[::1]:9042/i/t/info,tags:a%2Cb?dc=dc1");
        assertThat(EntityUri.parse(uri.toString(), ENVIRONMENT)).isEqualTo(uri);
        assertThat(uri.toBuilder().build()).isEqualTo(uri);
        assertThat(uri.toBuilder().columns(List.of()).table("u").build())
                .hasToString("polytable-cassandra://c1,[::1]:9042/i/u?dc=dc1");
        assertThat(EntityUri.builder(StoreKind.EMBEDDED)
                        .directory(Path.of("/a"))
                        .instance("i")
                        .build())
                .hasToString("polytable:///a/i");
    }

    @Test
    void piecesThatDoNotFitAreRefused() {
        for (UriBuilder builder : List.of(
                EntityUri.builder(StoreKind.EMBEDDED),
                EntityUri.builder(StoreKind.SERVER),
                EntityUri.builder(StoreKind.SERVER).hosts("h").directory(Path.of("/a")),
                EntityUri.builder(StoreKind.SERVER).hosts("h").table("t"),
                EntityUri.builder(StoreKind.SERVER).hosts("h").instance("i").column("f"))) {
            assertThatThrownBy(builder::build)
                    .isInstanceOfSatisfying(
                            EntityException.class, e -> assertThat(e.error()).isEqualTo(EntityError.BAD_URI));
        }
        assertThatThrownBy(() -> EntityUri.builder(StoreKind.SERVER).port(0)).hasMessageContaining("port");
        assertThatThrownBy(() -> EntityUri.builder(StoreKind.SERVER).hosts("a b"))
                .hasMessageContaining("host");
    }

    @Test
    void olderFormsAreReadWithANote() {
        EntityUri hbase = EntityUri.parse("kiji://z1,z2:2181/default/users/info", ENVIRONMENT);
        assertThat(hbase.store()).isEqualTo(StoreKind.HBASE);
        assertThat(hbase.notes()).hasSize(1);
        for (String text : List.of(
                "kiji-cassandra://zk:2181/c1,c2:9042/default/users",
                "kiji-cassandra://(zk1,zk2):2181/(c1,c2)/9042/default/users")) {
            EntityUri cassandra = EntityUri.parse(text, ENVIRONMENT);
            assertThat(cassandra.toString()).isEqualTo("polytable-cassandra://c1,c2:9042/default/users");
            assertThat(cassandra.notes()).hasSize(2);
        }
        assertThat(EntityUri.parse("kiji://z/.unset", ENVIRONMENT).instance()).isEmpty();
    }

    @Test
    void resolvedOrderedAndWithoutPasswords() {
        EntityUri store = EntityUri.parse("polytable-cassandra://b,a:1?password=secret", ENVIRONMENT);
        assertThat(store.resolve("i/t/x,f:y")).hasToString("polytable-cassandra://b,a:1/i/t/x,f:y?password=***");
        assertThat(store.resolve("i").resolve("t").tableName()).isEqualTo("t");
        assertThat(store.resolve("i/t/x,f:y").toOrderedString())
                .isEqualTo("polytable-cassandra://a,b:1/i/t/f:y,x?password=***");
        assertThat(store.options()).containsEntry("password", "secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "polytable-cassandra://u:secret@h/i",
                "polytable-cassandra://secret@h:99999/i",
                "polytable-cassandra://h/i?password=secret%zz",
                "polytable-cassandra://h/i?truststore.password=secret&broken",
                "polytable-cassandra://h:0/i?PASSWORD=secret",
            })
    void secretsAreNotShown(String text) {
        assertThatThrownBy(() -> EntityUri.parse(text, Map.of()))
                .isInstanceOf(EntityException.class)
                .hasMessageNotContaining("secret");
        EntityUri fine = EntityUri.parse("polytable-cassandra://h/i?truststore.password=secret", Map.of());
        assertThat(fine.toString() + fine.toOrderedString()).doesNotContain("secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "users",
                "mysql://h/i",
                "polytable-cassandra:///i",
                "polytable-cassandra://h:0/i",
                "polytable-cassandra://h:abc/i",
                "polytable-cassandra://h,/i",
                "polytable-cassandra://h/a/b/c/d",
                "polytable:///",
                "polytable://h/i?broken",
                "polytable://h/i?a=%zz",
                "kiji-cassandra://zk",
            })
    void brokenUrisAreRefused(String text) {
        assertThatThrownBy(() -> EntityUri.parse(text, Map.of()))
                .isInstanceOfSatisfying(
                        EntityException.class, e -> assertThat(e.error()).isEqualTo(EntityError.BAD_URI));
    }

    @ParameterizedTest
    @ValueSource(strings = {"polytable://h/a-b", "polytable://h/i/1t", "polytable://h/i/t/f-g:x"})
    void badNamesAreRefused(String text) {
        assertThatThrownBy(() -> EntityUri.parse(text, Map.of()))
                .isInstanceOfSatisfying(
                        EntityException.class, e -> assertThat(e.error()).isEqualTo(EntityError.BAD_NAME));
    }

    @Test
    void aMissingVariableIsNamed() {
        assertThatThrownBy(() -> EntityUri.parse("polytable-cassandra://.env/i", Map.of()))
                .hasMessageContaining("POLYTABLE_CASSANDRA_HOSTS");
    }

    @Test
    void aMisspeltOptionIsRefusedBeforeAnythingIsOpened() {
        for (String uri : List.of(
                "polytable:///nowhere/i?usr=ann",
                "polytable://localhost:1/i?timeout=5",
                "polytable-hbase://localhost:1/i?password=x",
                "polytable-cassandra://localhost:1/i?DC=dc1")) {
            assertThatThrownBy(() -> Entities.connect(EntityUri.parse(uri)))
                    .as(uri)
                    .hasMessageContaining("no such option")
                    .hasMessageNotContaining("=x");
        }
        assertThatThrownBy(() -> Entities.connect(EntityUri.parse("polytable://localhost:1/i?tls=True")))
                .hasMessageContaining("true nor false");
        assertThatThrownBy(() -> EntityUri.parse("polytable:///a%00b/i", ENVIRONMENT))
                .isInstanceOf(EntityException.class)
                .hasMessageContaining("directory");
    }
}
