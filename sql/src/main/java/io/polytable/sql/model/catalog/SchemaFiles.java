package io.polytable.sql.model.catalog;

import io.polytable.sql.model.definition.DefinitionJson;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import io.polytable.table.TableName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The files {@code <namespace>/<table>/schema_vN.json}: every schema version of a table, for outside readers of its
 * files and for DESCRIBE HISTORY. Each is written to a temporary file, synced and renamed before the catalog commits
 * the version, so that every version in the catalog has its file.
 */
final class SchemaFiles {
    private final Path root;

    SchemaFiles(Path root) {
        this.root = root;
    }

    Path root() {
        return root;
    }

    Path directory(TableName table) {
        return root.resolve(table.namespace()).resolve(table.name());
    }

    void write(TableDef table) {
        Path directory = directory(table.physical());
        Path target = directory.resolve("schema_v" + table.version() + ".json");
        Path fresh = directory.resolve("schema_v" + table.version() + ".json.tmp");
        try {
            Files.createDirectories(directory);
            try (FileChannel channel = FileChannel.open(
                    fresh, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
                ByteBuffer bytes = ByteBuffer.wrap(DefinitionJson.table(table).getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        } catch (IOException failure) {
            throw failed("A schema file cannot be written", target, failure);
        }
    }

    /** All versions up to the current one, oldest first. */
    List<TableDef> versions(TableDef present) {
        List<TableDef> versions = new ArrayList<>();
        for (int version = 1; version < present.version(); version++) {
            Path file = directory(present.physical()).resolve("schema_v" + version + ".json");
            try {
                if (Files.exists(file)) {
                    versions.add(DefinitionJson.table(Files.readString(file)));
                }
            } catch (IOException failure) {
                throw failed("A schema file cannot be read", file, failure);
            }
        }
        versions.add(present);
        return versions;
    }

    /** Deletes the schema files of a dropped table. */
    void drop(TableName table) {
        Path directory = directory(table);
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "schema_v*")) {
            for (Path file : files) {
                Files.delete(file);
            }
            Files.deleteIfExists(directory);
        } catch (DirectoryNotEmptyException others) {
            // Other files stay where they are.
            return;
        } catch (IOException failure) {
            throw failed("A schema directory cannot be removed", directory, failure);
        }
    }

    private static StoreException failed(String text, Path file, IOException cause) {
        return new StoreException(StoreError.IO, text, Map.of("file", file), cause);
    }
}
