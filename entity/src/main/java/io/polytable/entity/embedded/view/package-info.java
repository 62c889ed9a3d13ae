/**
 * Entity tables for readers that know no entities, such as SQL: {@link io.polytable.entity.embedded.view.EntityViews} shows each table
 * of each instance in a cell store twice, one row an entity with its newest values, and one row a cell, which an
 * import takes back ({@link io.polytable.entity.embedded.view.EntityImport}). They replace the
 * plain views of the cells beneath, whose bytes only codecs can read.
 */
@NullMarked
package io.polytable.entity.embedded.view;

import org.jspecify.annotations.NullMarked;
