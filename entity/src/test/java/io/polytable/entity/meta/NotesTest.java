package io.polytable.entity.meta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.entity.model.ColumnName;
import io.polytable.entity.store.StoreRecords;
import io.polytable.table.Bytes;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Notes by key, by pattern, by column and by family. */
class NotesTest {
    private static final ColumnName NAME = ColumnName.parse("info:name");
    private static final ColumnName INFO = ColumnName.family("info");

    private final MapRecords records = new MapRecords();
    private final Notes notes = new Notes(records, "users");

    /** Records of a map. */
    private static final class MapRecords implements StoreRecords {
        private final NavigableMap<String, Bytes> map = new TreeMap<>();

        @Override
        public Optional<Bytes> get(String key) {
            return Optional.ofNullable(map.get(key));
        }

        @Override
        public void put(String key, Bytes value) {
            map.put(key, value);
        }

        @Override
        public void remove(String key) {
            map.remove(key);
        }

        @Override
        public boolean replace(String key, Optional<Bytes> expected, Bytes value) {
            boolean isSame = get(key).equals(expected);
            if (isSame) {
                map.put(key, value);
            }
            return isSame;
        }

        @Override
        public NavigableMap<String, Bytes> withPrefix(String prefix) {
            NavigableMap<String, Bytes> found = new TreeMap<>(map.tailMap(prefix, true));
            found.keySet().removeIf(key -> !key.startsWith(prefix));
            return found;
        }
    }

    @Test
    void notesAreFoundAndRemovedByPattern() {
        notes.set("a_one", "1");
        notes.set("a_two", "2");
        notes.set("b", "3");
        notes.set(NAME, "a_name", "4");
        notes.set(INFO, "a_info", "5");
        notes.set(ColumnName.parse("infos:x"), "a_other", "6");
        assertThat(notes.find(key -> key.startsWith("a_"))).containsOnlyKeys("a_one", "a_two");
        assertThat(notes.findInFamily("info", key -> true)).containsOnlyKeys(INFO, NAME);
        assertThat(notes.removeAll(key -> key.startsWith("a_"))).isEqualTo(2);
        assertThat(notes.find(key -> true)).containsOnlyKeys("b");
        assertThat(notes.removeAll(NAME, key -> key.equals("none"))).isZero();
        assertThat(notes.removeAllInFamily("info", key -> key.contains("_"))).isEqualTo(2);
        assertThat(notes.get(ColumnName.parse("infos:x"), "a_other")).contains("6");
        notes.removeAll();
        assertThat(records.map).isEmpty();
    }

    @Test
    void keysAndValuesHaveBounds() {
        assertThatThrownBy(() -> notes.set("a/b", "x")).hasMessageContaining("a/b");
        assertThatThrownBy(() -> notes.set("a", "x".repeat((64 << 10) + 1))).hasMessageContaining("too long");
    }
}
