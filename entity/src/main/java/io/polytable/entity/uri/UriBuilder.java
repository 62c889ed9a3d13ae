package io.polytable.entity.uri;

import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * Builds a URI, from scratch or from another URI. {@link #build} refuses invalid combinations with {@link
 * EntityError#BAD_URI}.
 */
public final class UriBuilder {
    private final StoreKind store;
    private Optional<Path> directory = Optional.empty();
    private List<String> hosts = List.of();
    private OptionalInt port = OptionalInt.empty();
    private Optional<String> instance = Optional.empty();
    private Optional<String> table = Optional.empty();
    private final List<ColumnName> columns = new ArrayList<>();
    private final Map<String, String> options = new TreeMap<>();
    private List<String> notes = List.of();

    UriBuilder(StoreKind store) {
        this.store = store;
    }

    UriBuilder(EntityUri uri) {
        store = uri.store();
        directory = uri.directory();
        hosts = uri.hosts();
        port = uri.port();
        instance = uri.instance();
        table = uri.table();
        columns.addAll(uri.columns());
        options.putAll(uri.options());
        notes = uri.notes();
    }

    /** Where an embedded store is. */
    public UriBuilder directory(Path path) {
        directory = Optional.of(path);
        return this;
    }

    public UriBuilder hosts(String... names) {
        hosts = Arrays.stream(names).peek(UriParser::checkHost).toList();
        return this;
    }

    public UriBuilder port(int number) {
        if (number < 1 || number > 65535) {
            throw new EntityException(EntityError.BAD_URI, "Not a port", Map.of("port", number));
        }
        port = OptionalInt.of(number);
        return this;
    }

    public UriBuilder instance(String name) {
        instance = Optional.of(name);
        return this;
    }

    public UriBuilder table(String name) {
        table = Optional.of(name);
        return this;
    }

    /** One more column or family, such as {@code info:name}. */
    public UriBuilder column(String name) {
        columns.add(ColumnName.parse(name));
        return this;
    }

    /** Replaces all columns. */
    public UriBuilder columns(List<ColumnName> names) {
        columns.clear();
        columns.addAll(names);
        return this;
    }

    public UriBuilder option(String key, String value) {
        options.put(key, value);
        return this;
    }

    public EntityUri build() {
        return new EntityUri(store, directory, hosts, port, instance, table, columns, options, notes);
    }
}
