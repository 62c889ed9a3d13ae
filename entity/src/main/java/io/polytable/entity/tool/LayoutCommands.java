package io.polytable.entity.tool;

import io.polytable.entity.EntityTable;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.session.LayoutChanges;
import io.polytable.entity.uri.EntityUri;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Commands about tables and their layouts. */
final class LayoutCommands {
    private LayoutCommands() {}

    @Command(name = "create-table", description = "Makes the table that a layout describes.")
    static final class Create extends UriCommand {
        @Option(names = "--layout", required = true, paramLabel = "FILE", description = "JSON; Kiji's is read too")
        private Path file = Path.of("");

        @Override
        void run(EntityUri uri) throws IOException {
            String json = Files.readString(file);
            inInstance(uri, instance -> {
                EntityTable table = instance.createTable(instance.parseLayout(json));
                out().println("created " + table.uri());
            });
        }
    }

    @Command(name = "drop-table", description = "Drops a table with all its cells.")
    static final class Drop extends UriCommand {
        @Override
        void run(EntityUri uri) {
            inInstance(uri, instance -> instance.dropTable(uri.tableName()));
            out().println("dropped " + uri);
        }
    }

    @Command(name = "layout", description = "Prints a table's layout, or sets it, or prints its history.")
    static final class Layout extends UriCommand {
        @Option(names = "--set", paramLabel = "FILE", description = "the wanted layout, as JSON")
        private Optional<Path> file = Optional.empty();

        @Option(names = "--dry-run", description = "only says what would change")
        private boolean dryRun;

        @Option(names = "--history", paramLabel = "N", description = "the newest N layouts")
        private int history;

        @Override
        void run(EntityUri uri) throws IOException {
            Optional<String> json = file.isPresent() ? Optional.of(Files.readString(file.get())) : Optional.empty();
            inInstance(uri, instance -> {
                if (json.isPresent()) {
                    TableLayout wanted = instance.parseLayout(json.get());
                    if (!wanted.name().equals(uri.tableName())) {
                        throw new EntityException(
                                EntityError.BAD_LAYOUT,
                                "The layout is of another table",
                                Map.of("uri", uri.tableName(), "layout", wanted.name()));
                    }
                    LayoutChanges.Outcome outcome = dryRun ? instance.tryLayout(wanted) : instance.updateLayout(wanted);
                    outcome.difference().forEach(out()::println);
                    out().println((dryRun ? "would be layout " : "now layout ")
                            + outcome.after().layoutId());
                } else if (history > 0) {
                    instance.layouts()
                            .history(uri.tableName(), history)
                            .forEach(version -> out().println(version.layout().layoutId() + "\t"
                                    + Instant.ofEpochMilli(version.atMillis())));
                } else {
                    out().println(instance.table(uri.tableName()).layout().toJson());
                }
            });
        }
    }

    @Command(name = "notes", description = "Prints the notes on a table or a column, or sets some.")
    static final class Annotations extends UriCommand {
        @Option(names = "--set", paramLabel = "KEY=VALUE", description = "sets a note")
        private Map<String, String> notes = new LinkedHashMap<>();

        @Option(names = "--remove", paramLabel = "KEY", description = "removes a note")
        private List<String> removed = List.of();

        @Option(names = "--key", paramLabel = "REGEX", description = "prints only notes whose whole key matches")
        private Pattern keys = Pattern.compile(".*");

        @Override
        void run(EntityUri uri) {
            inTable(uri, table -> {
                if (uri.columns().isEmpty()) {
                    notes.forEach((key, value) -> table.notes().set(key, value));
                    removed.forEach(table.notes()::remove);
                    table.notes().find(this::isWanted).forEach((key, value) -> out().println(key + " = " + value));
                }
                for (ColumnName column : uri.columns()) {
                    notes.forEach((key, value) -> table.notes().set(column, key, value));
                    removed.forEach(key -> table.notes().remove(column, key));
                    table.notes()
                            .find(column, this::isWanted)
                            .forEach((key, value) -> out().println(column + " " + key + " = " + value));
                }
            });
        }

        private boolean isWanted(String key) {
            return keys.matcher(key).matches();
        }
    }
}
