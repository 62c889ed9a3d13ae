package io.polytable.sql.format;

/** Roman numerals. */
final class Roman {
    /** The longest numeral, MMMDCCCLXXXVIII. */
    static final int WIDTH = 15;

    private static final int MOST = 3999;
    private static final int[] VALUES = {1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1};
    private static final String[] LETTERS = {"M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"};

    private Roman() {}

    /** The numeral; empty if there is none. */
    static String numeral(int number) {
        if (number < 1 || number > MOST) {
            return "";
        }
        StringBuilder numeral = new StringBuilder();
        int left = number;
        for (int i = 0; i < VALUES.length; i++) {
            while (left >= VALUES[i]) {
                numeral.append(LETTERS[i]);
                left -= VALUES[i];
            }
        }
        return numeral.toString();
    }
}
