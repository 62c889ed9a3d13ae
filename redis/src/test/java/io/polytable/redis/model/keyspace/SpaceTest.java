package io.polytable.redis.model.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.RowKey;
import io.polytable.table.StoreException;
import io.polytable.table.testkit.MemoryStore;
import org.junit.jupiter.api.Test;

class SpaceTest {
    private static final Bytes KEY = Bytes.utf8("k");
    private static final Bytes FIELD = Bytes.utf8("f");
    private static final Bytes VALUE = Bytes.utf8("v");

    private final Keyspace keyspace = Keyspace.open(new MemoryStore());
    private final UnitOfWork unit = keyspace.newUnit();

    @Test
    void aStringIsThereUntilItsDeadlineHasPassed() {
        unit.begin(1_000, true);
        unit.space(0).putString(KEY, VALUE, 2_000);
        unit.commit();

        unit.begin(2_000, false);
        assertThat(unit.space(0).string(KEY)).contains(VALUE);
        unit.begin(2_001, false);
        assertThat(unit.space(0).string(KEY)).isEmpty();
        assertThat(unit.space(0).size()).isOne();
        unit.begin(2_001, true);
        assertThat(unit.space(0).header(KEY)).isEmpty();
        unit.commit();
        assertThat(unit.space(0).size()).isZero();
    }

    @Test
    void aNewCollectionDoesNotMeetTheElementsOfTheOld() {
        unit.begin(0, true);
        put();
        assertThat(unit.space(0).remove(KEY)).isTrue();
        put();
        unit.space(0).remove(KEY);
        CollectionHeader hash = unit.space(0).collectionOrNew(KEY, Type.HASH);

        assertThat(unit.space(0).elements(hash, ElementKind.HASH_FIELD).get(FIELD))
                .isEmpty();
        unit.commit();
    }

    @Test
    void refusesTheWrongType() {
        unit.begin(0, true);
        put();

        assertThat(unit.space(1).header(KEY)).isEmpty();
        assertThatThrownBy(() -> unit.space(0).string(KEY)).isSameAs(RedisError.WRONG_TYPE);
        assertThatThrownBy(() -> unit.space(0).collection(KEY, Type.ZSET)).isSameAs(RedisError.WRONG_TYPE);
    }

    /** Neither is the header of the key read before it taken for its own. */
    @Test
    void aHeaderThatCannotBeReadFailsEachTime() {
        Bytes damaged = Bytes.utf8("damaged");
        RowKey row = Layout.key(0, keyspace.tables().keyedHash().of(damaged), damaged);
        unit.begin(0, true);
        unit.space(0).putString(KEY, VALUE, Header.NEVER);
        unit.writes().put(keyspace.tables().keys(0), row, Bytes.of(new byte[] {0x7f}));
        unit.commit();

        unit.begin(0, true);
        Space space = unit.space(0);
        assertThat(space.string(KEY)).contains(VALUE);
        assertThatThrownBy(() -> space.string(damaged)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> space.header(damaged)).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> space.putString(damaged, VALUE, Header.NEVER)).isInstanceOf(StoreException.class);
        // The key read before is still known, with its own row.
        space.putString(KEY, FIELD, Header.NEVER);
        unit.commit();
        unit.begin(0, false);
        assertThat(unit.space(0).string(KEY)).contains(FIELD);
        assertThatThrownBy(() -> unit.space(0).string(damaged)).isInstanceOf(StoreException.class);
    }

    private void put() {
        Space space = unit.space(0);
        CollectionHeader hash = space.collectionOrNew(KEY, Type.HASH);
        space.elements(hash, ElementKind.HASH_FIELD).put(FIELD, VALUE);
        space.put(KEY, hash.withSize(1));
        assertThat(space.collection(KEY, Type.HASH).map(CollectionHeader::size)).contains(1L);
    }
}
