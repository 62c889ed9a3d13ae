/**
 * Numbers as Redis reads and prints them, digit for digit.
 *
 * <p>{@link io.polytable.redis.model.number.Numbers} parses integers and doubles and is where callers start.
 * {@link io.polytable.redis.model.number.DoubleText} prints a double in the fewest digits that read back as the same
 * double. {@link io.polytable.redis.model.number.LongDouble} adds as C's 80-bit {@code long double} does, for
 * INCRBYFLOAT.
 *
 * <p>Text goes through {@code FloatText} (the grammar of {@code strtod}) into a {@code BinaryFloat}, and back through
 * {@code DoubleDigits}. Golden files with the answers of a real Redis verify both ways.
 */
@NullMarked
package io.polytable.redis.model.number;

import org.jspecify.annotations.NullMarked;
