package io.polytable.entity.layout;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.avro.Schema;

/**
 * The cell type and schemas of a column or of a map-type family.
 *
 * @param defaultReader the default reader schema of Avro values
 * @param written schemas of stored values that are no longer used for writing
 * @param className a specific Avro class, or a Protobuf message class
 * @param ttlSeconds a shorter time to live than the locality group's, for this column alone
 */
public record CellSchema(
        CellType type,
        SchemaStorage storage,
        Validation validation,
        Optional<Schema> defaultReader,
        List<Schema> readers,
        List<Schema> writers,
        List<Schema> written,
        Optional<String> className,
        OptionalLong ttlSeconds) {
    public CellSchema {
        readers = distinct(readers);
        writers = distinct(writers);
        written = distinct(written);
    }

    private static List<Schema> distinct(List<Schema> schemas) {
        return List.copyOf(new LinkedHashSet<>(schemas));
    }

    /** Avro cells that are read and written with one schema. */
    public static CellSchema avro(Schema schema) {
        return new CellSchema(
                CellType.AVRO,
                SchemaStorage.UID,
                Validation.STRICT,
                Optional.of(schema),
                List.of(schema),
                List.of(schema),
                List.of(),
                Optional.empty(),
                OptionalLong.empty());
    }

    public static CellSchema avro(String schemaJson) {
        return avro(SchemaText.parse(schemaJson));
    }

    /** Avro cells of a specific class on the class path. */
    public static CellSchema ofClass(String className) {
        return SchemaJson.ofClass(className);
    }

    public static CellSchema counter() {
        return plain(CellType.COUNTER);
    }

    public static CellSchema bytes() {
        return plain(CellType.RAW_BYTES);
    }

    public static CellSchema json() {
        return plain(CellType.JSON);
    }

    public static CellSchema protobuf(String className) {
        return plain(CellType.PROTOBUF).withClassName(className);
    }

    private static CellSchema plain(CellType type) {
        return new CellSchema(
                type,
                SchemaStorage.UID,
                Validation.NONE,
                Optional.empty(),
                List.of(),
                List.of(),
                List.of(),
                Optional.empty(),
                OptionalLong.empty());
    }

    public CellSchema withClassName(String name) {
        return new CellSchema(
                type, storage, validation, defaultReader, readers, writers, written, Optional.of(name), ttlSeconds);
    }

    public CellSchema withStorage(SchemaStorage newStorage) {
        return new CellSchema(
                type, newStorage, validation, defaultReader, readers, writers, written, className, ttlSeconds);
    }

    public CellSchema withValidation(Validation newValidation) {
        return new CellSchema(
                type, storage, newValidation, defaultReader, readers, writers, written, className, ttlSeconds);
    }

    public CellSchema withTtlSeconds(long seconds) {
        return new CellSchema(
                type,
                storage,
                validation,
                defaultReader,
                readers,
                writers,
                written,
                className,
                OptionalLong.of(seconds));
    }

    public CellSchema withDefaultReader(Schema schema) {
        return new CellSchema(
                type, storage, validation, Optional.of(schema), readers, writers, written, className, ttlSeconds);
    }

    public CellSchema withoutDefaultReader() {
        return new CellSchema(
                type, storage, validation, Optional.empty(), readers, writers, written, className, ttlSeconds);
    }

    public CellSchema withSchemas(List<Schema> newReaders, List<Schema> newWriters, List<Schema> newWritten) {
        return new CellSchema(
                type, storage, validation, defaultReader, newReaders, newWriters, newWritten, className, ttlSeconds);
    }

    /** With the schema registered for reading and writing. */
    public CellSchema withRegistered(Schema schema) {
        List<Schema> moreReaders = new ArrayList<>(readers);
        moreReaders.add(schema);
        List<Schema> moreWriters = new ArrayList<>(writers);
        moreWriters.add(schema);
        return withSchemas(moreReaders, moreWriters, written);
    }

    /** All schemas that stored values may have. */
    public Set<Schema> allWritten() {
        Set<Schema> all = new LinkedHashSet<>(writers);
        all.addAll(written);
        return all;
    }

    /** All schemas that values are read as. */
    public Set<Schema> allReaders() {
        Set<Schema> all = new LinkedHashSet<>(readers);
        defaultReader.ifPresent(all::add);
        return all;
    }
}
