package io.polytable.sql.expr;

/** Matches LIKE patterns: {@code %} is any run, {@code _} any character, a backslash escapes the next one. */
final class LikePattern {
    private LikePattern() {}

    /** Backtracks to the last {@code %} at a mismatch, so the time is at most the product of both lengths. */
    static boolean matches(String text, String pattern) {
        int t = 0;
        int p = 0;
        int anyAt = -1;
        int anyText = 0;
        while (t < text.length()) {
            char wanted = p < pattern.length() ? pattern.charAt(p) : '\0';
            boolean escaped = wanted == '\\' && p + 1 < pattern.length();
            if (p < pattern.length() && !escaped && wanted == '%') {
                anyAt = p++;
                anyText = t;
            } else if (p < pattern.length() && !escaped && wanted == '_') {
                t += Character.charCount(text.codePointAt(t));
                p++;
            } else if (p < pattern.length() && text.charAt(t) == (escaped ? pattern.charAt(p + 1) : wanted)) {
                t++;
                p += escaped ? 2 : 1;
            } else if (anyAt >= 0) {
                p = anyAt + 1;
                t = ++anyText;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '%') {
            p++;
        }
        return p == pattern.length();
    }
}
