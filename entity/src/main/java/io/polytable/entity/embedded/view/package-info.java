/**
 * Views of entity tables for SQL: {@link io.polytable.entity.embedded.view.EntityViews} shows each table
 * of each instance in a cell store twice, with one row per entity (its newest values) and with one row per cell, into which
 * exports can be imported again ({@link io.polytable.entity.embedded.view.EntityImport}). They replace the
 * plain views of the cell tables, whose values are encoded.
 */
@NullMarked
package io.polytable.entity.embedded.view;

import org.jspecify.annotations.NullMarked;
