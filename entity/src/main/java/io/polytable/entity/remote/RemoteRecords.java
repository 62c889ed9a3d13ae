package io.polytable.entity.remote;

import io.polytable.entity.store.StoreRecords;
import io.polytable.entity.wire.StoreCall;
import io.polytable.table.Bytes;
import io.polytable.table.codec.BytesReader;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** The records of an instance of a server. */
final class RemoteRecords implements StoreRecords {
    private final ServerConnection server;
    private final String instance;

    RemoteRecords(ServerConnection server, String instance) {
        this.server = server;
        this.instance = instance;
    }

    @Override
    public Optional<Bytes> get(String key) {
        BytesReader in =
                server.call(StoreCall.GET_RECORD, words -> words.text(instance).text(key));
        return in.u8() == 1 ? Optional.of(in.sized().copy()) : Optional.empty();
    }

    @Override
    public void put(String key, Bytes value) {
        server.call(
                StoreCall.PUT_RECORD, words -> words.text(instance).text(key).sized(value));
    }

    @Override
    public void remove(String key) {
        server.call(StoreCall.REMOVE_RECORD, words -> words.text(instance).text(key));
    }

    @Override
    public boolean replace(String key, Optional<Bytes> expected, Bytes value) {
        BytesReader in = server.call(StoreCall.REPLACE_RECORD, words -> {
            words.text(instance).text(key).u8(expected.isPresent() ? 1 : 0);
            expected.ifPresent(words::sized);
            words.sized(value);
        });
        return in.u8() == 1;
    }

    @Override
    public NavigableMap<String, Bytes> withPrefix(String prefix) {
        BytesReader in =
                server.call(StoreCall.RECORDS, words -> words.text(instance).text(prefix));
        NavigableMap<String, Bytes> found = new TreeMap<>();
        int count = in.count();
        for (int i = 0; i < count; i++) {
            found.put(in.text(), in.sized().copy());
        }
        return found;
    }
}
