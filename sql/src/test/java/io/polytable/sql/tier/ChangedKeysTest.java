package io.polytable.sql.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.Bytes;
import io.polytable.table.KeyRange;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChangedKeysTest {
    private static final KeyRange SOME = KeyRange.between(Bytes.utf8("a"), Bytes.utf8("z"));

    @Test
    void fewKeysAreRemembered() {
        ChangedKeys changed = new ChangedKeys();
        changed.add(List.of(Bytes.utf8("b"), Bytes.utf8("z")));
        assertThat(changed.within(SOME).orElseThrow()).containsExactly(Bytes.utf8("b"));
    }

    /** If the count wrapped, a flush would delete rows that were written concurrently. */
    @Test
    void tooManyStayTooManyHoweverManyFollow() {
        ChangedKeys changed = new ChangedKeys();
        changed.add(Collections.nCopies(Integer.MAX_VALUE, Bytes.utf8("b")));
        assertThat(changed.within(SOME)).isEmpty();
        changed.add(List.of(Bytes.utf8("c")));
        assertThat(changed.within(SOME)).isEmpty();
    }
}
