package io.polytable.entity.uri;

import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.model.Names;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A store and, as far as the URI goes, an instance, a table and columns of it.
 *
 * <pre>
 * polytable:///dir/instance                                 embedded; the last segment is the instance
 * polytable:///dir//instance/table/family,family:column     a double slash ends the directory
 * polytable://host:port/instance/table/columns
 * polytable-hbase://zk1,zk2:port/instance/table/columns
 * polytable-cassandra://host1,host2:port/instance/table/columns?dc=datacenter1
 * </pre>
 *
 * <p>{@code .env} in place of hosts takes them from the environment, {@code .unset} in place of a name leaves it out.
 *
 * @param directory of an embedded store, empty for others
 * @param hosts of the others, in the order given
 * @param options what stands behind the question mark
 * @param notes what the reader of the URI should know: older forms that were understood
 */
public record EntityUri(
        StoreKind store,
        Optional<Path> directory,
        List<String> hosts,
        OptionalInt port,
        Optional<String> instance,
        Optional<String> table,
        List<ColumnName> columns,
        Map<String, String> options,
        List<String> notes) {
    public EntityUri {
        hosts = List.copyOf(hosts);
        columns = List.copyOf(columns);
        options = Collections.unmodifiableMap(new TreeMap<>(options));
        notes = List.copyOf(notes);
        boolean embedded = store == StoreKind.EMBEDDED;
        require(embedded == directory.isPresent(), "Only an embedded store has a directory");
        require(embedded == hosts.isEmpty(), "A store that is not embedded needs a host");
        require(table.isEmpty() || instance.isPresent(), "A table needs an instance");
        require(columns.isEmpty() || table.isPresent(), "Columns need a table");
        instance.ifPresent(Names::instance);
        table.ifPresent(name -> Names.identifier("table", name));
    }

    private static void require(boolean holds, String text) {
        if (!holds) {
            throw new EntityException(EntityError.BAD_URI, text);
        }
    }

    /** Reads a URI, with this process's environment. */
    public static EntityUri parse(String text) {
        return UriParser.parse(text, System.getenv());
    }

    public static EntityUri parse(String text, Map<String, String> environment) {
        return UriParser.parse(text, environment);
    }

    /** A URI from nothing. */
    public static UriBuilder builder(StoreKind store) {
        return new UriBuilder(store);
    }

    /** Another URI that starts as this one. */
    public UriBuilder toBuilder() {
        return new UriBuilder(this);
    }

    public static EntityUri embedded(Path directory) {
        return new EntityUri(
                StoreKind.EMBEDDED,
                Optional.of(directory),
                List.of(),
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Map.of(),
                List.of());
    }

    public static EntityUri remote(StoreKind store, List<String> hosts, int port) {
        return new EntityUri(
                store,
                Optional.empty(),
                hosts,
                OptionalInt.of(port),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Map.of(),
                List.of());
    }

    public EntityUri withInstance(String name) {
        return new EntityUri(
                store, directory, hosts, port, Optional.of(name), Optional.empty(), List.of(), options, notes);
    }

    public EntityUri withTable(String name) {
        return new EntityUri(store, directory, hosts, port, instance, Optional.of(name), List.of(), options, notes);
    }

    public EntityUri withColumns(List<ColumnName> newColumns) {
        return new EntityUri(store, directory, hosts, port, instance, table, newColumns, options, notes);
    }

    public EntityUri withOption(String key, String value) {
        Map<String, String> more = new TreeMap<>(options);
        more.put(key, value);
        return new EntityUri(store, directory, hosts, port, instance, table, columns, more, notes);
    }

    /** The store alone. */
    public EntityUri ofStore() {
        return new EntityUri(
                store, directory, hosts, port, Optional.empty(), Optional.empty(), List.of(), options, notes);
    }

    /** The store and the instance, without table and columns. */
    public EntityUri ofInstance() {
        return new EntityUri(store, directory, hosts, port, instance, Optional.empty(), List.of(), options, notes);
    }

    public String instanceName() {
        return instance.orElseThrow(
                () -> new EntityException(EntityError.BAD_URI, "The URI names no instance", Map.of("uri", toString())));
    }

    public String tableName() {
        return table.orElseThrow(
                () -> new EntityException(EntityError.BAD_URI, "The URI names no table", Map.of("uri", toString())));
    }

    public int portOrDefault() {
        return port.orElseGet(() -> store.defaultPort().orElse(0));
    }

    /** Refuses an unknown option: a misspelt user or time-out must not be ignored. */
    public EntityUri checkOptions() {
        for (String option : options.keySet()) {
            if (!store.options().contains(option)) {
                throw new EntityException(
                        EntityError.BAD_URI,
                        "The store has no such option",
                        Map.of("option", option, "known", new TreeSet<>(store.options())));
            }
        }
        return this;
    }

    /** A boolean option with a strict spelling: a misspelt value must not disable the security of a connection. */
    public boolean flag(String option, boolean otherwise) {
        String text = options.getOrDefault(option, String.valueOf(otherwise));
        if (!text.equals("true") && !text.equals("false")) {
            throw new EntityException(EntityError.BAD_URI, "An option is neither true nor false", Map.of(option, text));
        }
        return text.equals("true");
    }

    /** Resolves a path: it supplies the missing parts of this URI, in the order instance, table, columns. */
    public EntityUri resolve(String path) {
        List<String> parts = new ArrayList<>();
        instance.ifPresent(parts::add);
        table.ifPresent(parts::add);
        for (String part : path.split("/", -1)) {
            if (!part.isEmpty()) {
                parts.add(part);
            }
        }
        require(columns.isEmpty() && parts.size() <= 3, "Nothing can be resolved below columns");
        return UriParser.withParts(ofStore(), parts);
    }

    /** The canonical form: equal for equal URIs, whatever the order of their hosts and columns. */
    public String toOrderedString() {
        return text(hosts.stream().sorted().toList(), columns.stream().sorted().toList());
    }

    @Override
    public String toString() {
        return text(hosts, columns);
    }

    private String text(List<String> shownHosts, List<ColumnName> shownColumns) {
        StringBuilder text = new StringBuilder(store.scheme()).append("://");
        directory.ifPresent(path -> text.append(path.isAbsolute() ? "" : "/./").append(UriText.escapePath(path)));
        text.append(String.join(",", shownHosts));
        port.ifPresent(number -> text.append(':').append(number));
        // The end of a directory is ambiguous only if a name follows the instance.
        text.append(directory.isPresent() && table.isPresent() ? "//" : "/");
        instance.ifPresent(text::append);
        table.ifPresent(name -> text.append('/').append(name));
        if (!shownColumns.isEmpty()) {
            text.append('/')
                    .append(String.join(
                            ",", shownColumns.stream().map(UriText::column).toList()));
        }
        String separator = "?";
        for (Map.Entry<String, String> option : options.entrySet()) {
            String shown = UriText.isSecret(option.getKey()) ? "***" : UriText.escape(option.getValue());
            text.append(separator).append(option.getKey()).append('=').append(shown);
            separator = "&";
        }
        return text.toString();
    }
}
