package io.polytable.store.log.file;

import io.polytable.store.log.disk.LogFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;

/** A file of {@link MemoryFiles}, as programs see it and as the disk has it. Sectors reach the disk whole or not. */
final class MemoryFile implements LogFile {
    private static final int SECTOR = 512;

    private final MemoryFiles directory;
    private final BitSet unforced = new BitSet();
    private byte[] seen;
    private byte[] durable;

    MemoryFile(MemoryFiles directory, byte[] bytes) {
        this.directory = directory;
        this.seen = bytes.clone();
        this.durable = bytes.clone();
    }

    MemoryFile copy(MemoryFiles target) {
        return new MemoryFile(target, seen);
    }

    byte[] bytes() {
        return seen;
    }

    MemoryFile afterPowerLoss(MemoryFiles target, MemoryFiles.Loss loss, Random random) {
        byte[] rest = durable.clone();
        for (int sector = unforced.nextSetBit(0); sector >= 0; sector = unforced.nextSetBit(sector + 1)) {
            boolean kept = switch (loss) {
                case NOTHING -> true;
                case EVERYTHING -> false;
                case SOME -> random.nextBoolean();
            };
            if (kept) {
                int from = sector * SECTOR;
                int to = Math.min(from + SECTOR, seen.length);
                rest = Arrays.copyOf(rest, Math.max(rest.length, to));
                System.arraycopy(seen, from, rest, from, to - from);
            }
        }
        return new MemoryFile(target, rest);
    }

    @Override
    public long size() {
        synchronized (directory) {
            return seen.length;
        }
    }

    @Override
    public int write(ByteBuffer source, long at) throws IOException {
        synchronized (directory) {
            int start = (int) at;
            int length = source.remaining();
            int end = start + length;
            if (end > seen.length) {
                directory.requireRoom(end - (long) seen.length);
                seen = Arrays.copyOf(seen, end);
            }
            source.get(seen, start, length);
            unforced.set(start / SECTOR, (end + SECTOR - 1) / SECTOR);
            return length;
        }
    }

    @Override
    public int read(ByteBuffer target, long at) {
        synchronized (directory) {
            if (at >= seen.length) {
                return -1;
            }
            int length = (int) Math.min(target.remaining(), seen.length - at);
            target.put(seen, (int) at, length);
            return length;
        }
    }

    @Override
    public void force() {
        synchronized (directory) {
            durable = seen.clone();
            unforced.clear();
        }
    }

    @Override
    public void close() {}
}
