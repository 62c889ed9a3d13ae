package io.polytable.redis.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.polytable.table.Bytes;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GlobTest {
    @Test
    void matchesWhatKeysFinds() {
        assertThat(wrongAnswers("globs.txt", Glob::of)).isEmpty();
    }

    @Test
    void ignoringCaseMatchesWhatConfigGetFinds() {
        assertThat(wrongAnswers("globs-ignoring-case.txt", Glob::ignoringCase)).isEmpty();
    }

    private static List<List<String>> wrongAnswers(String file, Function<Bytes, Glob> compiler) {
        return GoldenLines.of(file).stream()
                .filter(line -> {
                    Glob glob = compiler.apply(GoldenLines.bytes(line.get(0)));
                    boolean matches = glob.matches(GoldenLines.bytes(line.get(1)));
                    return matches != line.get(2).equals("yes");
                })
                .toList();
    }

    @Test
    @Timeout(20)
    void hostilePatternsCostPatternTimesTextAtMost() {
        Glob glob = Glob.of(Bytes.utf8("*a".repeat(900) + "b"));
        assertThat(glob.matches(Bytes.utf8("a".repeat(20_000)))).isFalse();
    }

    /** One text, for which the steps would be taken half a million times half a million: Redis continues for minutes. */
    @Test
    @Timeout(60)
    void givesUpWhenPatternTimesTextIsTooMuch() {
        Glob glob = Glob.of(Bytes.utf8("*" + "[]a]".repeat(100) + "a".repeat(500_000) + "b"));
        assertThat(glob.matches(Bytes.utf8("a".repeat(1_000_000)))).isFalse();
        Glob bracketed = Glob.of(Bytes.utf8("*" + "[a]".repeat(500_000) + "b"));
        assertThat(bracketed.matches(Bytes.utf8("a".repeat(1_000_000)))).isFalse();
    }

    @Test
    void classesAndStarsCostWhatTheyCompare() {
        Glob digits = Glob.of(Bytes.utf8("*" + "[0-9]".repeat(200) + "x"));
        assertThat(digits.matches(Bytes.utf8("7".repeat(10_100) + "x"))).isTrue();
        // Redis follows a thousand stars and not one more; the last of a pattern takes all that is left.
        Glob stars = Glob.of(Bytes.utf8("*a".repeat(1_000) + "*"));
        assertThat(stars.matches(Bytes.utf8("a".repeat(1_000) + "b"))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "[a]", "[^a-z\\]]", "*", "a", "\\[", "?*"})
    void aLongPatternTakesNoMoreThanItsText(String part) {
        Bytes pattern = Bytes.utf8(part.repeat((8 << 20) / part.length()));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        Glob glob = Glob.of(pattern);
        long taken = threads.getCurrentThreadAllocatedBytes() - before;
        assertThat(glob.matches(Bytes.utf8("\n"))).isEqualTo(part.equals("*"));
        assertThat(taken).isLessThan(pattern.length() + (64 << 10));
    }

    /** Whatever stands before it, a pattern means the same when it is too long for the quick form. */
    @ParameterizedTest
    @ValueSource(strings = {"globs.txt", "globs-ignoring-case.txt"})
    void aLongPatternMatchesWhatAShortOneDoes(String file) {
        String start = "x".repeat(2_000);
        boolean ignoresCase = file.contains("case");
        assertThat(GoldenLines.of(file).stream().filter(line -> {
                    Bytes pattern = GoldenLines.bytes(line.get(0));
                    Bytes text = GoldenLines.bytes(line.get(1));
                    Glob alone = ignoresCase ? Glob.ignoringCase(pattern) : Glob.of(pattern);
                    Bytes longPattern = Bytes.utf8(start).concat(pattern);
                    Glob longer = ignoresCase ? Glob.ignoringCase(longPattern) : Glob.of(longPattern);
                    // Alone, the empty text is an exception.
                    return !text.isEmpty() && longer.matches(Bytes.utf8(start).concat(text)) != alone.matches(text);
                }))
                .isEmpty();
    }

    @Test
    void aLongClassIsOneStep() {
        Glob glob = Glob.of(Bytes.utf8("*[" + "ab".repeat(1 << 20) + "]c"));
        assertThat(glob.matches(Bytes.utf8("a".repeat(20_000) + "c"))).isTrue();
        assertThat(glob.matches(Bytes.utf8("a".repeat(20_000)))).isFalse();
    }
}
