package io.polytable.sql.query.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every allowed function is classified by the growth of its result, and none ends the process. */
class FunctionGrowthTest {
    /** Heap, DuckDB's memory and library, and the growth at which queries are stopped. */
    private static final long PEAK_KILOBYTES_MAX = 2_500_000;

    @TempDir
    private Path directory = Path.of("");

    /** Reading the list fails if a function has no growth or an unknown one. */
    @Test
    void everyFunctionIsClassified() {
        Map<String, Growth> growths = new KnownFunctions().growths();
        assertThat(growths).hasSizeGreaterThan(500).doesNotContainValue(null);
        assertThat(growths.values()).contains(Growth.values());
        assertThat(growths).containsEntry("repeat", Growth.GUARDED).containsEntry("levenshtein", Growth.QUADRATIC);
    }

    @Test
    @Timeout(120)
    void noFunctionThatGrowsFastEndsTheProcess() throws Exception {
        verify(Growth.GUARDED, Growth.QUADRATIC);
    }

    @Test
    @Tag("crash")
    @Timeout(1800)
    void noFunctionEndsTheProcess() throws Exception {
        verify(Growth.values());
    }

    private void verify(Growth... growths) throws Exception {
        Path output = directory.resolve("calls.txt");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx256m",
                        "--add-opens=java.base/java.nio=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ExtremeCalls.class.getName(),
                        directory.resolve("sql").toString(),
                        Arrays.stream(growths).map(Growth::name).collect(Collectors.joining(",")))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor()).as(() -> tail(output)).isZero();
        } finally {
            process.destroyForcibly();
        }
        List<String> lines = Files.readAllLines(output, StandardCharsets.UTF_8);
        String peak = lines.get(lines.size() - 1);
        assertThat(peak).startsWith("peak ");
        assertThat(Long.parseLong(peak.substring("peak ".length()))).isLessThan(PEAK_KILOBYTES_MAX);
    }

    private static String tail(Path output) {
        try {
            List<String> lines = Files.readAllLines(output, StandardCharsets.UTF_8);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
        } catch (IOException unreadable) {
            return "";
        }
    }
}
