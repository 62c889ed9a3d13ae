package io.polytable.entity.serve;

import io.polytable.entity.layout.TableLayout;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.model.Names;
import io.polytable.entity.store.EntityStore;
import io.polytable.entity.store.InstanceStore;
import io.polytable.entity.store.StoreRecords;
import io.polytable.entity.wire.CallAnswer;
import io.polytable.entity.wire.StoreCall;
import io.polytable.table.Bytes;
import io.polytable.table.StoreException;
import io.polytable.table.codec.BytesReader;
import io.polytable.table.codec.BytesWriter;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/** Answers calls of remote programs on a store. Thread safe. */
public final class StoreService {
    private final EntityStore store;
    private final Map<String, ServedInstance> instances = new ConcurrentHashMap<>();

    public StoreService(EntityStore store) {
        this.store = store;
    }

    /** Answers a call; errors of the entity library are answers too. */
    public Bytes answer(Bytes call) {
        try {
            BytesReader in = new BytesReader(call);
            int version = in.u8();
            if (version != StoreCall.VERSION) {
                throw new EntityException(
                        EntityError.NOT_CAPABLE,
                        "The server speaks another version of the protocol",
                        Map.of("asked", version, "known", StoreCall.VERSION));
            }
            StoreCall kind = StoreCall.of(in.u8());
            BytesWriter out = CallAnswer.begun();
            answer(kind, in, out);
            return out.toBytes();
        } catch (EntityException e) {
            return CallAnswer.failed(e);
        } catch (StoreException e) {
            // Truncated bytes: failures of stores arrive as {@code EntityException}s.
            return CallAnswer.failed(
                    new EntityException(EntityError.BAD_REQUEST, "A message to the store is malformed", Map.of(), e));
        }
    }

    private void answer(StoreCall kind, BytesReader in, BytesWriter out) {
        switch (kind) {
            case INSTANCES -> {
                in.end();
                var names = store.instances();
                out.varint(names.size());
                names.forEach(out::text);
            }
            case CREATE_INSTANCE -> create(in);
            case DROP_INSTANCE -> {
                String name = ended(in, in.text());
                store.dropInstance(name);
                instances.remove(name);
            }
            case FIND_INSTANCE -> instance(ended(in, in.text()));
            case GET_RECORD, PUT_RECORD, REMOVE_RECORD, REPLACE_RECORD, RECORDS ->
                record(kind, instance(in.text()), in, out);
            case PREPARE -> define(in, InstanceStore::prepare);
            case TRIM -> define(in, InstanceStore::trim);
            case DROP ->
                define(in, (instance, layout) -> {
                    instance.drop(layout);
                    instance.forget(layout.name());
                });
            case GET, WRITE, WRITE_ALL, PARTITIONS, FLUSH, SCAN -> {
                ServedInstance instance = instance(in.text());
                TableCalls.answer(kind, instance, in, out);
            }
        }
    }

    private static <T> T ended(BytesReader in, T value) {
        in.end();
        return value;
    }

    private void create(BytesReader in) {
        String name = in.text();
        Map<String, String> properties = new TreeMap<>();
        int count = in.count();
        for (int i = 0; i < count; i++) {
            properties.put(in.text(), in.text());
        }
        in.end();
        store.createInstance(name, properties);
    }

    private ServedInstance instance(String name) {
        Names.instance(name);
        InstanceStore present = store.instance(name);
        // A table that was dropped and recreated is a different one.
        return instances.compute(
                name, (key, known) -> known != null && known.store() == present ? known : new ServedInstance(present));
    }

    private void define(BytesReader in, BiConsumer<InstanceStore, TableLayout> change) {
        ServedInstance instance = instance(in.text());
        TableLayout layout = TableLayout.parse(in.text());
        in.end();
        instance.defining(layout, () -> change.accept(instance.store(), layout));
    }

    private static void record(StoreCall kind, ServedInstance instance, BytesReader in, BytesWriter out) {
        StoreRecords records = instance.store().records();
        String key = in.text();
        if (kind == StoreCall.GET_RECORD) {
            in.end();
            Optional<Bytes> found = records.get(key);
            out.u8(found.isPresent() ? 1 : 0);
            found.ifPresent(out::sized);
        } else if (kind == StoreCall.RECORDS) {
            in.end();
            NavigableMap<String, Bytes> found = records.withPrefix(key);
            out.varint(found.size());
            found.forEach((name, value) -> out.text(name).sized(value));
        } else if (kind == StoreCall.PUT_RECORD) {
            Bytes value = ended(in, in.sized().copy());
            instance.changing(key, () -> {
                records.put(key, value);
                return key;
            });
        } else if (kind == StoreCall.REMOVE_RECORD) {
            in.end();
            instance.changing(key, () -> {
                records.remove(key);
                return key;
            });
        } else {
            Optional<Bytes> expected = in.u8() == 1 ? Optional.of(in.sized().copy()) : Optional.empty();
            Bytes value = ended(in, in.sized().copy());
            boolean replaced = instance.changing(key, () -> records.replace(key, expected, value));
            out.u8(replaced ? 1 : 0);
        }
    }
}
