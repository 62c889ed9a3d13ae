/**
 * Values as stored bytes. A {@link io.polytable.entity.cell.CellCodec} belongs to a column and is chosen by {@link
 * io.polytable.entity.cell.CellCodecs}; {@link io.polytable.entity.cell.RecordBinding} makes Avro of Java records, and {@link
 * io.polytable.entity.cell.ReadAs} says what a reader wants Avro values as.
 */
@NullMarked
package io.polytable.entity.cell;

import org.jspecify.annotations.NullMarked;
