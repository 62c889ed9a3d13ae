/**
 * Entities: rows with typed, versioned cells under layouts, on the embedded store, Cassandra or HBase alike.
 *
 * <pre>{@code
 * Entities.install(uri);
 * try (Instance instance = Entities.open(uri)) {
 *     instance.createTable(TableLayout.parse(json));
 *     EntityTable users = instance.table("users");
 *     users.writer().put(users.id("alice"), "info:name", "Alice");
 *     users.reader().get(users.id("alice"), DataRequest.of("info")).value("info:name", String.class);
 * }
 * }</pre>
 *
 * <p>{@link io.polytable.entity.Entities} is the door, {@link io.polytable.entity.Instance} a place of tables, {@link
 * io.polytable.entity.EntityTable} one of them. Beneath, in this order: {@code read} and {@code write}, {@code session} (work
 * under a layout), {@code cell} (values as bytes), {@code meta} and {@code schema} (what an instance remembers), {@code store}
 * (what a store must do), {@code layout}, {@code key}, {@code uri}, {@code model}.
 */
@NullMarked
package io.polytable.entity;

import org.jspecify.annotations.NullMarked;
