package io.polytable.entity.ddl;

import io.polytable.entity.key.ComponentType;
import io.polytable.entity.key.FormattedKeys;
import io.polytable.entity.key.KeyComponent;
import io.polytable.entity.key.KeyFormat;
import io.polytable.entity.layout.IdNaming;
import io.polytable.entity.layout.LocalityGroup;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.layout.Validation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** CREATE TABLE. */
final class TableClause {
    /** The table option with the default validation for new columns. */
    static final String VALIDATION = "validation";

    private static final int HASH_BYTES = 16;
    private static final int SALT_BYTES = 2;

    private final TokenCursor in;
    private final SchemaClause schemas;
    private final GroupClause groups;

    TableClause(TokenCursor in, SchemaClause schemas, GroupClause groups) {
        this.in = in;
        this.schemas = schemas;
        this.groups = groups;
    }

    /** Behind CREATE TABLE. */
    TableLayout table() {
        TableLayout layout = TableLayout.of(in.name("table"), new KeyFormat.HashPrefixed(HASH_BYTES));
        layout = layout.withDescription(in.description().orElse(""));
        if (in.accept("ROW", "KEY", "FORMAT")) {
            layout = TableLayout.of(layout.name(), keys()).withDescription(layout.description());
        }
        if (in.accept("PROPERTIES")) {
            layout = properties(layout);
        }
        Validation validation = validationOf(layout);
        List<LocalityGroup> made = new ArrayList<>();
        do {
            if (made.isEmpty() || in.isNext("WITH")) {
                in.expect("WITH");
            }
            in.expect("LOCALITY", "GROUP");
            made.add(groups.group(validation));
        } while (in.acceptSymbol(',') || in.isNext("WITH", "LOCALITY"));
        return layout.withGroups(made);
    }

    /** The table's default validation for new columns. */
    static Validation validationOf(TableLayout layout) {
        String text = layout.options().getOrDefault(VALIDATION, Validation.DEVELOPER.name());
        for (Validation validation : Validation.values()) {
            if (validation.name().equals(text)) {
                return validation;
            }
        }
        return Validation.DEVELOPER;
    }

    private TableLayout properties(TableLayout layout) {
        TableLayout result = layout;
        in.expectSymbol('(');
        do {
            result = property()
                    .orElseThrow(() -> in.expected("a property of tables"))
                    .apply(result);
        } while (in.acceptSymbol(','));
        in.expectSymbol(')');
        return result;
    }

    /** A property of a table, if one comes next. */
    Optional<UnaryOperator<TableLayout>> property() {
        if (in.accept("MAX", "FILE", "SIZE")) {
            return sized("max_filesize");
        }
        if (in.accept("MEMSTORE", "FLUSH", "SIZE")) {
            return sized("memstore_flushsize");
        }
        if (in.accept("NUMREGIONS")) {
            return sized("regions");
        }
        if (in.accept("VALIDATION")) {
            in.expectSymbol('=');
            Validation validation = schemas.validation();
            return Optional.of(layout -> layout.withOption(VALIDATION, validation.name()));
        }
        if (in.accept("NAMING")) {
            in.expectSymbol('=');
            IdNaming naming = in.choice(IdNaming.class, "IDENTITY or SHORT");
            return Optional.of(layout -> layout.withNaming(naming));
        }
        if (in.accept("OPTION")) {
            String key = in.string("an option");
            in.expectSymbol('=');
            String value = in.string("a value");
            return Optional.of(layout -> layout.withOption(key, value));
        }
        return Optional.empty();
    }

    private Optional<UnaryOperator<TableLayout>> sized(String option) {
        in.expectSymbol('=');
        long number = in.number("a number", 1, Long.MAX_VALUE);
        return Optional.of(layout -> layout.withOption(option, String.valueOf(number)));
    }

    private KeyFormat keys() {
        if (in.accept("RAW")) {
            return new KeyFormat.Raw();
        }
        if (in.accept("HASHED")) {
            return new KeyFormat.Hashed();
        }
        if (in.accept("HASH", "PREFIXED")) {
            in.expectSymbol('(');
            int bytes = (int) in.number("bytes", 1, HASH_BYTES);
            in.expectSymbol(')');
            return new KeyFormat.HashPrefixed(bytes);
        }
        if (in.peek().isSymbol('(')) {
            return formatted();
        }
        throw in.expected("RAW, HASHED, HASH PREFIXED or components");
    }

    private KeyFormat formatted() {
        List<KeyComponent> components = new ArrayList<>();
        int notNull = 1;
        Optional<Salt> salt = Optional.empty();
        in.expectSymbol('(');
        do {
            if (in.accept("HASH")) {
                salt = Optional.of(salt(components));
                break;
            }
            String name = in.name("key component");
            components.add(new KeyComponent(name, componentType()));
            if (in.accept("NOT")) {
                in.expect("NULL");
                notNull = components.size();
            }
        } while (in.acceptSymbol(','));
        in.expectSymbol(')');
        int count = components.size();
        if (count == 0) {
            throw in.expected("a key component before");
        }
        boolean hashOnly = salt.map(Salt::hashOnly).orElse(false);
        int through = hashOnly ? count : salt.map(Salt::through).orElse(count);
        // The components of a visible salt cannot be null, whether or not each component says so.
        int nullable = salt.isPresent() && !hashOnly ? Math.max(notNull, through) : notNull;
        return new FormattedKeys(components, salt.map(Salt::bytes).orElse(0), hashOnly, through, nullable);
    }

    private ComponentType componentType() {
        if (in.accept("INT")) {
            return ComponentType.INTEGER;
        }
        boolean isNamed = in.isNext("STRING") || in.isNext("INTEGER") || in.isNext("LONG");
        return isNamed ? in.choice(ComponentType.class, "STRING, INT or LONG") : ComponentType.STRING;
    }

    private record Salt(int through, int bytes, boolean hashOnly) {}

    /** {@code HASH(THROUGH component, SIZE = n, SUPPRESS FIELDS)}, each part optional. */
    private Salt salt(List<KeyComponent> components) {
        int through = 1;
        int bytes = SALT_BYTES;
        boolean hashOnly = false;
        in.expectSymbol('(');
        do {
            if (in.accept("THROUGH")) {
                Token at = in.peek();
                String name = in.name("key component");
                List<String> names = components.stream().map(KeyComponent::name).toList();
                through = names.indexOf(name) + 1;
                if (through == 0) {
                    throw DdlLexer.error("No such component before", at.at(), name);
                }
            } else if (in.accept("SIZE")) {
                in.expectSymbol('=');
                bytes = (int) in.number("bytes", 1, HASH_BYTES);
            } else if (in.accept("SUPPRESS", "FIELDS")) {
                hashOnly = true;
            } else {
                throw in.expected("THROUGH, SIZE or SUPPRESS FIELDS");
            }
        } while (in.acceptSymbol(','));
        in.expectSymbol(')');
        return new Salt(through, bytes, hashOnly);
    }
}
