package io.polytable.redis.command.lua;

/** The operations of the bit library on 32-bit numbers. */
final class LuaBits {
    private static final double TWO_52_AND_51 = 6755399441055744.0;

    private LuaBits() {}

    static int of(String name, double left, double right) {
        int a = bits(left);
        int b = bits(right);
        return switch (name) {
            case "tobit" -> a;
            case "bnot" -> ~a;
            case "bswap" -> Integer.reverseBytes(a);
            case "band" -> a & b;
            case "bor" -> a | b;
            case "bxor" -> a ^ b;
            case "lshift" -> a << (b & 31);
            case "rshift" -> a >>> (b & 31);
            case "arshift" -> a >> (b & 31);
            case "rol" -> Integer.rotateLeft(a, b & 31);
            case "ror" -> Integer.rotateRight(a, b & 31);
            default -> throw new IllegalArgumentException(name);
        };
    }

    /** The low 32 bits of the nearest integer, taken from the mantissa as the original does. */
    private static int bits(double value) {
        return (int) Double.doubleToRawLongBits(value + TWO_52_AND_51);
    }
}
