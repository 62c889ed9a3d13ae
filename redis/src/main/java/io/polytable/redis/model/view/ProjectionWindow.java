package io.polytable.redis.model.view;

import io.polytable.frontend.view.FollowedViews;
import io.polytable.frontend.view.View;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.keyspace.Databases;
import io.polytable.redis.model.keyspace.KeyRows;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.row.BigEndian;
import io.polytable.redis.model.row.CollectionHeader;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.redis.model.row.Garbage;
import io.polytable.redis.model.row.Header;
import io.polytable.redis.model.row.KeyedHash;
import io.polytable.redis.model.row.Layout;
import io.polytable.table.Bytes;
import io.polytable.table.Cursor;
import io.polytable.table.KeyRange;
import io.polytable.table.Reader;
import io.polytable.table.Table;
import io.polytable.table.column.Value;
import io.polytable.table.feed.Change;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Maps the changes of a window to the shown rows that they touch.
 *
 * <ul>
 *   <li>An element's row touches the same element under every name its collection had in the window.
 *   <li>A key's row touches the row of a string; so does a segment of a long one. A new or renamed collection, or one
 *       with another deadline, touches all elements that the snapshot has of it, under the former and the present
 *       name.
 *   <li>The garbage note of a removed collection touches all its elements, which are not swept before the window ends.
 *   <li>Exchanged or flushed databases touch all that the snapshot has in them, under the former and the present
 *       number.
 * </ul>
 *
 * <p>A row that is missing from the snapshot, because it was deleted later in the window, is touched by its own
 * deletion.
 */
final class ProjectionWindow implements FollowedViews.Window {
    private static final Value NO_SUB_KEY = new Value.OfBytes(Bytes.EMPTY);

    private final RedisProjection projection;
    private final RedisTables tables;
    private final Reader snapshot;
    private final CollectionOwners owners;
    private final ShownDatabases databases;
    private final ShownLists lists;
    private final StreamTouches streams;

    ProjectionWindow(
            RedisProjection projection,
            Reader snapshot,
            CollectionOwners owners,
            ShownDatabases databases,
            ShownLists lists) {
        this.projection = projection;
        this.tables = projection.redisTables();
        this.snapshot = snapshot;
        this.owners = owners;
        this.databases = databases;
        this.lists = lists;
        lists.begin();
        this.streams = new StreamTouches(projection, snapshot, owners, databases);
    }

    @Override
    public void touchedBy(List<Change> changes, FollowedViews.Touched touched) {
        owners.load(collections(changes));
        for (Change change : changes) {
            Table table = change.table();
            if (tables.garbageTables().contains(table)) {
                touchGarbage(change, touched);
            } else if (table.equals(tables.settings())) {
                touchSetting(change, touched);
            } else if (isElements(table)) {
                touchElement(change, touched);
            } else {
                touchKey(change, touched);
            }
        }
        for (ShownLists.Indexes indexes : lists.touched()) {
            owners.names(indexes.id()).forEach(name -> touchIndexes(name, indexes, touched));
        }
    }

    private void touchIndexes(CollectionOwner name, ShownLists.Indexes indexes, FollowedViews.Touched touched) {
        for (long index = indexes.from(); index < indexes.to(); index++) {
            touchSub(name, ElementKind.LIST_ELEMENT, Bytes.utf8(Long.toString(index)), touched);
        }
    }

    private boolean isElements(Table table) {
        for (int part = 0; part < tables.partCount(); part++) {
            if (table.equals(tables.elements(part))) {
                return true;
            }
        }
        return false;
    }

    private Set<Long> collections(List<Change> changes) {
        Set<Long> ids = new HashSet<>();
        for (Change change : changes) {
            if (tables.garbageTables().contains(change.table())) {
                ids.add(Layout.garbageId(change.key()));
            } else if (isElements(change.table())) {
                ids.add(BigEndian.longAt(change.key(), 0));
            } else if (!change.table().equals(tables.settings())
                    && change.value().map(Header::decode).orElse(null) instanceof CollectionHeader header) {
                ids.add(header.id());
            }
        }
        return ids;
    }

