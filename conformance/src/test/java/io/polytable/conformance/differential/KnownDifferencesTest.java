package io.polytable.conformance.differential;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class KnownDifferencesTest {
    private static final String ENTRY = """
            # a comment
            command = FOO .*
            7.0.15 = -ERR old.*
            7.2 = -ERR new = text
            why = it changed
            certain = yes
            """;

    @Test
    void wantsTheNewReplyWhereTheOldOneWasGiven() {
        KnownDifferences known = KnownDifferences.parse(ENTRY);
        assertThat(known.verdict("foo a", "-ERR old text", "-ERR new = text")).contains(true);
        assertThat(known.verdict("foo a", "-ERR old text", "-ERR old text")).contains(false);
        assertThat(known.verdict("foo a", "+OK", "+OK")).isEmpty();
        assertThat(known.verdict("bar a", "-ERR old text", "-ERR old text")).isEmpty();
    }

    @Test
    void refusesAnEntryWithoutAReason() {
        String incomplete = ENTRY.replace("why = it changed\n", "");
        assertThatThrownBy(() -> KnownDifferences.parse(incomplete)).hasMessageContaining("An entry has the fields");
    }

    @Test
    void canBeLoaded() {
        assertThat(KnownDifferences.load()).isNotNull();
    }
}
