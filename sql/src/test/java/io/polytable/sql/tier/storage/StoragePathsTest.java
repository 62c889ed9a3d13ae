package io.polytable.sql.tier.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.sql.model.definition.RowSecurity;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.type.SqlError;
import io.polytable.table.TableKind;
import io.polytable.table.TableName;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every scope has a directory of its own, for any names and templates. */
class StoragePathsTest {
    private static final List<String> NAMES =
            List.of("a", "b", "ab", "shared", "exports", "x", "a.b", "..", "all~", "%");

    private static StorageDef storage(String userTemplate, String sharedTemplate) {
        return new StorageDef(
                "s",
                StorageDef.Type.FILESYSTEM,
                "/base",
                Map.of(),
                StoragePaths.checked(userTemplate, true),
                StoragePaths.checked(sharedTemplate, false),
                Instant.EPOCH);
    }

    private static TableDef table(TableKind kind, String namespace, String name) {
        TableName full = new TableName(namespace, name);
        return new TableDef(
                full,
                full,
                kind,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                Map.of(),
                1,
                1,
                1,
                Instant.EPOCH,
                null,
                RowSecurity.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "{namespace}/{tableName}/{userId}, {namespace}/shared/{tableName}",
        "{namespace}/{tableName}/{userId}, x/{namespace}/{tableName}",
        "x/{namespace}/{tableName}/{userId}, x/{namespace}/{tableName}",
        "a/{namespace}/{tableName}/{userId}, {namespace}/b/{tableName}",
        "{namespace}/a/{tableName}/user={userId}, ns={namespace}/{tableName}"
    })
    void everyScopeHasADirectoryOfItsOwn(String users, String shared) {
        StorageDef storage = storage(users, shared);
        Map<String, String> owners = new HashMap<>();
        Map<String, String> tables = new HashMap<>();
        for (String namespace : NAMES) {
            for (String name : NAMES) {
                // A name is that of one table: of either kind.
                boolean ofUsers = (namespace + name).hashCode() % 2 == 0;
                TableDef table = table(ofUsers ? TableKind.USER : TableKind.SHARED, namespace, name);
                String directory = StoragePaths.tableDirectory(storage, table);
                assertThat(tables.put(directory, namespace + " " + name))
                        .as(directory)
                        .isNull();
                for (String user : ofUsers ? NAMES : List.of("")) {
                    String scope = StoragePaths.directory(storage, table, user);
                    assertThat(owners.put(scope, namespace + " " + name + " " + user))
                            .as(scope)
                            .isNull();
                    assertThat(scope).startsWith(directory).doesNotStartWith(StoragePaths.EXPORTS + "/");
                    assertThat(List.of(scope.split("/", -1))).noneMatch(part -> part.isEmpty() || part.startsWith("."));
                    assertThat(StoragePaths.isPlaceOf(directory, ofUsers, scope + "/batch-1.parquet"))
                            .isTrue();
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{namespace}{tableName}/{userId}",
                "{namespace}-{tableName}/{userId}",
                "{namespace}/{userId}/{tableName}",
                "{tableName}/{namespace}/{userId}",
                "{namespace}/{tableName}/{userId}/x",
                "{namespace}/{tableName}",
                "{namespace}/{tableName}/{userId}/{userId}",
                "../{namespace}/{tableName}/{userId}",
                "/{namespace}/{tableName}/{userId}",
                "{namespace}/./{tableName}/{userId}",
                "{namespace}//{tableName}/{userId}",
                "{namespace}/{tableName}/{userId}/",
                "{namespace}/{tableName}/{other}",
                "{namespace}/%2e%2e/{tableName}/{userId}",
                ""
            })
    void templatesThatBringTablesTogetherAreRefused(String template) {
        assertThatThrownBy(() -> StoragePaths.checked(template, true)).isInstanceOf(SqlError.class);
    }

    @Test
    void filesOfOthersBelowATableAreNotItsOwn() {
        assertThat(StoragePaths.isPlaceOf("n/t", true, "n/t/schema_v1.json")).isTrue();
        assertThat(StoragePaths.isPlaceOf("n/t", true, "n/t/u/manifest.json")).isTrue();
        assertThat(StoragePaths.isPlaceOf("n/t", true, "n/t/u/v/manifest.json")).isFalse();
        assertThat(StoragePaths.isPlaceOf("n/t", false, "n/t/u/manifest.json")).isFalse();
        assertThat(StoragePaths.isPlaceOf("n/t", true, "n/tu/manifest.json")).isFalse();
    }

    @Test
    void longUsersEndInADigest() {
        String one = StoragePaths.escaped("ü".repeat(256));
        String two = StoragePaths.escaped("ü".repeat(255) + "u");
        assertThat(one).isNotEqualTo(two);
        assertThat(one.length()).isLessThan(200);
    }
}
