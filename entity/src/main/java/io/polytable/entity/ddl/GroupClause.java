package io.polytable.entity.ddl;

import io.polytable.entity.layout.BloomType;
import io.polytable.entity.layout.CellSchema;
import io.polytable.entity.layout.ColumnLayout;
import io.polytable.entity.layout.CompressionType;
import io.polytable.entity.layout.FamilyLayout;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.Validation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Locality groups, families and columns in statements. */
final class GroupClause {
    private final TokenCursor in;
    private final SchemaClause schemas;

    GroupClause(TokenCursor in, SchemaClause schemas) {
        this.in = in;
        this.schemas = schemas;
    }

    /** {@code name [WITH DESCRIPTION ''] (property, ..., family, ...)}. */
    LocalityGroup group(Validation validation) {
        LocalityGroup group = LocalityGroup.of(in.name("locality group"));
        group = group.withDescription(in.description().orElse(""));
        List<FamilyLayout> families = new ArrayList<>();
        if (in.acceptSymbol('(')) {
            do {
                Optional<UnaryOperator<LocalityGroup>> property = property();
                if (property.isPresent()) {
                    group = property.get().apply(group);
                } else {
                    families.add(family(validation));
                }
            } while (in.acceptSymbol(','));
            in.expectSymbol(')');
        }
        return group.withFamilies(families);
    }

    /** A property of a locality group, if one comes next. */
    Optional<UnaryOperator<LocalityGroup>> property() {
        if (in.accept("MAXVERSIONS")) {
            in.expectSymbol('=');
            int versions = in.accept("INFINITY")
                    ? LocalityGroup.ALL_VERSIONS
                    : (int) in.number("a number or INFINITY", 1, Integer.MAX_VALUE);
            return Optional.of(group -> group.withMaxVersions(versions));
        }
        if (in.accept("TTL")) {
            in.expectSymbol('=');
            long seconds = in.accept("FOREVER")
                    ? LocalityGroup.FOREVER
                    : in.number("seconds or FOREVER", 1, LocalityGroup.FOREVER);
            return Optional.of(group -> group.withTtlSeconds(seconds));
        }
        if (in.accept("INMEMORY")) {
            in.expectSymbol('=');
            boolean inMemory = in.flag();
            return Optional.of(
                    group -> group.withStorage(inMemory, group.bloom(), group.compression(), group.blockBytes()));
        }
        if (in.accept("COMPRESSED", "WITH")) {
            CompressionType compression = compression();
            return Optional.of(
                    group -> group.withStorage(group.inMemory(), group.bloom(), compression, group.blockBytes()));
        }
        if (in.accept("BLOOM", "FILTER")) {
            in.expectSymbol('=');
            BloomType bloom = in.choice(BloomType.class, "NONE, ROW or ROWCOL");
            return Optional.of(
                    group -> group.withStorage(group.inMemory(), bloom, group.compression(), group.blockBytes()));
        }
        if (in.accept("BLOCK", "SIZE")) {
            in.expectSymbol('=');
            int bytes = (int) in.number("bytes", 0, Integer.MAX_VALUE);
            return Optional.of(group -> group.withStorage(group.inMemory(), group.bloom(), group.compression(), bytes));
        }
        if (in.accept("OPTION")) {
            String key = in.string("an option");
            in.expectSymbol('=');
            String value = in.string("a value");
            return Optional.of(group -> group.withOption(key, value));
        }
        return Optional.empty();
    }

    private CompressionType compression() {
        return in.accept("GZIP")
                ? CompressionType.GZ
                : in.choice(CompressionType.class, "GZIP, LZO, SNAPPY, LZ4, ZSTD or NONE");
    }

    /** {@code [GROUP TYPE] FAMILY f (columns)} or {@code MAP TYPE FAMILY m schema}. */
    FamilyLayout family(Validation validation) {
        if (in.accept("MAP")) {
            in.expect("TYPE", "FAMILY");
            return mapFamily(validation);
        }
        if (in.accept("GROUP")) {
            in.expect("TYPE");
        }
        in.expect("FAMILY");
        String name = in.name("family");
        String description = in.description().orElse("");
        List<ColumnLayout> columns = new ArrayList<>();
        if (in.acceptSymbol('(') && !in.acceptSymbol(')')) {
            do {
                in.accept("COLUMN");
                columns.add(column(in.name("column"), validation));
            } while (in.acceptSymbol(','));
            in.expectSymbol(')');
        }
        return FamilyLayout.group(name, columns.toArray(ColumnLayout[]::new)).withDescription(description);
    }

    private FamilyLayout mapFamily(Validation validation) {
        String name = in.name("family");
        SchemaClause.Extras extras = typed(validation);
        return FamilyLayout.map(name, extras.schema()).withDescription(extras.description());
    }

    /** What stands behind a column's name. */
    ColumnLayout column(String name, Validation validation) {
        SchemaClause.Extras extras = typed(validation);
        return ColumnLayout.of(name, extras.schema()).withDescription(extras.description());
    }

    private SchemaClause.Extras typed(Validation validation) {
        String description = in.description().orElse("");
        if (in.accept("WITH")) {
            in.expect("SCHEMA");
        }
        CellSchema schema = schemas.cells(validation);
        return schemas.extras(schema, description);
    }
}
