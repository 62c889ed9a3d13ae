package io.polytable.entity;

import io.polytable.entity.key.EntityId;
import io.polytable.entity.key.EntityIdText;
import io.polytable.entity.key.EntityRange;
import io.polytable.entity.key.KeyFormat;
import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.meta.Notes;
import io.polytable.entity.read.TableReader;
import io.polytable.entity.session.TableAccess;
import io.polytable.entity.store.StoreRecords;
import io.polytable.entity.uri.EntityUri;
import io.polytable.entity.write.AtomicWriter;
import io.polytable.entity.write.BufferedWriter;
import io.polytable.entity.write.TableWriter;
import org.jspecify.annotations.Nullable;

/** A table of entities. It lives as long as its instance; thread safe. */
public final class EntityTable {
    private final Instance instance;
    private final TableAccess access;
    private final Notes notes;
    private final TableReader reader;
    private final TableWriter writer;

    EntityTable(Instance instance, TableAccess access, StoreRecords records) {
        this.instance = instance;
        this.access = access;
        notes = new Notes(records, access.table());
        reader = new TableReader(access);
        writer = new TableWriter(access);
    }

    public Instance instance() {
        return instance;
    }

    public String name() {
        return access.table();
    }

    public EntityUri uri() {
        return instance.uri().withTable(name());
    }

    /** The current layout. */
    public TableLayout layout() {
        return access.under(state -> state.layout());
    }

    private KeyFormat keys() {
        return access.current().keys();
    }

    /** The id of the entity with these components: one text or byte array, or the components of the layout. */
    public EntityId id(@Nullable Object... components) {
        return keys().id(components);
    }

    /** The id with this text form; see {@link EntityIdText}. */
    public EntityId parseId(String text) {
        return EntityIdText.parse(keys(), text);
    }

    /** The range of entities whose keys start with these components. */
    public EntityRange startingWith(@Nullable Object... components) {
        return keys().startingWith(components);
    }

    public TableReader reader() {
        return reader;
    }

    public TableWriter writer() {
        return writer;
    }

    public BufferedWriter bufferedWriter() {
        return new BufferedWriter(access);
    }

    /** Not thread safe. */
    public AtomicWriter atomicWriter() {
        return new AtomicWriter(access);
    }

    public Notes notes() {
        return notes;
    }

    /** Flushes the store's memory to its files, if the store supports it. */
    public void flush() {
        access.under(state -> {
            state.stored().flush();
            return state;
        });
    }
}
