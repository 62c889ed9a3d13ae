package io.polytable.entity.tool;

import io.polytable.entity.Entities;
import io.polytable.entity.layout.SchemaText;
import io.polytable.entity.meta.SystemTable;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.schema.SchemaTable;
import io.polytable.entity.uri.EntityUri;
import io.polytable.table.Bytes;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Commands about instances. */
final class InstanceCommands {
    private InstanceCommands() {}

    @Command(name = "install", description = "Makes an instance.")
    static final class Install extends UriCommand {
        @Option(names = "--property", paramLabel = "KEY=VALUE", description = "kept with it, such as replication=3")
        private Map<String, String> properties = new LinkedHashMap<>();

        @Override
        void run(EntityUri uri) {
            Entities.install(uri, properties);
            out().println("installed " + uri.ofInstance());
        }
    }

    @Command(name = "uninstall", description = "Drops an instance with all its tables.")
    static final class Uninstall extends UriCommand {
        @Override
        void run(EntityUri uri) {
            Entities.uninstall(uri);
            out().println("uninstalled " + uri.ofInstance());
        }
    }

    @Command(name = "ls", description = "Lists instances, an instance's tables, or a table's columns.")
    static final class Listing extends UriCommand {
        @Override
        void run(EntityUri uri) {
            if (uri.instance().isEmpty()) {
                Entities.instances(uri).forEach(out()::println);
            } else if (uri.table().isEmpty()) {
                inInstance(uri, instance -> instance.tables().forEach(out()::println));
            } else {
                inTable(
                        uri,
                        table -> table.layout()
                                .groups()
                                .forEach(group -> group.families().forEach(family -> {
                                    out().println(family.name() + (family.isMap() ? ":*" : ""));
                                    family.columns()
                                            .forEach(column -> out().println(family.name() + ":" + column.name()));
                                })));
            }
        }
    }

    @Command(name = "system", description = "Prints an instance's properties, or one, or changes some.")
    static final class Properties extends UriCommand {
        @Option(names = "--put", paramLabel = "KEY=VALUE", description = "sets a property")
        private Map<String, String> properties = new LinkedHashMap<>();

        @Option(names = "--remove", paramLabel = "KEY", description = "removes a property")
        private List<String> removed = List.of();

        @Option(names = "--get", paramLabel = "KEY", description = "prints one property's value alone")
        private Optional<String> wanted = Optional.empty();

        @Override
        void run(EntityUri uri) {
            if (properties.containsKey(SystemTable.DATA_VERSION) || removed.contains(SystemTable.DATA_VERSION)) {
                throw new EntityException(
                        EntityError.BAD_REQUEST, "The data version says how the records are read: it stays");
            }
            inInstance(uri, instance -> {
                properties.forEach(instance.system()::put);
                removed.forEach(instance.system()::remove);
                if (wanted.isPresent()) {
                    out().println(instance.system()
                            .get(wanted.get())
                            .orElseThrow(() -> new EntityException(
                                    EntityError.BAD_REQUEST,
                                    "There is no such property",
                                    Map.of("key", wanted.get()))));
                    return;
                }
                instance.system().all().forEach((key, value) -> out().println(key + " = " + value));
            });
        }
    }

    @Command(name = "schema", description = "Lists an instance's schemas, finds one, or registers one.")
    static final class Schemas extends UriCommand {
        @Option(names = "--register", paramLabel = "SCHEMA", description = "an Avro schema")
        private Optional<String> schema = Optional.empty();

        @Option(names = "--id", paramLabel = "N", description = "prints the schema of this number")
        private Optional<Long> id = Optional.empty();

        @Option(names = "--hash", paramLabel = "HEX", description = "prints the schema of this MD5")
        private Optional<String> hash = Optional.empty();

        @Override
        void run(EntityUri uri) {
            inInstance(uri, instance -> {
                SchemaTable schemas = instance.schemas();
                schema.ifPresent(text -> schemas.register(SchemaText.parse(text)));
                if (id.isPresent()) {
                    out().println(schemas.byId(id.get()));
                } else if (hash.isPresent()) {
                    out().println(schemas.byHash(bytes(hash.get())));
                } else {
                    schemas.list().forEach(entry -> out().println(entry.id() + "\t" + entry.schema()));
                }
            });
        }

        private static Bytes bytes(String hex) {
            try {
                return Bytes.of(HexFormat.of().parseHex(hex));
            } catch (IllegalArgumentException e) {
                throw new EntityException(EntityError.BAD_REQUEST, "Not hexadecimal", Map.of("text", hex), e);
            }
        }
    }
}
