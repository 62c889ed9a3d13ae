package io.polytable.sql.model.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.sql.model.definition.PolicyDef.Command;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Definitions in the formats that were released: see {@code docs/formats/sql.md}. */
class DefinitionJsonTest {
    private static final String PLAIN = """
            {
              "format" : 1,
              "namespace" : "shop",
              "name" : "ticket",
              "created_at" : "2026-01-01T00:00:00Z",
              "physical" : "ticket",
              "kind" : "SHARED",
              "version" : 3,
              "next_id" : 2,
              "next_place" : 2,
              "columns" : [ {
                "id" : 1,
                "name" : "id",
                "type" : "BIGINT",
                "not_null" : true,
                "place" : -1
              } ],
              "primary_key" : [ 1 ],
              "indexes" : [ ],
              "checks" : [ ],
              "options" : { }
            }""";

    private static final String SECURED =
            PLAIN.replace("\"format\" : 1", "\"format\" : 2").replace("\"options\" : { }", """
                    "options" : { },
                      "row_security" : true,
                      "policies" : [ {
                        "name" : "own",
                        "permissive" : false,
                        "command" : "UPDATE",
                        "roles" : [ "ann", "bob" ],
                        "using" : "id > 0",
                        "check" : "id > 1"
                      }, {
                        "name" : "all",
                        "permissive" : true,
                        "command" : "ALL",
                        "roles" : [ "public" ]
                      } ]""");

    @Test
    void aTableWithoutRowSecurityHasTheFormatThatEveryVersionReads() {
        TableDef plain = DefinitionJson.table(PLAIN);
        assertThat(plain.security()).isEqualTo(RowSecurity.NONE);
        assertThat(DefinitionJson.table(plain)).isEqualTo(PLAIN);
    }

    @Test
    void policiesAreReadAndWritten() {
        TableDef secured = DefinitionJson.table(SECURED);
        PolicyDef own = new PolicyDef(
                "own", false, Command.UPDATE, List.of("ann", "bob"), Optional.of("id > 0"), Optional.of("id > 1"));
        PolicyDef all =
                new PolicyDef("all", true, Command.ALL, List.of(PolicyDef.PUBLIC), Optional.empty(), Optional.empty());
        assertThat(secured.security()).isEqualTo(new RowSecurity(true, List.of(own, all)));
        assertThat(DefinitionJson.table(secured)).isEqualTo(SECURED);
    }

    @Test
    void aNewerFormatIsRefused() {
        assertThatThrownBy(() -> DefinitionJson.table(PLAIN.replace("\"format\" : 1", "\"format\" : 3")))
                .isInstanceOfSatisfying(
                        StoreException.class, error -> assertThat(error.error()).isEqualTo(StoreError.NEWER_FORMAT));
    }
}
