package io.polytable.entity.tool;

import io.polytable.entity.meta.MetadataBackup;
import io.polytable.entity.meta.SystemTable;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.model.Permission;
import io.polytable.entity.permit.Permissions;
import io.polytable.entity.uri.EntityUri;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Commands for the metadata of an instance: backup and restore, permissions, versions. */
final class MetadataCommands {
    private MetadataCommands() {}

    @Command(name = "metadata", description = "Backs up or restores layouts, schemas, properties, notes, permissions.")
    static final class Metadata extends UriCommand {
        /** One of the two. */
        static final class What {
            @Option(names = "--backup", paramLabel = "FILE", description = "writes the file, which must not exist")
            private Optional<Path> backup = Optional.empty();

            @Option(names = "--restore", paramLabel = "FILE", description = "reads the file")
            private Optional<Path> restore = Optional.empty();
        }

        @ArgGroup(exclusive = true, multiplicity = "1")
        private What what = new What();

        @Option(
                names = "--part",
                split = ",",
                paramLabel = "PART",
                description = "SCHEMAS, SYSTEM, TABLES; all by default")
        private Set<MetadataBackup.Part> parts = EnumSet.noneOf(MetadataBackup.Part.class);

        @Override
        void run(EntityUri uri) throws IOException {
            Set<MetadataBackup.Part> wanted = parts.isEmpty() ? MetadataBackup.everything() : parts;
            if (what.backup.isPresent()) {
                Path file = what.backup.get();
                if (Files.exists(file)) {
                    throw new EntityException(
                            EntityError.BAD_REQUEST, "The file exists: name another", Map.of("file", file));
                }
                String[] text = new String[1];
                inInstance(uri, instance -> text[0] = instance.backup(wanted));
                Files.writeString(file, text[0]);
                out().println("wrote " + file);
            } else {
                String text = Files.readString(what.restore.orElseThrow());
                inInstance(uri, instance -> instance.restore(text, wanted).forEach(out()::println));
            }
        }
    }

    @Command(name = "permissions", description = "Prints who may do what with an instance or table, or changes it.")
    static final class Grants extends UriCommand {
        @Option(names = "--grant", split = ",", paramLabel = "PERMISSION", description = "READ, WRITE, GRANT")
        private Set<Permission> grant = EnumSet.noneOf(Permission.class);

        @Option(names = "--revoke", split = ",", paramLabel = "PERMISSION", description = "READ, WRITE, GRANT")
        private Set<Permission> revoke = EnumSet.noneOf(Permission.class);

        @Option(names = "--to", paramLabel = "USER", description = "whose permissions change")
        private Optional<String> user = Optional.empty();

        @Override
        void run(EntityUri uri) {
            boolean changes = !grant.isEmpty() || !revoke.isEmpty();
            if (changes != user.isPresent()) {
                throw new EntityException(
                        EntityError.BAD_REQUEST, "A change of permissions needs --to and --grant or --revoke");
            }
            inInstance(uri, instance -> {
                uri.table().ifPresent(instance::table);
                Permissions permissions = instance.permissions();
                if (!grant.isEmpty()) {
                    permissions.grant(user.orElseThrow(), uri.table(), grant);
                }
                if (!revoke.isEmpty()) {
                    permissions.revoke(user.orElseThrow(), uri.table(), revoke);
                }
                permissions.users(uri.table()).forEach((name, has) -> out().println(name + "\t" + has));
            });
        }
    }

    @Command(name = "flush", description = "Brings what is in the store's memory of a table to its files.")
    static final class Flush extends UriCommand {
        @Override
        void run(EntityUri uri) {
            inTable(uri, table -> table.flush());
            out().println("flushed " + uri);
        }
    }

    @Command(name = "version", description = "Prints the instance's data version and what its store can do.")
    static final class Version extends UriCommand {
        @Override
        void run(EntityUri uri) {
            inInstance(uri, instance -> {
                out().println("data version "
                        + instance.system().get(SystemTable.DATA_VERSION).orElse("none"));
                out().println("store " + uri.store().scheme() + " " + EnumSet.copyOf(instance.capabilities()));
            });
        }
    }
}
