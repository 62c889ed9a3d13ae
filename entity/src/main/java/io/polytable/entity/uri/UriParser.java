package io.polytable.entity.uri;

import io.polytable.entity.model.ColumnName;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the text of a URI, including older forms. */
final class UriParser {
    private static final String FROM_ENVIRONMENT = ".env";
    private static final String UNSET = ".unset";
    private static final String ONE_PORT = "All hosts have one port, which stands behind the last";
    private static final Pattern SCHEME = Pattern.compile("([a-z][a-z0-9-]*)://(.*)");
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+]");

    private final String text;
    private final Map<String, String> environment;

    private UriParser(String text, Map<String, String> environment) {
        this.text = text;
        this.environment = environment;
    }

    static EntityUri parse(String text, Map<String, String> environment) {
        UriParser parser = new UriParser(text, environment);
        Matcher matcher = SCHEME.matcher(text.strip());
        if (!matcher.matches()) {
            throw parser.bad("A URI starts with a scheme, as in polytable://");
        }
        String rest = matcher.group(2);
        int question = rest.indexOf('?');
        Map<String, String> options = question < 0 ? Map.of() : parser.options(rest.substring(question + 1));
        EntityUri uri = parser.place(matcher.group(1), question < 0 ? rest : rest.substring(0, question));
        for (Map.Entry<String, String> option : options.entrySet()) {
            uri = uri.withOption(option.getKey(), option.getValue());
        }
        return uri;
    }

    private EntityUri place(String scheme, String rest) {
        return switch (scheme) {
            case "kiji", "kiji-hbase" ->
                remote(StoreKind.HBASE, rest, List.of("The scheme " + scheme + " is read as polytable-hbase"));
            case "kiji-cassandra" -> kijiCassandra(rest);
            default -> {
                if (scheme.equals("polytable") && rest.startsWith("/")) {
                    yield embedded(rest);
                }
                StoreKind kind = StoreKind.remoteOf(scheme).orElseThrow(() -> bad("No store has the scheme " + scheme));
                yield remote(kind, rest, List.of());
            }
        };
    }

    private EntityUri embedded(String path) {
        int end = path.indexOf("//");
        String directory;
        List<String> parts;
        if (end >= 0) {
            directory = path.substring(0, end);
            parts = segments(path.substring(end + 2));
        } else {
            String trimmed = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
            int last = trimmed.lastIndexOf('/');
            boolean instanceNamed = !path.endsWith("/");
            directory = instanceNamed ? trimmed.substring(0, Math.max(last, 0)) : trimmed;
            parts = instanceNamed ? segments(trimmed.substring(last + 1)) : List.of();
        }
        String decoded = UriText.unescape(directory);
        if (decoded.startsWith("/.env")) {
            String fromEnvironment = variable(StoreKind.EMBEDDED);
            decoded = fromEnvironment + decoded.substring("/.env".length());
        } else if (decoded.startsWith("/./")) {
            decoded = decoded.substring("/./".length());
        }
        if (decoded.isEmpty()) {
            throw bad("An embedded store needs a directory, as in polytable:///dir/instance");
        }
        return withParts(EntityUri.embedded(directory(decoded)), parts);
    }

    private Path directory(String path) {
        try {
            return Path.of(path);
        } catch (InvalidPathException e) {
            throw bad("Not a directory");
        }
    }

    private EntityUri remote(StoreKind kind, String rest, List<String> notes) {
        int slash = rest.indexOf('/');
        String authority = slash < 0 ? rest : rest.substring(0, slash);
        EntityUri store = authority(kind, authority, notes);
        return withParts(store, slash < 0 ? List.of() : segments(rest.substring(slash + 1)));
    }

    /** {@code kiji-cassandra://zk/host:port/instance} or, older still, {@code /host/port/instance}. */
    private EntityUri kijiCassandra(String rest) {
        List<String> parts = new ArrayList<>(segments(rest));
        if (parts.size() < 2) {
            throw bad("The form is kiji-cassandra://zookeeper/cassandra-hosts/instance");
        }
        parts.remove(0);
        String authority = parts.remove(0);
        if (!parts.isEmpty() && parts.get(0).matches("[0-9]+")) {
            authority = authority + ":" + parts.remove(0);
        }
        List<String> notes = List.of(
                "The scheme kiji-cassandra is read as polytable-cassandra", "Its ZooKeeper hosts are not needed");
        return withParts(authority(StoreKind.CASSANDRA, authority, notes), parts);
    }

    private EntityUri authority(StoreKind kind, String given, List<String> notes) {
        String authority = given.equals(FROM_ENVIRONMENT) ? variable(kind) : given;
        String hosts = authority;
        OptionalInt port = OptionalInt.empty();
        int colon = authority.lastIndexOf(':');
        if (colon > authority.lastIndexOf(']') && colon > authority.lastIndexOf(')')) {
            if (authority.indexOf(',', colon) > 0) {
                throw bad(ONE_PORT);
            }
            hosts = authority.substring(0, colon);
            port = OptionalInt.of(port(authority.substring(colon + 1)));
        }
        if (hosts.startsWith("(") && hosts.endsWith(")")) {
            hosts = hosts.substring(1, hosts.length() - 1);
        }
        List<String> list = hostsOf(hosts, port);
        return new EntityUri(
                kind, Optional.empty(), list, port, Optional.empty(), Optional.empty(), List.of(), Map.of(), notes);
    }

    /** The port follows the last host, and may follow each. */
    private List<String> hostsOf(String text, OptionalInt port) {
        List<String> hosts = new ArrayList<>();
        for (String item : text.split(",", -1)) {
            String host = item.strip();
            int colon = host.lastIndexOf(':');
            if (colon > host.lastIndexOf(']')) {
                if (port.isEmpty() || port(host.substring(colon + 1)) != port.getAsInt()) {
                    throw bad(ONE_PORT);
                }
                host = host.substring(0, colon);
            }
            if (!HOST.matcher(host).matches()) {
                throw bad(host.isEmpty() ? "A host is missing" : "Not a host: " + host.replaceAll(".*@", "***@"));
            }
            hosts.add(host);
        }
        return hosts;
    }

    static void checkHost(String host) {
        if (!HOST.matcher(host).matches()) {
            throw new EntityException(EntityError.BAD_URI, "Not a host", Map.of("host", host));
        }
    }

    private String variable(StoreKind kind) {
        String value = environment.get(kind.hostsVariable());
        if (value == null || value.isBlank()) {
            throw bad("The environment variable " + kind.hostsVariable() + " is not set");
        }
        return value.strip();
    }

    private int port(String digits) {
        if (digits.matches("[0-9]{1,5}")) {
            int port = Integer.parseInt(digits);
            if (port > 0 && port <= 65535) {
                return port;
            }
        }
        throw bad("Not a port" + (digits.contains("@") ? "" : ": " + digits));
    }

    private static List<String> segments(String path) {
        return Arrays.stream(path.split("/", -1))
                .filter(part -> !part.isEmpty())
                .toList();
    }

    private Map<String, String> options(String query) {
        Map<String, String> options = new TreeMap<>();
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (equals <= 0) {
                throw bad("An option is key=value");
            }
            String name = pair.substring(0, equals);
            String value = pair.substring(equals + 1);
            try {
                options.put(name, UriText.unescape(value));
            } catch (EntityException e) {
                throw UriText.isSecret(name) ? bad("A percent escape is broken in " + name) : e;
            }
        }
        return options;
    }

    /** The store with an instance, a table and columns, as many as there are. */
    static EntityUri withParts(EntityUri store, List<String> parts) {
        if (parts.size() > 3) {
            throw new EntityException(
                    EntityError.BAD_URI,
                    "Behind columns nothing can follow; a directory ends with a double slash",
                    Map.of("parts", parts));
        }
        EntityUri uri = store;
        if (!parts.isEmpty() && !parts.get(0).equals(UNSET)) {
            uri = uri.withInstance(parts.get(0));
        }
        if (parts.size() > 1 && !parts.get(1).equals(UNSET)) {
            uri = uri.withTable(parts.get(1));
        }
        if (parts.size() > 2 && !parts.get(2).equals(UNSET)) {
            uri = uri.withColumns(Arrays.stream(parts.get(2).split(",", -1))
                    .map(UriText::unescape)
                    .map(ColumnName::parse)
                    .toList());
        }
        return uri;
    }

    private EntityException bad(String text) {
        return new EntityException(EntityError.BAD_URI, text, Map.of("uri", UriText.shown(this.text)));
    }
}
