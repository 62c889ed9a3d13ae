/**
 * Codecs of cell values. A {@link io.polytable.entity.cell.CellCodec} belongs to a column and is chosen by {@link
 * io.polytable.entity.cell.CellCodecs}; {@link io.polytable.entity.cell.RecordBinding} maps Java records to Avro, and {@link
 * io.polytable.entity.cell.ReadAs} selects the Java type of Avro values.
 */
@NullMarked
package io.polytable.entity.cell;

import org.jspecify.annotations.NullMarked;
