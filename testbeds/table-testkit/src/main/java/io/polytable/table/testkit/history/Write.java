package io.polytable.table.testkit.history;

/** One change of a batch, printed as the code that makes it. */
sealed interface Write {
    String table();

    /** The value is the text {@code v<number>}, filled up with dots to the size. */
    record Put(String table, String key, int number, int size) implements Write {
        String value() {
            String text = "v" + number;
            return text + ".".repeat(Math.max(0, size - text.length()));
        }

        @Override
        public String toString() {
            return ".put(%s, key(\"%s\"), value(%d, %d))".formatted(table, key, number, size);
        }
    }

    record Delete(String table, String key) implements Write {
        @Override
        public String toString() {
            return ".delete(%s, key(\"%s\"))".formatted(table, key);
        }
    }

    record DeleteRange(String table, Span span) implements Write {
        @Override
        public String toString() {
            return ".deleteRange(%s, %s)".formatted(table, span);
        }
    }
}
