package io.polytable.store.log.file;

import io.polytable.store.log.disk.LogFile;
import io.polytable.store.log.disk.LogFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A directory whose operations fail, come short or wait as a plan says. */
public final class FaultyFiles implements LogFiles {
    /** What can fail. */
    public enum Operation {
        CREATE,
        OPEN,
        READ,
        WRITE,
        FORCE,
        RENAME,
        DELETE,
        SYNC_DIRECTORY,
        CLOSE
    }

    /** Asked before each operation. */
    public interface Plan {
        void before(Operation operation, String name) throws IOException;

        /** How many of so many bytes a write takes. */
        default int taken(int bytes) {
            return bytes;
        }
    }

    private final LogFiles files;
    private final Map<Operation, Integer> counts = new EnumMap<>(Operation.class);
    private volatile Plan plan;

    public FaultyFiles(LogFiles files, Plan plan) {
        this.files = files;
        this.plan = plan;
    }

    public void plan(Plan next) {
        plan = next;
    }

    /** How often it was done so far. */
    public int count(Operation operation) {
        synchronized (counts) {
            return counts.getOrDefault(operation, 0);
        }
    }

    private void before(Operation operation, String name) throws IOException {
        synchronized (counts) {
            counts.merge(operation, 1, Integer::sum);
        }
        plan.before(operation, name);
    }

    @Override
    public String describe(String name) {
        return files.describe(name);
    }

    @Override
    public List<String> list() throws IOException {
        return files.list();
    }

    @Override
    public LogFile create(String name) throws IOException {
        before(Operation.CREATE, name);
        return new FaultyFile(files.create(name), name);
    }

    @Override
    public LogFile open(String name) throws IOException {
        before(Operation.OPEN, name);
        return new FaultyFile(files.open(name), name);
    }

    @Override
    public LogFile openToRead(String name) throws IOException {
        before(Operation.OPEN, name);
        return new FaultyFile(files.openToRead(name), name);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        before(Operation.RENAME, from);
        files.rename(from, to);
    }

    @Override
    public void delete(String name) throws IOException {
        before(Operation.DELETE, name);
        files.delete(name);
    }

    @Override
    public void syncDirectory() throws IOException {
        before(Operation.SYNC_DIRECTORY, "");
        files.syncDirectory();
    }

    @Override
    public long modifiedMillis(String name) throws IOException {
        return files.modifiedMillis(name);
    }

    @Override
    public void close() throws IOException {
        files.close();
    }

    private final class FaultyFile implements LogFile {
        private final LogFile file;
        private final String name;

        FaultyFile(LogFile file, String name) {
            this.file = file;
            this.name = name;
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public int write(ByteBuffer source, long at) throws IOException {
            before(Operation.WRITE, name);
            int taken = plan.taken(source.remaining());
            int limit = source.limit();
            source.limit(source.position() + taken);
            try {
                return file.write(source, at);
            } finally {
                source.limit(limit);
            }
        }

        @Override
        public int read(ByteBuffer target, long at) throws IOException {
            before(Operation.READ, name);
            return file.read(target, at);
        }

        @Override
        public void force() throws IOException {
            before(Operation.FORCE, name);
            file.force();
        }

        @Override
        public void close() throws IOException {
            file.close();
            before(Operation.CLOSE, name);
        }
    }
}
