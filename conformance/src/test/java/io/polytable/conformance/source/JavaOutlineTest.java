package io.polytable.conformance.source;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class JavaOutlineTest {
    @Test
    void findsMethodsAndNothingElse() {
        String text = """
                @Rare("{")
                record Point(int x, int y) {
                    Point {
                        if (x < 0) {
                            throw new IllegalArgumentException("}");
                        }
                    }

                    // {
                    @Override
                    public String toString() {
                        Runnable r = new Runnable() {
                            public void run() {
                                for (int i = 0; i < 3; i++) {
                                    go(() -> {
                                        stop();
                                    });
                                }
                            }
                        };
                        return "{{";
                    }

                    abstract void none();

                    void fails() throws java.io.IOException, Error {
                    }
                }
                """;
        assertThat(JavaOutline.methods(new SourceFile("Point.java", text)))
                .containsExactlyInAnyOrder(
                        new JavaOutline.Method("public void run()", 13, 7),
                        new JavaOutline.Method("public String toString()", 11, 12),
                        new JavaOutline.Method("void fails() throws java.io.IOException, Error", 26, 2));
    }
}
