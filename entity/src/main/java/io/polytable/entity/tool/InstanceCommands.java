package io.polytable.entity.tool;

import io.polytable.entity.Entities;
import io.polytable.entity.layout.SchemaText;
import io.polytable.entity.uri.EntityUri;
import java.util.LinkedHashMap;
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

    @Command(name = "system", description = "Prints an instance's properties, or sets one.")
    static final class Properties extends UriCommand {
        @Option(names = "--put", paramLabel = "KEY=VALUE", description = "sets a property")
        private Map<String, String> properties = new LinkedHashMap<>();

        @Override
        void run(EntityUri uri) {
            inInstance(uri, instance -> {
                properties.forEach(instance.system()::put);
                instance.system().all().forEach((key, value) -> out().println(key + " = " + value));
            });
        }
    }

    @Command(name = "schema", description = "Lists an instance's schemas, or registers one.")
    static final class Schemas extends UriCommand {
        @Option(names = "--register", paramLabel = "SCHEMA", description = "an Avro schema")
        private Optional<String> schema = Optional.empty();

        @Override
        void run(EntityUri uri) {
            inInstance(uri, instance -> {
                schema.ifPresent(text -> instance.schemas().register(SchemaText.parse(text)));
                instance.schemas().list().forEach(entry -> out().println(entry.id() + "\t" + entry.schema()));
            });
        }
    }
}
