/**
 * Entities: rows with typed, versioned cells under layouts, on the embedded store, Cassandra or HBase.
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
 * <p>{@link io.polytable.entity.Entities} is the entry point, {@link io.polytable.entity.Instance} a namespace of tables, {@link
 * io.polytable.entity.EntityTable} one table. The layers beneath, from top to bottom: {@code read} and {@code write}, {@code
 * session} (calls under one version of a layout), {@code cell} (values as bytes), {@code meta} and {@code schema} (metadata of
 * an instance), {@code store} (the contract of a store), {@code layout}, {@code key}, {@code uri}, {@code model}.
 */
@NullMarked
package io.polytable.entity;

import org.jspecify.annotations.NullMarked;
