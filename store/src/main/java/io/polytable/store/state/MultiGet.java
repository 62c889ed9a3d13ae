package io.polytable.store.state;

import io.polytable.table.Bytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ByteBufferGetStatus;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

/**
 * Batched point reads: many keys in one native call, into fixed-size buffers. A longer value is read by its own call
 * once its length is known and within the limit, so a few hundred keys cannot bring more onto the heap than the caller
 * has space for.
 */
final class MultiGet {
    static final int KEYS_MAX = 256;
    private static final int VALUE_BYTES = 1024;
    private static final int KEY_BYTES_USUAL = 64;
    private static final int IDLE_MAX = 8;

    private final ArrayBlockingQueue<Buffers> idle = new ArrayBlockingQueue<>(IDLE_MAX);

    /** The buffers of one call. */
    private static final class Buffers {
        private final List<ByteBuffer> values = new ArrayList<>(KEYS_MAX);
        private final ByteBuffer usualKeys = ByteBuffer.allocateDirect(KEYS_MAX * KEY_BYTES_USUAL);

        Buffers() {
            ByteBuffer all = ByteBuffer.allocateDirect(KEYS_MAX * VALUE_BYTES);
            for (int i = 0; i < KEYS_MAX; i++) {
                values.add(all.slice(i * VALUE_BYTES, VALUE_BYTES));
            }
        }

        List<ByteBuffer> keys(List<Bytes> keys) {
            int length = keys.stream().mapToInt(Bytes::length).sum();
            ByteBuffer all = length <= usualKeys.capacity() ? usualKeys.clear() : ByteBuffer.allocateDirect(length);
            List<ByteBuffer> result = new ArrayList<>(keys.size());
            for (Bytes key : keys) {
                int at = all.position();
                all.put(key.array(), key.offset(), key.length());
                result.add(all.slice(at, key.length()));
            }
            return result;
        }

        List<ByteBuffer> values(int count) {
            List<ByteBuffer> result = values.subList(0, count);
            result.forEach(ByteBuffer::clear);
            return result;
        }
    }

    /** A column family, read with the given options. */
    record View(RocksDB database, ColumnFamilyHandle family, ReadOptions options) {}

    /** The answers to the first of at most {@link #KEYS_MAX} keys, at least one, up to about {@code bytesMax} bytes. */
    List<Optional<Bytes>> read(View view, List<Bytes> keys, long bytesMax) throws RocksDBException {
        Buffers pooled = idle.poll();
        Buffers buffers = pooled == null ? new Buffers() : pooled;
        List<ByteBuffer> values = buffers.values(keys.size());
        List<ByteBufferGetStatus> found = view.database()
                .multiGetByteBuffers(
                        view.options(), Collections.nCopies(keys.size(), view.family()), buffers.keys(keys), values);
        List<Optional<Bytes>> answers = new ArrayList<>(keys.size());
        long bytes = 0;
        for (int i = 0; i < keys.size(); i++) {
            int length = lengthOf(found.get(i));
            if (i > 0 && bytes + length > bytesMax) {
                break;
            }
            Optional<Bytes> answer = length > VALUE_BYTES ? readAlone(view, keys.get(i)) : copy(values.get(i), length);
            bytes += answer.map(Bytes::length).orElse(0);
            answers.add(answer);
        }
        boolean unusedKept = idle.offer(buffers);
        return answers;
    }

    /** The value's length; negative without a row. */
    private static int lengthOf(ByteBufferGetStatus found) throws RocksDBException {
        Status.Code code = found.status.getCode();
        if (code != Status.Code.Ok && code != Status.Code.NotFound) {
            throw new RocksDBException(found.status);
        }
        return code == Status.Code.Ok ? found.requiredSize : -1;
    }

    private static Optional<Bytes> copy(ByteBuffer value, int length) {
        if (length < 0) {
            return Optional.empty();
        }
        byte[] bytes = new byte[length];
        value.get(0, bytes);
        return Optional.of(Bytes.of(bytes));
    }

    private static Optional<Bytes> readAlone(View view, Bytes key) throws RocksDBException {
        byte @Nullable [] value =
                view.database().get(view.family(), view.options(), key.array(), key.offset(), key.length());
        return value == null ? Optional.empty() : Optional.of(Bytes.of(value));
    }
}
