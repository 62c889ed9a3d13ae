/**
 * How typed columns become bytes and bytes become columns again. A {@link io.polytable.table.codec.KeyCodec} gives keys
 * that sort as their columns do, a {@link io.polytable.table.codec.ValueCodec} packs all other columns, and a
 * {@link io.polytable.table.codec.RowCodec} is the two together. {@link io.polytable.table.codec.KeyWriter} and
 * {@link io.polytable.table.codec.KeyReader} are for those who lay out keys by hand. docs/formats/keys.md and
 * docs/formats/rows.md have the bytes.
 */
@NullMarked
package io.polytable.table.codec;

import org.jspecify.annotations.NullMarked;
