/**
 * Codecs between typed columns and bytes. A {@link io.polytable.table.codec.KeyCodec} produces keys
 * that sort as their columns do, a {@link io.polytable.table.codec.ValueCodec} encodes all other columns, and a
 * {@link io.polytable.table.codec.RowCodec} combines the two. {@link io.polytable.table.codec.KeyWriter} and
 * {@link io.polytable.table.codec.KeyReader} are for frontends with their own key layouts. docs/formats/keys.md and
 * docs/formats/rows.md have the bytes.
 */
@NullMarked
package io.polytable.table.codec;

import org.jspecify.annotations.NullMarked;
