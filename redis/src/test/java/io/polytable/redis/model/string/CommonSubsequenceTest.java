package io.polytable.redis.model.string;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.string.CommonSubsequence.Match;
import io.polytable.table.Bytes;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommonSubsequenceTest {
    /** The example of the Redis manual. */
    @Test
    void findsWhatTheManualShows() {
        CommonSubsequence common = CommonSubsequence.of(Bytes.utf8("ohmytext"), Bytes.utf8("mynewtext"));

        assertThat(common.text()).isEqualTo(Bytes.utf8("mytext"));
        assertThat(common.length()).isEqualTo(6);
        assertThat(common.matches(0)).containsExactly(new Match(4, 7, 5, 8), new Match(2, 3, 0, 1));
        assertThat(common.matches(4)).containsExactly(new Match(4, 7, 5, 8));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void findsASubsequenceOfTheRightLength(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            Bytes a = word(random);
            Bytes b = word(random);
            CommonSubsequence common = CommonSubsequence.of(a, b);
            String what = "seed " + seed + ", " + a + " " + b;

            assertThat(common.length()).as(what).isEqualTo(naiveLength(a, b));
            assertThat(CommonSubsequence.length(a, b)).as(what).isEqualTo(common.length());
            assertThat(common.text().length()).as(what).isEqualTo(common.length());
            assertThat(isSubsequence(common.text(), a) && isSubsequence(common.text(), b))
                    .as(what)
                    .isTrue();
            assertThat(common.matches(0).stream().mapToInt(Match::length).sum())
                    .as(what)
                    .isEqualTo(common.length());
        }
    }

    private static Bytes word(Random random) {
        byte[] word = new byte[random.nextInt(30)];
        for (int i = 0; i < word.length; i++) {
            word[i] = (byte) ('a' + random.nextInt(3));
        }
        return Bytes.of(word);
    }

    private static int naiveLength(Bytes a, Bytes b) {
        int[][] lengths = new int[a.length() + 1][b.length() + 1];
        for (int i = 1; i <= a.length(); i++) {
            for (int j = 1; j <= b.length(); j++) {
                lengths[i][j] = a.at(i - 1) == b.at(j - 1)
                        ? lengths[i - 1][j - 1] + 1
                        : Math.max(lengths[i - 1][j], lengths[i][j - 1]);
            }
        }
        return lengths[a.length()][b.length()];
    }

    private static boolean isSubsequence(Bytes part, Bytes whole) {
        int found = 0;
        for (int i = 0; i < whole.length() && found < part.length(); i++) {
            if (whole.at(i) == part.at(found)) {
                found++;
            }
        }
        return found == part.length();
    }

    @Test
    void theTableHasABound() {
        Bytes long1 = Bytes.of(new byte[20_000]);
        assertThatThrownBy(() -> CommonSubsequence.length(long1, long1))
                .isInstanceOf(RedisError.class)
                .hasMessage("Insufficient memory, transient memory for LCS exceeds proto-max-bulk-len");
        assertThat(List.of(CommonSubsequence.length(long1, Bytes.of(new byte[1000]))))
                .containsExactly(1000);
    }
}
