package io.polytable.redis.model.view;

import io.polytable.frontend.view.FollowedViews;
import io.polytable.frontend.view.View;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.RedisTables;
import io.polytable.redis.model.row.ElementKind;
import io.polytable.table.Table;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The views of Redis data that are followed: one row per element, one per member of a sorted set, and one per
 * collection with its sub-keys. Only what clients can reach is visible; an expired key until its removal is logged.
 *
 * <p>{@link RedisViews} reads the rows, and {@link ProjectionWindow} knows which changes touch them.
 */
public final class RedisProjection implements FollowedViews {
    private final RedisTables tables;
    private final List<View> data;
    private final View members;
    private final View subKeys;
    private final List<View> entries;
    private final View groups;
    private final View pending;

    private RedisProjection(RedisTables tables, RedisViews views) {
        this.tables = tables;
        data = views.dataViews();
        members = views.memberView();
        subKeys = views.subKeyView();
        entries = views.entryViews();
        groups = views.groupView();
        pending = views.pendingView();
    }

    public static RedisProjection of(Keyspace keyspace) {
        return new RedisProjection(keyspace.tables(), RedisViews.followed(keyspace));
    }

    RedisTables redisTables() {
        return tables;
    }

    /** The view of the elements of keys of this part. */
    View dataView(int part) {
        return data.get(part);
    }

    View memberView() {
        return members;
    }

    View subKeyView() {
        return subKeys;
    }

    /** The view of this kind of rows of streams of this part. */
    View streamView(ElementKind kind, int part) {
        return kind == ElementKind.STREAM_ENTRY
                ? entries.get(part)
                : kind == ElementKind.STREAM_GROUP ? groups : pending;
    }

    @Override
    public List<View> views() {
        List<View> all = new ArrayList<>(data);
        all.add(members);
        all.add(subKeys);
        all.addAll(entries);
        all.add(groups);
        all.add(pending);
        return all;
    }

    @Override
    public Set<Table> sources() {
        Set<Table> sources = new LinkedHashSet<>();
        for (int part = 0; part < tables.partCount(); part++) {
            sources.add(tables.keys(part));
            sources.add(tables.elements(part));
        }
        sources.addAll(tables.garbageTables());
        sources.add(tables.settings());
        return sources;
    }

    @Override
    public Session begin(Notes notes) {
        CollectionOwners owners = new CollectionOwners(notes);
        ShownDatabases databases = new ShownDatabases(notes);
        ShownLists lists = new ShownLists(notes);
        return end -> new ProjectionWindow(this, end, owners, databases, lists);
    }
}