    private void touchKey(Change change, FollowedViews.Touched touched) {
        // A range of keys is deleted only with its flushed database, long after it was last shown.
        if (change.kind() == Change.Kind.DELETE_RANGE) {
            return;
        }
        int database = change.key().at(0) & 0xff;
        Bytes key = Layout.redisKey(change.key());
        Optional<Header> header = change.value().map(Header::decode);
        if (header.orElse(null) instanceof CollectionHeader collection) {
            touchCollection(new CollectionOwner(database, key, collection.expireAt()), collection, touched);
        } else {
            touchString(database, key, touched);
        }
    }

    private void touchString(int physicalDatabase, Bytes key, FollowedViews.Touched touched) {
        View view = projection.dataView(tables.part(key));
        for (int database : databases.of(physicalDatabase)) {
            touched.row(view, List.of(new Value.OfInt(database), new Value.OfBytes(key), NO_SUB_KEY));
        }
    }

    private void touchCollection(CollectionOwner now, CollectionHeader header, FollowedViews.Touched touched) {
        Optional<CollectionOwner> before = owners.find(header.id());
        if (header.type() == Type.LIST) {
            lists.header(header);
        }
        if (before.equals(Optional.of(now))) {
            if (header.type() == Type.STRING) {
                touchString(now.physicalDatabase(), now.key(), touched);
            } else {
                touchSubKeys(now, touched);
            }
            return;
        }
        boolean isRenamed = before.isPresent() && !before.get().isNamed(now.physicalDatabase(), now.key());
        if (isRenamed) {
            owners.rename(header.id(), before.get(), now);
            touchAll(before.get(), header.id(), new Garbage(header.home(), header.type()), touched);
        }
        // A former string may be a collection now.
        touchString(now.physicalDatabase(), now.key(), touched);
        touchAll(now, header.id(), new Garbage(header.home(), header.type()), touched);
        if (!isRenamed) {
            owners.put(header.id(), now);
        }
    }

    private void touchGarbage(Change change, FollowedViews.Touched touched) {
        if (change.kind() != Change.Kind.PUT) {
            return;
        }
        long id = Layout.garbageId(change.key());
        List<CollectionOwner> names = owners.names(id);
        for (CollectionOwner name : names) {
            touchAll(name, id, Garbage.decode(change.value().orElseThrow()), touched);
        }
        if (!names.isEmpty()) {
            owners.remove(id);
        }
        if (Garbage.decode(change.value().orElseThrow()).type() == Type.LIST) {
            lists.remove(id);
        }
    }

    /** Touches all elements that the snapshot has of the collection, under the name. */
    private void touchAll(CollectionOwner name, long id, Garbage where, FollowedViews.Touched touched) {
        if (where.type() == Type.STREAM) {
            streams.touchAll(name, id, where.home(), touched);
            return;
        }
        if (where.type() == Type.STRING) {
            touchString(name.physicalDatabase(), name.key(), touched);
            return;
        }
        Optional<ElementKind> kind = shownKind(where.type());
        if (kind.isEmpty() || databases.of(name.physicalDatabase()).length == 0) {
            return;
        }
        touchSubKeys(name, touched);
        if (kind.get() == ElementKind.LIST_ELEMENT) {
            touchIndexes(name, lists.all(id), touched);
            return;
        }
        try (Cursor elements = snapshot.scan(tables.elements(where.home()), Layout.elements(id, kind.get()))) {
            while (elements.next()) {
                touchElement(name, kind.get(), elements.key(), touched);
            }
        }
    }

    private void touchElement(Change change, FollowedViews.Touched touched) {
        if (streams.touchedBy(change, touched)) {
            return;
        }
        // A range of elements is deleted only with its collection, or has rows that are not shown.
        if (change.kind() == Change.Kind.DELETE_RANGE) {
            return;
        }
        if (change.key().at(Long.BYTES) == ElementKind.STRING_SEGMENT.tag()) {
            for (CollectionOwner name : owners.names(BigEndian.longAt(change.key(), 0))) {
                touchString(name.physicalDatabase(), name.key(), touched);
            }
            return;
        }
        Optional<ElementKind> kind = shownKind(change.key());
        if (kind.isPresent() && kind.get() == ElementKind.LIST_ELEMENT) {
            long id = BigEndian.longAt(change.key(), 0);
            OptionalLong index = lists.element(id, change.key());
            if (index.isPresent()) {
                Bytes sub = Bytes.utf8(Long.toString(index.getAsLong()));
                owners.names(id).forEach(name -> touchSub(name, ElementKind.LIST_ELEMENT, sub, touched));
            }
        } else if (kind.isPresent()) {
            for (CollectionOwner name : owners.names(BigEndian.longAt(change.key(), 0))) {
                touchElement(name, kind.get(), change.key(), touched);
                touchSubKeys(name, touched);
            }
        }
    }

