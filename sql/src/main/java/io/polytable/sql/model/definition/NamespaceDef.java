package io.polytable.sql.model.definition;

import java.time.Instant;

/** A namespace, which PostgreSQL calls a schema. */
public record NamespaceDef(String name, Instant createdAt) {}
