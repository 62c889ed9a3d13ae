package io.polytable.store.log.file;

import io.polytable.store.log.disk.LogFile;
import io.polytable.store.log.disk.LogFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A directory in memory that knows which bytes and names a disk would have: those that were forced. Any number of logs
 * may be opened on copies of it, as they were at the death of the process or of the machine.
 */
public final class MemoryFiles implements LogFiles {
    private final Map<String, MemoryFile> names = new TreeMap<>();
    private final Map<String, MemoryFile> durableNames = new TreeMap<>();
    private final List<NameChange> unforced = new ArrayList<>();
    private long roomBytes = Long.MAX_VALUE;

    /** What of the unforced bytes and names the disk has when the power goes. */
    public enum Loss {
        NOTHING,
        EVERYTHING,
        /** Any of the sectors, and the names up to any moment, as a file system with a journal keeps them. */
        SOME
    }

    private interface NameChange {
        void on(Map<String, MemoryFile> map);
    }

    /** No more than so many bytes fit in all. */
    public synchronized void limit(long bytes) {
        roomBytes = bytes;
    }

    /** What another process would find now. */
    public synchronized MemoryFiles copy() {
        MemoryFiles copy = new MemoryFiles();
        names.forEach((name, file) -> {
            MemoryFile same = file.copy(copy);
            copy.names.put(name, same);
            copy.durableNames.put(name, same);
        });
        return copy;
    }

    /** What is found when the power comes back. */
    public synchronized MemoryFiles afterPowerLoss(Loss loss, Random random) {
        Map<String, MemoryFile> kept = new TreeMap<>(durableNames);
        int changes = switch (loss) {
            case NOTHING -> unforced.size();
            case EVERYTHING -> 0;
            case SOME -> random.nextInt(unforced.size() + 1);
        };
        unforced.subList(0, changes).forEach(change -> change.on(kept));
        MemoryFiles after = new MemoryFiles();
        kept.forEach((name, file) -> {
            MemoryFile rest = file.afterPowerLoss(after, loss, random);
            after.names.put(name, rest);
            after.durableNames.put(name, rest);
        });
        return after;
    }

    /** The bytes of a file, to be looked at and damaged. */
    public synchronized byte[] bytes(String name) throws IOException {
        return file(name).bytes();
    }

    public synchronized void replace(String name, byte[] bytes) {
        MemoryFile file = new MemoryFile(this, bytes);
        names.put(name, file);
        durableNames.put(name, file);
    }

    void requireRoom(long bytes) throws IOException {
        long used = names.values().stream().mapToLong(MemoryFile::size).sum();
        if (used + bytes > roomBytes) {
            throw new IOException("No space left on device");
        }
    }

    private MemoryFile file(String name) throws IOException {
        MemoryFile file = names.get(name);
        if (file == null) {
            throw new FileNotFoundException(name);
        }
        return file;
    }

    private void change(NameChange change) {
        change.on(names);
        unforced.add(change);
    }

    @Override
    public String describe(String name) {
        return "memory/" + name;
    }

    @Override
    public synchronized List<String> list() {
        return List.copyOf(names.keySet());
    }

    @Override
    public synchronized LogFile create(String name) throws IOException {
        requireRoom(0);
        MemoryFile file = new MemoryFile(this, new byte[0]);
        change(map -> map.put(name, file));
        return file;
    }

    @Override
    public synchronized LogFile open(String name) throws IOException {
        return file(name);
    }

    @Override
    public synchronized LogFile openToRead(String name) throws IOException {
        MemoryFile file = file(name);
        return new LogFile() {
            @Override
            public long size() {
                return file.size();
            }

            @Override
            public int write(ByteBuffer source, long at) throws IOException {
                throw new IOException("open for reading only");
            }

            @Override
            public int read(ByteBuffer target, long at) {
                return file.read(target, at);
            }

            @Override
            public void force() throws IOException {
                throw new IOException("open for reading only");
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public synchronized void rename(String from, String to) throws IOException {
        MemoryFile file = file(from);
        change(map -> {
            map.remove(from);
            map.put(to, file);
        });
    }

    @Override
    public synchronized void delete(String name) {
        change(map -> map.remove(name));
    }

    @Override
    public synchronized void syncDirectory() {
        unforced.forEach(change -> change.on(durableNames));
        unforced.clear();
    }

    @Override
    public long modifiedMillis(String name) {
        return 0;
    }

    @Override
    public void close() {}
}
