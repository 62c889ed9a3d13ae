package io.polytable.entity.contract;

import io.polytable.entity.key.ComponentType;
import io.polytable.entity.key.FormattedKeys;
import io.polytable.entity.key.KeyComponent;
import io.polytable.entity.key.KeyFormat;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.ColumnLayout;
import io.polytable.entity.layout.FamilyLayout;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.TableLayout;
import java.util.List;

/** The layouts that the suite works with. */
final class ContractTables {
    static final String ADDRESS = """
            {"type":"record","name":"Address","namespace":"test","fields":[
              {"name":"street","type":"string"},{"name":"zip","type":"int"}]}""";

    private ContractTables() {}

    /** Every kind of cell, in three groups; families Users, info and INFO show that case is kept. */
    static TableLayout users() {
        return TableLayout.of(
                "Users",
                new KeyFormat.HashPrefixed(2),
                LocalityGroup.of(
                                "Main",
                                FamilyLayout.group(
                                        "info",
                                        ColumnLayout.of("name", CellSchema.avro("string")),
                                        ColumnLayout.of("email", CellSchema.avro("string")),
                                        ColumnLayout.of("age", CellSchema.avro("int")),
                                        ColumnLayout.of("address", CellSchema.avro(ADDRESS)),
                                        ColumnLayout.of("profile", CellSchema.json()),
                                        ColumnLayout.of("photo", CellSchema.bytes())),
                                FamilyLayout.group("INFO", ColumnLayout.of("Name", CellSchema.avro("string"))),
                                FamilyLayout.map("tags", CellSchema.avro("string")))
                        .withMaxVersions(5),
                LocalityGroup.of(
                                "counts",
                                FamilyLayout.group("stats", ColumnLayout.of("logins", CellSchema.counter())),
                                FamilyLayout.map("hits", CellSchema.counter()))
                        .withMaxVersions(1),
                LocalityGroup.of(
                        "last", FamilyLayout.group("state", ColumnLayout.of("now", CellSchema.avro("string")))));
    }

    /** Keys of two components, whose scans are in order; the second group is often without cells. */
    static TableLayout events() {
        FormattedKeys keys = new FormattedKeys(
                List.of(
                        new KeyComponent("user", ComponentType.STRING),
                        new KeyComponent("number", ComponentType.LONG),
                        new KeyComponent("part", ComponentType.INTEGER)),
                0,
                false,
                3,
                2);
        return TableLayout.of(
                        "events",
                        keys,
                        LocalityGroup.of(
                                "main",
                                FamilyLayout.group(
                                        "event",
                                        ColumnLayout.of("what", CellSchema.avro("string")),
                                        ColumnLayout.of("cost", CellSchema.avro("long")))),
                        LocalityGroup.of("more", FamilyLayout.map("detail", CellSchema.avro("string")))
                                .withMaxVersions(3))
                .withOption("ordered", "true");
    }
}
