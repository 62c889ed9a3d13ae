package io.polytable.redis.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Bytes;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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

    @Test
    void knowsWhatEveryMatchStartsWith() {
        assertThat(Glob.of(Bytes.utf8("user:*:name")).prefix()).isEqualTo(Bytes.utf8("user:"));
        assertThat(Glob.of(Bytes.utf8("a\\*b?")).prefix()).isEqualTo(Bytes.utf8("a*b"));
        assertThat(Glob.of(Bytes.utf8("plain")).prefix()).isEqualTo(Bytes.utf8("plain"));
        assertThat(Glob.of(Bytes.utf8("[a]b")).prefix()).isEqualTo(Bytes.EMPTY);
        assertThat(Glob.ignoringCase(Bytes.utf8("1a")).prefix()).isEqualTo(Bytes.utf8("1"));
    }

    @Test
    void onlyTheSingleStarIsEverything() {
        assertThat(Glob.of(Bytes.utf8("*")).isEverything()).isTrue();
        assertThat(Glob.of(Bytes.utf8("**")).isEverything()).isFalse();
        assertThat(Glob.of(Bytes.EMPTY).isEverything()).isFalse();
    }
}