    /** The kind of a collection's rows that are visible one to one. */
    private static Optional<ElementKind> shownKind(Type type) {
        // Streams have views of their own.
        return type == Type.STREAM ? Optional.empty() : ElementKind.counted(type);
    }

    private static Optional<ElementKind> shownKind(Bytes elementRow) {
        int tag = elementRow.at(Long.BYTES);
        for (ElementKind kind : ElementKind.values()) {
            if (kind.tag() == tag) {
                return shownKind(kind.type()).filter(kind::equals);
            }
        }
        return Optional.empty();
    }

    private void touchElement(CollectionOwner name, ElementKind kind, Bytes row, FollowedViews.Touched touched) {
        touchSub(name, kind, row.from(Layout.ELEMENT_PREFIX + KeyedHash.BYTES), touched);
    }

    private void touchSub(CollectionOwner name, ElementKind kind, Bytes subKey, FollowedViews.Touched touched) {
        View view = projection.dataView(tables.part(name.key()));
        Value sub = new Value.OfBytes(subKey);
        for (int database : databases.of(name.physicalDatabase())) {
            List<Value> key = List.of(new Value.OfInt(database), new Value.OfBytes(name.key()), sub);
            touched.row(view, key);
            if (kind == ElementKind.ZSET_MEMBER) {
                touched.row(projection.memberView(), key);
            }
        }
    }

    private void touchSubKeys(CollectionOwner name, FollowedViews.Touched touched) {
        for (int database : databases.of(name.physicalDatabase())) {
            touched.row(projection.subKeyView(), List.of(new Value.OfInt(database), new Value.OfBytes(name.key())));
        }
    }

    private void touchSetting(Change change, FollowedViews.Touched touched) {
        if (change.kind() == Change.Kind.PUT && RedisTables.isDatabases(change.key())) {
            BitSet moved = databases.change(Databases.decode(change.value().orElseThrow()));
            moved.stream().forEach(physical -> touchDatabase(physical, touched));
        }
    }

    private void touchDatabase(int physicalDatabase, FollowedViews.Touched touched) {
        KeyRange keys = KeyRange.partition(Layout.database(physicalDatabase));
        for (int part = 0; part < tables.partCount(); part++) {
            try (Cursor cursor = snapshot.scan(tables.keys(part), keys)) {
                while (cursor.next()) {
                    touchPresent(physicalDatabase, Layout.redisKey(cursor.key()), cursor.value(), touched);
                }
            }
        }
    }

    private Header touchPresent(int physicalDatabase, Bytes key, Bytes row, FollowedViews.Touched touched) {
        Header header = Header.decode(row);
        if (header instanceof CollectionHeader collection) {
            CollectionOwner name = new CollectionOwner(physicalDatabase, key, collection.expireAt());
            if (collection.type() == Type.LIST) {
                lists.header(collection);
            }
            touchAll(name, collection.id(), Garbage.of(collection), touched);
        } else {
            touchString(physicalDatabase, key, touched);
        }
        return header;
    }

    @Override
    public void everything(FollowedViews.Touched touched) {
        // Nothing is known of what was shown before, so former database numbers do not matter.
        BitSet unusedMoved = databases.change(tables.databases(snapshot));
        try (KeyRows keys = new KeyRows(tables, snapshot)) {
            while (keys.next()) {
                Header header = touchPresent(keys.physicalDatabase(), keys.key(), keys.value(), touched);
                if (header instanceof CollectionHeader collection) {
                    owners.put(
                            collection.id(),
                            new CollectionOwner(keys.physicalDatabase(), keys.key(), collection.expireAt()));
                }
            }
        }
    }

    @Override
    public void end() {
        owners.end();
        lists.end();
        databases.end();
    }
}
