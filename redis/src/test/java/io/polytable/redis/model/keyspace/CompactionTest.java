package io.polytable.redis.model.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.Progress;
import io.polytable.redis.model.hash.Hashes;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.set.RandomMembers;
import io.polytable.redis.model.set.Sets;
import io.polytable.redis.model.upkeep.RedisIntegrity;
import io.polytable.table.Bytes;
import io.polytable.table.testkit.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class CompactionTest {
    private static final Bytes KEY = Bytes.utf8("k");
    private static final int MANY = 3000;
    private static final long EXPIRE_AT = 9_000_000;

    private final MemoryStore store = new MemoryStore();
    private final Keyspace keyspace = Keyspace.openSharded(store, 4);
    private final UnitOfWork unit = keyspace.newUnit();
    private final Sets sets = new Sets();
    private final Hashes hashes = new Hashes();

    private void run(Consumer<Space> work) {
        unit.begin(1000, true);
        work.accept(unit.space(0));
        unit.commit();
    }

    private CollectionHeader header() {
        unit.begin(1000, false);
        return (CollectionHeader) unit.space(0).header(KEY).orElseThrow();
    }

    private static List<Bytes> names(int from, int to) {
        List<Bytes> names = new ArrayList<>();
        for (int i = from; i < to; i++) {
            names.add(Bytes.utf8("element " + i));
        }
        return names;
    }

    @Test
    void aSetThatLostMostOfItsMembersGetsFreshRows() {
        run(space -> sets.add(space, KEY, names(0, MANY)));
        run(space -> space.put(KEY, header().withExpireAt(EXPIRE_AT)));
        CollectionHeader before = header();
        run(space -> sets.remove(space, KEY, names(0, (int) Compaction.REMOVED_MIN - 1)));
        assertThat(header().id()).isEqualTo(before.id());
        int last = MANY - 10;
        for (int i = (int) Compaction.REMOVED_MIN - 1; i < last; i++) {
            int next = i;
            run(space -> sets.remove(space, KEY, names(next, next + 1)));
        }
        CollectionHeader after = header();
        assertThat(after.id()).isNotEqualTo(before.id());
        assertThat(after)
                .isEqualTo(
                        new CollectionHeader(before.type(), EXPIRE_AT, after.id(), after.home(), 10, before.fields()));
        run(space -> assertThat(sets.members(space, KEY)).containsExactlyInAnyOrderElementsOf(names(last, MANY)));
        assertThat(RedisIntegrity.verify(keyspace, Progress.NONE).isClean()).isTrue();
    }

    /** Removals that moving would not pay for, or too many elements to move in one command. */
    @Test
    void whatKeepsManyElementsStaysWhereItIs() {
        run(space -> sets.add(space, KEY, names(0, MANY)));
        long before = header().id();
        run(space -> sets.remove(space, KEY, names(0, MANY / 2)));
        assertThat(header().id()).isEqualTo(before);
    }

    @Test
    void soDoesASetThatIsPopped() {
        RandomMembers chance = new RandomMembers(() -> new Random(1));
        run(space -> sets.add(space, KEY, names(0, MANY)));
        long before = header().id();
        for (int i = 0; i < MANY - 10; i++) {
            run(space -> assertThat(chance.pop(space, KEY, 1)).hasSize(1));
        }
        assertThat(header().id()).isNotEqualTo(before);
        run(space -> assertThat(chance.pop(space, KEY, 20)).hasSize(10).doesNotHaveDuplicates());
        assertThat(RedisIntegrity.verify(keyspace, Progress.NONE).isClean()).isTrue();
    }

    @Test
    void aHashKeepsItsValues() {
        List<Bytes> pairs = new ArrayList<>();
        names(0, MANY).forEach(name -> pairs.addAll(List.of(name, Bytes.utf8("value of " + name.utf8()))));
        run(space -> hashes.put(space, KEY, pairs));
        CollectionHeader before = header();
        run(space -> hashes.remove(space, KEY, names(0, MANY - 3)));
        CollectionHeader after = header();
        assertThat(after.id()).isNotEqualTo(before.id());
        assertThat(after.fields()).isEqualTo(before.fields());
        assertThat(after.size()).isEqualTo(3);
        List<String> left = new ArrayList<>();
        run(space -> hashes.forEach(space, KEY, (field, value) -> left.add(field.utf8() + "=" + value.utf8())));
        assertThat(left)
                .containsExactlyInAnyOrderElementsOf(names(MANY - 3, MANY).stream()
                        .map(name -> name.utf8() + "=value of " + name.utf8())
                        .toList());
        assertThat(RedisIntegrity.verify(keyspace, Progress.NONE).isClean()).isTrue();
    }

    /** The moved elements go and come with the command that moved them. */
    @Test
    void aRolledBackMoveLeavesEverything() {
        run(space -> sets.add(space, KEY, names(0, MANY)));
        long before = header().id();
        unit.begin(1000, true);
        UnitOfWork.Savepoint savepoint = unit.savepoint();
        sets.remove(unit.space(0), KEY, names(0, MANY - 1));
        unit.rollBackTo(savepoint);
        unit.commit();
        assertThat(header().id()).isEqualTo(before);
        run(space -> assertThat(sets.members(space, KEY)).hasSize(MANY));
    }
}
