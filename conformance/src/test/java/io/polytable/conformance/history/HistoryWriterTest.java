package io.polytable.conformance.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HistoryWriterTest {
    private final HistoryWriter writer = new HistoryWriter();

    @Test
    void writesTheSameHistoryForTheSameSeed() {
        assertThat(writer.write(7, 200)).isEqualTo(new HistoryWriter().write(7, 200));
        assertThat(writer.write(7, 200)).isNotEqualTo(writer.write(8, 200));
    }

    @Test
    void usesEveryCommandSoonerOrLater() {
        Set<String> seen = new HashSet<>();
        for (long seed = 1; seed <= 30; seed++) {
            writer.write(seed, 400).steps().forEach(step -> seen.addAll(names(step)));
        }
        assertThat(seen).containsAll(writer.commands());
    }

    @Test
    void expandsASyntaxLine() {
        Syntax line = Syntax.parse("SET key ( A | B ) [ C ] { D ; E 1 } ( x y )+");
        for (long seed = 0; seed < 200; seed++) {
            String words = String.join(" ", line.expand(new Dice(seed), List::of));
            assertThat(words).matches("SET key [AB]( C)?( D)?( E 1)?( D)?( x y){1,4}");
        }
    }

    private static List<String> names(Step step) {
        if (step instanceof Step.Call call) {
            return List.of(call.words().get(0).toUpperCase(java.util.Locale.ROOT));
        }
        if (step instanceof Step.Walk walk) {
            return List.of(walk.words().get(0).toUpperCase(java.util.Locale.ROOT));
        }
        return List.of();
    }
}
