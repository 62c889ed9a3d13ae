package io.polytable.entity.uri;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Which store a URI names, by its scheme. */
public enum StoreKind {
    /** {@code polytable:///dir/instance}: files of this process. */
    EMBEDDED("polytable", OptionalInt.empty(), "POLYTABLE_DIR"),
    /** {@code polytable://host:port/instance}: a running server. */
    SERVER("polytable", OptionalInt.of(8080), "POLYTABLE_SERVER"),
    HBASE("polytable-hbase", OptionalInt.of(2181), "POLYTABLE_HBASE_QUORUM"),
    CASSANDRA("polytable-cassandra", OptionalInt.of(9042), "POLYTABLE_CASSANDRA_HOSTS");

    private final String scheme;
    private final OptionalInt defaultPort;
    private final String hostsVariable;

    StoreKind(String scheme, OptionalInt defaultPort, String hostsVariable) {
        this.scheme = scheme;
        this.defaultPort = defaultPort;
        this.hostsVariable = hostsVariable;
    }

    public String scheme() {
        return scheme;
    }

    public OptionalInt defaultPort() {
        return defaultPort;
    }

    /** The environment variable that {@code .env} in place of hosts stands for. */
    public String hostsVariable() {
        return hostsVariable;
    }

    /** The options of the store's URIs. */
    Set<String> options() {
        return switch (this) {
            case EMBEDDED -> Set.of("user", "durability");
            case SERVER -> Set.of("user", "login", "password", "token", "tls", "timeout.millis");
            case HBASE -> Set.of("user", "znode", "timeout.millis", "layout.lease.millis");
            case CASSANDRA ->
                Set.of(
                        "user",
                        "password",
                        "dc",
                        "consistency",
                        "tls",
                        "tls.verify",
                        "truststore",
                        "truststore.password",
                        "timeout.millis",
                        "layout.lease.millis");
        };
    }

    static Optional<StoreKind> remoteOf(String scheme) {
        return switch (scheme) {
            case "polytable" -> Optional.of(SERVER);
            case "polytable-hbase" -> Optional.of(HBASE);
            case "polytable-cassandra" -> Optional.of(CASSANDRA);
            default -> Optional.empty();
        };
    }
}
