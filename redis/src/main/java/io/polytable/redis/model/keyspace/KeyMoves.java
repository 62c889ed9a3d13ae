package io.polytable.redis.model.keyspace;

import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.change.KeyEvent;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.Direction;
import io.polytable.table.KeyRange;
import io.polytable.table.Table;
import java.util.Optional;

/** Renaming, moving and copying of keys. Only copying a collection costs its size. */
public final class KeyMoves {
    /**
     * Renames the key, replacing a key of the new name.
     *
     * @throws RedisError when there is no such key
     */
    public void rename(Space space, Bytes from, Bytes to) {
        Header header = space.header(from).orElseThrow(() -> RedisError.NO_SUCH_KEY);
        if (!from.equals(to)) {
            relocate(space, from, header, space, to);
            nameRename(space, from, to);
        }
    }

    /**
     * Renames the key unless the new name is taken; returns whether it did.
     *
     * @throws RedisError when there is no such key
     */
    public boolean renameIfAbsent(Space space, Bytes from, Bytes to) {
        Header header = space.header(from).orElseThrow(() -> RedisError.NO_SUCH_KEY);
        if (space.header(to).isPresent()) {
            return false;
        }
        relocate(space, from, header, space, to);
        nameRename(space, from, to);
        return true;
    }

    private static void nameRename(Space space, Bytes from, Bytes to) {
        space.changed(from, KeyEvent.RENAME_FROM);
        space.changed(to, KeyEvent.RENAME_TO);
    }

    /** Returns whether the key was moved: not when it is absent here, or present in the other database. */
    public boolean move(Space space, Bytes key, Space target) {
        Optional<Header> header = space.header(key);
        if (header.isEmpty() || target.header(key).isPresent()) {
            return false;
        }
        relocate(space, key, header.get(), target, key);
        space.changed(key, KeyEvent.MOVE_FROM);
        target.changed(key, KeyEvent.MOVE_TO);
        return true;
    }

    private static void relocate(Space space, Bytes from, Header header, Space target, Bytes to) {
        putNew(target, to, header);
        space.moveAway(from);
    }

    /** As in Redis, a replaced key is removed first, so the key counts as new. */
    private static void putNew(Space target, Bytes to, Header header) {
        boolean replaces = target.header(to).isPresent();
        target.put(to, header);
        if (replaces) {
            target.changed(to, KeyEvent.NEW);
        }
    }

    /** Returns whether the key was copied: not when it is absent, or when the target exists and may not be replaced. */
    public boolean copy(Space space, Bytes from, Space target, Bytes to, boolean replace) {
        Optional<Header> header = space.header(from);
        if (header.isEmpty()) {
            space.missed(from);
        }
        if (header.isEmpty() || (!replace && target.header(to).isPresent())) {
            return false;
        }
        if (header.get() instanceof CollectionHeader collection) {
            putNew(target, to, copyElements(target, collection, to));
        } else {
            putNew(target, to, header.get());
        }
        target.changed(to, KeyEvent.COPY_TO);
        return true;
    }

    private static CollectionHeader copyElements(Space space, CollectionHeader original, Bytes to) {
        CollectionHeader fresh = space.newCollection(to, original.type());
        RedisTables tables = space.unit().tables();
        Table source = tables.elements(original.home());
        Table target = tables.elements(fresh.home());
        for (ElementKind kind : ElementKind.of(original.type())) {
            KeyRange rows = Layout.elements(original.id(), kind);
            try (Cursor cursor = space.unit().writes().scan(source, rows, Direction.FORWARD, Long.MAX_VALUE)) {
                while (cursor.next()) {
                    space.unit().writes().put(target, Layout.withId(cursor.key(), fresh.id()), cursor.value());
                }
            }
        }
        return fresh.withExpireAt(original.expireAt()).withSize(original.size()).withFields(original.fields());
    }
}
